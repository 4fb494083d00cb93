import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { type Entry, placesIn, textSource } from '../../input/document.ts';
import { readJson } from '../../input/json-document.ts';
import { PlaceTable } from './place-table.ts';

const key = fc.constantFrom('a', 'b', 'a.b', '0', 'long key');
const value: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const path = fc
  .array(key, { minLength: 1, maxLength: 4 })
  .map((keys) => keys.map((each) => each.replace('.', '%2E')).join('.'));

it('stores the same place for every path as the document', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(key, value, { maxKeys: 4 }), { maxLength: 4 }),
      path,
      (objects, asked) => {
        const table = new PlaceTable();
        const both = objects.flatMap((object) => {
          const text = JSON.stringify({ name: object }, null, 1);
          const root = readJson(textSource('a.json', text, 'typed'), text);
          const entries: readonly Entry[] = root.kind === 'map' ? root.entries : [];
          return entries.flatMap((entry) =>
            entry.value.kind === 'map'
              ? [{ kept: table.add(entry.value, entry), whole: placesIn(entry.value, entry) }]
              : [],
          );
        });
        for (const { kept, whole } of both) {
          expect(kept.place(asked)).toBe(whole.place(asked));
          expect(kept.place()).toBe(whole.place());
          expect(kept.problem(asked, 'x')).toEqual(whole.problem(asked, 'x'));
        }
      },
    ),
    { numRuns: 500 },
  );
});
