import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { FaultRule } from '../../../../../test/support/faults.ts';
import { openWorld, type World } from '../../../../../test/support/world.ts';
import { isObject, type JsonObject } from '../../../../base/json.ts';

const manifest = `set: customer
menus:
  main: { name: Main menu, retries: 2 }
users:
  front:
    username: front
    password: \${env.FRONT_PASSWORD}
    first_name: Front
    last_name: \${var.city}
`;
const list = `# Our customers.
account,city
North,Oslo
"South, Ltd",Nice

East,Brno
`;
const files = { 'customer.yaml': manifest, 'customers.csv': list };
const env = { FRONT_PASSWORD: 'first-sign-in' };
const argv = ['-f', 'customer.yaml', '--accounts', 'customers.csv'];
const failing = (id: string | undefined): FaultRule => ({
  method: 'PUT',
  path: new RegExp(`${id}/menus`),
  fault: { kind: 'answer', status: 400, body: '{"status":"error","error":"400","message":"no","data":{}}' },
});
const isWrite = ({ method }: { readonly method: string }): boolean => method !== 'GET';

/** A world with three accounts below the one acted on. */
async function openCustomers(): Promise<{
  readonly world: World;
  readonly ids: ReadonlyMap<string, string>;
}> {
  const world = await openWorld();
  const ids = new Map<string, string>();
  for (const [name, realm] of [
    ['North', 'north.example'],
    ['South, Ltd', 'south.example'],
    ['East', 'east.example'],
  ] as const) {
    const token = await world.sandbox.adminToken();
    const path = `/v2/accounts/${world.seed.accountId}`;
    const { data } = await world.sandbox.call('PUT', path, { token, data: { name, realm } });
    if (isObject(data)) ids.set(name, String(data.id));
  }
  return { world, ids };
}

async function menusOf({ sandbox }: World, id: string | undefined): Promise<readonly JsonObject[]> {
  const { data } = await sandbox.call('GET', `/v2/accounts/${id}/menus`, {
    token: await sandbox.adminToken(),
  });
  return Array.isArray(data) ? data.filter(isObject) : [];
}

const states = (text: string): readonly unknown[] => {
  const { accounts } = JSON.parse(text);
  return accounts.map(({ account, state, counts }: JsonObject) => [
    account,
    state,
    isObject(counts) ? counts.created : 0,
  ]);
};

test('applies one manifest to every account of a list, and a second apply sends no writes', async () => {
  const { world, ids } = await openCustomers();
  const first = await world.telctl(['apply', ...argv, '--yes', '-o', 'json'], { files, env });
  expect(first.stderr).toContain('rollout 1: 3 accounts, 1 wave');
  expect(first.code).toBe(0);
  expect(states(first.stdout)).toEqual([
    ['North', 'done', 2],
    ['South, Ltd', 'done', 2],
    ['East', 'done', 2],
  ]);
  const users = await world.telctl([
    'users',
    'get',
    'front',
    '--account',
    ids.get('South, Ltd') ?? '',
    '-o',
    'json',
  ]);
  expect(JSON.parse(users.stdout)).toMatchObject({ last_name: 'Nice' });
  const again = await world.telctl(['apply', ...argv, '--yes'], { env });
  expect(again.code).toBe(0);
  expect(again.requests.filter(isWrite)).toEqual([]);
  expect(again.stdout).toContain('3 accounts: 3 unchanged');
});

test('a failure in one account does not stop the others, and a repeat continues', async () => {
  const { world, ids } = await openCustomers();
  const faults = [failing(ids.get('North'))];
  const run = await world.telctl(['apply', ...argv, '--yes', '-o', 'json'], {
    files,
    env,
    faults,
  });
  expect(run.code).toBe(8);
  expect(states(run.stdout).map((state) => Array.isArray(state) && state[1])).toEqual([
    'failed',
    'done',
    'done',
  ]);
  expect(run.stderr).toContain('Rollout 1 ended, but 1 of its accounts failed');
  const again = await world.telctl(['apply', ...argv, '--yes', '-o', 'json'], { env });
  expect(again.code).toBe(0);
  expect(await menusOf(world, ids.get('North'))).toHaveLength(1);
});

