// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../../../../test/support/world.ts';

const office = `
users:
  alice: { username: Alice, first_name: Alice, last_name: Archer }
  bob: { username: bob, first_name: Bob, last_name: Baker, password: "\${env.BOB}" }
menus:
  main: { name: Main }
`;
const options = { files: { 'office.yaml': office }, env: { BOB: 'canary-bob-1' } };
const line = 'apply -f office.yaml --yes --strict-input --generate-passwords new.csv';

test('writes generated passwords of new users to one file only', async () => {
  const world = await openWorld();
  const run = await world.telctl(line, options);
  expect(run.code, run.stderr).toBe(0);
  const path = join(world.folders.cwd, 'new.csv');
  const [head, row = '', ...others] = readFileSync(path, 'utf8').split('\n');
  expect([head, others, statSync(path).mode & 0o777]).toEqual([
    'account,object,username,password',
    [''],
    0o600,
  ]);
  const [account, object, username, password = ''] = row.split(',');
  expect([account, object, username, password.length > 11]).toEqual(['acme', 'users.alice', 'Alice', true]);
  const said = run.stdout + run.stderr;
  const files = world.filesWritten().filter((file) => !file.isFolder && !file.path.endsWith('new.csv'));
  for (const text of [said, ...files.map((file) => readFileSync(file.path, 'utf8'))])
    expect(text).not.toContain(password);
  const login = 'login --username alice --account-name acme --password-stdin --profile of-alice';
  const signed = await world.telctl(`${login} --base-url ${world.url}`, { stdin: password });
  expect(signed.code, signed.stderr).toBe(0);

  const again = await world.telctl(line, options);
  expect([again.code, again.requests.filter(({ method }) => method !== 'GET')]).toEqual([9, []]);
  expect(again.stderr).toContain('new.csv already exists');
  const idle = await world.telctl(line.replace('new.csv', 'other.csv'), options);
  expect([idle.code, existsSync(join(world.folders.cwd, 'other.csv'))]).toEqual([0, false]);
});

test('a resumed run reuses the passwords in its file', async () => {
  const world = await openWorld();
  const broken = await world.telctl(`${line} --on-error continue`, {
    ...options,
    faults: [{ fault: { kind: 'answer', status: 500 }, method: 'PUT', path: /\/users$/, times: 99 }],
  });
  expect(broken.code).toBe(8);
  const path = join(world.folders.cwd, 'new.csv');
  const before = readFileSync(path, 'utf8');
  const run = await world.telctl('apply --resume --yes', options);
  expect(run.code, run.stderr).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(before);
  const [, row = ''] = before.split('\n');
  const login = 'login --username alice --account-name acme --password-stdin --profile of-alice';
  const stdin = row.split(',').at(-1) ?? '';
  expect((await world.telctl(`${login} --base-url ${world.url}`, { stdin })).code).toBe(0);
});

const fleet = `
users:
  front: { username: front, first_name: Front, last_name: Desk }
devices:
  desk: { name: Desk, device_type: softphone, sip: { username: desk_1 } }
  door: { name: Door, sip: { username: door_1, method: ip, ip: 192.0.2.7 } }
`;

test('writes the passwords of all accounts to the file before sending them', async () => {
  const world = await openWorld();
  for (const name of ['north', 'south'])
    expect((await world.telctl(`accounts create --name ${name} --realm ${name}.example`)).code).toBe(0);
  const files = { 'fleet.yaml': fleet, 'list.csv': 'account\nnorth\nsouth\n' };
  const path = join(world.folders.cwd, 'new.csv');
  const run = await world.telctl(
    'apply -f fleet.yaml --accounts list.csv --yes --strict-input --generate-passwords new.csv',
    {
      files,
      faults: [{ fault: { kind: 'answer', status: 500 }, method: 'PUT', path: /\/devices$/, times: 99 }],
    },
  );
  expect(run.stderr).toContain('4 passwords are in new.csv.');
  const rows = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((row) => row.split(','));
  expect(
    rows
      .slice(1)
      .map((cells) => cells.slice(0, 3).join())
      .toSorted(),
  ).toEqual([
    'north,devices.desk,desk_1',
    'north,users.front,front',
    'south,devices.desk,desk_1',
    'south,users.front,front',
  ]);
  const resumed = await world.telctl('rollout resume 1 --yes -o ndjson');
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining('4 passwords are in new.csv.')]);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(5);
  for (const name of ['north', 'south']) {
    const device = await world.telctl(`devices get Desk --account ${name} -o json --reveal`);
    const said = rows.find(([account, object]) => account === name && object === 'devices.desk')?.at(-1);
    expect(JSON.parse(device.stdout).sip.password).toBe(said);
  }
  const start = 'rollout start -f fleet.yaml --accounts list.csv --yes --generate-passwords';
  const none = await world.telctl(`${start} other.csv`);
  expect([none.code, none.stderr]).toEqual([0, expect.stringContaining('other.csv was not written')]);
  expect((await world.telctl(`${start} new.csv`)).code).toBe(9);
  const secrets = rows.slice(1).map((cells) => cells.at(-1) ?? '');
  const kept = world.filesWritten().filter((file) => !file.isFolder && !file.path.endsWith('new.csv'));
  const texts = [run.stdout + run.stderr, ...kept.map((file) => readFileSync(file.path, 'utf8'))];
  expect(texts.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
});
