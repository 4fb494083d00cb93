import { durationIn, meantDuration } from './duration.ts';
import { Failure } from './failure.ts';

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

/**
 * A time of `timeInWords` as people read it beside others: `10:02Z` of today, `yesterday 10:02Z`, `22 Nov 10:02Z`, the date
 * in other years. Other text stays as it is.
 */
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
