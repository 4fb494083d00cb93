import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { isSignIn, openWorld, type Run, type World } from '../../support/world.ts';

const writes = ({ requests }: Run) =>
  requests.filter((request) => request.method !== 'GET' && !isSignIn(request));

const boss = { username: 'boss', first_name: 'Bo', last_name: 'Boss', priv_level: 'admin' };
const plain = { username: 'alice', first_name: 'Alice', last_name: 'Archer' };

/** Changes that can remove the rights of one administrator. */
const single: readonly (readonly [line: string, file: string])[] = [
  ['users delete NAME --yes --force', ''],
  ['users disable NAME --yes', ''],
  ['users patch NAME --priv-level user --yes', ''],
  ['users patch NAME --set-json enabled=false --yes', ''],
  ['users patch NAME --set-json priv_level=null --yes', ''],
  ['users update NAME -f u.yaml --yes', 'first_name: A\nlast_name: B\nusername: NAME\npassword: Secret-1x\n'],
  ['api DELETE /v2/accounts/{account_id}/users/ID --yes --force', ''],
  ['api DELETE /accounts/{account_id}/%75sers/ID/ --yes --force', ''],
  ['api PATCH /v2/accounts/{account_id}/users/ID --field priv_level=user --yes', ''],
  ['api POST /v2/accounts/{account_id}/users/ID -f u.yaml --yes', 'first_name: A\nlast_name: B\n'],
];

/** Some services read the method from the query, although the sandbox does not. */
const tunnelled = ['api POST /v2/accounts/{account_id}/users/ID?verb=delete --yes --force', ''] as const;

/** Bulk changes, which never remove the rights of the signed-in user. */
const many: readonly (readonly [line: string, file: string])[] = [
  ['users patch --all --priv-level user --yes', ''],
  ['users offboard NAME --yes', ''],
  ['apply -f u.yaml --yes', 'users: { x: { username: NAME, priv_level: user } }'],
  ['apply -f u.yaml --yes --force', 'users: { x: { username: NAME, enabled: false } }'],
  ['users import u.csv --existing update --yes', 'username,first_name,last_name,role\nNAME,A,B,user\n'],
];

async function runChange(
  world: World,
  [line, file]: readonly [line: string, file: string],
  { username = '', id = '' },
  more = '',
): Promise<Run> {
  const fillPlaceholders = (text: string): string => text.replaceAll('NAME', username).replace('ID', id);
  const body = fillPlaceholders(file);
  return world.telctl(`${fillPlaceholders(line)} ${more}`, { files: { 'u.yaml': body, 'u.csv': body } });
}

/** Creates an account below the account of the world. Its only administrator is not the signed-in user. */
async function createBranch() {
  const world = await openWorld();
  const made = await world.telctl('accounts create --name branch --realm branch.example -o json');
  const { id: accountId } = JSON.parse(made.stdout);
  const callBranch = async (method: string, path: string, data?: JsonObject) => {
    const token = await world.sandbox.adminToken();
    const reply = await world.sandbox.call(method, `/v2/accounts/${accountId}/users${path}`, {
      token,
      ...(data ? { data: { password: 'first-sign-in', ...data } } : {}),
    });
    return Object(reply.data);
  };
  const { id } = await callBranch('PUT', '', boss);
  await callBranch('PUT', '', plain);
  return { world, call: callBranch, who: { username: 'boss', id: String(id) } };
}

describe('the last administrator of an account', () => {
  test.each([...single, tunnelled, ...many])('is kept despite --yes and --force: %s', async (...row) => {
    const { world, call, who } = await createBranch();
    const run = await runChange(world, row, who, '--account branch');
    expect([run.code, run.stderr]).toEqual([9, expect.stringContaining('no other administrator is left')]);
    expect(writes(run)).toEqual([]);
    const { priv_level: level, enabled } = await call('GET', `/${who.id}`);
    expect([level, enabled]).toEqual(['admin', true]);
  });

  test.each(single)('can be deleted only with the name of the user: %s', async (...row) => {
    const { world, who } = await createBranch();
    const other = await runChange(world, row, who, '--account branch --confirm other');
    expect([other.code, writes(other)]).toEqual([9, []]);
    const run = await runChange(world, row, who, '--account branch --confirm boss');
    expect(run.code, run.stderr).toBe(0);
  });

  test.each([...single, ...many])('is not the last if another one is enabled: %s', async (...row) => {
    const world = await openWorld();
    const { id } = await world.addUser(boss);
    if (row[0].includes('--all')) return expect(row).toContain(row[0]);
    const run = await runChange(world, row, { username: 'boss', id: String(id) });
    expect(run.code, run.stderr).toBe(0);
  });

  test('is the last if the others are disabled, and needs the typed name at a terminal', async () => {
    const world = await openWorld();
    await world.addUser({ ...boss, enabled: false });
    const answers = [
      { to: 'Type admin', type: 'admin' },
      { to: 'Delete user', type: 'y' },
    ];
    const run = await world.telctl('users delete admin --yes', { tty: true, answers });
    expect(run.code, run.stderr).toBe(0);
  });
});

describe('the signed-in administrator', () => {
  test.each([...single, ...many])('is kept even if there are others: %s', async (...row) => {
    const world = await openWorld({ signIn: 'password' });
    await world.addUser(boss);
    const admin = { username: 'admin', id: world.seed.adminUserId };
    const run = await runChange(world, row, admin);
    expect([run.code, run.stderr]).toEqual([9, expect.stringMatching(/signed in as/)]);
    expect(writes(run)).toEqual([]);
  });
});

test('an undo that would delete the last administrator is refused completely', async () => {
  const world = await openWorld();
  const manifest = `users: { boss: { username: boss, first_name: B, last_name: B, priv_level: admin, password: Secret-1x } }
menus: { main: { name: Main } }`;
  const applied = await world.telctl('apply -f m.yaml --yes', { files: { 'm.yaml': manifest } });
  expect(applied.code, applied.stderr).toBe(0);
  await world.service('PATCH', `users/${world.seed.adminUserId}`, { enabled: false });
  for (const more of ['', ' --force', ' --overwrite', ' --dry-run']) {
    const run = await world.telctl(`undo --yes${more}`);
    expect([run.code, run.stderr]).toEqual([9, expect.stringContaining('no other administrator is left')]);
    expect(writes(run)).toEqual([]);
  }
});

test('other changes need no additional request', async () => {
  const world = await openWorld();
  const { id } = await world.addUser(plain);
  const run = await world.telctl(['users', 'patch', String(id), '--first-name', 'Al', '--enabled', 'true']);
  const users = run.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/users'));
  expect([run.code, users]).toEqual([0, []]);
});

test('the fixes that audit proposes work and leave an administrator', async () => {
  for (const signIn of ['api-key', 'password'] as const) {
    const world = await openWorld({ signIn });
    await world.addUser(boss);
    await world.addUser({ ...boss, username: 'chief' });
    const audit = async (): Promise<readonly string[]> =>
      JSON.parse((await world.telctl('audit -o json')).stdout)
        .filter(({ code }: { code: string }) => code === 'administrator')
        .map(({ next }: { next: string }) => next);
    const proposed = await audit();
    expect(proposed).toHaveLength(2);
    for (const line of proposed) {
      const run = await world.telctl(`${line.replace('telctl ', '')} --yes`);
      expect(run.code, run.stderr).toBe(0);
    }
    expect(await audit()).toEqual([]);
    expect((await world.telctl('users list -o json')).stdout).toContain('"priv_level": "admin"');
  }
});
