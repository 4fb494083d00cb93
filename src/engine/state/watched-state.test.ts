import { expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import { failureOf } from '../../../test/support/failure-of.ts';
import { fakeHost } from '../../../test/support/fake-host.ts';
import { testFolders } from '../../../test/support/world.ts';
import { Failure } from '../../base/failure.ts';
import { openState, type StateTroubles, watchedState } from './open-state.ts';
import type { State } from './state.ts';

const gone = new Failure('unavailable', 'The state is gone.');
const account = { origin: 'https://api.example', accountId: 'ab'.repeat(16) };
const wait = { signal: new AbortController().signal, who: 'alice', forMs: 0, waiting: () => undefined };

/** Pages of a state that is gone. */
const noPages = (): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(gone) }),
});

/** Breaks every method of a part of the state, as a database does that is gone. Pages break when they are read. */
function broken<T extends object>(part: T): T {
  const members = Object.entries(part).map(([name, member]) => {
    if (typeof member === 'object' && member !== null) return [name, broken(member)];
    if (typeof member !== 'function') return [name, member];
    return [name, name === 'newest' || name === 'accounts' ? noPages : () => Promise.reject(gone)];
  });
  return { ...part, ...Object.fromEntries(members) };
}

const isPaged = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Calls one method, and reads what it gives. */
async function used(method: (...given: readonly unknown[]) => unknown): Promise<void> {
  const given = await method();
  if (isPaged(given)) for await (const _ of given) break;
}

test('every state method records its failure, and close and release do not throw', async () => {
  const { host } = fakeHost({ folders: testFolders(), clock: turnedClock(), random: seededRandom(9) });
  const real: State = openState({ host, folder: host.folders.state, knows: () => true, keepMs: 1 });
  const [ledger, run, lease] = [real.ledger(account), await real.log.begin(), await real.lock(account, wait)];
  if (lease === undefined) throw new Error('Nobody else has the lock.');
  const state = broken(real);
  const parts: readonly object[] = [
    ...[state, state.log, state.plans, state.rollouts],
    ...[broken(ledger), broken(run), broken(lease)],
  ];
  const tried: string[] = [];
  for (const [at, part] of parts.entries())
    for (const name of Object.keys(part)) {
      const troubles: StateTroubles = { kinds: new Set(), untold: undefined };
      // A part comes out of the state itself.
      const watched = watchedState({ ...real, ...{ part } }, troubles);
      const member: unknown = Reflect.get(Reflect.get(watched, 'part'), name);
      if (typeof member !== 'function') continue;
      tried.push(name);
      const use = used((...given) => Reflect.apply(member, part, given));
      const isEnd = name === 'close' || name === 'release';
      const failure = isEnd ? await use : await failureOf(use);
      expect([at, name, [...troubles.kinds], isEnd ? troubles.untold : failure]).toEqual([
        ...[at, name, [gone.kind], gone],
      ]);
    }
  expect(tried.length).toBeGreaterThan(25);
  await lease.release();
});
