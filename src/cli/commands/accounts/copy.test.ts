import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld, type RunOptions, type World } from '../../../../test/support/world.ts';
import type { JsonObject } from '../../../base/json.ts';

const office = `account_settings: { timezone: Europe/Zurich, language: de-DE }
users:
  alice: { username: alice, password: first-sign-in, first_name: Alice, last_name: Archer, priv_level: admin, caller_id: { external: { number: "+12125550140" } } }
  bob: { username: bob, password: first-sign-in, first_name: Bob, last_name: Baker }
devices:
  desk: { name: Desk, owner_id: "\${users.bob}", sip: { username: bob-desk, password: first-sip-secret } }
vmboxes:
  bob: { mailbox: "2002", name: Bob, owner_id: "\${users.bob}", pin: "4711" }
menus:
  main: { name: Main menu }
callflows:
  main:
    name: Main line
    numbers: ["+12125550140", "+12125550141", "2000"]
    flow:
      module: menu
      data: { id: "\${menus.main}" }
      children:
        "1": { module: user, data: { id: "\${users.bob}" }, children: { _: { module: voicemail, data: { id: "\${vmboxes.bob}" }, children: {} } } }
        "2": { module: callflow, data: { id: "\${callflows.abroad}" }, children: {} }
  abroad: { name: Abroad, numbers: ["+12125550142"], flow: { module: user, data: { id: "\${users.bob}" }, children: {} } }
`;

/** An account with an office, and another that is empty. */
async function offices(): Promise<World> {
  const world = await openWorld();
  await done(world, 'accounts create --name east --realm east.example');
  await done(world, 'accounts create --name west --realm west.example');
  await done(world, 'apply -f office.yaml --account east --yes', { files: { 'office.yaml': office } });
  return world;
}

async function done(world: World, line: string, options: RunOptions = {}) {
  const run = await world.telctl(line, options);
  expect(run.code, `${line}: ${run.stderr}`).toBe(0);
  return run;
}

const jsonOf = async (world: World, line: string) =>
  JSON.parse((await done(world, `${line} -o json`)).stdout);
const writes = ({ requests }: { readonly requests: readonly { readonly method: string }[] }) =>
  requests.filter(({ method }) => method !== 'GET');
const map = { files: { 'west.csv': 'from,to\n+12125550140,+13125550150\n' } };

test('copies an account after one question, except unique values, and undo reverts the copy', async () => {
  const world = await offices();
  const run = await world.telctl('accounts copy east west --numbers west.csv --generate-passwords new.csv', {
    ...map,
    tty: true,
    answers: [{ to: /Create these \d+ in west\?/, type: 'y\r' }],
  });
  expect(run.code, run.stderr).toBe(0);
  const said = `${run.stdout}${run.stderr}`.replaceAll('\n│ ', ' ');
  expect(said).toMatch(/From east to west: \d+ objects of \d+ kinds\./);
  expect(said).toContain('1 number without a row in --numbers');
  expect(said).toContain('callflow abroad, which would have no number');
  expect(said).toContain('limits, which only the reseller sets');
  expect(said).toContain('the rights of 1 administrator, who becomes a plain user');
  expect(said).toMatch(
    /Created \d+ in \d+\.\d s\. Passwords: new\.csv \(0600\)\. Undo: telctl undo \d+ --account west/,
  );
  const [flow] = await jsonOf(world, 'callflows list --account west');
  const whole = await jsonOf(world, `callflows get ${flow.id} --account west`);
  expect(whole.numbers).toEqual(['+13125550150', '2000']);
  const users = await jsonOf(world, 'users list --account west');
  const bob = users.find(({ username }: { username: string }) => username === 'bob');
  expect(whole.flow.children['1'].data.id).toBe(bob.id);
  const alice = await jsonOf(world, 'users get alice --account west');
  expect(alice).toMatchObject({ priv_level: 'user', caller_id: { external: { number: '+13125550150' } } });
  expect(await jsonOf(world, 'accounts get west')).toMatchObject({
    ...{ name: 'west', realm: 'west.example' },
    ...{ timezone: 'Europe/Zurich', language: 'de-DE' },
  });
  const file = join(world.folders.cwd, 'new.csv');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const rows = readFileSync(file, 'utf8').trim().split('\n');
  expect(rows.map((row) => row.split(',').slice(0, 3).join(',')).sort()).toEqual([
    'account,object,username',
    'west,devices.desk,bob-desk',
    'west,users.alice,alice',
    'west,users.bob,bob',
  ]);
  const undo = /Undo: telctl (undo .*)/.exec(said)?.[1] ?? '';
  await done(world, `${undo.trim()} --yes`);
  expect(await jsonOf(world, 'users list --account west')).toEqual([]);
  expect(await jsonOf(world, 'callflows list --account west')).toEqual([]);
});

