import { expect, test } from 'vitest';
import { formatShownNumber, parseShownNumber } from './shown-form.ts';

test.each([
  ['milliseconds', 250, '250 ms'],
  ['milliseconds', 10_000, '10 s'],
  ['milliseconds', 1500, '1.5 s'],
  ['seconds', 90, '1 min 30 s'],
  ['seconds', 7200, '2 h'],
  ['seconds', 273_600, '3 d 4 h'],
  ['seconds', 0, '0 s'],
  ['bytes', 512, '512 B'],
  ['bytes', 1400, '1.4 kB'],
  ['bytes', 999_999, '1 MB'],
  ['moment', 63_961_142_400, '2026-11-06 00:00:00Z'],
  ['date', 63_961_178_400, '2026-11-06'],
  ['time of day', 32_400, '09:00'],
] as const)('shows %s %d as %s', (form, count, text) => {
  expect(formatShownNumber(form, count)).toBe(text);
});

test.each([
  ['milliseconds', '10s', 10_000],
  ['seconds', '1m30s', 90],
  ['seconds', '1ms', undefined],
  ['moment', '2026-11-06', 63_961_142_400],
  ['moment', '2026-11-06T01:00+01:00', 63_961_142_400],
  ['moment', '63961142400', 63_961_142_400],
  ['moment', '2026-02-30', undefined],
  ['bytes', '1 kB', undefined],
] as const)('reads %s %s', (form, text, count) => {
  expect(parseShownNumber(form, text)).toBe(count);
});
