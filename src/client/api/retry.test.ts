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
  'after a %i, retries reads and idempotent writes but never creates',
  (code) => {
    expect(wait(status(code), 'safe')).toBeGreaterThan(0);
    expect(wait(status(code), 'idempotent')).toBeGreaterThan(0);
    expect(wait(status(code), 'never')).toBeUndefined();
  },
);

test('treats a lost response as a request that may have succeeded', () => {
  expect(wait(lost, 'safe')).toBeGreaterThan(0);
  expect(wait(lost, 'never')).toBeUndefined();
});

test('leaves a 429 to the rate limiter', () => {
  expect(wait(status(429, '7'), 'safe')).toBeUndefined();
});

test.each([200, 201, 400, 401, 402, 404, 409, 501])('does not retry a %i', (code) => {
  expect(wait(status(code), 'safe')).toBeUndefined();
});

test('waits exactly as long as Retry-After says, in seconds or as a date', () => {
  expect(wait(status(503, '7'), 'safe')).toBe(7000);
  expect(wait(status(503, new Date(clock.now() + 9000).toUTCString()), 'safe')).toBe(9000);
  expect(wait(status(503, new Date(clock.now() - 9000).toUTCString()), 'safe')).toBe(0);
});

test('ignores an invalid Retry-After', () => {
  const waitMs = wait(status(503, 'soon'), 'safe');
  expect(waitMs).toBeGreaterThanOrEqual(250);
  expect(waitMs).toBeLessThanOrEqual(500);
});

test('backs off with each retry, up to eight seconds', () => {
  const waits = [0, 1, 2, 9].map((repeated) => wait(status(503), 'safe', { repeated, retries: 20 }) ?? 0);
  expect(waits).toEqual([...new Set(waits)].sort((one, other) => one - other));
  expect(Math.max(...waits)).toBeLessThanOrEqual(8000);
});

test('stops after the requested number of retries', () => {
  expect(wait(status(500), 'safe', { repeated: 3 })).toBeUndefined();
  expect(wait(status(500), 'safe', { retries: 0 })).toBeUndefined();
});

test('never retries later than two minutes after the first attempt', () => {
  expect(wait(status(503, '121'), 'safe')).toBeUndefined();
  expect(wait(lost, 'safe', { elapsedMs: 119_990 })).toBeUndefined();
});
