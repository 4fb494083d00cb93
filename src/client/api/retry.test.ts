import { expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import type { Repeat } from '../../contract/types.ts';
import { type AttemptOutcome, waitBeforeRepeat } from './retry.ts';

const clock = turnedClock();

function wait(
  outcome: AttemptOutcome,
  repeat: Repeat,
  more: { repeated?: number; retries?: number; elapsedMs?: number } = {},
) {
  const attempt = { outcome, repeat, repeated: 0, retries: 3, elapsedMs: 0, ...more };
  return waitBeforeRepeat(attempt, clock, seededRandom());
}

const status = (code: number, retryAfter?: string): AttemptOutcome => ({
  kind: 'reply',
  status: code,
  retryAfter,
});
const lost: AttemptOutcome = { kind: 'lost' };

test.each([500, 502, 503, 504])(
  'after a %i, reads and idempotent writes are repeated and creates never',
  (code) => {
    expect(wait(status(code), 'safe')).toBeGreaterThan(0);
    expect(wait(status(code), 'idempotent')).toBeGreaterThan(0);
    expect(wait(status(code), 'never')).toBeUndefined();
  },
);

test('a lost reply is treated as if the request may have been carried out', () => {
  expect(wait(lost, 'safe')).toBeGreaterThan(0);
  expect(wait(lost, 'never')).toBeUndefined();
});

test('a 429 is no matter of repeats: the rate limiter gives it another turn', () => {
  expect(wait(status(429, '7'), 'safe')).toBeUndefined();
});

test.each([200, 201, 400, 401, 402, 404, 409, 501])('a %i stands', (code) => {
  expect(wait(status(code), 'safe')).toBeUndefined();
});

test('Retry-After is kept to exactly, in seconds and as a date', () => {
  expect(wait(status(503, '7'), 'safe')).toBe(7000);
  expect(wait(status(503, new Date(clock.now() + 9000).toUTCString()), 'safe')).toBe(9000);
  expect(wait(status(503, new Date(clock.now() - 9000).toUTCString()), 'safe')).toBe(0);
});

test('a Retry-After that says nothing is as if it were absent', () => {
  const waitMs = wait(status(503, 'soon'), 'safe');
  expect(waitMs).toBeGreaterThanOrEqual(250);
  expect(waitMs).toBeLessThanOrEqual(500);
});

test('waits grow from repeat to repeat and stay below eight seconds', () => {
  const waits = [0, 1, 2, 9].map((repeated) => wait(status(503), 'safe', { repeated, retries: 20 }) ?? 0);
  expect(waits).toEqual([...new Set(waits)].sort((one, other) => one - other));
  expect(Math.max(...waits)).toBeLessThanOrEqual(8000);
});

test('repeats end after as many as were asked for', () => {
  expect(wait(status(500), 'safe', { repeated: 3 })).toBeUndefined();
  expect(wait(status(500), 'safe', { retries: 0 })).toBeUndefined();
});

test('nothing is repeated later than two minutes after the first attempt', () => {
  expect(wait(status(503, '121'), 'safe')).toBeUndefined();
  expect(wait(lost, 'safe', { elapsedMs: 119_990 })).toBeUndefined();
});
