import { Failure } from './failure.ts';
import { nearest } from './nearest.ts';
import { counted } from './wording.ts';

/** Units of time, the longest first, with their length in milliseconds and their name. */
const units = [
  ['d', 86_400_000, 'day'],
  ['h', 3_600_000, 'hour'],
  ['m', 60_000, 'minute'],
  ['s', 1000, 'second'],
  ['ms', 1, 'millisecond'],
] as const;

const lengths: ReadonlyMap<string | undefined, number> = new Map(units.map(([unit, ms]) => [unit, ms]));

/** Other words for units, with what to write instead: how many, and of which. */
const otherWords = new Map<string, readonly [times: number, unit: string]>([
  ...units.flatMap(([unit, , word]) => [word, `${word}s`].map((each) => [each, [1, unit]] as const)),
  ['sec', [1, 's']],
  ['secs', [1, 's']],
  ['min', [1, 'm']],
  ['mins', [1, 'm']],
  ['hr', [1, 'h']],
  ['hrs', [1, 'h']],
  ['week', [7, 'd']],
  ['weeks', [7, 'd']],
  ['w', [7, 'd']],
]);

/** A length of time, in milliseconds: `55m`, `90s`, `1.5h`, `2d12h`, `250ms`; `undefined` where it is none. */
export function durationIn(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,3})?)(ms|[smhd])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  return Math.round(
    parts.reduce((sum, [, count, unit]) => sum + Number(count) * (lengths.get(unit) ?? 0), 0),
  );
}

/** Returns the most likely meaning of a mistyped length of time, as it is typed: `5m` for `5 minuets`. */
export function meantDuration(text: string): string | undefined {
  const meant = text
    .trim()
    .replaceAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/gi, (_, count: string, word: string) => {
      const unit = word.toLowerCase();
      const [times, short] = lengths.has(unit)
        ? [1, unit]
        : (otherWords.get(unit) ?? otherWords.get(nearest(unit, otherWords.keys()) ?? '') ?? [1, word]);
      return `${Number(count) * times}${short}`;
    });
  return durationIn(meant) === undefined ? undefined : meant;
}

/**
 * A length of time as people give it, in milliseconds. Throws `Failure` of kind `usage` that names what it is for and
 * what was meant.
 */
export function durationOf(text: string, what: string): number {
  const ms = durationIn(text);
  if (ms !== undefined) return ms;
  const meant = meantDuration(text);
  throw new Failure('usage', `${what} takes a duration, not ${JSON.stringify(text)}.`, {
    hint: meant === undefined ? 'For example 90s, 55m, 2h or 30d.' : `Did you mean ${meant}?`,
  });
}

/** A length of time for people, in its two largest units: `2 days 3 hours`. */
export function inWords(ms: number): string {
  let left = Math.round(ms / 1000) * 1000;
  const words = units.slice(0, -1).flatMap(([, length, word]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [counted(count, word)];
  });
  return words.length === 0 ? `${ms} ms` : words.slice(0, 2).join(' ');
}
