import type { Clock } from '../../host/host.ts';
import type { Store } from '../store/store.ts';

/** The sandbox's clock: the machine's, and as far ahead of it as it was turned. */
export interface SandboxClock extends Clock {
  /** How far ahead of the machine's clock, in milliseconds. */
  readonly offsetMs: number;
  /** Turns it forward; whoever sleeps wakes when the moment is reached or passed. */
  advance(ms: number): Promise<void>;
  /** Turns it to a moment (Unix milliseconds), which may not lie behind it. False, and nothing done, where it does. */
  set(ms: number): Promise<boolean>;
  /** Reads anew how far it was turned, after the store's records were exchanged. */
  reload(): Promise<void>;
}

const settingName = 'clock_offset_ms';

/** Timers take no longer waits than this; a longer sleep is several. */
const longestWaitMs = 86_400_000;

/** A clock that can be turned forward. How far it was turned is kept in the store, and outlives restarts. */
export async function turnedClock(base: Clock, store: Store): Promise<SandboxClock> {
  const keptOffset = async (): Promise<number> => Number((await store.setting(settingName)) ?? 0);
  let offsetMs = await keptOffset();
  const sleepers = new Set<() => void>();
  const now = (): number => base.now() + offsetMs;

  const turnTo = (offset: number): void => {
    offsetMs = offset;
    for (const wake of sleepers) wake();
  };
  const advance = async (ms: number): Promise<void> => {
    const offset = offsetMs + ms;
    await store.commit([{ change: 'setting', name: settingName, value: String(offset) }]);
    turnTo(offset);
  };

  /** Waits until the time is up, the clock was turned, or the signal aborts. */
  const wait = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    const turned = new AbortController();
    const wake = (): void => turned.abort();
    sleepers.add(wake);
    try {
      await base.sleep(ms, signal ? AbortSignal.any([signal, turned.signal]) : turned.signal);
    } catch (error) {
      if (!turned.signal.aborted || signal?.aborted) throw error;
    } finally {
      sleepers.delete(wake);
    }
  };

  return {
    now,
    async sleep(ms, signal) {
      const until = now() + ms;
      do await wait(Math.min(Math.max(until - now(), 0), longestWaitMs), signal);
      while (now() < until);
    },
    get offsetMs() {
      return offsetMs;
    },
    advance,
    async set(ms) {
      const ahead = ms - now();
      if (ahead < 0) return false;
      await advance(ahead);
      return true;
    },
    async reload() {
      turnTo(await keptOffset());
    },
  };
}
