import type { Json, JsonObject } from '../base/json.ts';
import { gregorianOffset } from '../base/moment.ts';
import { formatShownNumber } from '../base/shown-form.ts';
import {
  findClockChange,
  firstTimeAt,
  type LocalTime,
  localTime,
  secondsOfDay,
  timesOfLocal,
} from '../base/zoned-time.ts';

/** Starts with monday. Old records contain a misspelled weekday. */
export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** Default first day: 11 April 1983 in Gregorian seconds. */
export const usualStartDate = 62_586_115_200;

export type RuleState =
  /** `enabled` is set, and the time does not count. */
  | 'forced on'
  | 'forced off'
  | 'not begun'
  /** The rule has no cycle, or its fields result in no day. */
  | 'no day'
  | 'other day'
  /** The time of day is outside or within the window. */
  | 'outside'
  | 'within';

export const isMatchingState = (state: RuleState): boolean => state === 'within' || state === 'forced on';

export type ReadRule = ReturnType<typeof readRule>;

const toInteger = (value: Json | undefined, usual: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : usual;

const toList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** Applies defaults. Weekdays are sorted, with 0 for monday. */
export function readRule(rule: JsonObject) {
  const named = toList(rule.wdays).map((day) =>
    weekdays.findIndex((each) => each === (day === 'wensday' ? 'wednesday' : day)),
  );
  return {
    enabled: typeof rule.enabled === 'boolean' ? rule.enabled : undefined,
    cycle: typeof rule.cycle === 'string' && rule.cycle !== '' ? rule.cycle : undefined,
    interval: Math.max(1, toInteger(rule.interval, 1)),
    month: toInteger(rule.month, 1),
    days: toList(rule.days).filter((day) => typeof day === 'number'),
    ordinal: typeof rule.ordinal === 'string' ? rule.ordinal : 'first',
    weekdays: [...new Set(named.filter((day) => day >= 0))].sort((one, other) => one - other),
    startS: toInteger(rule.start_date, usualStartDate) - gregorianOffset,
    window: {
      start: toInteger(rule.time_window_start, 0),
      stop: toInteger(rule.time_window_stop, secondsOfDay),
    },
  };
}

const monthIndex = ({ year, month }: CalendarDay): number => year * 12 + month - 1;

type CalendarDay = ReturnType<typeof calendarDay>;

function calendarDay(day: number) {
  const date = new Date(day * secondsOfDay * 1000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** A day that the month lacks is in the next month. */
const dayNumber = (month: number, day: number): number =>
  Date.UTC(Math.floor(month / 12), month % 12, day) / (secondsOfDay * 1000);

/** Returns 0 for monday. The first of January 1970 was a thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Returns the n-th weekday of a month, or every one. Empty if the month has no fifth. */
function weekdaysIn(month: number, ordinal: string, weekday: number): readonly number[] {
  const first = dayNumber(month, 1);
  const from = first + ((weekday - weekdayOf(first) + 7) % 7);
  const all = [0, 1, 2, 3, 4].map((week) => from + 7 * week).filter((day) => day < dayNumber(month + 1, 1));
  if (ordinal === 'every') return all;
  const one = ordinal === 'last' ? all.at(-1) : all[ordinals.indexOf(ordinal)];
  return one === undefined ? [] : [one];
}

/**
 * Returns the next day of a rule after `from` (inclusive only for weekly rules), or `undefined` if there is none.
 * `start` is the rule's first day. Reproduces compatible services exactly, including their errors (Conventions,
 * Temporal rules).
 */
function dueDay(rule: ReadRule, start: number, from: number): number | undefined {
  const { cycle, interval, days, ordinal, weekdays: named } = rule;
  const roundToInterval = (distance: number): number => Math.trunc(distance / interval) * interval;
  const [first, search] = [calendarDay(start), calendarDay(from)];
  const only = named.length === 1 ? named[0] : undefined;
  if (cycle === 'date') return start;
  if (cycle === 'daily') return start + roundToInterval(from - start) + interval;
  if (cycle === 'weekly') {
    const week = (day: number): number => (day - weekdayOf(day) + 3) / 7;
    const distance = week(from) - week(start);
    const mondayAfterWeeks = (weeks: number): number => start - weekdayOf(start) + 7 * weeks;
    const listed = named.length === 0 ? [0, 1, 2, 3, 4, 5, 6] : named;
    const left =
      distance === roundToInterval(distance) ? listed.find((day) => day >= weekdayOf(from)) : undefined;
    return left === undefined
      ? mondayAfterWeeks(roundToInterval(distance) + interval) + (listed[0] ?? 0)
      : from - weekdayOf(from) + left;
  }
  if (cycle === 'monthly') {
    const distance = monthIndex(search) - monthIndex(first);
    const later = monthIndex(first) + roundToInterval(distance) + interval;
    const isInPhase = distance === roundToInterval(distance);
    if (days.length > 0) {
      const left = isInPhase ? days.find((day) => day > search.day) : undefined;
      return left === undefined ? dayNumber(later, days[0] ?? 1) : dayNumber(monthIndex(search), left);
    }
    if (only === undefined) return undefined;
    const left = weekdaysIn(monthIndex(search), ordinal, only).find((day) => day > from);
    return isInPhase && left !== undefined ? left : weekdaysIn(later, ordinal, only)[0];
  }
  if (cycle !== 'yearly') return undefined;
  const distance = search.year - first.year;
  const monthInYear = (year: number): number => year * 12 + rule.month - 1;
  const isInPhase = distance === roundToInterval(distance);
  const later = first.year + roundToInterval(distance) + interval;
  if (days.length > 0) {
    const isAfterSearch = (day: number): boolean =>
      search.month < rule.month || (search.month === rule.month && day > search.day);
    const left = isInPhase ? days.find(isAfterSearch) : undefined;
    return left === undefined
      ? dayNumber(monthInYear(later), days[0] ?? 1)
      : dayNumber(monthInYear(search.year), left);
  }
  if (only === undefined) return undefined;
  const left = weekdaysIn(monthInYear(search.year), ordinal, only).find((day) => day > from);
  return isInPhase && left !== undefined ? left : weekdaysIn(monthInYear(later), ordinal, only)[0];
}

/** `start` is the rule's first day. */
export function localRuleState(rule: ReadRule, start: number, now: LocalTime): RuleState {
  // A rule that has not begun is skipped, even if it is forced on.
  if (rule.enabled === false) return 'forced off';
  if (start > now.day) return 'not begun';
  if (rule.enabled) return 'forced on';
  const due = dueDay(rule, start, rule.cycle === 'weekly' ? now.day : now.day - 1);
  if (due === undefined) return 'no day';
  const since = (now.day - due) * secondsOfDay + now.second;
  if (since >= rule.window.start && since <= rule.window.stop) return 'within';
  return due === now.day ? 'outside' : 'other day';
}

/** In days since 1970, in a time zone. */
export const firstDay = ({ startS }: ReadRule, zone: string): number => localTime(zone, startS).day;

/** The time is in seconds since the Unix epoch. */
export function ruleState(rule: JsonObject, zone: string, atS: number): RuleState {
  const made = readRule(rule);
  return localRuleState(made, firstDay(made, zone), localTime(zone, atS));
}

const mostDays = 14_610;

/**
 * Returns the next time in seconds since the Unix epoch when a rule starts or stops matching. Returns `undefined` for
 * a forced rule, or if there is no change within 40 years. Considers clock changes.
 */
export function nextChange(rule: JsonObject, zone: string, atS: number): number | undefined {
  const made = readRule(rule);
  const start = firstDay(made, zone);
  if (made.enabled === false || (made.enabled && start <= localTime(zone, atS).day)) return undefined;
  if (made.enabled) return timesOfLocal(zone, { day: start, second: 0 })[0];
  const isMatchingAt = (now: LocalTime): boolean => isMatchingState(localRuleState(made, start, now));
  const before = isMatchingAt(localTime(zone, atS));
  const { window } = made;
  const edges = [0, 1, window.start, window.stop + 1].filter((second) => second < secondsOfDay);
  const today = localTime(zone, atS).day;
  // The clocks may be set back over midnight.
  for (let day = today - 1; day < today + mostDays; day += 1) {
    if (day > today && edges.every((second) => isMatchingAt({ day, second }) === before)) continue;
    const [from = atS, to = atS] = [-1, 1].flatMap((by) =>
      timesOfLocal(zone, { day: day + by, second: noon }),
    );
    const found = [
      ...edges.flatMap((second) => timesOfLocal(zone, { day, second })),
      findClockChange(zone, from, to) ?? atS,
    ]
      .filter((at) => at > atS)
      .sort((one, other) => one - other)
      .find((at) => isMatchingAt(localTime(zone, at)) !== before);
    if (found !== undefined) return found;
  }
  return undefined;
}

const noon = secondsOfDay / 2;

/**
 * Returns the starts of the next matches, at most one per day. Times are in seconds since the Unix epoch. Empty for a
 * forced rule, or without a match within 40 years.
 */
export function nextMatches(rule: JsonObject, zone: string, atS: number, count: number): readonly number[] {
  const made = readRule(rule);
  if (made.enabled !== undefined) return [];
  const start = firstDay(made, zone);
  const second = made.window.start;
  const today = localTime(zone, atS).day;
  const found: number[] = [];
  for (let day = today; day < today + mostDays && found.length < count; day += 1) {
    // A window that ends at 24:00 includes the first second of the next day, which does not count as a match of that
    // day.
    const probe = { day, second: Math.max(second, 1) };
    if (second >= secondsOfDay || !isMatchingState(localRuleState(made, start, probe))) continue;
    const begin = firstTimeAt(zone, { day, second });
    if (begin > atS && isMatchingState(localRuleState(made, start, localTime(zone, begin))))
      found.push(begin);
  }
  return found;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Joins consecutive numbers: `1, 15-17`. */
function joinRanges(numbers: readonly number[], word: (number: number) => string): string {
  // Services use lists in their order, so an unsorted list is shown unchanged.
  if (numbers.some((number, at) => number < (numbers[at - 1] ?? number))) return numbers.map(word).join(', ');
  const sorted = [...new Set(numbers)].toSorted((one, other) => one - other);
  const begins = sorted.filter((number) => !sorted.includes(number - 1));
  return begins
    .map((first) => {
      const last = sorted.find((number) => number >= first && !sorted.includes(number + 1)) ?? first;
      return last === first ? word(first) : `${word(first)}-${word(last)}`;
    })
    .join(', ');
}

/** Returns days such as `mon-fri`, `1, 15-17`, `first mon`, `dec 24-26` or `2026-12-25`. */
export function formatDays(record: JsonObject, zone?: string): string {
  const { cycle, startS, ordinal, interval, month, ...rule } = readRule(record);
  if (cycle === undefined) return '';
  if (cycle === 'date') return formatShownNumber('date', startS + gregorianOffset, zone);
  const wdays = joinRanges(rule.weekdays, (day) => (weekdays[day] ?? '').slice(0, 3));
  const which = cycle === 'weekly' || wdays === '' ? wdays : `${ordinal} ${wdays}`;
  const days = rule.days.length > 0 && cycle !== 'weekly' ? joinRanges(rule.days, String) : which;
  const named = cycle === 'daily' ? '' : `${cycle === 'yearly' ? `${months[month - 1] ?? ''} ` : ''}${days}`;
  return `${named.trim() || cycle}${interval > 1 ? `, one of ${interval}` : ''}`;
}

/** Returns `09:00-17:00` or `all day`. */
export function formatHours(record: JsonObject): string {
  const { cycle, window } = readRule(record);
  if (cycle === undefined) return '';
  if (window.start === 0 && window.stop === secondsOfDay) return 'all day';
  return `${formatShownNumber('time of day', window.start)}-${formatShownNumber('time of day', window.stop)}`;
}
