import type { Clock, Random } from '../../src/base/host/host.ts';

/** A clock that only moves when it is turned or slept on. */
export interface TurnedClock extends Clock {
  turn(ms: number): void;
  readonly sleeps: readonly number[];
}

export const minuteMs = 60_000;

/** Creates a clock that starts at `now` (Unix milliseconds). */
export function turnedClock(now = Date.UTC(2025, 0, 15, 9, 0, 0)): TurnedClock {
  let here = now;
  const sleeps: number[] = [];
  return {
    now: () => here,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      sleeps.push(ms);
      here += ms;
    },
    turn(ms) {
      here += ms;
    },
    sleeps,
  };
}

/** Returns reproducible random numbers (mulberry32). */
export function seededRandom(seed = 1): Random {
  let state = seed;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    fraction,
    bytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(fraction() * 256)),
  };
}

/**
 * Returns the processor time of this process in milliseconds. Time limits of computations use it, because the clock
 * includes other processes.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
