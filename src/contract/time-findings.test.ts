import { expect, test } from 'vitest';
import { gregorianOffset } from '../base/moment.ts';
import { ports } from './resources/ports.ts';
import { temporal_rules } from './resources/temporal-rules.ts';
import { timeFindings } from './time-findings.ts';

const christmas = Date.UTC(2026, 11, 25) / 1000;

test.each([
  [christmas, 'is a Unix time. Write 2026-12-25 instead'],
  [christmas * 1000, 'is a Unix time in milliseconds. Write 2026-12-25 instead'],
  [20_261_225, 'is a date. Write 2026-12-25 instead'],
  [2026, 'is not a recent time. Write a date such as 2026-12-24'],
])('%d is not taken for Gregorian seconds', (value, message) => {
  const [found, ...more] = timeFindings(temporal_rules.schema, { start_date: value });
  expect([found?.field, more]).toEqual(['start_date', []]);
  expect(found?.message).toBe(`"start_date" takes Gregorian seconds, and ${value} ${message}`);
});

test('accepts Gregorian seconds, and zero', () => {
  for (const start_date of [0, 62_586_115_200, christmas + gregorianOffset])
    expect(timeFindings(temporal_rules.schema, { start_date })).toEqual([]);
});

test('finds times of every record, at any depth', () => {
  const port = { transfer_date: christmas, comments: [{ timestamp: christmas }] };
  expect(timeFindings(ports.schema, port).map(({ field }) => field)).toEqual([
    'transfer_date',
    'comments.0.timestamp',
  ]);
});
