import type { TurnedClock } from './clock.ts';

/** A clock that only moves when turned, and wakes sleepers at their time. */
export type SteppedClock = TurnedClock;

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

/** Creates a clock that starts at `now` (Unix milliseconds). */
export function steppedClock(now = Date.UTC(2025, 0, 15, 9, 0, 0)): SteppedClock {
  let here = now;
  const sleepers = new Set<Sleeper>();
  const sleeps: number[] = [];
  return {
    now: () => here,
    sleep(ms, signal) {
      signal?.throwIfAborted();
      sleeps.push(ms);
      return new Promise((resolve, reject) => {
        const sleeper = {
          untilMs: here + ms,
          wake() {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          if (sleepers.delete(sleeper)) reject(signal.reason);
        });
      });
    },
    turn(ms) {
      here += ms;
      for (const { untilMs, wake } of [...sleepers]) if (untilMs <= here) wake();
    },
    sleeps,
  };
}
