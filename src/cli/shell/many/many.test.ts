import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { files } from '../../../base/host/files.ts';
import { isObject } from '../../../base/json.ts';
import { allNouns } from '../registry.ts';
import { manyOptionsOf } from './options.ts';

/** A world with three accounts below the one acted on; north and south have a user bob. */
async function openTree(): Promise<{ readonly world: World; readonly ids: ReadonlyMap<string, string> }> {
  const world = await openWorld();
  const ids = new Map<string, string>();
  const token = await world.sandbox.adminToken();
  for (const name of ['west', 'south', 'north']) {
    const path = `/v2/accounts/${world.seed.accountId}`;
    const { data } = await world.sandbox.call('PUT', path, {
      token,
      data: { name, realm: `${name}.example` },
    });
    if (isObject(data)) ids.set(name, String(data.id));
  }
  for (const name of ['south', 'north'])
    await world.sandbox.call('PUT', `/v2/accounts/${ids.get(name)}/users`, {
      token,
      data: {
        username: 'bob',
        password: 'first-sign-in',
        first_name: 'Bob',
        last_name: name,
        email: `bob@${name}.example`,
      },
    });
  return { world, ids };
}

const isWrite = ({ method }: { readonly method: string }): boolean => method !== 'GET';

test('combines the lists of all accounts below in one table with an account column', async () => {
  const { world, ids } = await openTree();
  const table = await world.telctl('users list --below');
  expect(table).toMatchObject({ code: 0, stderr: '2 users in 3 accounts\n' });
  expect(table.stdout.split('\n').map((line) => line.split(/\s+/).slice(0, 2))).toEqual([
    ['ACCOUNT', 'USERNAME'],
    ['north', 'bob'],
    ['south', 'bob'],
    [''],
  ]);
  const json = await world.telctl('users list --below -o json');
  expect(JSON.parse(json.stdout)).toMatchObject([
    { account: 'north', account_id: ids.get('north'), username: 'bob' },
    { account: 'south', account_id: ids.get('south'), username: 'bob' },
  ]);
  const csv = await world.telctl('users list --below -o csv --fields email');
  expect(csv.stdout).toBe('account,email\nnorth,bob@north.example\nsouth,bob@south.example\n');
});

test('prints the limits of several accounts one per line', async () => {
  const { world } = await openTree();
  const { stdout } = await world.telctl('limits get --below');
  expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'ACCOUNT',
    'north',
    'south',
    'west',
    '',
  ]);
});

test('runs in accounts in file order, and starts nothing if an account is missing', async () => {
  const { world } = await openTree();
  const files = { 'two.txt': 'south\nnorth.example\n', 'wrong.txt': 'south\nnroth\n' };
  const two = await world.telctl('users list --accounts two.txt -o json --query [].account', { files });
  expect(JSON.parse(two.stdout)).toEqual(['south', 'north.example']);
  const wrong = await world.telctl('users disable bob --accounts wrong.txt --yes', { files });
  expect(wrong.code).toBe(5);
  expect(wrong.stderr).toContain(
    'wrong.txt:2: there is no account "nroth" below acme. Did you mean "north"?',
  );
  expect(wrong.requests.filter(isWrite)).toEqual([]);
});

test('changes every account after one question, and reports failures by account', async () => {
  const { world } = await openTree();
  const run = await world.telctl('users disable bob --below', {
    tty: true,
    answers: [{ to: 'Run telctl users disable in 3 accounts (north, south, west)?', type: 'y' }],
  });
  expect(run.code).toBe(8);
  expect(run.stderr).toContain('south: Disabled user bob.');
  expect(run.stderr).toContain('failed  west: There is no user "bob" in west.');
  const state = await world.telctl('users list --below -o json --query [].enabled');
  expect(JSON.parse(state.stdout)).toEqual([false, false]);
});

