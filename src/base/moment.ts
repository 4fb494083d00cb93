import { Failure } from './failure.ts';
import { findNearest } from './nearest.ts';
import { formatCount } from './wording.ts';

/** Seconds between year 0 of the Gregorian calendar, the epoch of the service, and the Unix epoch. */
export const gregorianOffset = 62_167_219_200;

/** Formats Gregorian seconds as a UTC date and time: `2026-11-21 10:38:13Z`. Other values are unchanged. */
export function formatGregorian(seconds: number): string {
  const date = new Date((seconds - gregorianOffset) * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1970) return String(seconds);
  return `${date.toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** Formats an ISO time like `formatGregorian`. Other text is unchanged. */
export const formatIsoTime = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2Z');

const dayMs = 86_400_000;

/** Formats a time relative to now: `10:02Z`, `yesterday 10:02Z`, `22 Nov 10:02Z`, or the date. */
export function formatShortTime(text: string, nowMs: number): string {
  const [, date = '', minute = ''] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d):\d\dZ?$/.exec(text) ?? [];
  if (date === '') return text;
  const formatUtcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  if (date === formatUtcDay(nowMs)) return `${minute}Z`;
  if (date === formatUtcDay(nowMs - dayMs)) return `yesterday ${minute}Z`;
  if (date.slice(0, 4) !== formatUtcDay(nowMs).slice(0, 4)) return date;
  const [, day, month] = new Date(date).toUTCString().split(' ');
  return `${day} ${month} ${minute}Z`;
}

/**
 * Parses a time in milliseconds since the Unix epoch: a duration ago (`90s`, `10m`, `2h`, `1d12h`), or a date with or
 * without time of day (UTC without a zone). Throws a `Failure` of kind `usage` with the option.
 */
export function parseMoment(text: string, nowMs: number, option: string): number {
  const ago = parseDuration(text);
  const ms = ago === undefined ? parseDate(text) : nowMs - ago;
  if (ms !== undefined) return ms;
  const meant = suggestDuration(text);
  throw new Failure(
    'usage',
    `${option} must be a time, or a duration before now, not ${JSON.stringify(text)}.`,
    {
      hint:
        meant === undefined
          ? `For example: ${option} 10m, or ${option} 2026-01-31T09:00Z`
          : `Did you mean ${option} ${meant}?`,
    },
  );
}

/** Parses a date with or without time of day (UTC without a zone). Returns milliseconds since the Unix epoch. */
export function parseDate(text: string): number | undefined {
  const date = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text)?.[0];
  const day = date?.slice(0, 10) ?? '';
  // JavaScript reads the 30th of February as the 2nd of March.
  if (!new Date(Date.parse(day) || 0).toISOString().startsWith(day)) return undefined;
  const zoned = date?.replace(' ', 'T') ?? '';
  const ms = Date.parse(/T[^Z+-]*$/.test(zoned) ? `${zoned}Z` : zoned);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Length in milliseconds and name of each unit, the longest first. */
const units = [
  ['d', 86_400_000, 'day'],
  ['h', 3_600_000, 'hour'],
  ['m', 60_000, 'minute'],
  ['s', 1000, 'second'],
  ['ms', 1, 'millisecond'],
] as const;

const lengths: ReadonlyMap<string | undefined, number> = new Map(units.map(([unit, ms]) => [unit, ms]));

/** The unit to write instead of each synonym, and how many of it. */
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

/** Returns milliseconds for `55m`, `90s`, `1.5h`, `2d12h` or `250ms`, and `undefined` for other text. */
export function parseDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,3})?)(ms|[smhd])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined;
  return Math.round(
    parts.reduce((sum, [, count, unit]) => sum + Number(count) * (lengths.get(unit) ?? 0), 0),
  );
}

/** Returns the most likely meaning of a mistyped duration: `5m` for `5 minuets`. */
export function suggestDuration(text: string): string | undefined {
  const meant = text
    .trim()
    .replaceAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/gi, (_, count: string, word: string) => {
      const unit = word.toLowerCase();
      const [times, short] = lengths.has(unit)
        ? [1, unit]
        : (otherWords.get(unit) ?? otherWords.get(findNearest(unit, otherWords.keys()) ?? '') ?? [1, word]);
      return `${Number(count) * times}${short}`;
    });
  return parseDuration(meant) === undefined ? undefined : meant;
}

/** Returns milliseconds. Throws `Failure` (`usage`) with the name of the value. */
export function requireDuration(text: string, what: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  const meant = suggestDuration(text);
  throw new Failure('usage', `${what} must be a duration, not ${JSON.stringify(text)}.`, {
    hint: meant === undefined ? 'For example 90s, 55m, 2h or 30d.' : `Did you mean ${meant}?`,
  });
}

export function formatDuration(ms: number): string {
  let left = Math.round(ms / 1000) * 1000;
  const words = units.slice(0, -1).flatMap(([, length, word]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [formatCount(count, word)];
  });
  return words.length === 0 ? `${ms} ms` : words.slice(0, 2).join(' ');
}