test('a failed canary stops the run before the other accounts', async () => {
  const { world, ids } = await openCustomers();
  const faults = [failing(ids.get('North'))];
  const run = await world.telctl(['apply', ...argv, '--canary', '1', '--yes', '-o', 'json'], {
    files,
    env,
    faults,
  });
  expect(run.code).toBe(8);
  expect(states(run.stdout).map((state) => Array.isArray(state) && state[1])).toEqual([
    'failed',
    'not_begun',
    'not_begun',
  ]);
  expect(await menusOf(world, ids.get('East'))).toEqual([]);
});

test('shows the table in a terminal, and asks before and after the canary', async () => {
  const { world, ids } = await openCustomers();
  const run = await world.telctl(['apply', ...argv, '--canary', '1'], {
    files,
    env,
    tty: true,
    answers: [
      { to: /to 3 of 3 accounts, the first 1 first\?/, type: 'y' },
      { to: /Continue with the other 2 accounts\?/, type: 'n' },
    ],
  });
  expect(run.stderr).toContain('3 accounts, 1 kind of plan: 6 to create');
  expect(run.stdout).toContain('3 accounts: 1 done, 2 waiting');
  expect(run.code).toBe(8);
  expect(await menusOf(world, ids.get('North'))).toHaveLength(1);
  expect(await menusOf(world, ids.get('East'))).toEqual([]);
});

test('sends no writes without a terminal and --yes', async () => {
  const { world } = await openCustomers();
  const run = await world.telctl(['apply', ...argv], { files, env });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('--yes');
  expect(run.requests.filter(isWrite)).toEqual([]);
});

test('diff and plan show all accounts, and the exit code reports differences', async () => {
  const { world } = await openCustomers();
  const run = await world.telctl(['diff', ...argv, '--exit-code', '-o', 'json'], { files, env });
  expect(run.code).toBe(3);
  expect(
    JSON.parse(run.stdout).accounts.map(({ account }: JsonObject) => isObject(account) && account.name),
  ).toEqual(['North', 'South, Ltd', 'East']);
  const dry = await world.telctl(['apply', ...argv, '--dry-run'], { env });
  expect(dry.code).toBe(0);
  expect([...run.requests, ...dry.requests].filter(isWrite)).toEqual([]);
});

test('rejects a list with unknown or duplicate accounts', async () => {
  const { world, ids } = await openCustomers();
  const wrong = `north\nSouht, Ltd\nEAST.example\n${ids.get('North')}\n`;
  const run = await world.telctl(
    ['apply', '-f', 'customer.yaml', '--var', 'city=Rome', '--accounts', '-', '--yes'],
    {
      files,
      env,
      stdin: wrong,
    },
  );
  expect(run.code).toBe(5);
  expect(run.stderr).toContain(
    'standard input:2: there is no account "Souht, Ltd" below acme. Did you mean "South, Ltd"?',
  );
  expect(run.stderr).toContain(`standard input:4: "${ids.get('North')}" is the same account as line 1.`);
  expect(run.requests.filter(isWrite)).toEqual([]);
});

test('rejects an empty list, a row with missing cells and a manifest that names an account', async () => {
  const { world } = await openCustomers();
  const run = (more: Readonly<Record<string, string>>) =>
    world.telctl(['apply', ...argv, '--yes'], { files: { ...files, ...more }, env });
  const empty = await run({ 'customers.csv': '# nobody\n' });
  expect([empty.code, empty.stderr]).toEqual([
    10,
    expect.stringContaining('customers.csv does not contain an account'),
  ]);
  const short = await run({ 'customers.csv': 'account,city\nNorth\n' });
  expect([short.code, short.stderr]).toEqual([
    10,
    expect.stringContaining('customers.csv:2: has 1 cell, but the header has 2'),
  ]);
  const named = await run({ 'customer.yaml': `account: North\n${manifest}` });
  expect([named.code, named.stderr]).toEqual([
    2,
    expect.stringContaining('cannot be used for many accounts'),
  ]);
  const alone = await world.telctl('apply -f customer.yaml --canary 2 --yes', { env });
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--accounts')]);
});