test('sends no writes without an answer or in a dry run', async () => {
  const { world } = await openTree();
  const refused = await world.telctl('users disable bob --below');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('Answer with --yes.');
  const files = { 'two.txt': 'south\nnorth\n' };
  const dry = await world.telctl('users disable bob --accounts two.txt --dry-run -o json', { files });
  expect(JSON.parse(dry.stdout)).toMatchObject([
    { account: 'south', result: { dry_run: true } },
    { account: 'north', result: { dry_run: true } },
  ]);
  expect([...refused.requests, ...dry.requests].filter(isWrite)).toEqual([]);
});

test('does not ask again about confirmed deletes', async () => {
  const { world } = await openTree();
  const run = await world.telctl('users delete bob --accounts two.txt', {
    files: { 'two.txt': 'south\nnorth\n' },
    tty: true,
    answers: [{ to: 'Run telctl users delete in 2 accounts (south, north)?', type: 'y' }],
  });
  expect(run).toMatchObject({ code: 0 });
  expect((await world.telctl('users list --below')).stderr).toBe('No users in 3 accounts\n');
});

test('skips the other accounts if the canary fails', async () => {
  const { world, ids } = await openTree();
  const files = { 'all.txt': 'west\nsouth\nnorth\n' };
  const run = await world.telctl('users disable bob --accounts all.txt --canary 1 --yes -o json', { files });
  expect(run.code).toBe(5);
  expect(JSON.parse(run.stderr).error).toMatchObject({
    kind: 'not_found',
    details: { failed: [{ account: 'west' }], not_begun: [{ account: 'south' }, { account: 'north' }] },
  });
  const touched = run.requests.filter(({ path }) => path.includes(String(ids.get('south'))));
  expect(touched).toEqual([]);
});

test('counts unchanged accounts, also in a dry run', async () => {
  const { world } = await openTree();
  const line = 'users patch --all --timezone Asia/Tokyo --below';
  const dry = await world.telctl(`${line} --dry-run`);
  expect(dry.stdout).toMatch(/^north\n {2}Would send PATCH /);
  expect(dry.stdout).toMatch(/\nNothing to do in 1 account\.\n$/);
  expect(dry.stdout).not.toContain('west');
  const run = await world.telctl(`${line} --yes`);
  expect(run.stderr.split('\n').toSorted()).toEqual([
    '',
    'Done in 3 accounts; 1 of them needed no changes.',
    'north: Changed 1 user.',
    'south: Changed 1 user.',
  ]);
});

test('reports failed accounts in one sentence, and does not count interrupted ones as failed', async () => {
  const { world } = await openTree();
  const failed = await world.telctl('users disable bob --below --yes -o json');
  expect(failed.code).toBe(8);
  expect(JSON.parse(failed.stderr).error.message).toBe(
    'Of 3 accounts 1 failed. The first: west: There is no user "bob" in west.',
  );
  const stop = new AbortController();
  const run = await world.telctl('users enable bob --below --yes --concurrency 1', {
    interrupted: stop.signal,
    faults: [{ fault: { kind: 'hang', onRequest: () => stop.abort() }, method: 'PATCH', times: 1 }],
  });
  expect(run.code).toBe(130);
  expect(run.stderr).toContain('Of 3 accounts 1 interrupted, 2 not started.');
  expect(run.stderr).not.toContain('failed');
});

test('find succeeds if any account contains a match', async () => {
  const { world } = await openTree();
  expect((await world.telctl('find south.example --below')).code).toBe(0);
  expect((await world.telctl('find nowhere --below')).code).toBe(5);
});

test('reports an invalid list in one sentence, with every line in the details', async () => {
  const { world } = await openTree();
  const files = { 'wrong.txt': 'nroth\nsouth\nwset\n' };
  const run = await world.telctl('users list --accounts wrong.txt -o json', { files });
  expect(JSON.parse(run.stderr).error).toMatchObject({
    message:
      'wrong.txt:1: there is no account "nroth" below acme. Did you mean "north"? 1 more line is wrong. Nothing was sent.',
    details: { lines: [{ kind: 'not_found' }, { message: expect.stringContaining('wrong.txt:3') }] },
  });
});

