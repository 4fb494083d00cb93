import { nextStep } from '../../../base/failure.ts';
import type { Clock } from '../../../base/host/host.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { ControlHandlers, ControlInput } from '../control-operations.ts';
import { invalidRequest, Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';

export const clockState = (clock: Pick<AdjustableClock, 'now' | 'offsetMs'>): JsonObject => ({
  now: new Date(clock.now()).toISOString(),
  offset_ms: clock.offsetMs,
});

/** The end of the last year with four digits. */
const latestMs = Date.UTC(9999, 0, 1);

async function turnClock(
  clock: AdjustableClock,
  { advance_ms: ms, set = '', dry_run: dry }: ControlInput<'turnClock'>,
): Promise<JsonObject> {
  const target = ms === undefined ? Date.parse(set) : clock.now() + ms;
  if (!Number.isFinite(target))
    throw invalidRequest('Pass advance_ms (a number) or set (a time in ISO 8601).');
  if (target > latestMs) throw invalidRequest('The clock cannot pass the year 9998.');
  const isForward = ms !== undefined && ms >= 0;
  const aheadMs = isForward ? Math.round(ms) : Math.round(target) - clock.now();
  if (aheadMs < 0) {
    const now = new Date(clock.now()).toISOString().slice(0, 19);
    throw new Refusal(409, 'clock_goes_forward', `The clock only goes forward. It is already ${now}Z.`, {
      hint: `To go back in time: ${nextStep`sandbox snapshot load NAME`} or ${nextStep`sandbox reset`}`,
    });
  }
  if (dry) return clockState({ now: () => clock.now() + aheadMs, offsetMs: clock.offsetMs + aheadMs });
  if (isForward) await clock.advance(aheadMs);
  else await clock.set(Math.round(target));
  return clockState(clock);
}

export const clockHandlers = (clock: AdjustableClock): Pick<ControlHandlers, 'clock' | 'turnClock'> => ({
  clock: async () => clockState(clock),
  turnClock: (input) => turnClock(clock, input),
});

export interface AdjustableClock extends Clock {
  readonly offsetMs: number;
  /** Advances the clock. Wakes sleepers whose time is reached. */
  advance(ms: number): Promise<void>;
  /** Advances the clock to a time in Unix milliseconds. Returns false if the time is in the past. */
  set(ms: number): Promise<boolean>;
  /** Reads the offset again after the records were replaced. */
  reload(): Promise<void>;
}

const settingName = 'clock_offset_ms';

/** Maximum delay of a timer. Longer sleeps use several timers. */
const longestWaitMs = 86_400_000;

/** Creates a clock that can be advanced. Its offset is stored and survives restarts. */
export async function openAdjustableClock(base: Clock, store: Store): Promise<AdjustableClock> {
  const keptOffset = async (): Promise<number> => Number((await store.setting(settingName)) ?? 0);
  let offsetMs = await keptOffset();
  const sleepers = new Set<() => void>();
  const now = (): number => base.now() + offsetMs;

  const setOffset = (offset: number): void => {
    offsetMs = offset;
    for (const wake of sleepers) wake();
  };
  const advance = async (ms: number): Promise<void> => {
    const offset = offsetMs + ms;
    await store.commit([{ change: 'setting', name: settingName, value: String(offset) }]);
    setOffset(offset);
  };

  /** Waits until the time is up, the clock is advanced, or the signal aborts. */
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
      setOffset(await keptOffset());
    },
  };
}
