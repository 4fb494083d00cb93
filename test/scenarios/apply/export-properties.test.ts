import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type Json } from '../../../src/base/json.ts';
import { operationOf, resources } from '../../../src/contract/catalogue.ts';
import { kinds } from '../../../src/engine/manifest/kinds.ts';
import { buildPut } from '../../../src/extensions/sandbox/placement.ts';
import { recordBodies } from '../../support/record-bodies.ts';
import { openWorld, type World } from '../../support/world.ts';

// Every run uses the same account. FUZZ_SEED=random or a number tries others.
const { FUZZ_SEED: given } = process.env;
const seed = given === 'random' ? Math.floor(Math.random() * 1e9) : Number(given ?? 20_260_101);
const each = 8;

/** Fills an account with random valid records of every kind. Some have the name of the previous record. */
async function fillAccount(world: World, from: number, count = each): Promise<number> {
  const { sandbox } = world;
  const { accountId } = world.seed;
  const token = await sandbox.adminToken();
  let made = 0;
  for (const [index, kind] of kinds.entries()) {
    const create = operationOf(kind.resource, 'create');
    if (kind.shape !== 'many' || !create || kind.name === 'accounts') continue;
    const bodies = fc.sample(recordBodies(kind.resource), { numRuns: count, seed: from + index });
    for (const [number, own] of bodies.entries()) {
      const before = number % 4 === 3 ? bodies[number - 1] : undefined;
      const body = before?.name === undefined ? own : { ...own, name: before.name };
      const path = create.path
        .replace('{account_id}', accountId)
        .replace('{phone_number}', encodeURIComponent(`+1415555${1000 + (from % 100) * 50 + number}`));
      const reply = await sandbox.call(create.method, `/v2${path}`, { token, data: body as Json });
      if (reply.status === 201) made += 1;
    }
  }
  return made;
}

async function expectCompleteExport(world: World, about: string): Promise<void> {
  const run = await world.telctl('export --out all.yaml');
  expect(run.code, run.stderr).toBe(0);
  const plan = await world.telctl('plan -f all.yaml --exit-code');
  expect(plan.stderr).not.toContain('"id"');
  expect(plan.code, `${about}\n${plan.stderr}${plan.stdout}`).toBe(0);
  const merged = await world.telctl('export --out all.yaml --merge');
  expect(merged.stderr, about).toContain('Nothing to change');
}

test.each([
  [0, undefined],
  [2000, undefined],
  [0, 'kazoo'],
] as const)('the export of any account plans no changes (%i, like %s)', async (offset, like) => {
  const world = await openWorld({ like });
  expect(await fillAccount(world, seed + offset), `FUZZ_SEED=${seed}`).toBeGreaterThan(40);
  await expectCompleteExport(world, `FUZZ_SEED=${seed}`);
});

test.each([undefined, 'kazoo'] as const)(
  'duplicate names are distinguished by id (like %s)',
  async (like) => {
    const world = await openWorld({ like });
    const { store } = world.sandbox;
    await fillAccount(world, seed, 2);
    // A twin differs from its original only in its id.
    const twins = new Map<string, string>();
    for (const { keys, name, resource, calls } of kinds)
      for (const record of calls.create && !keys.includes('id') ? await store.allOfKind(name) : []) {
        if (record.scope !== world.seed.accountId || twins.has(name)) continue;
        const id = twins.size % 2 === 0 ? `${name} {twin}` : record.id.replaceAll(/./g, 'd');
        twins.set(name, id);
        const twin = { ...record, id, revision: 0 };
        await store.commit([{ ...buildPut(twin, resource.name), claims: [] }]);
      }
    expect(twins.size).toBeGreaterThan(12);
    await expectCompleteExport(world, [...twins.keys()].join(' '));
    const out = JSON.parse((await world.telctl('export -o json')).stdout);
    for (const [name, id] of twins) {
      const objects: readonly unknown[] = Object.values(out[name] ?? {});
      const isThere =
        Object.hasOwn(out[name] ?? {}, id) || objects.some((each) => isObject(each) && each.id === id);
      expect([name, isThere]).toEqual([name, true]);
    }
  },
);

