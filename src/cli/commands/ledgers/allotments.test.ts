import { expect, test } from 'vitest';
import { asSuper } from '../../../../test/support/command-lines.ts';
import { openWorld } from '../../../../test/support/world.ts';

test('reads allotments, rates, carrier jobs and alerts, and lets resellers set them', async () => {
  const world = await openWorld();
  const { telctl, service, seed } = world;
  const above = [...(await asSuper(world)), '--account', seed.accountId];
  const json = async (line: string, more: readonly string[] = []) =>
    JSON.parse((await telctl([...line.split(' '), '-o', 'json', ...more])).stdout);
  const refused = await telctl('allotments get');
  expect(refused).toMatchObject({ code: 10, stderr: expect.stringContaining('not configured') });
  const files = { 'f.json': JSON.stringify({ outbound_did_us: { amount: 3600, cycle: 'monthly' } }) };
  expect(await telctl(['allotments', 'update', '-f', 'f.json', ...above], { files })).toMatchObject({
    code: 0,
  });
  expect(await json('allotments get')).toEqual({ outbound_did_us: { amount: 3600, cycle: 'monthly' } });
  expect(await json('allotments consumed')).toEqual([]);

  await telctl(['rates', 'create', '--prefix', '44', '--rate-cost', '0.02', ...above.slice(0, 2)]);
  await telctl(['rates', 'create', '--prefix', '447', '--rate-cost', '0.05', ...above.slice(0, 2)]);
  expect(await json('rates number +447911123456')).toMatchObject({ Prefix: '447', 'Base-Cost': 0.05 });
  expect(await telctl('rates number +499111234567')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('The service has no rate for this number.'),
  });
  expect(await json('rates list --prefix 4420', above.slice(0, 2))).toMatchObject([{ rate_cost: 0.02 }]);
  expect(await telctl('rates decks')).toMatchObject({ code: 4 });

  const made = ['carriers', 'jobs', 'create', '--set-json', 'numbers=["+14155550188","x"]'];
  const job = await telctl([...made, '--resource-id', 'f'.repeat(32), ...above]);
  expect(job.code, job.stderr).toBe(0);
  const [done] = await json('carriers jobs list', above);
  expect(done).toMatchObject({ status: 'complete', errors: { x: {} }, success: { '+14155550188': {} } });
  expect(await service('GET', 'phone_numbers/%2B14155550188')).toMatchObject({ state: 'in_service' });

  const news = { title: 'Works', message: 'On Sunday', from: [], to: [{ type: 'all', value: 'all' }] };
  const written = ['alerts', 'create', '-f', 'n.json', ...above];
  expect(await telctl(written, { files: { 'n.json': JSON.stringify(news) } })).toMatchObject({ code: 0 });
  const entry = { amount: 3, source: { service: 'adjustments', id: 'one' } };
  const usage = { quantity: 1, type: 'call', unit: 'piece' };
  const debit = { 'd.json': JSON.stringify({ ...entry, usage }) };
  await telctl(['ledgers', 'debit', '-f', 'd.json', '--yes', ...above], { files: debit });
  expect(await json('alerts list')).toMatchObject([{ category: 'low_balance' }, { title: 'Works' }]);
  const month = new Date(world.clock.now()).toISOString().slice(0, 7).replace('-', '');
  expect(await json(`ledgers summary ${month}`)).toMatchObject([{ account: { name: 'acme' }, total: -3 }]);
  expect(await telctl('alerts delete Works --yes')).toMatchObject({ code: 0 });
  expect(await telctl('acls list')).toMatchObject({ code: 4 });
  expect((await telctl(['acls', 'list', '--everywhere', ...above.slice(0, 2)])).stdout).toContain(
    '192.0.2.0/24',
  );
});

test('lists billable changes of an account with their authors', async () => {
  const world = await openWorld();
  const { telctl, addUser } = world;
  const above = [...(await asSuper(world)), '--account', world.seed.accountId];
  const plan = { overrides: { users: { _all: { rate: 5 } } } };
  const files = { 'p.json': JSON.stringify(plan) };
  await telctl(['services', 'assign', 'plan-a', '-f', 'p.json', ...above], { files });
  await addUser({ username: 'bob', first_name: 'B', last_name: 'B', accept_charges: true });
  const { stdout } = await telctl('services audit list -o json');
  const noted = JSON.parse(stdout);
  expect(noted.map(({ reason }: { readonly reason: string }) => reason)).toEqual(
    expect.arrayContaining(['services.assign', 'users.create']),
  );
  const first = await telctl(['services', 'audit', 'get', noted[0].id, '-o', 'json']);
  expect(JSON.parse(first.stdout)).toHaveProperty('authenticating_user.account_id');
  expect((await telctl('services audit summary users')).stdout).toMatch(/users +\d{4}-\d\d-\d\d +1 +0/);
});
