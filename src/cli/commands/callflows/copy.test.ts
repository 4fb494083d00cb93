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

test('copies a callflow within its account with new numbers', async () => {
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

test('lists every record missing from the target account, and sends no write', async () => {
  const { telctl } = await office();
  const run = await telctl(['callflows', 'copy', 'Main line', '--to-account', 'branch']);
  expect(run).toMatchObject({ code: 5, stdout: '' });
  expect(run.stderr).toContain('flow data.id: menu "Main menu" is not in the other account');
  expect(run.stderr).toContain('flow/1 data.id: user "alice" is not in the other account');
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('resolves referenced records by name in the target account', async () => {
  const { telctl, branch } = await office();
  const there = ['--account', branch];
  await telctl(['menus', 'create', '--name', 'Main menu', ...there]);
  const alice = ['users', 'create', '--first-name', 'Alice', '--last-name', 'Archer', '--username', 'alice'];
  await telctl([...alice, '--password-stdin', ...there], { stdin: 'first-sign-in' });
  const preview = await telctl(['callflows', 'copy', 'Main line', '--to-account', 'branch', '--dry-run']);
  expect(preview).toMatchObject({ code: 0, stderr: '' });
  expect(preview.stdout).toMatch(/^branch at [\s\S]*\+ callflow "Main line"\n\n1 to create/);
  const run = await telctl(['callflows', 'copy', 'Main line', '--to-account', 'branch']);
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/^Copied callflow "Main line" to callflow "Main line" in branch {2}/);
  const shown = await telctl(['callflows', 'show', 'Main line', ...there]);
  expect(shown.stdout).toBe(`Main line  +15551230000, /^8/
menu "Main menu"
└─ 1  user "alice" (20 s)
`);
});

test('retries a copy after a 500, and undo deletes the copy', async () => {
  const { telctl } = await office();
  const line = ['callflows', 'copy', 'Main line', '--to-name', 'Second line', '--numbers', '0101'];
  const body = '{"status":"error","error":"500","message":"busy","data":{}}';
  const run = await telctl(line, {
    faults: [{ method: 'PUT', times: 1, fault: { kind: 'answer', status: 500, body } }],
  });
  expect(run.code, run.stderr).toBe(0);
  const again = await telctl(line);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('The account already has') });
  expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const undone = await telctl('undo --yes');
  expect(undone.code, undone.stderr).toBe(0);
  const { stdout } = await telctl('callflows list -o json');
  expect(JSON.parse(stdout)).toHaveLength(1);
});

test('records the copy in the ledger only with --set', async () => {
  const { telctl } = await office();
  const copy = (name: string, number: string) => [
    'callflows',
    'copy',
    'Main line',
    '--to-name',
    name,
    '--numbers',
    number,
  ];
  expect(await telctl(copy('Second line', '0101'))).toMatchObject({ code: 0 });
  expect((await telctl('state list -o json')).stdout).not.toContain('"objects": 1');
  expect(await telctl([...copy('Third line', '0102'), '--set', 'lines'])).toMatchObject({ code: 0 });
  expect((await telctl('state list -o json')).stdout).toMatch(/"lines"\s*\],\s*"objects": 1/);
});
