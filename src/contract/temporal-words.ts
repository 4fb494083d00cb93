import type { JsonObject } from '../base/json.ts';
import { gregorianOffset } from '../base/moment.ts';
import { shownNumber } from '../base/shown-form.ts';
import { secondsOfDay } from '../base/zoned-time.ts';
import { readRule, weekdays } from './temporal-match.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Numbers in rising order, with hyphens for those that follow one another: `1, 15-17`. */
function ranges(numbers: readonly number[], word: (number: number) => string): string {
  const sorted = [...new Set(numbers)].toSorted((one, other) => one - other);
  const begins = sorted.filter((number) => !sorted.includes(number - 1));
  return begins
    .map((first) => {
      const last = sorted.find((number) => number >= first && !sorted.includes(number + 1)) ?? first;
      return last === first ? word(first) : `${word(first)}-${word(last)}`;
    })
    .join(', ');
}

/** The days of a temporal rule in few words: `mon-fri`, `1, 15-17`, `first mon`, `dec 24-26`, `2026-12-25`. */
export function daysInWords(record: JsonObject): string {
  const { cycle, startS, ordinal, interval, month, ...rule } = readRule(record);
  if (cycle === undefined) return '';
  if (cycle === 'date') return shownNumber('date', startS + gregorianOffset);
  const wdays = ranges(rule.weekdays, (day) => (weekdays[day] ?? '').slice(0, 3));
  const which = cycle === 'weekly' || wdays === '' ? wdays : `${ordinal} ${wdays}`;
  const days = rule.days.length > 0 && cycle !== 'weekly' ? ranges(rule.days, String) : which;
  const named = cycle === 'daily' ? '' : `${cycle === 'yearly' ? `${months[month - 1] ?? ''} ` : ''}${days}`;
  return `${named.trim() || cycle}${interval > 1 ? `, one of ${interval}` : ''}`;
}

/** The time of day of a temporal rule: `09:00-17:00`, `all day`. */
export function hoursInWords(record: JsonObject): string {
  const { cycle, window } = readRule(record);
  if (cycle === undefined) return '';
  if (window.start === 0 && window.stop === secondsOfDay) return 'all day';
  return `${shownNumber('time of day', window.start)}-${shownNumber('time of day', window.stop)}`;
}
