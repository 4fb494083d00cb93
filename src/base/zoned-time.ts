import { Failure } from './failure.ts';
import { parseDate, parseMoment } from './moment.ts';

export interface LocalTime {
  /** Days since 1 January 1970. */
  readonly day: number;
  /** Seconds since midnight. */
  readonly second: number;
}

/** Seconds of a day without a clock change. */
export const secondsOfDay = 86_400;

const formats = new Map<string, Intl.DateTimeFormat>();

function zoneFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601-hc-h23', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

export function isTimeZone(zone: string): boolean {
  try {
    zoneFormat(zone);
    return true;
  } catch {
    return false;
  }
}

/** Returns the offset in seconds. */
function zoneOffset(zone: string, atS: number): number {
  const parts = new Map(
    zoneFormat(zone)
      .formatToParts(atS * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const [year, month, day] = [part('year'), part('month'), part('day')];
  return Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second')) / 1000 - atS;
}

/** Clocks change only at full quarters of an hour of UTC. This is true everywhere since 1973. */
const quarter = 900;
const firstQuarter = Date.UTC(1973) / 1000 / quarter;
let last: { readonly zone: string; readonly quarter: number; readonly ahead: number } | undefined;

/** Returns the local time as if it were UTC, in seconds since the Unix epoch. */
function localSeconds(zone: string, atS: number): number {
  const at = Math.floor(atS / quarter);
  if (at < firstQuarter) return atS + zoneOffset(zone, atS);
  // Cached, because lists of records and calls contain times that are close together.
  if (last?.quarter !== at || last.zone !== zone)
    last = { zone, quarter: at, ahead: zoneOffset(zone, at * quarter) };
  return atS + last.ahead;
}

/** Converts seconds since the Unix epoch as a clock shows them, without an offset. */
export const toLocalTime = (shown: number): LocalTime => {
  const day = Math.floor(shown / secondsOfDay);
  return { day, second: shown - day * secondsOfDay };
};

/** The time is in whole seconds since the Unix epoch. */
export const localTime = (zone: string, atS: number): LocalTime => toLocalTime(localSeconds(zone, atS));

/** Returns the times that match a local time: none if the clocks skip it, two if they are set back. */
export function timesOfLocal(zone: string, { day, second }: LocalTime): readonly number[] {
  const shown = day * secondsOfDay + second;
  const offsets = [-secondsOfDay, secondsOfDay].map((by) => localSeconds(zone, shown + by) - (shown + by));
  return [...new Set(offsets)]
    .map((offset) => shown - offset)
    .filter((at) => localSeconds(zone, at) === shown)
    .sort((one, other) => one - other);
}

/** Returns the first second at which a zone's clocks show a local time or later, in seconds since the Unix epoch. */
export function firstTimeAt(zone: string, local: LocalTime): number {
  const shown = local.day * secondsOfDay + local.second;
  const [first] = timesOfLocal(zone, local);
  if (first !== undefined) return first;
  // Zones are between 12 hours behind and 14 hours ahead of UTC.
  let [before, after] = [shown - 15 * 3600, shown + 13 * 3600];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localSeconds(zone, middle) < shown) before = middle;
    else after = middle;
  }
  return after;
}

/** Returns seconds since the Unix epoch. */
export const startOfDay = (zone: string, day: number): number => firstTimeAt(zone, { day, second: 0 });

/**
 * Returns a time that is on the same day in a zone and in UTC, in seconds since the Unix epoch: 10:00 UTC, or an hour
 * or two earlier or later for the zones furthest from UTC.
 */
export function timeOfDate(zone: string, day: number): number {
  const hours = [10, 12, 9].map((hour) => day * secondsOfDay + hour * 3600);
  return hours.find((at) => localTime(zone, at).day === day) ?? startOfDay(zone, day);
}

/** Returns days since 1970, or `undefined` for text that is not a date. */
export function parseDay(text: string): number | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? parseDate(text) : undefined;
  return ms === undefined ? undefined : ms / (secondsOfDay * 1000);
}

/** Returns the format that `parseDay` reads: `2026-12-24`. */
export const formatDay = (day: number): string =>
  new Date(day * secondsOfDay * 1000).toISOString().slice(0, 10);

export function findClockChange(zone: string, fromS: number, toS: number): number | undefined {
  const offset = (at: number): number => localSeconds(zone, at) - at;
  const before = offset(fromS);
  if (offset(toS) === before) return undefined;
  let [same, changed] = [fromS, toS];
  while (changed - same > 1) {
    const middle = Math.floor((same + changed) / 2);
    if (offset(middle) === before) same = middle;
    else changed = middle;
  }
  return changed;
}

/** Returns `Wed 2024-03-06 09:00`, with seconds if they are not zero. */
export function formatLocalTime({ day, second }: LocalTime): string {
  const date = new Date((day * secondsOfDay + second) * 1000);
  const text = date.toISOString();
  const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][date.getUTCDay()] ?? '';
  return `${weekday} ${text.slice(0, 10)} ${text.slice(11, second % 60 === 0 ? 16 : 19)}`;
}

/**
 * Parses the time of `--at` to seconds since the Unix epoch: a local date and time unless it has an offset, a duration
 * before now, or now. Throws `Failure` (`usage`).
 */
export function parseCallTime(text: string | undefined, zone: string, nowMs: number): number {
  if (text === undefined) return Math.floor(nowMs / 1000);
  const shown = /(?:Z|[+-]\d\d:?\d\d)$/.test(text.slice(10)) ? undefined : parseDate(text);
  if (shown === undefined) return Math.floor(parseMoment(text, nowMs, '--at') / 1000);
  const [first] = timesOfLocal(zone, toLocalTime(Math.floor(shown / 1000)));
  if (first !== undefined) return first;
  throw new Failure('usage', `--at: the time ${text} does not exist in ${zone} because of a clock change.`, {
    hint: 'Give another time, or one with an offset: 2026-03-29T01:30Z',
  });
}
