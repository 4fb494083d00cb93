import type { Clock, Random } from '../host/host.ts';
import { type Bucket, learningBucket } from './bucket.ts';

/** The parts of a reply that tell about the rate limit. */
export interface LimitReply {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * Told of requests that wait: how many a second the service allows, as far as it is known, and for how many
 * milliseconds it takes none, where it said so by `Retry-After`.
 */
export type Waiting = (perSecond: number | undefined, heldMs: number | undefined) => void;

/** Lets the requests of one token to one service go when the service's rate limit allows. */
export interface RateLimiter {
  /**
   * Waits for the turn of a request, in the order in which turns were asked for. Rejects with the signal's reason when
   * it aborts first. Every turn ends with `ended`.
   */
  turn(signal?: AbortSignal): Promise<void>;
  /** Puts the end of a request to the bucket; `undefined`: no reply came. */
  ended(sentMs: number, reply: LimitReply | undefined): void;
  /** Puts to the bucket how many requests are left, as the envelope of a reply says. */
  left(remaining: number): void;
  /** Tells whether a request that was turned away may still have its turn; false when none passed for minutes. */
  isHopeful(): boolean;
  /** Returns the number of requests that were turned away, and the number a second that was measured to pass. */
  met(): { readonly refused: number; readonly perSecond: number | undefined };
}

/** The rate limiters of one run: one for each service and token. */
export interface RateLimiters {
  of(origin: string, token: string | undefined): RateLimiter;
}

/** No wait goes on where nothing passed for so long, and no longer `Retry-After` is waited for. */
export const patienceMs = 120_000;

/** A wait that is shorter is not said. */
const worthSayingMs = 1000;

/** Makes the limiters of one run, which learn from the replies alone. */
export function rateLimiters(clock: Clock, random: Random, waiting: Waiting): RateLimiters {
  const known = new Map<string, RateLimiter>();
  return {
    of(origin, token = '') {
      const key = `${origin} ${token}`;
      const limiter = known.get(key) ?? rateLimiter(clock, learningBucket(random), waiting);
      known.set(key, limiter);
      return limiter;
    },
  };
}

/** A limiter over a bucket, which may be shared with others. */
export function rateLimiter(clock: Clock, bucket: Bucket, waiting: Waiting): RateLimiter {
  let line: Promise<unknown> = Promise.resolve();
  let running = 0;
  let refusals = 0;
  let refusedSinceMs: number | undefined;
  let heldUntilMs = Number.NEGATIVE_INFINITY;

  const say = (waitMs: number, nowMs: number): void => {
    const heldMs = heldUntilMs > nowMs ? heldUntilMs - nowMs : undefined;
    const sinceMs = refusedSinceMs === undefined ? 0 : nowMs - refusedSinceMs;
    const perSecond = bucket.perSecond();
    if (perSecond !== undefined || (heldMs ?? 0) >= worthSayingMs || sinceMs + waitMs >= worthSayingMs)
      waiting(perSecond, heldMs);
  };
  const untilTaken = async (signal: AbortSignal | undefined): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      const nowMs = clock.now();
      const waitMs = await bucket.take(nowMs);
      if (waitMs <= 0) break;
      say(waitMs, nowMs);
      await clock.sleep(Math.ceil(waitMs), signal);
    }
    running += 1;
  };
  return {
    turn(signal) {
      // Only the first in line asks the bucket, so that nobody is overtaken.
      const mine = line.then(() => untilTaken(signal));
      line = mine.catch(() => undefined);
      return mine;
    },
    ended(sentMs, reply) {
      running -= 1;
      if (reply === undefined) return;
      const nowMs = clock.now();
      const refused = reply.status === 429;
      if (refused) refusals += 1;
      refusedSinceMs = refused ? (refusedSinceMs ?? nowMs) : undefined;
      heldUntilMs = Math.max(heldUntilMs, nowMs + (reply.retryAfterMs ?? 0));
      const retryAfterMs = (reply.retryAfterMs ?? 0) > patienceMs ? undefined : reply.retryAfterMs;
      bucket.hear({ refused, retryAfterMs, sentMs }, nowMs);
    },
    left(remaining) {
      if (remaining <= running) bucket.runsLow(clock.now());
    },
    met: () => ({ refused: refusals, perSecond: bucket.perSecond() }),
    isHopeful() {
      const nowMs = clock.now();
      return heldUntilMs - nowMs <= patienceMs && nowMs - (refusedSinceMs ?? nowMs) <= patienceMs;
    },
  };
}
