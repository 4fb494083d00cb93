import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/base/json.ts';
import { operationOf, resources } from '../../../src/contract/catalogue.ts';
import type { Resource, ResourceName } from '../../../src/contract/types.ts';
import { kinds } from '../../../src/engine/manifest/kinds.ts';
import { allCommands, asSuper } from '../../support/command-lines.ts';
import { withForeignFields } from '../../support/foreign-fields.ts';
import { recordBodies } from '../../support/record-bodies.ts';
import { openWorld, type World } from '../../support/world.ts';

// Every run uses the same records. FUZZ_SEED=random or a number tries others.
const { FUZZ_SEED: given } = process.env;
const seed = given === 'random' ? Math.floor(Math.random() * 1e9) : Number(given ?? 20_260_101);
const each = 2;

/** Returns the words of the command for an operation: `sso apps update`. */
const commandWords = (operation: string): readonly string[] => {
  const command = allCommands.find(
    ({ operations, path }) => operations?.[0] === operation && operation.endsWith(`.${path.at(-1)}`),
  );
  if (!command) throw new Error(`No command is ${operation}.`);
  return command.path;
};

/**
 * Resources whose records can be created, read and changed individually. Entries of lists are shown with their list.
 */
const changed = resources.filter(
  ({ name, kind }) =>
    kind === 'collection' &&
    (['create', 'get', 'update', 'patch'] as const).every((verb) => operationOf(name, verb)) &&
    allCommands.some(({ operations }) => operations?.[0] === `${name}.get`),
);

const needsSuper = ({ name }: Resource): boolean => operationOf(name, 'create')?.role === 'super';

/** Fields that services compute, sign or normalize, regardless of the schema. */
const peculiar: Partial<Readonly<Record<ResourceName, readonly string[]>>> = {
  directories: ['users'],
  numbers: ['cnam', 'e911', 'create_with_state'],
  ports: ['comments'],
  webhooks: ['custom_data'],
};

/** Converts a value to its form in a file: YAML stores integers beyond the exact range as text, and escapes `${`. */
const toFileValue = (value: Json): Json => {
  if (typeof value === 'string') return value.replaceAll(/\$\{+/g, '$');
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? 1 : value;
  if (Array.isArray(value)) return value.map(toFileValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.replaceAll(/\$\{+/g, '$'), toFileValue(inner ?? null)]),
  );
};

/** Creates records with fields of other programs, and returns their ids. */
async function createRecords(
  { sandbox, seed: { accountId } }: World,
  resource: Resource,
): Promise<readonly string[]> {
  const token = await (needsSuper(resource) ? sandbox.superToken() : sandbox.adminToken());
  const create = operationOf(resource.name, 'create');
  const left = peculiar[resource.name] ?? [];
  const bodies = recordBodies(resource)
    .map((body) => Object.fromEntries(Object.entries(body).filter(([key]) => !left.includes(key))))
    .chain((body) => withForeignFields(resource.schema, body));
  const ids: string[] = [];
  for (const [index, data] of fc.sample(bodies, { numRuns: each, seed }).entries()) {
    const path = (create?.path ?? '')
      .replace('{account_id}', accountId)
      .replace('{phone_number}', encodeURIComponent(`+1415555${2000 + index}`));
    const reply = await sandbox.call(create?.method ?? '', `/v2${path}`, { token, data: toFileValue(data) });
    if (reply.status === 201) ids.push(reply.at('data.id'));
  }
  return ids;
}

/** Returns a record as stored in the database. */
async function readStored({ sandbox }: World, { name }: Resource, id: string): Promise<JsonObject> {
  const found = (await sandbox.store.allOfKind(name)).find((record) => record.id === id);
  if (!found) throw new Error(`The database has no ${name} ${id}.`);
  return JSON.parse(JSON.stringify(found.body));
}