test('reports every obstacle to a copy and sends no requests', async () => {
  const world = await offices();
  const refused = async (line: string, code: number, words: RegExp, options: RunOptions = map) => {
    const run = await world.telctl(line, options);
    expect([run.code, writes(run)], run.stderr).toEqual([code, []]);
    expect(run.stderr).toMatch(words);
  };
  await refused('accounts copy east east', 2, /are the same account/);
  await refused('accounts copy east nowhere', 5, /nowhere/);
  await refused('accounts copy east west --numbers wrong.csv', 10, /wrong\.csv:2: "12" is not a number/, {
    files: { 'wrong.csv': 'from,to\n+12125550140,12\n' },
  });
  await refused('accounts copy east west --generate-passwords there.csv --yes', 9, /there\.csv/, {
    files: { 'there.csv': 'mine\n' },
  });
  await refused('accounts copy east west --yes', 2, /^2 users need passwords[\s\S]*--generate-passwords/);
  await refused('accounts copy east west --generate-passwords new.csv', 2, /--yes/);
  expect(existsSync(join(world.folders.cwd, 'new.csv'))).toBe(false);
  await done(
    world,
    'users create --username bob --first-name Other --last-name Bob --password-stdin --account west',
    {
      stdin: 'first-sign-in\n',
    },
  );
  await refused('accounts copy east west --yes', 2, /west has 1 user\. Nothing was sent/);
  await refused(
    'accounts copy east west --into-existing --generate-passwords new.csv --yes',
    6,
    /1 object clashes with records of west[\s\S]*bob/,
  );
  expect(existsSync(join(world.folders.cwd, 'new.csv'))).toBe(false);
  await done(world, 'users delete bob --account west --yes');
  await done(world, 'callflows create --name Other --set-json numbers=["2000"] --account west');
  await refused(
    'accounts copy east west --into-existing --generate-passwords new.csv --yes',
    6,
    /numbers 2000 is already used by "Other"/,
  );
  await done(world, 'accounts copy east west --only menus --into-existing --yes');
  expect(await jsonOf(world, 'menus list --account west')).toHaveLength(1);
  expect(await jsonOf(world, 'users list --account west')).toEqual([]);
});

test('a dry run shows the plan and writes no file', async () => {
  const world = await offices();
  const run = await done(world, 'accounts copy east west --generate-passwords new.csv --dry-run');
  expect(writes(run)).toEqual([]);
  expect(run.stdout).toMatch(/\+ user bob|create.*bob/i);
  expect(existsSync(join(world.folders.cwd, 'new.csv'))).toBe(false);
});

test('prints the command that reverts a partly failed copy', async () => {
  const world = await offices();
  const run = await world.telctl('accounts copy east west --generate-passwords new.csv --yes', {
    faults: [{ method: 'PUT', path: /callflows$/, fault: { kind: 'answer', status: 500, body: '{}' } }],
  });
  expect(run.code).toBe(8);
  const undo = /telctl (undo \d+ --account west)/.exec(run.stderr)?.[1] ?? '';
  await done(world, `${undo} --yes`);
  expect(await jsonOf(world, 'users list --account west')).toEqual([]);
});

test('repeating an interrupted copy creates only the missing objects', async () => {
  const world = await offices();
  const faults = [{ method: 'PUT', path: /callflows$/, times: 8, fault: { kind: 'refuse' } }] as const;
  const line = 'accounts copy east west --numbers west.csv --yes --generate-passwords';
  const first = await world.telctl(`${line} one.csv`, { ...map, faults });
  expect(first.code, first.stderr).toBe(8);
  expect(first.stderr).toContain('To continue, run the same command again.');
  expect(await jsonOf(world, 'users list --account west')).toHaveLength(2);
  const again = await done(world, `${line} two.csv`);
  expect(again.stderr).toMatch(/Continuing the copy that run \d+ started\./);
  expect(again.stderr).toMatch(/Undo: telctl undo \d+ --account west, then telctl undo \d+ --account west/);
  expect(await jsonOf(world, 'users list --account west')).toHaveLength(2);
  const [flow, ...others] = await jsonOf(world, 'callflows list --account west');
  expect([flow.name, others]).toEqual(['Main line', []]);
  // A copy that ended is not continued.
  const third = await world.telctl(`${line} three.csv`);
  expect([third.code, third.stderr]).toEqual([2, expect.stringContaining('--into-existing')]);
});

test('--resume continues a copy with the same passwords file, and --set makes its objects managed', async () => {
  const world = await offices();
  const faults = [{ method: 'PUT', path: /callflows$/, times: 8, fault: { kind: 'refuse' } }] as const;
  const line = 'accounts copy east west --numbers west.csv --yes --generate-passwords p.csv';
  const early = await world.telctl(`${line} --resume`, { ...map });
  expect([early.code, early.stderr]).toEqual([
    2,
    expect.stringContaining('is not an unfinished "copy of east"'),
  ]);
  expect((await world.telctl(line, { ...map, faults })).code).toBe(8);
  await done(world, `${line} --resume`);
  expect(await jsonOf(world, 'callflows list --account west')).toHaveLength(1);
  const setsOf = async (name: string) => {
    const accounts: readonly JsonObject[] = await jsonOf(world, 'state list');
    return accounts.flatMap(({ account, sets }) => (account === name ? [sets] : []));
  };
  expect((await setsOf('west')).flat()).toEqual([]);
  await done(world, 'accounts create --name north --realm north.example');
  await done(world, 'accounts copy east north --only menus --set branch --yes');
  expect(await setsOf('north')).toEqual([['branch']]);
});
