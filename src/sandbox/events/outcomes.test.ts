import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failingStore } from '../../../test/support/failing-store.ts';
import { timers } from '../../host/real-host.ts';
import { type Change, openStore } from '../store/store.ts';
import { Outcomes, troubleMs } from './outcomes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const change = (value: string): Change => ({ change: 'setting', name: 'last', value });

test('what could not be committed is committed later, in its order, with what came meanwhile', async () => {
  const disk = failingStore(openStore(':memory:'));
  const outcomes = new Outcomes(disk.store, timers);
  const committed: string[] = [];
  disk.store.watch((changes) =>
    committed.push(...changes.flatMap((one) => ('value' in one ? one.value : []))),
  );
  disk.failOn(() => true);
  outcomes.add([change('first')]);
  await vi.advanceTimersByTimeAsync(troubleMs);
  outcomes.add([change('second')]);
  await vi.advanceTimersByTimeAsync(troubleMs * 3);
  expect(committed).toEqual([]);
  disk.failOn(undefined);
  const all = outcomes.committed();
  await vi.advanceTimersByTimeAsync(troubleMs);
  await all;
  expect(committed).toEqual(['first', 'second']);
});

test('what comes while a commit fails stands after what it was about', async () => {
  const disk = failingStore(openStore(':memory:'));
  const outcomes = new Outcomes(disk.store, timers);
  const committed: string[] = [];
  disk.store.watch((changes) =>
    committed.push(...changes.flatMap((one) => ('value' in one ? one.value : []))),
  );
  disk.failOn(() => {
    disk.failOn(undefined);
    outcomes.add([change('second')]);
    return true;
  });
  outcomes.add([change('first')]);
  await vi.advanceTimersByTimeAsync(troubleMs * 2);
  expect(committed).toEqual(['first', 'second']);
});

test('who waits for a commit waits until the disk has room, or the end', async () => {
  const disk = failingStore(openStore(':memory:'));
  const outcomes = new Outcomes(disk.store, timers);
  disk.failOn(() => true);
  outcomes.add([change('first')]);
  let isOver = false;
  const waiting = outcomes.committed().then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(troubleMs * 5);
  expect(isOver).toBe(false);
  outcomes.end();
  await waiting;
  expect(isOver).toBe(true);
});
