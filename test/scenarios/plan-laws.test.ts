import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/contract/json.ts';
import type { DesiredObject } from '../../src/manifest/desired/desired.ts';
import { shownReferences } from '../../src/manifest/desired/references.ts';
import { kindByName } from '../../src/manifest/kinds.ts';
import { officeObjects } from '../support/manifest-arbitrary.ts';
import { openWorld, type World } from '../support/world.ts';

/** A value as a manifest writes it. */
function written(value: Json): Json {
  if (typeof value === 'string') return shownReferences(value);
  if (Array.isArray(value)) return value.map((item: Json) => written(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      shownReferences(key),
      inner === undefined ? inner : written(inner),
    ]),
  );
}

/** The manifest of some objects. Services take no new user without a password. */
function manifest(objects: readonly DesiredObject[]): string {
  const sections = Map.groupBy(objects, ({ kind }) => kind);
  const fieldsOf = ({ kind, fields }: DesiredObject): Json =>
    written(kind === 'users' ? { password: 'one-secret', ...fields } : fields);
  const body: JsonObject = Object.fromEntries(
    [...sections].map(([kind, own]) => [
      kind,
      kindByName(kind).shape === 'one'
        ? (own.map(fieldsOf)[0] ?? {})
        : Object.fromEntries(own.map((object) => [object.name, fieldsOf(object)])),
    ]),
  );
  return JSON.stringify({ set: 'office', ...body });
}

async function apply(world: World, objects: readonly DesiredObject[], options = ''): Promise<void> {
  const files = { 'office.json': manifest(objects) };
  const run = await world.telctl(`apply -f office.json --yes --accept-charges ${options}`, { files });
  expect([run.code, run.stderr], manifest(objects)).toEqual([0, expect.any(String)]);
  const same = await world.telctl('diff -f office.json --exit-code -o json');
  expect(same.code, same.stdout).toBe(0);
  const again = await world.telctl('apply -f office.json --yes --accept-charges');
  expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
}

test('any manifest after any other is applied to the sandbox, and then there is no difference', async () => {
  const some = officeObjects.filter((objects) => objects.length > 1);
  await fc.assert(
    fc.asyncProperty(some, some, async (before, after) => {
      const world = await openWorld();
      await apply(world, before);
      await apply(world, after, '--prune --max-deletes 99 --max-change-percent 100');
    }),
    { numRuns: 12, seed: 4 },
  );
}, 60_000);
