import { expect, test } from 'vitest';
import { deferWork } from './concurrency.ts';

/** Turns of an event loop that is turned by hand. */
function turns() {
  let acts: (() => void)[] = [];
  return {
    soon: (act: () => void) => void acts.push(act),
    turn() {
      const now = acts;
      acts = [];
      for (const act of now) act();
    },
  };
}

test('starts deferred work two turns later, in order', () => {
  const { soon, turn } = turns();
  const begun: string[] = [];
  const later = deferWork(soon);
  for (const name of ['first', 'second']) later.add(() => void begun.push(name));
  turn();
  expect(begun).toEqual([]);
  later.add(() => void begun.push('third'));
  turn();
  expect(begun).toEqual(['first', 'second', 'third']);
  later.add(() => void begun.push('fourth'));
  turn();
  turn();
  expect(begun).toHaveLength(4);
});

test('waits at the end for all work and throws the first error', async () => {
  const ended: string[] = [];
  const later = deferWork(turns().soon);
  later.add(async () => {
    await Promise.resolve();
    throw new Error('no room');
  });
  later.add(async () => {
    await Promise.resolve();
    ended.push('the other');
  });
  await expect(later.done()).rejects.toThrow('no room');
  expect(ended).toEqual(['the other']);
});
