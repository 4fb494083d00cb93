import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import type { JsonObject } from '../../../base/json.ts';

const people = `First name,LAST NAME,extension,mac,E-mail
Ann,Archer,,softphone,ann@acme.example
Bob,Baker,2300,00:04:f2:ab:7e:fd,
Cleo,Cole,,,
`;
const files = { 'people.csv': people };
const line = 'users onboard -f people.csv --credentials phones.csv';

test('sets up the people of a file after one question, and a second run changes nothing', async () => {
  const { telctl, folders } = await openWorld();
  const run = await telctl(`${line} --yes`, { files });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('3 people: 3 users, 2 devices, 3 mailboxes, 3 extensions (2300 to 2302)');
  expect(run.stderr).toContain('Created 11 records for 3 people. Passwords: phones.csv (0600).');
  const rows = readFileSync(join(folders.cwd, 'phones.csv'), 'utf8').trim().split('\n');
  expect(rows).toHaveLength(4);
  expect(rows[0]).toBe('username,password,extension,sip_username,sip_password,realm');
  expect(rows[1]).toMatch(/^ann\.archer,[^,]{10,},2301,ann\.archer,[^,]{10,},acme\.sandbox\.example$/);
  expect(rows[3]).toMatch(/^cleo\.cole,[^,]{10,},2302,,,$/);
  // Passwords stand in the file and nowhere else.
  for (const row of rows.slice(1)) {
    const [, password = ''] = row.split(',');
    expect(run.stdout + run.stderr).not.toContain(password);
  }
  const users: readonly JsonObject[] = JSON.parse((await telctl('users list -o json')).stdout);
  expect(users.map(({ username }) => username)).toEqual(
    expect.arrayContaining(['ann.archer', 'bob.baker', 'cleo.cole']),
  );
  expect((await telctl('callflows trace 2300')).stdout).toContain('user "bob.baker"');
  const again = await telctl('users onboard -f people.csv --credentials other.csv --yes', { files });
  expect([again.code, again.stderr]).toEqual([
    0,
    expect.stringContaining('All 3 people are set up already.'),
  ]);
  const same = await telctl(`${line} --yes`, { files });
  expect([same.code, same.stderr]).toEqual([0, expect.stringContaining('All 3 people are set up already.')]);
  expect((await telctl('undo --yes')).code).toBe(0);
  const after: readonly JsonObject[] = JSON.parse((await telctl('users list -o json')).stdout);
  expect(after.map(({ username }) => username)).not.toContain('ann.archer');
});

const refusedBox = (status: number, times: number) =>
  ({
    method: 'PUT',
    path: /vmboxes$/,
    fault: { kind: 'answer', status, body: '{"message":"no"}' },
    times,
  }) as const;

test('never suggests an emergency number as the next extension', async () => {
  const { telctl } = await openWorld();
  const csv = 'first_name,last_name,extension,mac\nAnn,Archer,910,softphone\nBob,Baker,,softphone\n';
  const run = await telctl('users onboard -f p.csv --credentials c.csv --dry-run', {
    files: { 'p.csv': csv },
  });
  expect([run.code, run.stderr + run.stdout]).toEqual([0, expect.stringContaining('vmbox 912')]);
});

test('retries after a single 500', async () => {
  const { telctl } = await openWorld();
  const run = await telctl(`${line} --yes`, { files, faults: [refusedBox(500, 1)] });
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('Created 11 records for 3 people.')]);
});

test('continues after a failure for one person, and --resume completes it with the same passwords', async () => {
  const { telctl, folders } = await openWorld();
  const run = await telctl(`${line} --yes`, { files, faults: [refusedBox(400, 1)] });
  expect(run.code, run.stderr).toBe(8);
  expect(run.stderr).toContain('vmbox 2301');
  const kept = readFileSync(join(folders.cwd, 'phones.csv'), 'utf8');
  const again = await telctl(`${line} --yes --resume`, { files });
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('for 1 person')]);
  expect(readFileSync(join(folders.cwd, 'phones.csv'), 'utf8')).toBe(kept);
  expect((await telctl('callflows trace 2301')).code).toBe(0);
});

test('--set records the new objects in the ledger, which are unmanaged otherwise', async () => {
  const { telctl } = await openWorld();
  expect((await telctl(`${line} --yes`, { files })).code).toBe(0);
  const managed = async () =>
    JSON.parse((await telctl('state list -o json')).stdout).map(({ sets }: JsonObject) => sets);
  expect((await managed()).flat()).toEqual([]);
  expect((await telctl('undo --yes')).code).toBe(0);
  const run = await telctl('users onboard -f people.csv --credentials b.csv --set team --yes', { files });
  expect(run.code, run.stderr).toBe(0);
  expect(await managed()).toEqual([['team']]);
});

