import { expect, test } from 'vitest';
import { failuresAllowed, parseMaxFailures, parseWaves } from './limits.ts';

test.each([
  ['1,5%,25%,100%', 100, [1, 5, 25, 69]],
  ['1,5%,25%,100%', 3, [1, 1, 1]],
  ['1,100%', 1, [1]],
  ['2, 2', 4, [2, 2]],
  ['2,100%', 2, [2]],
  ['50%,50%', 3, [2, 1]],
  ['10', 4, [4]],
  ['100%', 0, []],
])('%s of %d accounts', (text, accounts, waves) => {
  expect(parseWaves(text, accounts)).toEqual(waves);
});

test.each([
  ['2', 4, '--waves 2 leaves 2 accounts of 4 out.'],
  ['0,100%', 4, '--waves must be waves of at least one account, not "0".'],
  ['0%,100%', 4, '--waves must be waves of at least one account, not "0%".'],
  ['101%', 4, '--waves must be counts or percentages, not "101%".'],
  ['a', 4, '--waves must be counts or percentages, not "a".'],
])('%s of %d accounts is refused', (text, accounts, message) => {
  expect(() => parseWaves(text, accounts)).toThrow(message);
});

test('a wave allows a count or share of failures, and a canary allows none', () => {
  const waves = [2, 200];
  const bears = (text: string, canary?: 'asks' | 'goes-on') =>
    [1, 2].map((wave) =>
      failuresAllowed({ maxFailures: parseMaxFailures(text), waves, ...(canary ? { canary } : {}) }, wave),
    );
  expect(bears('3')).toEqual([3, 3]);
  expect(bears('1%')).toEqual([0, 2]);
  expect(bears('3', 'asks')).toEqual([0, 3]);
  expect(failuresAllowed({ maxFailures: { percent: 50 }, waves }, 3)).toBe(0);
  expect(() => parseMaxFailures('-1')).toThrow('--max-failures must be counts or percentages');
});