test('every editable resource is exported, reported as left out, or not a setting', () => {
  const isSection = new Set(kinds.map(({ resource }) => resource.name));
  const others = resources.filter(
    ({ name, leftOutAs, operations }) =>
      !isSection.has(name) &&
      leftOutAs === undefined &&
      operations.some(({ verb }) => ['create', 'update', 'patch'].includes(verb)),
  );
  // Actions, live resources, and resources of the whole service.
  expect(others.map(({ name }) => name).toSorted()).toEqual(
    [
      ...['alerts', 'carrier_jobs', 'carrier_templates', 'faxes', 'messages', 'participants'],
      ...['providers', 'rates', 'system_carriers'],
    ].toSorted(),
  );
  for (const { name, absent } of others)
    expect([name, absent?.manifests]).toEqual([name, expect.any(String)]);
});

test('an account created from an export exports the same bytes', async () => {
  const world = await openWorld();
  await fillAccount(world, seed, 2);
  await world.telctl('export --portable --out here.yaml');
  const here = readFileSync(join(world.folders.cwd, 'here.yaml'), 'utf8');
  const sampleSecret = (name: string): string =>
    /PIN/.test(name)
      ? '4711'
      : /URI|URL|ROUTE|SERVER/.test(name)
        ? 'https://a:secret@hooks.example/calls'
        : 'first-sign-in';
  const named = [...here.matchAll(/\$\{env\.(\w+)/g)].map(([, name = '']) => name);
  const env = Object.fromEntries(named.map((name) => [name, sampleSecret(name)]));
  // Some values, such as fax addresses, are unique in the service, so the copy is created in another one.
  const other = await openWorld();
  const applied = await other.telctl('apply --yes -f here.yaml', { env, files: { 'here.yaml': here } });
  expect(applied.code, applied.stderr).toBe(0);
  await other.telctl('export --portable --out there.yaml');
  const there = readFileSync(join(other.folders.cwd, 'there.yaml'), 'utf8');
  const withoutHeader = (text: string): string =>
    text
      .split('\n')
      .slice(3)
      .filter((line) => !line.includes('# left out: '))
      .join('\n');
  expect(withoutHeader(there)).toBe(withoutHeader(here));
});

test('equal accounts export equal manifests, independent of ids', async () => {
  const names = ['ann', 'bob', 'cal', 'dee', 'eve'];
  /** Creates an account in which ids are keys: members of groups, branches by rule, users of directories. */
  const exportInOrder = async (order: readonly string[]): Promise<string> => {
    const world = await openWorld();
    const ids = new Map<string, string>();
    for (const name of order) {
      const user = await world.addUser({
        username: name,
        first_name: name,
        last_name: 'A',
        password: 'Passw0rd-1',
      });
      const rule = await world.service('PUT', 'temporal_rules', { name, cycle: 'daily' });
      ids.set(name, String(user.id)).set(`rule ${name}`, String(rule.id));
    }
    const objectWithIdKeys = (prefix: string, value: Json): Json =>
      Object.fromEntries(order.map((name) => [ids.get(`${prefix}${name}`) ?? '', value]));
    await world.service('PUT', 'groups', {
      name: 'All',
      endpoints: objectWithIdKeys('', { type: 'user', weight: 1 }),
    });
    const rules = names.map((name) => ids.get(`rule ${name}`) ?? '');
    const children = objectWithIdKeys('rule ', { module: 'hangup', data: {}, children: {} });
    const flow = { module: 'temporal_route', data: { rules }, children };
    await world.service('PUT', 'callflows', { name: 'Main', numbers: ['2000'], flow });
    return (await world.telctl('export')).stdout;
  };
  const first = await exportInOrder(names);
  expect(first).toMatch(/\$\{users\.eve\}/);
  expect(await exportInOrder(names.toReversed())).toBe(first);
});
