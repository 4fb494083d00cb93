import { Failure } from '../base/failure.ts';
import type { JsonObject } from '../base/json.ts';
import { findNearest } from '../base/nearest.ts';
import { formatShownNumber } from '../base/shown-form.ts';
import { didYouMean, splitCommas } from '../base/wording.ts';
import { weekdays } from './temporal-match.ts';

/** Services misspell wednesday. */
const serviceWeekday = (day: string): string => (day === 'wednesday' ? 'wensday' : day);

/** Returns the first three letters of the service's weekdays. */
export const shortWeekdays = (days: readonly string[]): readonly string[] =>
  days.map((day) => (day === 'wensday' ? 'wed' : day.slice(0, 3)));

/** Reads `mon-fri,sun` as weekdays, `1,15-20` as days of the month. Throws `Failure` (`usage`). */
export function readDays(text: string, option: string): JsonObject {
  const invalidDayFailure = (word: string): Failure =>
    new Failure(
      'usage',
      `${option}: ${JSON.stringify(word)} is no day.${didYouMean(
        findNearest(
          word.toLowerCase().slice(0, 3),
          weekdays.map((day) => day.slice(0, 3)),
        ),
      )}`,
      { hint: `Weekdays or days of the month: ${option} mon-fri, ${option} 1,15` },
    );
  const dayPlace = (word: string): number => {
    const at = weekdays.findIndex((day) => word.length >= 3 && day.startsWith(word.toLowerCase()));
    if (at < 0) throw invalidDayFailure(word);
    return at;
  };
  const words = splitCommas(text);
  if (words.length > 0 && words.every((word) => /^\d+(?:-\d+)?$/.test(word))) {
    const all = words.flatMap((word) => {
      const [from = 0, to = from] = word.split('-').map(Number);
      if (from < 1 || to > 31 || from > to) throw invalidDayFailure(word);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    });
    return { days: [...new Set(all)].toSorted((one, other) => one - other) };
  }
  const found = words.flatMap((word) => {
    const [first = '', last = first] = word.split('-');
    const [from, to] = [dayPlace(first), dayPlace(last)];
    return weekdays.filter((_, at) => (from <= to ? at >= from && at <= to : at >= from || at <= to));
  });
  if (found.length === 0) throw invalidDayFailure(text);
  return { wdays: weekdays.filter((day) => found.includes(day)).map(serviceWeekday) };
}

/** Parses `09:00-17:00` to seconds of the day. Returns `undefined` for other text. */
function parseWindow(text: string): readonly [start: number, stop: number] | undefined {
  const found = /^(\d{1,2})(?::(\d{2}))?\s*-\s*(\d{1,2})(?::(\d{2}))?$/.exec(text.trim());
  if (!found) return undefined;
  const [from = 0, fromMinute = 0, to = 0, toMinute = 0] = found.slice(1).map((part) => Number(part ?? 0));
  const [start, stop] = [from * 3600 + fromMinute * 60, to * 3600 + toMinute * 60];
  if (fromMinute > 59 || toMinute > 59 || start >= 86_400 || stop > 86_400) return undefined;
  // Midnight as an end is the end of the day.
  return [start, stop === 0 ? 86_400 : stop];
}

const timeOfDay = (seconds: number): string => formatShownNumber('time of day', seconds);

/** Returns the most likely meaning on a 12-hour clock: 09:00-17:00 for `9-5`. */
function suggestHours(text: string, [start, stop]: readonly [number, number]): string | undefined {
  const noon = 43_200;
  const isHours = /^\s*\d{1,2}\s*-\s*\d{1,2}\s*$/.test(text);
  return isHours && start <= noon && stop < start && stop + noon > start
    ? `${timeOfDay(start)}-${timeOfDay(stop + noon)}`
    : undefined;
}

/**
 * Returns start and end of hours that include midnight. Returns `undefined` for other hours, and for hours of a
 * 12-hour clock.
 */
export function nightHours(text: string): { readonly from: string; readonly until: string } | undefined {
  const window = parseWindow(text);
  if (window === undefined || window[0] <= window[1] || suggestHours(text, window)) return undefined;
  return { from: timeOfDay(window[0]), until: timeOfDay(window[1]) };
}

/** Reads `09:00-17:00` as the window of a rule. Throws `Failure` (`usage`). */
export function readHours(text: string, option: string): JsonObject {
  const window = parseWindow(text);
  if (window !== undefined && window[0] < window[1])
    return { time_window_start: window[0], time_window_stop: window[1] };
  const meant = window && suggestHours(text, window);
  const night = nightHours(text);
  throw new Failure(
    'usage',
    `${option} must be a time range such as 09:00-17:00, not ${JSON.stringify(text)}.`,
    {
      hint:
        meant !== undefined
          ? `Did you mean ${option} ${meant}?`
          : night &&
            `A window that crosses midnight needs two rules: one with ${option} ${night.from}-24:00, and one for the following days with ${option} 00:00-${night.until}.`,
    },
  );
}

/**
 * Returns the cycle that the given fields determine. Weekdays make a rule weekly, days of the month make it monthly
 * or yearly, and only a first day makes it happen once.
 */
export function impliedCycle(given: ReadonlySet<string>): JsonObject {
  if (given.has('cycle')) return {};
  if (given.has('days') || given.has('month')) return { cycle: given.has('month') ? 'yearly' : 'monthly' };
  if (given.has('wdays')) return { cycle: given.has('ordinal') ? 'monthly' : 'weekly' };
  if (given.has('start_date')) return { cycle: 'date' };
  return given.has('time_window_start') ? { cycle: 'daily' } : {};
}