test('prints text output below the names of the accounts', async () => {
  const { world } = await openTree();
  const { stdout } = await world.telctl('users vcard bob --accounts one.txt', {
    files: { 'one.txt': 'north' },
  });
  expect(stdout).toMatch(/^north\n {2}BEGIN:VCARD/);
});

test('a read-only profile refuses a change in many accounts', async () => {
  const { world } = await openTree();
  await world.telctl('profiles set test --protect read-only');
  const run = await world.telctl('users disable bob --below --yes');
  expect(run.code).toBe(9);
  expect(run.requests.filter(isWrite)).toEqual([]);
});

test('--yes does not accept charges in any account', async () => {
  const { world, ids } = await openTree();
  const run = await world.telctl('limits set --inbound-trunks 2 --below --yes');
  expect(run.code).toBe(4);
  for (const id of ids.values()) {
    const { stdout } = await world.telctl(['limits', 'get', '--account', id, '-o', 'json']);
    expect(JSON.parse(stdout)).not.toHaveProperty('inbound_trunks');
  }
});

test.each([
  ['keys list --below', 'telctl keys list has no option "--below".'],
  ['login --below', 'telctl login has no option "--below".'],
  ['users list --canary 2', '--canary needs --below or --accounts.'],
  ['accounts patch north --timezone Asia/Tokyo --below', 'Give an ID or --below, not both.'],
  ['users list --below --accounts a.txt', 'Give --below or --accounts, not both.'],
  ['users patch bob --below -f -', 'Standard input can be read once'],
  ['users password bob --below --password-stdin', 'Standard input can be read once'],
  ['webhooks attempts crm --below --follow', 'works in one account only'],
])('rejects %s', async (line, sentence) => {
  const { world, ids } = await openTree();
  for (const id of ids.values())
    await world.sandbox.call('PUT', `/v2/accounts/${id}/webhooks`, {
      token: await world.sandbox.adminToken(),
      data: { name: 'crm', hook: 'channel_create', uri: 'https://crm.example/hook', format: 'json' },
    });
  const run = await world.telctl(line);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(sentence);
});

test('commands about the caller or this machine do not accept a list of accounts', async () => {
  const takers = new Set<string>();
  for (const noun of allNouns())
    for (const command of await noun.commands())
      if (Object.keys(await manyOptionsOf(command)).length > 0) takers.add(noun.name);
  for (const name of ['users', 'callflows', 'limits', 'webhooks', 'numbers', 'find', 'orphans', 'api'])
    expect(takers).toContain(name);
  for (const name of ['login', 'whoami', 'tokens', 'profiles', 'sandbox', 'keys', 'doctor', 'help'])
    expect(takers).not.toContain(name);
});

test('reads standard input once and passes it to every account', async () => {
  const { world } = await openTree();
  const pipes = new Map([
    ['/dev/fd/63', 'timezone: Europe/Zurich\n'],
    ['/dev/fd/62', 'second-secret\n'],
  ]);
  const disk = {
    kindOf: (path: string) => (pipes.has(path) ? ('pipe' as const) : files.kindOf(path)),
    async readPipe(path: string) {
      const text = pipes.get(path) ?? '';
      pipes.set(path, '');
      return Buffer.from(text);
    },
  };
  const sent = async (line: string): Promise<readonly unknown[]> => {
    const { requests } = await world.telctl(line, { disk });
    return requests.flatMap(({ method, body }) => (method === 'GET' || !isObject(body) ? [] : [body.data]));
  };
  const zone = { timezone: 'Europe/Zurich' };
  expect(await sent('users patch --all -f /dev/fd/63 --below --yes')).toMatchObject([zone, zone]);
  const secret = { password: 'second-secret' };
  expect(await sent('users password bob --password-file /dev/fd/62 --below --yes')).toMatchObject([
    secret,
    secret,
  ]);
});
