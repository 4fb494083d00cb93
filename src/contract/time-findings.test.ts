import { expect, test } from 'vitest';
import { gregorianOffset } from '../base/moment.ts';
import { ports } from './resources/ports.ts';
import { temporal_rules } from './resources/temporal-rules.ts';
import { users } from './resources/users.ts';
import { timeFindings } from './time-findings.ts';

const christmas = Date.UTC(2026, 11, 25) / 1000;

test.each([
  [christmas, 'is a Unix time. Write 2026-12-25 instead'],
  [christmas * 1000, 'is a Unix time in milliseconds. Write 2026-12-25 instead'],
  [20_261_225, 'is a date. Write 2026-12-25 instead'],
  [2026, 'is not a recent time. Write a date such as 2026-12-24'],
])('reports %d as not in Gregorian seconds', (value, message) => {
  const [found, ...more] = timeFindings(temporal_rules.schema, { start_date: value });
  expect([found?.field, more]).toEqual(['start_date', []]);
  expect(found?.message).toBe(`"start_date" takes Gregorian seconds, and ${value} ${message}`);
});

test('accepts Gregorian seconds and zero', () => {
  for (const start_date of [0, 62_586_115_200, christmas + gregorianOffset])
    expect(timeFindings(temporal_rules.schema, { start_date })).toEqual([]);
});

test('finds time fields of any record, at any depth', () => {
  const port = { transfer_date: christmas, comments: [{ timestamp: christmas }] };
  expect(timeFindings(ports.schema, port).map(({ field }) => field)).toEqual([
    'transfer_date',
    'comments.0.timestamp',
  ]);
});

test.each([
  ['EST', '"timezone" EST is UTC-5 all year. Write America/New_York to follow daylight saving time'],
  ['Etc/GMT+5', '"timezone" Etc/GMT+5 is UTC-5 all year, because the sign is reversed in such names'],
  ['Etc/GMT-3', '"timezone" Etc/GMT-3 is UTC+3 all year, because the sign is reversed in such names'],
])('reports the time zone %s', (timezone, message) => {
  const [found] = timeFindings(users.schema, { timezone });
  expect(found?.message).toContain(message);
});

test.each(['America/New_York', 'EST5EDT', 'US/Eastern', 'UTC', 'Etc/UTC', 'Etc/GMT'])(
  'accepts the time zone %s',
  (timezone) => {
    expect(timeFindings(users.schema, { timezone })).toEqual([]);
  },
);