test('never changes an existing record with the same name or MAC address', async () => {
  const { telctl } = await openWorld();
  expect((await telctl('devices create --name Lobby --set mac_address=0004f2ab7efd')).code).toBe(0);
  const taken = await telctl(`${line} --yes`, { files });
  expect([taken.code, taken.stderr]).toEqual([6, expect.stringContaining('The account already has device')]);
  expect(taken.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const twin = 'first_name,last_name,username\nAnn,Archer,one\nAnn,Archer,two\n';
  for (const name of ['one', 'two']) {
    const only = twin.split('\n').filter((row) => !row.endsWith(name === 'one' ? 'two' : 'one'));
    const run = await telctl(`users onboard -f ${name}.csv --credentials ${name}.out --yes`, {
      files: { [`${name}.csv`]: only.join('\n') },
    });
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('Created 3 records for 1 person.')]);
  }
});

test('lists the problems of all rows at once, and sends no requests', async () => {
  const { telctl, folders } = await openWorld();
  const wrong = 'first_name,last_name,extension\nAnn,Archer,x1\nAnn,Archer,2001\nBob,,2001\n';
  const run = await telctl(line, { files: { 'people.csv': wrong } });
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('"x1" is not an extension');
  expect(run.stderr).toContain('two people have the user name ann.archer');
  expect(run.stderr).toContain('"last_name" is missing');
  expect(run.stderr).toContain('two people have the extension 2001');
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const without = await telctl('users onboard -f people.csv', { files });
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--credentials FILE')]);
  const kept = await telctl(`${line} --yes`, { files: { ...files, 'phones.csv': 'mine\n' } });
  expect(kept.code).toBe(9);
  expect(readFileSync(join(folders.cwd, 'phones.csv'), 'utf8')).toBe('mine\n');
});

test('rejects a phone assigned to two people, before any request', async () => {
  const { telctl } = await openWorld();
  const file = `First name,Last name,Extension,Phone
Ann,Archer,2601,00:04:f2:ab:7e:01
Bob,Baker,2602,0004F2-AB7E01
`;
  const run = await telctl(`${line} --yes`, { files: { 'people.csv': file } });
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('people.csv:3 (Phone): two people have the phone 0004f2ab7e01');
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('detects a taken extension that the service returns as a JSON number', async () => {
  const { telctl } = await openWorld();
  const change = (body: string): string => {
    const { data, ...more }: { data: readonly JsonObject[] } = JSON.parse(body);
    return JSON.stringify({ ...more, data: [...data, { id: 'one', numbers: [2300] }] });
  };
  const faults = [{ method: 'GET', path: /callflows$/, fault: { kind: 'rewrite', change } }] as const;
  const run = await telctl(line, { files, faults });
  expect(run.code, run.stderr).toBe(10);
  expect(run.stderr).toContain('extension 2300 is taken; the next free one is 2302');
});

test('accepts option names and exported headings as column titles', async () => {
  const { telctl, service } = await openWorld();
  const file = `First name,Last name,extension_number,mac_address,email_address,softphone,brand,model,family
Ann,Archer,2601,00:04:f2:ab:7e:01,ann@acme.example,false,yealink,t42g,t4x
Bob,Baker,2602,,,true,,,
`;
  const run = await telctl(`${line} --yes`, { files: { 'people.csv': file } });
  expect(run.code, run.stderr).toBe(0);
  const list: readonly JsonObject[] = JSON.parse((await telctl('devices list -o json')).stdout);
  const byType = list.toSorted((a, b) => (String(a.device_type) < String(b.device_type) ? -1 : 1));
  const phones = await Promise.all(byType.map(({ id }) => service('GET', `devices/${String(id)}`)));
  expect(
    phones.map(({ mac_address, device_type, provision }) => [mac_address, device_type, provision]),
  ).toEqual([
    [
      '0004f2ab7e01',
      'sip_device',
      { endpoint_brand: 'yealink', endpoint_family: 't4x', endpoint_model: 't42g' },
    ],
    [undefined, 'softphone', undefined],
  ]);
  const both = `First name,Last name,mac,softphone\nCal,Cole,00:04:f2:ab:7e:02,true\n`;
  const refused = await telctl(line, { files: { 'people.csv': both } });
  expect([refused.code, refused.stderr]).toEqual([10, expect.stringContaining('cannot be combined')]);
});

test('does not print or log values from environment variables', async () => {
  const { telctl, folders } = await openWorld();
  const yaml = `- {first_name: Ann, last_name: "\${env.CANARY}", extension: "2001", phone: softphone}
- {first_name: Bob, last_name: Bee, username: "\${env.CANARY}", extension: "2002"}
`;
  const world = { files: { 'team.yaml': yaml }, env: { CANARY: 'Kestrel-77x' } };
  const command = 'users onboard -f team.yaml --credentials c.csv';
  const dry = await telctl(`${command} --dry-run`, world);
  const run = await telctl(`${command} --yes -o json`, world);
  expect([dry.code, run.code], run.stderr).toEqual([0, 0]);
  expect(dry.stderr).toBe('');
  const log = join(folders.home, '.local/state/telctl/log');
  const logged = readdirSync(log, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  expect(logged.join('')).toContain('users.person-1');
  for (const text of [dry.stdout, run.stdout, run.stderr, ...logged]) expect(text).not.toMatch(/kestrel/i);
  expect(readFileSync(join(folders.cwd, 'c.csv'), 'utf8')).toMatch(/^ann\.kestrel-77x,/m);
});
