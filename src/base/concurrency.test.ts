import { expect, test } from 'vitest';
import { mapWithConcurrency } from './concurrency.ts';

test('returns results in input order and limits how many run at once', async () => {
  const waiting: (() => void)[] = [];
  let begun = 0;
  const all = mapWithConcurrency([1, 2, 3], 2, async (thing) => {
    begun += 1;
    await new Promise<void>((resolve) => void waiting.push(resolve));
    return thing * 10;
  });
  expect(begun).toBe(2);
  waiting[1]?.();
  await expect.poll(() => begun).toBe(3);
  for (const resolve of waiting) resolve();
  expect(await all).toEqual([10, 20, 30]);
});

test('starts no work after a failure and throws it once the running work has finished', async () => {
  const begun: number[] = [];
  const other = Promise.withResolvers<void>();
  let isOver = false;
  const all = mapWithConcurrency([1, 2, 3, 4], 2, async (thing) => {
    begun.push(thing);
    if (thing === 1) throw new Error('trouble');
    await other.promise;
  }).finally(() => {
    isOver = true;
  });
  const ended = expect(all).rejects.toThrow('trouble');
  await Promise.resolve();
  expect(isOver).toBe(false);
  other.resolve();
  await ended;
  expect(begun).toEqual([1, 2]);
});
