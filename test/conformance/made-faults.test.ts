import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withEdit } from '../mutants/edits.ts';
import { findFaults } from '../mutants/find-faults.ts';
import { madeRooms, sampleOf } from '../mutants/made.ts';

const source = `
export function keep(all: readonly Row[], account: string, left: number): readonly Row[] {
  if (all.length === 0) return [];
  refuseOthers(all, account);
  if (left > budget) throw new Failure('usage', 'spent');
  if (account === '') throw new Error('a caller forgot it');
  const same = all.filter((row) => row.account === account);
  while (left < budget) left += 1;
  return same.map((row) => ({ ...row, isOwn: row.owner !== account, label: row.label === 'plain' }));
}
`;

/** The faults of a source by what is left of their names without the file, and the line that each makes. */
const made = (text: string) =>
  Object.fromEntries(
    findFaults('keep.ts', text).map(({ name, edit }) => {
      const changed = withEdit(text, edit).split('\n');
      const at = changed.findIndex((line, index) => line !== text.split('\n')[index]);
      return [name.replace('keep.ts ', ''), changed[at]?.trim()];
    }),
  );

test('guards, checks, filters and comparisons that tell one from another are taken away or turned round, ends of loops are not', () => {
  expect(made(source)).toEqual({
    'keep: without all.length === 0': 'if ((false && (all.length === 0))) return [];',
    'keep: without refuseOthers(all, account)': '(true || (refuseOthers(all, account)));',
    'keep: without left > budget': "if ((false && (left > budget))) throw new Failure('usage', 'spent');",
    'keep: turned round left > budget': "if (!(left > budget)) throw new Failure('usage', 'spent');",
    "keep: always account === ''": "if ((true || (account === ''))) throw new Error('a caller forgot it');",
    'keep: unfiltered (row) => row.account === account':
      'const same = all.filter((() => true) ?? ((row) => row.account === account));',
    'keep: always row.account === account':
      'const same = all.filter((row) => (true || (row.account === account)));',
    'keep: never row.owner !== account':
      "return same.map((row) => ({ ...row, isOwn: (false && (row.owner !== account)), label: row.label === 'plain' }));",
  });
});

test('a fault has the same name when its line moves; equal ones are counted', () => {
  expect(Object.keys(made(`// A line more.\n\n${source}`))).toEqual(Object.keys(made(source)));
  const twice = 'const pick = (a: Row) => [a.account === own, a.account === own];';
  expect(findFaults('pick.ts', twice).map(({ name }) => name)).toEqual([
    'pick.ts pick: always a.account === own',
    'pick.ts pick: always a.account === own #2',
  ]);
});

test('a sample is of the wanted size, has nothing twice, and is the same for the same seed alone', () => {
  const all = Array.from({ length: 40 }, (_, index) => index);
  const one = sampleOf(all, 8, 5);
  expect(new Set(one).size).toBe(8);
  expect(sampleOf(all, 8, 5)).toEqual(one);
  expect(sampleOf(all, 8, 6)).not.toEqual(one);
  expect(sampleOf(all, 99, 5).toSorted((a, b) => a - b)).toEqual(all);
});

test('the places and the tests of the rooms are there', () => {
  const paths = Object.values(madeRooms).flatMap(({ places, tests }) => [...places, ...tests]);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
