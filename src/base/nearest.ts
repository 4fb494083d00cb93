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
