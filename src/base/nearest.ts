import { distance } from 'fastest-levenshtein';

const normalizeWord = (word: string) => word.toLowerCase().replaceAll(/[_\s-]/g, '');

const sortLetters = (word: string) => [...word].sort().join('');

/**
 * Returns the most similar candidate: at most three edits and two per five letters, or a longer word that starts with
 * `word`. Ignores case, hyphens and underscores.
 */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = normalizeWord(word);
  if (typed === '') return undefined;
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    const known = normalizeWord(candidate);
    const edits = distance(typed, known);
    // Swapped letters count as two edits each, and are the most common mistake.
    const swapped = edits === 2 && sortLetters(typed) === sortLetters(known);
    const near = swapped || (edits <= 3 && edits / Math.max(typed.length, known.length) <= 0.4);
    const begun = typed.length >= 3 && known.startsWith(typed);
    if ((near || begun) && (best === undefined || edits < best.edits)) best = { candidate, edits };
  }
  return best?.candidate;
}

const listedAtMost = 8;
const shownOfMany = 6;

/** Returns `a, b, c`, or `a, b, c, … (41 in all)` if there are many words. */
export function listAllowed(words: readonly string[]): string {
  if (words.length <= listedAtMost) return words.join(', ');
  return `${words.slice(0, shownOfMany).join(', ')}, … (${words.length} in all)`;
}

export function suggestInline(typed: unknown, words: readonly string[]): string {
  const near = typeof typed === 'string' ? findNearest(typed, words) : undefined;
  return near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`;
}

export const suggestAllowed = (finding: {
  readonly rule: string;
  readonly target?: unknown;
  readonly value?: unknown;
}): string =>
  finding.rule === 'enum' && Array.isArray(finding.target)
    ? suggestInline(finding.value, finding.target.map(String))
    : '';
