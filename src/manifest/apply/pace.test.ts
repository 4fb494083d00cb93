import { expect, test } from 'vitest';
import { paceOf } from './pace.ts';

test('a burst of refusals halves the pace once, and successes let it rise again', () => {
  const pace = paceOf(8);
  for (let call = 0; call < 8; call += 1) pace.began();
  for (let refusal = 0; refusal < 5; refusal += 1) pace.turnedAway();
  expect(pace.limit()).toBe(4);
  for (let call = 0; call < 8; call += 1) pace.ended();
  expect(pace.limit()).toBe(4);
  pace.began();
  pace.turnedAway();
  expect(pace.limit()).toBe(2);
  pace.ended();
  for (let call = 0; call < 100; call += 1) {
    pace.began();
    pace.ended();
  }
  expect(pace.limit()).toBe(8);
});

test('there is always room for one call', () => {
  const pace = paceOf(1);
  pace.began();
  pace.turnedAway();
  expect(pace.limit()).toBe(1);
});
