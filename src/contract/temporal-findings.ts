import type { JsonObject } from '../base/json.ts';
import { formatCount } from '../base/wording.ts';
import { secondsOfDay } from '../base/zoned-time.ts';
import { type ReadRule, readRule, weekdays } from './temporal-match.ts';
import type { RecordFinding } from './types.ts';

const finding = (field: string, message: string): RecordFinding => ({ field, message });

/** Day fields that services ignore, by cycle (Conventions, "What each cycle needs"). */
const ignored: Readonly<Record<string, readonly string[]>> = {
  date: ['days', 'wdays', 'ordinal', 'interval', 'month'],
  daily: ['days', 'wdays', 'ordinal', 'month'],
  weekly: ['days', 'ordinal', 'month'],
  monthly: ['month'],
  yearly: [],
};

const isMeaningful = (rule: JsonObject, field: string): boolean => {
  const value = rule[field];
  if (field === 'interval') return typeof value === 'number' && value > 1;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '';
};

function ignoredFields(rule: JsonObject, { cycle = '', days }: ReadRule): readonly RecordFinding[] {
  const beside = ['monthly', 'yearly'].includes(cycle) && days.length > 0 ? ['wdays', 'ordinal'] : [];
  return [...(ignored[cycle] ?? []), ...beside]
    .filter((field) => isMeaningful(rule, field))
    .map((field) => {
      const why = beside.includes(field) ? 'a rule with "days"' : `a ${cycle} rule`;
      const other =
        field === 'wdays' && cycle === 'daily' ? ': it matches every day. Use "cycle: weekly"' : '';
      return finding(field, `${why} ignores "${field}"${other}`);
    });
}

function windowFindings({ window: { start, stop } }: ReadRule): readonly RecordFinding[] {
  if (start < stop && start < secondsOfDay) return [];
  return [
    finding(
      'time_window_stop',
      'the window ends before it begins: the rule never matches. A window that crosses midnight needs two rules, for example --hours 22:00-24:00 and --hours 00:00-06:00',
    ),
  ];
}

/** Services do not reach a day if a later day is listed before it. */
const unreachedDays = (days: readonly number[]): readonly number[] =>
  days.filter((day, at) => days.slice(0, at).some((before) => before > day));

const mostDaysOfMonth = (month: number): number => new Date(Date.UTC(2024, month, 0)).getUTCDate();

function missingDays({ cycle, days, month }: ReadRule): readonly RecordFinding[] {
  const yearly = cycle === 'yearly';
  const last = Math.max(...days);
  const longest = yearly ? mostDaysOfMonth(month) : 31;
  if (yearly && last > longest) {
    const none = last > longest + 1 || (month === 2 && last > 30);
    const then = none ? 'it matches on no such day' : 'it matches on the 1st of the next month instead';
    return [finding('days', `month ${month} has no day ${last}: ${then}`)];
  }
  if (yearly ? month === 2 && last === 29 : last > 28)
    return [
      finding(
        'days',
        `${yearly ? 'years' : 'months'} without day ${last} match on the 1st of the next month, or not at all`,
      ),
    ];
  return [];
}

function dayFindings(read: ReadRule): readonly RecordFinding[] {
  const { cycle, days, weekdays: named } = read;
  if (cycle !== 'monthly' && cycle !== 'yearly') return [];
  if (days.length === 0 && named.length === 1) return [];
  if (days.length === 0)
    return [
      finding(
        named.length > 1 ? 'wdays' : 'cycle',
        `a ${cycle} rule needs "days", or exactly one weekday in "wdays": no call is ever within it`,
      ),
    ];
  const unreached = unreachedDays(days);
  const order = `"days" is not in rising order: ${formatCount(unreached.length, 'day')} never ${unreached.length === 1 ? 'matches' : 'match'} (${unreached.join(', ')})`;
  return [...(unreached.length > 0 ? [finding('days', order)] : []), ...missingDays(read)];
}

/** Reports missing fields whose default is rarely intended. */
function defaultsTaken(rule: JsonObject, read: ReadRule): readonly RecordFinding[] {
  const { cycle, interval, days, weekdays: named } = read;
  const isMissing = (field: string): boolean => !isMeaningful(rule, field);
  const only = named.length === 1 && days.length === 0 ? (weekdays[named[0] ?? 0] ?? '') : '';
  const isByWeekday = (cycle === 'monthly' || cycle === 'yearly') && only !== '';
  const isDaily = cycle === 'daily' && interval > 1;
  return [
    ...(cycle === 'date' && isMissing('start_date')
      ? [finding('start_date', 'a date rule without "start_date" matches on 1983-04-11 only')]
      : []),
    ...(cycle === 'yearly' && isMissing('month')
      ? [finding('month', 'a yearly rule without "month" matches in January')]
      : []),
    ...(isByWeekday && isMissing('ordinal')
      ? [finding('ordinal', `a rule without "ordinal" matches on the first ${only}`)]
      : []),
    ...(cycle !== 'date' && interval > 1 && isMissing('start_date')
      ? [finding('start_date', '"interval" without "start_date" is counted from 1983-04-11')]
      : []),
    ...(isDaily && !isMissing('start_date')
      ? [
          finding(
            'interval',
            `the start date itself does not match: the first match is ${interval} days later`,
          ),
        ]
      : []),
  ];
}

/**
 * Returns ignored fields, days and windows that never match, and defaults of a temporal rule (Conventions, Temporal
 * rules). The most serious come first.
 */
export function temporalFindings(rule: JsonObject): readonly RecordFinding[] {
  const read = readRule(rule);
  if (read.cycle === undefined || !Object.hasOwn(ignored, read.cycle)) return [];
  return [
    ...windowFindings(read),
    ...dayFindings(read),
    ...defaultsTaken(rule, read),
    ...ignoredFields(rule, read),
  ];
}
