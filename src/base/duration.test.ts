import { expect, test } from 'vitest';
import { failureOf } from '../../test/support/failure-of.ts';
import { formatDuration, parseMoment, requireDuration } from './moment.ts';

const refused = (read: () => number) => failureOf((async () => read())());

test('durations are parsed the same way in options and in moments', () => {
  const now = Date.UTC(2026, 0, 31, 12);
  for (const [text, ms] of [
    ['250ms', 250],
    ['90s', 90_000],
    ['1.5h', 5_400_000],
    ['2d12h', 216_000_000],
    ['1m30s500ms', 90_500],
  ] as const) {
    expect(requireDuration(text, '--delay'), text).toBe(ms);
    expect(parseMoment(text, now, '--since'), text).toBe(now - ms);
  }
});

test('suggests the correct form for a misspelled or unsupported unit', async () => {
  for (const [text, meant] of [
    ['5min', '5m'],
    ['2 hours', '2h'],
    ['2hours 30minuets', '2h30m'],
    ['1w', '7d'],
    ['90S', '90s'],
    ['10 secnods', '10s'],
  ] as const) {
    expect((await refused(() => requireDuration(text, '--delay'))).hint, text).toBe(`Did you mean ${meant}?`);
    expect((await refused(() => parseMoment(text, 0, '--since'))).hint, text).toBe(
      `Did you mean --since ${meant}?`,
    );
  }
  for (const text of ['', '5', 'soon', '5 parsecs', '-5m', '1h-2m', '1e3s'])
    expect((await refused(() => requireDuration(text, '--delay'))).hint, text).toBe(
      'For example 90s, 55m, 2h or 30d.',
    );
});

test('formats a duration in its two largest units', () => {
  expect([0, 250, 1000, 61_000, 90_061_000].map(formatDuration)).toEqual([
    '0 ms',
    '250 ms',
    '1 second',
    '1 minute 1 second',
    '1 day 1 hour',
  ]);
});
