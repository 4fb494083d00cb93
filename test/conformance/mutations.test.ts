import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findMutations } from '../mutants/find-mutations.ts';
import { mutatedModules, selectSample } from '../mutants/modules.ts';
import { applyEdit } from '../mutants/source-edit.ts';

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

/** Returns the changed line of each mutation by its name, without the file. */
const changedLines = (text: string) =>
  Object.fromEntries(
    findMutations('keep.ts', text).map(({ name, edit }) => {
      const changed = applyEdit(text, edit).split('\n');
      const at = changed.findIndex((line, index) => line !== text.split('\n')[index]);
      return [name.replace('keep.ts ', ''), changed[at]?.trim()];
    }),
  );

test('mutations change guards, filters and comparisons, but no loop conditions', () => {
  expect(changedLines(source)).toEqual({
    'keep: without all.length === 0': 'if ((false && (all.length === 0))) return [];',
    'keep: without refuseOthers(all, account)': '(true || (refuseOthers(all, account)));',
    'keep: without left > budget': "if ((false && (left > budget))) throw new Failure('usage', 'spent');",
    'keep: negated left > budget': "if (!(left > budget)) throw new Failure('usage', 'spent');",
    "keep: always account === ''": "if ((true || (account === ''))) throw new Error('a caller forgot it');",
    'keep: unfiltered (row) => row.account === account':
      'const same = all.filter((() => true) ?? ((row) => row.account === account));',
    'keep: always row.account === account':
      'const same = all.filter((row) => (true || (row.account === account)));',
    'keep: never row.owner !== account':
      "return same.map((row) => ({ ...row, isOwn: (false && (row.owner !== account)), label: row.label === 'plain' }));",
  });
});

test('the name of a mutation does not depend on its line, and repeated mutations are numbered', () => {
  expect(Object.keys(changedLines(`// A line more.\n\n${source}`))).toEqual(
    Object.keys(changedLines(source)),
  );
  const twice = 'const pick = (a: Row) => [a.account === own, a.account === own];';
  expect(findMutations('pick.ts', twice).map(({ name }) => name)).toEqual([
    'pick.ts pick: always a.account === own',
    'pick.ts pick: always a.account === own #2',
  ]);
});

test('a sample has the requested size, no duplicates, and depends only on its seed', () => {
  const all = Array.from({ length: 40 }, (_, index) => index);
  const one = selectSample(all, 8, 5);
  expect(new Set(one).size).toBe(8);
  expect(selectSample(all, 8, 5)).toEqual(one);
  expect(selectSample(all, 8, 6)).not.toEqual(one);
  expect(selectSample(all, 99, 5).toSorted((a, b) => a - b)).toEqual(all);
});

test('the sources and tests of mutated modules exist', () => {
  const paths = Object.values(mutatedModules).flatMap(({ sources, tests }) => [...sources, ...tests]);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
