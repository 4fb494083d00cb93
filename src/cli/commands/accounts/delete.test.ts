import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

/** An account below the one signed in to, with a user, a callflow and a number. */
async function withBranch(): Promise<{ readonly world: World; readonly id: string }> {
  const world = await openWorld();
  const made = await world.telctl('accounts create --name branch --realm branch.example -o json');
  const { id } = JSON.parse(made.stdout);
  const add = async (path: string, data: Record<string, unknown>): Promise<void> => {
    const body = JSON.stringify(data);
    const run = await world.telctl(`${path} create -f - --account ${id}`, { stdin: body });
    expect(run.code, run.stderr).toBe(0);
  };
  await add('users', { username: 'bob', password: 'first-sign-in', first_name: 'Bob', last_name: 'Baker' });
  await add('callflows', {
    name: 'Main line',
    numbers: ['100'],
    flow: { module: 'hangup', data: {}, children: {} },
  });
  return { world, id };
}

const isThere = async ({ sandbox }: World, id: string): Promise<boolean> =>
  (await sandbox.store.get({ kind: 'accounts', scope: '', id })) !== undefined;

test('lists the contents of the account and accepts only its name as confirmation', async () => {
  const { world, id } = await withBranch();
  const wrong = await world.telctl('accounts delete branch', {
    tty: true,
    answers: [{ to: 'Type branch to continue:', type: 'yes' }],
  });
  expect(wrong.code).toBe(9);
  expect(wrong.stderr).toContain('account branch (branch.example) is deleted with its contents:');
  expect(wrong.stderr).toMatch(/1 user {2,}bob/);
  expect(wrong.stderr).toMatch(/1 callflow {2,}Main line/);
  expect(await isThere(world, id)).toBe(true);
  const run = await world.telctl('accounts delete branch', {
    tty: true,
    answers: [{ to: 'Type branch to continue:', type: 'branch' }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('Deleted account branch and everything in it.');
  expect(await isThere(world, id)).toBe(false);
});

test('requires --confirm without a terminal, even with --yes', async () => {
  const { world, id } = await withBranch();
  for (const [more, code] of [
    ['', 2],
    ['--yes', 2],
    ['--confirm brunch', 9],
    ['--confirm brunch --yes', 9],
    ['--dry-run', 0],
  ] as const) {
    const run = await world.telctl(`accounts delete branch ${more}`);
    expect([run.code, more]).toEqual([code, more]);
    expect(run.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  }
  expect((await world.telctl('accounts delete branch')).stderr).toContain('--confirm branch');
  expect(await isThere(world, id)).toBe(true);
  expect((await world.telctl('accounts delete branch --confirm branch')).code).toBe(0);
  expect(await isThere(world, id)).toBe(false);
});

test('refuses to delete an account with sub-accounts, names them, and does not retry', async () => {
  const { world, id } = await withBranch();
  for (const name of ['east', 'west'])
    await world.telctl(`accounts create --name ${name} --realm ${name}.example --account branch`);
  const run = await world.telctl('accounts delete branch --confirm branch -o json');
  expect(run.code).toBe(6);
  const { error } = JSON.parse(run.stderr);
  expect(error).toMatchObject({ kind: 'conflict', code: 'account_has_descendants' });
  expect(error.message).toContain('account branch has 2 accounts below it: east, west.');
  expect(run.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  expect(await isThere(world, id)).toBe(true);
});

test('reports a refusal by the service as a conflict, without a retry', async () => {
  const { world, id } = await withBranch();
  await world.telctl(`accounts create --name east --realm east.example --account branch`);
  // A service that does not list the accounts below.
  const body = '{"status":"error","error":"404","message":"not_found","data":{}}';
  const faults = [{ path: /\/children$/, fault: { kind: 'answer', status: 404, body } as const }];
  const run = await world.telctl('accounts delete branch --confirm branch', { faults });
  expect(run.code).toBe(6);
  expect(run.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  expect(run.slept).toEqual([]);
  expect(await isThere(world, id)).toBe(true);
});
