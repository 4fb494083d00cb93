import { Failure } from './failure.ts';
import { nearest } from './nearest.ts';
import { counted } from './wording.ts';

/** Seconds between year 0 of the Gregorian calendar, from which the service counts, and the Unix epoch. */
export const gregorianOffset = 62_167_219_200;

/** Gregorian seconds as a date and time of day for people, in UTC: `2026-11-21 10:38:13Z`; other values as they are. */
export function timeInWords(seconds: number): string {
  const date = new Date((seconds - gregorianOffset) * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1970) return String(seconds);
  return `${date.toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** A time in ISO form as `timeInWords` writes it; other text as it is. */
export const isoTimeInWords = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2Z');

const dayMs = 86_400_000;

/** A time as people read it beside others: `10:02Z`, `yesterday 10:02Z`, `22 Nov 10:02Z`, else the date. */
export function timeAtAGlance(text: string, nowMs: number): string {
  const [, date = '', minute = ''] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d):\d\dZ?$/.exec(text) ?? [];
  if (date === '') return text;
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  if (date === dayOf(nowMs)) return `${minute}Z`;
  if (date === dayOf(nowMs - dayMs)) return `yesterday ${minute}Z`;
  if (date.slice(0, 4) !== dayOf(nowMs).slice(0, 4)) return date;
  const [, day, month] = new Date(date).toUTCString().split(' ');
  return `${day} ${month} ${minute}Z`;
}

/**
 * A time as people give it, in milliseconds since the Unix epoch: how long ago (`90s`, `10m`, `2h`, `1d12h`), or a date
 * with or without time of day (UTC where it names no zone). Throws `Failure` of kind `usage` naming the option.
 */
export function momentOf(text: string, nowMs: number, option: string): number {
  const ago = durationIn(text);
  const ms = ago === undefined ? dateOf(text) : nowMs - ago;
  if (ms !== undefined) return ms;
  const meant = meantDuration(text);
  throw new Failure(
    'usage',
    `${option} takes a time, or a duration before now, not ${JSON.stringify(text)}.`,
    {
      hint:
        meant === undefined
          ? `For example: ${option} 10m, or ${option} 2026-01-31T09:00Z`
          : `Did you mean ${option} ${meant}?`,
    },
  );
}

/** A date with or without time of day (UTC where it names no zone), in milliseconds since the Unix epoch. */
export function dateOf(text: string): number | undefined {
  const date = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text)?.[0];
  const day = date?.slice(0, 10) ?? '';
  // JavaScript takes the 30th of February for the 2nd of March.
  if (!new Date(Date.parse(day) || 0).toISOString().startsWith(day)) return undefined;
  const zoned = date?.replace(' ', 'T') ?? '';
  const ms = Date.parse(/T[^Z+-]*$/.test(zoned) ? `${zoned}Z` : zoned);
  return Number.isNaN(ms) ? undefined : ms;
}

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

/** A length of time in milliseconds. Throws `Failure` (`usage`), which names what it is for. */
export function durationOf(text: string, what: string): number {
  const ms = durationIn(text);
  if (ms !== undefined) return ms;
  const meant = meantDuration(text);
  throw new Failure('usage', `${what} takes a duration, not ${JSON.stringify(text)}.`, {
    hint: meant === undefined ? 'For example 90s, 55m, 2h or 30d.' : `Did you mean ${meant}?`,
  });
}

/** A length of time for people, in its two largest units: `2 days 3 hours`. */
export function durationWords(ms: number): string {
  let left = Math.round(ms / 1000) * 1000;
  const words = units.slice(0, -1).flatMap(([, length, word]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [counted(count, word)];
  });
  return words.length === 0 ? `${ms} ms` : words.slice(0, 2).join(' ');
}
