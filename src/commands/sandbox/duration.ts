import { Failure } from '../../contract/failure.ts';

const units = [
  ['d', 86_400_000, 'day'],
  ['h', 3_600_000, 'hour'],
  ['m', 60_000, 'minute'],
  ['s', 1000, 'second'],
] as const;

/**
 * A length of time as people give it, in milliseconds: `55m`, `90s`, `1.5h`, `2d12h`, `250ms`. Throws `Failure` of kind
 * `usage` naming what it is for.
 */
export function durationOf(text: string, what: string): number {
  const thousandth = /^(\d{1,9})ms$/.exec(text);
  if (thousandth) return Number(thousandth[1]);
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,3})?)([smhd])/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text) {
    const lengths = new Map<string | undefined, number>(units.map(([unit, ms]) => [unit, ms]));
    return Math.round(
      parts.reduce((sum, [, count, unit]) => sum + Number(count) * (lengths.get(unit) ?? 0), 0),
    );
  }
  throw new Failure('usage', `${what} takes a length of time, not ${JSON.stringify(text)}.`, {
    hint: 'For example 90s, 55m, 2h or 30d.',
  });
}

/** A length of time for people, in its two largest units: `2 days 3 hours`. */
export function inWords(ms: number): string {
  let left = Math.round(ms / 1000) * 1000;
  const words = units.flatMap(([, length, word]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`];
  });
  return words.length === 0 ? `${ms} ms` : words.slice(0, 2).join(' ');
}
