import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

const asSuper = ({ url, seed }: World) => ({
  TELCTL_BASE_URL: url,
  TELCTL_USERNAME: 'super',
  TELCTL_PASSWORD: seed.superPassword,
  TELCTL_ACCOUNT_NAME: 'platform',
});

test('adds, lists, moves and releases numbers', async () => {
  const world = await openWorld();
  const env = { ...asSuper(world), TELCTL_ACCOUNT: world.seed.accountId };
  const { features, madeBySuper, refusals } = world.behaviour.phoneNumbers;
  const added = await world.telctl('numbers create nonsense', { env });
  expect(added.code).toBe(refusals === 'coded' ? 5 : 1);
  const made = await world.telctl('numbers create +14155550100', { env });
  expect(made.code, made.stderr).toBe(0);
  expect(made.stderr).toContain(`Added number +14155550100 (${madeBySuper}).`);
  const active = await world.telctl('numbers activate +14155550100', { env });
  expect(active.stderr).toContain('Activated number +14155550100 (in_service).');
  const listed = await world.telctl('numbers list -o json', { env });
  expect(JSON.parse(listed.stdout)).toContainEqual(
    expect.objectContaining({ id: '+14155550100', state: 'in_service' }),
  );
  expect((await world.telctl('numbers list -o name', { env })).stdout).toContain('+14155550100\n');
  const patched = await world.telctl('numbers patch +14155550100 --set cnam.display_name=Acme', { env });
  expect(patched.code, patched.stderr).toBe(features.includes('cnam') ? 0 : 1);
  const gone = await world.telctl('numbers delete +14155550100 --yes', { env });
  expect(gone.code, gone.stderr).toBe(0);
  expect(gone.stderr).toContain('Deleted number +14155550100.');
});

test('prints the localities of several numbers as a list, and of one number as a record', async () => {
  const world = await openWorld();
  const both = await world.telctl('numbers locality +14155550100 +12125550100 -o json');
  expect(both.code, both.stderr).toBe(0);
  expect(JSON.parse(both.stdout).map(({ id }: { id: string }) => id)).toEqual([
    '+14155550100',
    '+12125550100',
  ]);
  const record = '{"status":"success","data":{"carrier_name":"Local"}}';
  const faults = [{ method: 'POST', fault: { kind: 'rewrite', change: () => record } }] as const;
  const bare = await world.telctl('numbers locality +14155550100 -o json', { faults });
  expect(JSON.parse(bare.stdout)).toEqual({ carrier_name: 'Local' });
});

test('classifies any number', async () => {
  const world = await openWorld();
  const run = await world.telctl('numbers classify +18005550100 -o json');
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ e164: '+18005550100', name: 'tollfree_us' });
});

test('reads a list of numbers from an array', async () => {
  const world = await openWorld();
  const body = '{"status":"success","data":[{"id":"+14155550100"}]}';
  const faults = [{ method: 'GET', fault: { kind: 'rewrite', change: () => body } }] as const;
  expect((await world.telctl('numbers list -o name', { faults })).stdout).toBe('+14155550100\n');
});

test('adds several numbers with one report, within one budget', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const env = { ...asSuper(world), TELCTL_ACCOUNT: world.seed.accountId };
  await world.service('POST', 'services/overrides', { phone_numbers: { _all: { rate: 1 } } });
  const accepted = ({ requests }: { readonly requests: readonly { readonly body?: unknown }[] }) =>
    requests.filter(({ body }) => JSON.stringify(body ?? {}).includes('"accept_charges":true'));
  const create = 'numbers create +15555550100 +15555550101 +15555550102 --yes';
  const unasked = await world.telctl(create, { env });
  expect(unasked.code, unasked.stderr).toBe(7);
  expect(accepted(unasked)).toEqual([]);
  const some = await world.telctl(`${create} --accept-charges-up-to 2`, { env });
  expect(some.code, some.stderr).toBe(8);
  expect(accepted(some)).toHaveLength(2);
  expect(some.stderr).toContain('Added 2 numbers.');
  const dry = await world.telctl(`${create} --dry-run -o json`, { env });
  expect(JSON.parse(dry.stdout).requests).toHaveLength(3);
  expect((await world.telctl('numbers create')).code).toBe(2);
});
