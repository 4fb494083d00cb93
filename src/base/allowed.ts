import { nearest } from './nearest.ts';

/** More words than this are not listed one by one. */
const listedAtMost = 8;
/** Number of items that are shown of many. */
const shownOfMany = 6;

/** Words that are allowed, for a sentence: `a, b, c`, and of many `a, b, c, … (41 in all)`. */
export function allowedWords(words: readonly string[]): string {
  if (words.length <= listedAtMost) return words.join(', ');
  return `${words.slice(0, shownOfMany).join(', ')}, … (${words.length} in all)`;
}

/**
 * Names the word that was most likely meant, in brackets to stand in a sentence; empty if no word is near.
 */
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
