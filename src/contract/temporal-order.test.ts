import { expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { gregorianOffset } from '../base/moment.ts';
import { timeTaken } from './temporal-order.ts';

const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const window = (from: number, to: number): JsonObject => ({
  time_window_start: from * 3600,
  time_window_stop: to * 3600,
});
const office = { cycle: 'weekly', wdays: workdays, ...window(9, 17) };
const lunch = { cycle: 'weekly', wdays: workdays, ...window(12, 13) };
const christmas = { cycle: 'yearly', month: 12, days: [25] };
const weekend = { cycle: 'weekly', wdays: ['saturday', 'sunday'] };
const on = (date: string): JsonObject => ({
  cycle: 'date',
  start_date: Date.parse(`${date}T12:00Z`) / 1000 + gregorianOffset,
});

test.each<readonly [string, JsonObject, JsonObject, string]>([
  ['lunch after office hours', office, lunch, 'all'],
  ['office hours after lunch', lunch, office, 'some'],
  ['Christmas after office hours', office, christmas, 'some'],
  ['a Friday off after office hours', office, on('2026-12-18'), 'some'],
  ['a Saturday off after office hours', office, on('2026-12-19'), 'none'],
  ['a Saturday off after the weekend', weekend, on('2026-12-19'), 'all'],
  ['the weekend after office hours', office, weekend, 'none'],
  ['an evening that begins when the office closes', office, { ...office, ...window(18, 20) }, 'none'],
  [
    'a first Monday after every day',
    { cycle: 'daily' },
    { cycle: 'monthly', ordinal: 'first', wdays: ['monday'] },
    'all',
  ],
  ['every second week after every week', office, { ...office, interval: 2 }, 'all'],
  ['every week after every second week', { ...office, interval: 2 }, office, 'some'],
  ['a leap day after office hours', office, { cycle: 'yearly', month: 2, days: [29] }, 'some'],
  ['lunch after a rule that is forced on', { ...office, enabled: true }, lunch, 'none'],
])('finds how much time an earlier rule takes from a later one: %s', (_, earlier, later, taken) => {
  expect(timeTaken(earlier, later)).toBe(taken);
});
