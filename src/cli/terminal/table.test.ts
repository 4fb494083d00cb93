import fc from 'fast-check';
import { expect, test } from 'vitest';
import { styleFor } from './style.ts';
import { startTable } from './table.ts';

const cell = fc.oneof(
  fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')),
  fc.constantFrom('Zürich', '日本語', '👩‍👧', 'a sentence of several words', ''),
);

test('lays out many rows like the first few', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 12 }),
      fc.option(fc.integer({ min: 20, max: 80 }), { nil: undefined }),
      fc.boolean(),
      async (rows, columns, colour) => {
        const view = { columns, style: await styleFor(colour) };
        const { text: few } = await startTable(['NAME', 'PLACE', 'WORDS'], rows, view);
        const repeated = Array.from({ length: 400 }, (_, index) => rows[index % rows.length] ?? []);
        const { text: many } = await startTable(['NAME', 'PLACE', 'WORDS'], repeated, view);
        expect(many.startsWith(few)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test('cuts a roomy column last', async () => {
  const texts = [
    'admin@workstation',
    'Branch of the north',
    'users patch alice --first-name A',
    'first_name',
  ];
  const view = { columns: 60, style: await styleFor(false), roomy: new Set([2]) };
  const { text } = await startTable(['WHO', 'ACCOUNT', 'WHAT', 'CHANGED'], [texts], view);
  expect(text).toContain('admin@wo…  Branch o…  users patch alice --first-…  first_na…');
});