describe.each([
  { mode: 'in the usual mode', like: undefined },
  { mode: 'at --like kazoo', like: 'kazoo' as const },
])('fields of other programs $mode', ({ like }) => {
  test.each(changed.map((resource) => ({ name: resource.name, resource })))(
    '$name: get then update, and patch, change no other fields',
    async ({ resource, name }) => {
      const world = await openWorld({ like });
      const ids = await createRecords(world, resource);
      const profile = needsSuper(resource) ? await asSuper(world) : [];
      expect(ids.length, `FUZZ_SEED=${seed}`).toBeGreaterThan(0);
      for (const [index, id] of ids.entries()) {
        const before = await readStored(world, resource, id);
        // Alternates between formats, because both are parsed to the same value.
        const format = index % 2 === 0 ? 'json' : 'yaml';
        const get = [...commandWords(`${name}.get`), id, '-o', format, '--reveal', ...profile];
        const shown = await world.telctl(get);
        expect(shown.code, shown.stderr).toBe(0);
        const update = [...commandWords(`${name}.update`), id, '-f', `one.${format}`, '--yes', ...profile];
        const run = await world.telctl(update, { files: { [`one.${format}`]: shown.stdout } });
        expect(run.code, `FUZZ_SEED=${seed} ${name} ${format}\n${run.stderr}${shown.stdout}`).toBe(0);
        expect(await readStored(world, resource, id)).toEqual(before);
        const patch = await world.telctl([
          ...commandWords(`${name}.patch`),
          id,
          '--set',
          'ui_mark=two',
          ...profile,
        ]);
        expect(patch.code, patch.stderr).toBe(0);
        expect(await readStored(world, resource, id)).toEqual({ ...before, ui_mark: 'two' });
      }
    },
  );

  test('export --all-fields, apply and undo change no other fields', async () => {
    const world = await openWorld({ like });
    const made: { readonly resource: Resource; readonly id: string; readonly before: JsonObject }[] = [];
    for (const { name, resource, shape } of kinds) {
      if (shape !== 'many' || !changed.includes(resource)) continue;
      for (const id of await createRecords(world, resource))
        made.push({ resource, id, before: await readStored(world, resource, id) });
      expect(
        made.some((one) => one.resource.name === name),
        name,
      ).toBe(true);
    }
    const sections = kinds.flatMap(({ name, resource }) => (changed.includes(resource) ? [name] : []));
    const exported = await world.telctl(`export --all-fields --reveal --only ${sections} --out all.yaml`);
    expect(exported.code, exported.stderr).toBe(0);
    const plan = await world.telctl('plan -f all.yaml --exit-code');
    expect(plan.code, `FUZZ_SEED=${seed}\n${plan.stderr}${plan.stdout}`).toBe(0);
    for (const { resource, id } of made) {
      const run = await world.telctl([...commandWords(`${resource.name}.patch`), id, '--set', 'ui_mark=two']);
      expect(run.code, run.stderr).toBe(0);
    }
    const applied = await world.telctl('apply -f all.yaml --yes --max-change-percent 100');
    expect(applied.code, applied.stderr).toBe(0);
    for (const { resource, id, before } of made)
      expect(await readStored(world, resource, id), `${resource.name} ${id}`).toEqual(before);
    const undone = await world.telctl('undo --yes');
    expect(undone.code, undone.stderr).toBe(0);
    for (const { resource, id, before } of made)
      expect(await readStored(world, resource, id), resource.name).toEqual({ ...before, ui_mark: 'two' });
  });

  test('a copied callflow keeps them', async () => {
    const world = await openWorld({ like });
    const resource = changed.find(({ name }) => name === 'callflows');
    if (!resource) throw new Error('There are no callflows.');
    for (const [index, id] of (await createRecords(world, resource)).entries()) {
      const { patterns: _, featurecode: __, ...before } = await readStored(world, resource, id);
      const line = `callflows copy ${id} --to-name Copy${index} --numbers 990${index} -o json`;
      const run = await world.telctl(line);
      expect(run.code, run.stderr).toBe(0);
      const copy = await readStored(world, resource, String(JSON.parse(run.stdout).id));
      const data = { ...before, name: `Copy${index}`, numbers: [`990${index}`] };
      expect(copy).toMatchObject(withoutNulls(data));
    }
  });
});

/** Removes `null` fields, which a plan omits when it creates an object. */
const withoutNulls = (record: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(record), function (this: unknown, _key, value) {
    return value === null && !Array.isArray(this) ? undefined : value;
  });

test('patch keeps them on a strict service', async () => {
  const world = await openWorld({ like: 'specification' });
  const users = resources.find(({ name }) => name === 'users');
  const { adminUserId: id } = world.seed;
  if (!users) throw new Error('There are no users.');
  const [data = {}] = fc.sample(withForeignFields(users.schema, { call_forward: { enabled: false } }), {
    numRuns: 1,
    seed,
  });
  await world.service('PATCH', `users/${id}`, data);
  const before = await readStored(world, users, id);
  expect(before).toHaveProperty('ui_mark', 'one');
  const run = await world.telctl(`users patch ${id} --set presence_id=7`);
  expect(run.code, run.stderr).toBe(0);
  expect(await readStored(world, users, id)).toEqual({ ...before, presence_id: '7' });
});
