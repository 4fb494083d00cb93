import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { gregorianOffset } from '../base/moment.ts';
import { formatLocalTime, localTime } from '../base/zoned-time.ts';
import { temporalFindings } from './temporal-findings.ts';
import { isMatchingState, nextMatches, ruleState, weekdays } from './temporal-match.ts';

const dayS = 86_400;
const dateAt = (day: number): Date => new Date(day * dayS * 1000);
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

interface Written {
  readonly cycle: string;
  readonly days?: readonly number[];
  readonly wdays?: readonly string[];
  readonly ordinal?: string;
  readonly month?: number;
  readonly startDay?: number;
  readonly start?: number;
  readonly stop?: number;
}

const toRule = ({ startDay, start, stop, ...rule }: Written): JsonObject => ({
  ...(rule as JsonObject),
  ...(startDay === undefined ? {} : { start_date: startDay * dayS + gregorianOffset }),
  ...(start === undefined ? {} : { time_window_start: start }),
  ...(stop === undefined ? {} : { time_window_stop: stop }),
});

/** Whether a person who reads the rule expects it at a time: every field that is given counts. */
function isExpected(rule: Written, day: number, second: number): boolean {
  const date = dateAt(day);
  const [month, dayOfMonth] = [date.getUTCMonth() + 1, date.getUTCDate()];
  const length = new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate();
  const { start = 0, stop = dayS } = rule;
  const isWithin = start <= stop ? second >= start && second <= stop : second >= start || second <= stop;
  const weekday = weekdays[(date.getUTCDay() + 6) % 7] ?? '';
  const nth = ordinals[Math.floor((dayOfMonth - 1) / 7)];
  const isNth =
    rule.ordinal === undefined ||
    rule.ordinal === 'every' ||
    (rule.ordinal === 'last' ? dayOfMonth + 7 > length : rule.ordinal === nth);
  return (
    isWithin &&
    (rule.startDay === undefined || (rule.cycle === 'date' ? day === rule.startDay : day >= rule.startDay)) &&
    (rule.month === undefined || rule.month === month) &&
    (rule.days === undefined || rule.days.length === 0 || rule.days.includes(dayOfMonth)) &&
    (rule.wdays === undefined || rule.wdays.length === 0 || rule.wdays.includes(weekday)) &&
    isNth
  );
}

const second = fc.integer({ min: 0, max: dayS - 1 });
const written: fc.Arbitrary<Written> = fc.record(
  {
    cycle: fc.constantFrom('date', 'daily', 'weekly', 'monthly', 'yearly'),
    days: fc.array(fc.integer({ min: 1, max: 31 }), { maxLength: 3 }),
    wdays: fc.uniqueArray(fc.constantFrom(...weekdays), { maxLength: 3 }),
    ordinal: fc.constantFrom(...ordinals, 'every', 'last'),
    month: fc.integer({ min: 1, max: 12 }),
    startDay: fc.integer({ min: 20_000, max: 20_400 }),
    start: second,
    stop: second,
  },
  { requiredKeys: ['cycle'] },
);

test('reports every rule that services interpret differently from its wording', () => {
  fc.assert(
    fc.property(written, fc.integer({ min: 20_000, max: 21_500 }), second, (rule, first, at) => {
      const sent = toRule(rule);
      if (temporalFindings(sent).length > 0) return;
      for (let day = first; day < first + 60; day += 1) {
        const isMatch = isMatchingState(ruleState(sent, 'UTC', day * dayS + at));
        expect(isMatch, `${JSON.stringify(rule)} ${dateAt(day).toISOString()}`).toBe(
          isExpected(rule, day, at),
        );
      }
    }),
    { numRuns: 3000 },
  );
});

test.each<[JsonObject, string]>([
  [{ cycle: 'daily', wdays: ['monday'] }, 'matches every day'],
  [{ cycle: 'yearly', days: [25, 26] }, 'matches in January'],
  [{ cycle: 'yearly', month: 11, days: [31] }, 'month 11 has no day 31: it matches on the 1st'],
  [{ cycle: 'yearly', month: 2, days: [31] }, 'it matches on no such day'],
  [{ cycle: 'yearly', month: 2, days: [29] }, 'years without day 29'],
  [{ cycle: 'monthly', days: [31] }, 'months without day 31 match on the 1st'],
  [{ cycle: 'monthly', days: [25, 10] }, '1 day never matches (10)'],
  [{ cycle: 'monthly', wdays: ['monday'] }, 'first monday'],
  [{ cycle: 'weekly', days: [1], wdays: ['monday'] }, 'ignores "days"'],
  [{ cycle: 'date' }, '1983-04-11'],
  [{ cycle: 'weekly', interval: 2 }, 'counted from 1983-04-11'],
  [{ cycle: 'daily', interval: 2, start_date: 63_966_153_600 }, 'does not match'],
  [{ cycle: 'daily', time_window_start: 79_200, time_window_stop: 21_600 }, 'never matches'],
])('%j: %s', (rule, words) => {
  expect(temporalFindings(rule).map(({ message }) => message)).toContainEqual(expect.stringContaining(words));
});

test.each(['America/New_York', 'Pacific/Apia', 'UTC'])(
  'the next matches in %s are times at which a rule starts to match',
  (zone) => {
    const from = Date.UTC(2011, 11, 25) / 1000;
    for (const rule of [
      { cycle: 'weekly', wdays: ['friday', 'sunday'], time_window_start: 32_400, time_window_stop: 61_200 },
      { cycle: 'monthly', days: [1, 15] },
      { cycle: 'yearly', month: 2, ordinal: 'last', wdays: ['monday'] },
    ] as JsonObject[]) {
      const next = nextMatches(rule, zone, from, 5);
      expect(new Set(next).size).toBe(5);
      expect(next.toSorted((one, other) => one - other)).toEqual(next);
      for (const begin of next) {
        expect(isMatchingState(ruleState(rule, zone, begin))).toBe(true);
        expect(isMatchingState(ruleState(rule, zone, begin - 1))).toBe(false);
      }
    }
    // The window of a whole day includes the first second of the next one.
    const christmas = { cycle: 'yearly', month: 12, days: [25] };
    expect(nextMatches(christmas, zone, from, 2).map((at) => formatLocalTime(localTime(zone, at)))).toEqual([
      expect.stringMatching(/12-25/),
      expect.stringMatching(/12-25/),
    ]);
    expect(
      nextMatches({ cycle: 'daily', time_window_start: 79_200, time_window_stop: 21_600 }, zone, from, 5),
    ).toEqual([]);
  },
);