test('lists unchanged accounts on one line', async () => {
  const { world } = await openCustomers();
  expect((await world.telctl(['apply', ...argv, '--yes'], { files, env })).code).toBe(0);
  const other = list.replace('East,Brno', 'East,Praha');
  const run = await world.telctl(['plan', ...argv], { files: { ...files, 'customers.csv': other }, env });
  expect(run.code, run.stderr).toBe(0);
  const lines = run.stdout.trimEnd().split('\n');
  expect(lines.slice(0, 3)).toEqual([
    '2 accounts: North, "South, Ltd" at http://127.0.0.1:8000  nothing to change: 2 unchanged in each',
    '',
    'East at http://127.0.0.1:8000',
  ]);
  expect(lines.at(-1)).toBe(
    '3 accounts, 2 kinds of plan: 0 to create, 1 to update, 5 unchanged, 0 to delete',
  );
  const verbose = await world.telctl(['plan', ...argv, '-v'], { env });
  expect(verbose.stdout).toContain('= user front');
});

const linesIn = (stdout: string): readonly JsonObject[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('includes every account in every output format', async () => {
  const { world, ids } = await openCustomers();
  const faults: readonly FaultRule[] = [
    {
      ...{ method: 'GET', path: new RegExp(`${ids.get('South, Ltd')}/menus`) },
      fault: {
        kind: 'answer',
        status: 403,
        body: '{"status":"error","error":"403","message":"no","data":{}}',
      },
    },
  ];
  const plan = async (format: string) =>
    world.telctl(['plan', ...argv, '-o', format], { files, env, faults });
  const lines = await plan('ndjson');
  expect(lines.code).toBe(8);
  expect(linesIn(lines.stdout)).toMatchObject([
    { account: { name: 'North' }, counts: { create: 2 } },
    { account: { name: 'South, Ltd' }, error: { kind: 'auth' } },
    { account: { name: 'East' }, counts: { create: 2 } },
    { summary: { version: 1, counts: { accounts: 3, create: 4 }, failed: [{ error: { kind: 'auth' } }] } },
  ]);
  const whole = JSON.parse((await plan('json')).stdout);
  expect(whole).toMatchObject({
    version: 1,
    accounts: [{ account: { name: 'North' } }, { account: { name: 'East' } }],
    failed: [{ account: { name: 'South, Ltd' } }],
  });
  expect(parse((await plan('yaml')).stdout)).toEqual(whole);
  expect((await plan('name')).stdout).toBe('users.front\nmenus.main\nusers.front\nmenus.main\n');
  expect((await plan('csv')).stdout.split('\n').map((row) => row.slice(0, 13))).toContain('East,create,u');
  const comment = (await plan('markdown')).stdout;
  expect(comment).toContain('\n2 accounts: North, East at ');
  expect(comment).toContain('\n1 account could not be planned:\n');
  const applied = await world.telctl(['apply', ...argv, '--yes', '-o', 'ndjson'], { env });
  const documents = linesIn(applied.stdout);
  expect(documents.at(-1)).toMatchObject({ summary: { rollout: '1', counts: { done: 3, failed: 0 } } });
  expect(
    documents
      .slice(0, 3)
      .map(({ account }) => account)
      .toSorted(),
  ).toEqual(['East', 'North', 'South, Ltd']);
});

test('skips an account that changed after its plan was shown', async () => {
  const { world, ids } = await openCustomers();
  const path = new RegExp(`${ids.get('North')}/menus`);
  const busy = '{"status":"error","error":"503","message":"busy","data":{}}';
  const token = await world.sandbox.adminToken();
  const data = { name: 'Main menu', retries: 9 };
  const does = () => world.sandbox.call('PUT', `/v2/accounts/${ids.get('North')}/menus`, { token, data });
  const faults: readonly FaultRule[] = [
    // The plan that is shown, then a first try that comes to nothing; by the next one somebody else has made the menu.
    { method: 'GET', path, times: 1, fault: { kind: 'pass' } },
    { method: 'GET', path, times: 1, fault: { kind: 'answer', status: 503, body: busy } },
    { method: 'GET', path, times: 1, fault: { kind: 'meanwhile', does } },
  ];
  const run = await world.telctl(['apply', ...argv, '--retries', '0', '-o', 'json'], {
    ...{ files, env, faults, tty: true },
    answers: [{ to: /to 3 of 3 accounts/, type: 'y' }],
  });
  expect(run.code, run.stderr).toBe(8);
  expect(JSON.parse(run.stdout)).toMatchObject({
    accounts: [{ account: 'North', state: 'failed', error: { kind: 'conflict' } }, {}, {}],
  });
  expect(await menusOf(world, ids.get('North'))).toMatchObject([{ name: 'Main menu' }]);
});
