import { expect, test } from 'vitest';
import { processorMs } from '../../../../test/support/clock.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { patternCost } from './pattern-cost.ts';

const exponential = [
  '^([0-9]+)*$',
  '^(\\d+)+$',
  '^(a|a)*$',
  '^(\\d|[0-9]{2})*#$',
  '(\\d*)*x',
  '^(?:\\d\\d?)+$',
  '^(1+2?)*$',
];
const polynomial = ['^\\d*\\d*$', '^\\d+[0-9]+#$', '^.*0.*$', '^[0-9]*1?[0-9]*$', '.*\\d+x.*1'];
const harmless = [
  '^\\+?1?\\d{10}$',
  '^[2-9]\\d{2}$',
  '^\\*97(\\d+)$',
  '^(100|200)$',
  '^0(.+)$',
  '^(?!911)\\d{3}$',
  '^(\\d+)#(\\d+)$',
  '^(ab)*$',
  '^(\\d,)*$',
  '^\\+1[2-9]\\d{2}[2-9]\\d{6}$',
];

test.each(exponential)('%s takes exponential time', (pattern) => {
  expect(patternCost(pattern)).toBe('exponential');
});
test.each(polynomial)('%s takes polynomial time', (pattern) => {
  expect(patternCost(pattern)).toBe('polynomial');
});
test.each(harmless)('%s takes linear time', (pattern) => {
  expect(patternCost(pattern)).toBeUndefined();
});

test('every pattern runs in linear time in telctl', () => {
  const number = `${'1'.repeat(5000)}x`;
  const start = processorMs();
  for (const pattern of [...exponential, ...polynomial]) compilePattern(pattern)?.test(number);
  expect(processorMs() - start).toBeLessThan(1000);
  patternCost(`^${'(\\d+'.repeat(200)}${')*'.repeat(200)}$`);
  expect(patternCost(`^${'(a|b|\\d?x?)*'.repeat(30)}$`)).toBe('unknown');
  expect(processorMs() - start).toBeLessThan(5000);
});

test('patterns match the same texts as in the service', () => {
  const fits = (pattern: string, ...numbers: readonly string[]) =>
    numbers.map((number) => compilePattern(pattern)?.test(number));
  expect(fits('^(?!911)\\d{3}$', '911', '912', '9111')).toEqual([false, true, false]);
  expect(fits('^(?=1)(?!100)\\d+$', '100', '101', '201')).toEqual([false, true, false]);
  expect(fits('^[[:digit:]]+$', '12', 'a')).toEqual([true, false]);
  expect(fits('(?i)^abc$', 'ABC', 'x')).toEqual([true, false]);
  expect(fits('11', '911', '91')).toEqual([true, false]);
  expect(compilePattern('^\\*97(\\d)?(\\d+)$')?.groups('*9712')).toEqual(['1', '2']);
  for (const pattern of [
    '^(\\d)\\1$',
    '^(?>\\d+)1$',
    '^\\d++$',
    '^\\d(?=1)',
    '(?x)a b',
    '^\\h$',
    'a'.repeat(2000),
  ])
    expect(compilePattern(pattern)).toMatchObject({ untried: true });
  for (const pattern of ['(', '[', '*', '(?<n']) expect(compilePattern(pattern)).toBeUndefined();
});
