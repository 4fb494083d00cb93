import type { Clock, Random } from '../../src/base/host/host.ts';

/** A clock that stands still until it is turned; sleeping turns it and takes no time. */
export interface TurnedClock extends Clock {
  turn(ms: number): void;
  /** Length of each sleep, in milliseconds. */
  readonly sleeps: readonly number[];
}

export const minuteMs = 60_000;

/** Makes a clock that starts at `now` (Unix milliseconds). */
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

/** Randomness that is the same in every run (mulberry32). */
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
 * Processor time that this process used so far, in milliseconds. Limits of what a computation may take are held against
 * it: the clock also counts what other processes take.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
