import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/base/json.ts';
import type { FaultRule } from '../../support/faults.ts';
import { openWorld } from '../../support/world.ts';

/** Ways in which a service treats a field: stores it, drops it, stores another value, or refuses the request. */
const treatments = ['take', 'take', 'drop', 'alter', 'refuse'] as const;
type Deed = (typeof treatments)[number];

const paths = ['first_name', 'last_name', 'email', 'caller_id.internal.name', 'caller_id.external.name'];
const beside = 'caller_id.internal.number';

const valueAtPath = (record: Json | undefined, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>((value, key) => (isObject(value) ? value[key] : undefined), record);

/** Returns a record with values at dotted paths. */
function buildRecord(values: Readonly<Record<string, Json>>): JsonObject {
  const record: Record<string, Json> = {};
  for (const [path, value] of Object.entries(values)) {
    const [key = '', ...rest] = path.split('.');
    const inner = record[key];
    if (rest.length === 0) record[key] = value;
    else record[key] = { ...(isObject(inner) ? inner : {}), ...setAtPath(inner, rest, value) };
  }
  return record;
}

function setAtPath(inner: Json | undefined, [key = '', ...rest]: readonly string[], value: Json): JsonObject {
  const next = isObject(inner) ? inner[key] : undefined;
  return {
    [key]: rest.length === 0 ? value : { ...(isObject(next) ? next : {}), ...setAtPath(next, rest, value) },
  };
}

const sampleValue = (path: string, word: string): string =>
  path === 'email' ? `${word}@acme.example` : word;

/** The sent value of each field, and how the service treats it. */
const cases = fc.record({
  sent: fc.uniqueArray(
    fc.record({
      path: fc.constantFrom(...paths),
      word: fc.constantFrom('ann', 'bea', 'cleo'),
      deed: fc.constantFrom<Deed>(...treatments),
    }),
    { selector: ({ path }) => path, minLength: 1 },
  ),
  fills: fc.boolean(),
  by: fc.constantFrom('patch', 'apply'),
});

test('reported changes equal the changes in the database if the service drops, alters, adds or refuses values', async () => {
  const world = await openWorld();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ({ sent, fills, by }) => {
      count += 1;
      const username = `user${count}`;
      const first = buildRecord(
        Object.fromEntries([...paths, beside].map((path) => [path, sampleValue(path, 'old')])),
      );
      const { id } = await world.addUser({ username, ...first });
      const readStored = () => world.service('GET', `users/${id}`);
      const before = await readStored();
      const keeping: FaultRule = {
        method: 'PATCH',
        path: /users/,
        fault: {
          kind: 'keep',
          change: async () => {
            const kept: Record<string, Json> = fills ? { timezone: 'Europe/Zurich' } : {};
            for (const { path, word, deed } of sent)
              if (deed === 'refuse') kept[path] = { no: 'such form' };
              else
                kept[path] =
                  deed === 'drop'
                    ? sampleValue(path, 'old')
                    : deed === 'alter'
                      ? sampleValue(path, 'other')
                      : sampleValue(path, word);
            return buildRecord(kept);
          },
        },
      };
      const wanted = buildRecord(
        Object.fromEntries(sent.map(({ path, word }) => [path, sampleValue(path, word)])),
      );
      const files = {
        'm.json': JSON.stringify({ users: { [username]: { id, username, ...first, ...wanted } } }),
        'p.json': JSON.stringify(wanted),
      };
      const line =
        by === 'patch' ? ['users', 'patch', String(id), '-f', 'p.json'] : ['apply', '--yes', '-f', 'm.json'];
      const run = await world.telctl(line, { files, faults: [keeping] });
      const after = await readStored();
      const differs = paths.filter((path) => valueAtPath(before, path) !== valueAtPath(after, path));

      const isRefused = sent.some(({ deed }) => deed === 'refuse');
      expect(run.code === 0, run.stderr).toBe(!isRefused);
      if (isRefused) {
        expect(differs).toEqual([]);
        return;
      }
      const [{ id: last } = { id: '' }] = JSON.parse((await world.telctl('log -o json --limit 1')).stdout);
      const [step] = JSON.parse((await world.telctl(`log show ${last} -o json`)).stdout).changes;
      const isReported = (words: string, path: string) =>
        run.stderr.split('\n').some((each) => each.endsWith(words) && each.includes(path));
      for (const { path, word } of sent) {
        const untaken = isReported('ignored by the service', path);
        const altered = isReported('stored by the service in another form', path);
        expect([(step.not_taken ?? []).includes(path), (step.altered ?? []).includes(path)], path).toEqual([
          untaken,
          altered,
        ]);
        expect(untaken, `${path} ${run.stderr}`).toBe(!differs.includes(path));
        expect(altered, path).toBe(
          differs.includes(path) && valueAtPath(after, path) !== sampleValue(path, word),
        );
      }
    }),
    { numRuns: 40 },
  );
});
