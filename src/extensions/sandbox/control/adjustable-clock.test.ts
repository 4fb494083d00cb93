import { expect, test } from 'vitest';
import { turnedClock as stillClock } from '../../../../test/support/clock.ts';
import type { Clock } from '../../../base/host/host.ts';
import { openStore } from '../store/sqlite-store.ts';
import { openAdjustableClock } from './adjustable-clock.ts';

const minuteMs = 60_000;

/** A clock on which sleepers sleep until they are woken. */
const sleepless: Clock = {
  now: () => 1_000_000,
  sleep: (_ms, signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    }),
};

test('a sleep ends when the clock is advanced past its end, and not before', async () => {
  const clock = await openAdjustableClock(sleepless, openStore(':memory:'));
  let isAwake = false;
  const slept = clock.sleep(5 * minuteMs).then(() => {
    isAwake = true;
  });
  await clock.advance(4 * minuteMs);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isAwake).toBe(false);
  await clock.advance(minuteMs);
  await slept;
  expect(clock.now()).toBe(1_000_000 + 5 * minuteMs);
});

test('an aborted sleep rejects with the reason', async () => {
  const clock = await openAdjustableClock(sleepless, openStore(':memory:'));
  const off = new AbortController();
  const slept = clock.sleep(minuteMs, off.signal);
  off.abort(new Error('called off'));
  await expect(slept).rejects.toThrow('called off');
});

test('the offset of the clock is stored, and the clock never goes back', async () => {
  const store = openStore(':memory:');
  const base = stillClock(1_000_000);
  const clock = await openAdjustableClock(base, store);
  expect(await clock.set(3_000_000)).toBe(true);
  expect(await clock.set(2_999_999)).toBe(false);
  const again = await openAdjustableClock(base, store);
  expect(again.now()).toBe(3_000_000);
  expect(again.offsetMs).toBe(2_000_000);
});
