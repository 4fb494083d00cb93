import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

async function office() {
  const world = await openWorld();
  const { service, telctl, addUser } = world;
  const { id: alice = '' } = await addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const { id: menu = '' } = await service('PUT', 'menus', { name: 'Main menu' });
  await service('PUT', 'callflows', {
    name: 'Main line',
    numbers: ['+15551230000'],
    patterns: ['^8'],
    flow: {
      module: 'menu',
      data: { id: menu },
      children: { 1: { module: 'user', data: { id: alice }, children: {} } },
    },
  });
  const made = await telctl('accounts create --name branch --set realm=branch.example -o json');
  const branch = String(JSON.parse(made.stdout).id);
  return { ...world, alice, menu, branch };
}

test('copies a callflow in its account, with numbers of its own', async () => {
  const { telctl, menu } = await office();
  expect(await telctl(['callflows', 'copy', 'Main line', '--to-name', 'Second line'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--numbers'),
  });
  const run = await telctl([
    'callflows',
    'copy',
    'Main line',
    '--to-name',
    'Second line',
    '--numbers',
    '0101,0102',
  ]);
  expect(run).toMatchObject({ code: 0, stdout: '' });
  expect(run.stderr).toMatch(
    /pattern \^8[\s\S]*Copied callflow "Main line" to callflow "Second line" {2}[0-9a-f]{32}\n$/,
  );
  const { stdout } = await telctl(['callflows', 'get', 'Second line', '-o', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ numbers: ['0101', '0102'], flow: { data: { id: menu } } });
  expect(JSON.parse(stdout).patterns ?? []).toEqual([]);
});

test('names everything that another account lacks, and sends nothing', async () => {
  const { telctl } = await office();
  const run = await telctl(['callflows', 'copy', 'Main line', '--to-account', 'branch']);
  expect(run).toMatchObject({ code: 5, stdout: '' });
  expect(run.stderr).toContain('flow data.id: menu "Main menu" is not in the other account');
  expect(run.stderr).toContain('flow/1 data.id: user "alice" is not in the other account');
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('finds by name in the other account what the callflow refers to', async () => {
  const { telctl, branch } = await office();
  const there = ['--account', branch];
  await telctl(['menus', 'create', '--name', 'Main menu', ...there]);
  const alice = ['users', 'create', '--first-name', 'Alice', '--last-name', 'Archer', '--username', 'alice'];
  await telctl([...alice, '--password-stdin', ...there], { stdin: 'first-sign-in' });
  const preview = await telctl(['callflows', 'copy', 'Main line', '--to-account', 'branch', '--dry-run']);
  expect(preview).toMatchObject({ code: 0, stderr: '' });
  expect(preview.stdout).toContain(`Would send PUT /v2/accounts/${branch}/callflows`);
  const run = await telctl(['callflows', 'copy', 'Main line', '--to-account', 'branch']);
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/^Copied callflow "Main line" to callflow "Main line" in branch {2}/);
  const shown = await telctl(['callflows', 'show', 'Main line', ...there]);
  expect(shown.stdout).toBe(`Main line  +15551230000, /^8/
menu "Main menu"
└─ 1  user "alice" (20 s)
`);
});
