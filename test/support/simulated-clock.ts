import type { Clock } from '../../src/base/host/host.ts';

/** A clock that jumps to the next timer when all work sleeps. */
export interface SimulatedClock extends Clock {
  /** Runs work to its end and turns the clock. Throws if the work waits forever. */
  run<T>(work: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

/** Creates a clock that starts at `now` (Unix milliseconds). Work may only wait for the clock and promises. */
export function simulatedClock(now = Date.UTC(2025, 0, 15, 9, 0, 0)): SimulatedClock {
  let here = now;
  const sleepers = new Set<Sleeper>();
  const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => here,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { untilMs: here + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          if (sleepers.delete(sleeper)) reject(signal.reason);
        });
      });
    },
    async run(work) {
      let over = false;
      const end = work.finally(() => {
        over = true;
      });
      // Handled when `end` is awaited.
      end.catch(() => undefined);
      for (;;) {
        await idle();
        if (over) return end;
        const next = [...sleepers].toSorted((one, other) => one.untilMs - other.untilMs)[0];
        if (next === undefined) throw new Error('The work waits forever.');
        here = Math.max(here, next.untilMs);
        sleepers.delete(next);
        next.wake();
      }
    },
  };
}
