import { diffArrays, diffWordsWithSpace } from 'diff';
import { type Json, same } from '../../../base/json.ts';

/** Most edits between two texts or two lists that still have something to do with each other. */
const mostEdits = 400;

/**
 * Two texts with the words in brackets that the other one does not have: `nine to [six]`. Texts that have little in
 * common come back as they are.
 */
export function markedWords(before: string, after: string): readonly [string, string] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: mostEdits });
  if (parts === undefined) return [before, after];
  const shared = parts.filter(({ added, removed }) => !added && !removed).map(({ value }) => value);
  if (shared.join('').length * 3 < Math.max(before.length, after.length)) return [before, after];
  const marked = (mine: 'added' | 'removed', others: 'added' | 'removed'): string =>
    parts
      .filter((part) => !part[others])
      .map((part) => (part[mine] ? inBrackets(part.value) : part.value))
      .join('');
  return [marked('removed', 'added'), marked('added', 'removed')];
}

/** The words of a text in brackets, line by line; blanks at either end stay outside. */
const inBrackets = (text: string): string => text.replaceAll(/\S(?:[^\n]*\S)?/g, (words) => `[${words}]`);

/** One place of two lists: an item that both have, that changed, or that only one of them has. */
export interface Pair {
  readonly before?: Json;
  readonly after?: Json;
}

/** Pairs the items of two lists that have no keys, by where the same ones stand. */
export function pairedItems(before: readonly Json[], after: readonly Json[]): readonly Pair[] {
  const parts = diffArrays([...before], [...after], { comparator: same, maxEditLength: mostEdits });
  if (parts === undefined) return pairsOf(before, after);
  const pairs: Pair[] = [];
  let removed: readonly Json[] = [];
  for (const part of [...parts, undefined]) {
    if (part?.removed) removed = part.value;
    else {
      pairs.push(...pairsOf(removed, part?.added ? part.value : []));
      removed = [];
      if (part && !part.added) pairs.push(...pairsOf(part.value, part.value));
    }
  }
  return pairs;
}

const pairsOf = (before: readonly Json[], after: readonly Json[]): readonly Pair[] =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    ...(before[index] === undefined ? {} : { before: before[index] }),
    ...(after[index] === undefined ? {} : { after: after[index] }),
  }));
