import { distance } from 'fastest-levenshtein';

const plain = (word: string) => word.toLowerCase().replaceAll(/[_\s-]/g, '');

const sorted = (word: string) => [...word].sort().join('');

/**
 * The candidate that a mistyped word most likely means, or `undefined` where none is near: at most three edits and
 * at most two in five letters wrong, or the beginning of a longer word. Case, hyphens and underscores do not count.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = plain(word);
  if (typed === '') return undefined;
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    const known = plain(candidate);
    const edits = distance(typed, known);
    // Letters in the wrong order count as two edits each, and are the commonest slip.
    const swapped = edits === 2 && sorted(typed) === sorted(known);
    const near = swapped || (edits <= 3 && edits / Math.max(typed.length, known.length) <= 0.4);
    const begun = typed.length >= 3 && known.startsWith(typed);
    if ((near || begun) && (best === undefined || edits < best.edits)) best = { candidate, edits };
  }
  return best?.candidate;
}

/** More words than this are not listed one by one. */
const listedAtMost = 8;
const shownOfMany = 6;

/** Words that are allowed, for a sentence: `a, b, c`, and of many `a, b, c, … (41 in all)`. */
export function allowedWords(words: readonly string[]): string {
  if (words.length <= listedAtMost) return words.join(', ');
  return `${words.slice(0, shownOfMany).join(', ')}, … (${words.length} in all)`;
}

/** The word that was most likely meant, in brackets to stand in a sentence; empty if none is near. */
export function perhapsMeant(typed: unknown, words: readonly string[]): string {
  const near = typeof typed === 'string' ? nearest(typed, words) : undefined;
  return near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`;
}

/** The same about a finding of the validator: one that a value is none of the words that there are. */
export const meantOf = (finding: {
  readonly rule: string;
  readonly target?: unknown;
  readonly value?: unknown;
}): string =>
  finding.rule === 'enum' && Array.isArray(finding.target)
    ? perhapsMeant(finding.value, finding.target.map(String))
    : '';
