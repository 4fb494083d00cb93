import type { Clock, Random } from '../host/host.ts';
import {
  type Bucket,
  type BucketState,
  type Heard,
  hearIn,
  learningBucket,
  measuredOf,
  perSecondOf,
  runLowIn,
  takeAhead,
} from './rate-bucket.ts';

/** A bucket that processes share, wherever it is kept. Times are those of its keeper. */
export interface SharedState {
  read(): Promise<{ readonly state: BucketState; readonly nowMs: number }>;
  /** Changes the state, one process at a time, and gives what `change` gives. */
  change<T>(change: (state: BucketState, nowMs: number) => T): Promise<T>;
}

/** A limit that another process met is heard of within this time, in milliseconds. */
const refreshMs = 500;

/** Requests of so many milliseconds are taken out at once: each change may be a way to a database and back. */
const aheadMs = 200;

/** A learning bucket that several processes share. Until one of them was turned away nobody waits for it. */
export function sharedBucket(shared: SharedState, random: Pick<Random, 'fraction'>): Bucket {
  let known: BucketState = { heldUntilMs: 0 };
  let refreshedMs = Number.NEGATIVE_INFINITY;
  /** Time of the keeper, less that of this machine. */
  let offsetMs = 0;
  let heard: Heard[] = [];
  let isFlushing = false;
  /** Times of the keeper at which requests that were taken out already may be sent. */
  let taken: readonly number[] = [];
  const refresh = async (localMs: number): Promise<void> => {
    refreshedMs = localMs;
    const { state, nowMs } = await shared.read();
    known = state;
    offsetMs = nowMs - localMs;
  };
  const change = <T>(localMs: number, work: (state: BucketState, nowMs: number) => T): Promise<T> =>
    shared.change((state, nowMs) => {
      offsetMs = nowMs - localMs;
      const result = work(state, nowMs);
      known = structuredClone(state);
      return result;
    });
  const flush = async (localMs: number): Promise<void> => {
    while (heard.length > 0) {
      const batch = heard;
      heard = [];
      await change(localMs, (state, nowMs) => {
        for (const each of batch) hearIn(state, { ...each, sentMs: each.sentMs + offsetMs }, nowMs);
      });
    }
  };
  return {
    async take(localMs) {
      // What is not known of others yet costs one more refusal; what cannot be read holds nobody.
      if (localMs - refreshedMs > refreshMs) await refresh(localMs).catch(() => undefined);
      const isHeld = localMs + offsetMs < known.heldUntilMs;
      if (known.limit === undefined && !isHeld) return 0;
      const [nextMs, ...others] = isHeld ? [] : taken;
      if (nextMs !== undefined) {
        const waitMs = nextMs - (localMs + offsetMs);
        if (waitMs <= 0) taken = others;
        return Math.max(waitMs, 0);
      }
      const none = { waitMs: 0, timesMs: [] };
      const next = await change(localMs, (state, nowMs) => takeAhead(state, nowMs, random, aheadMs)).catch(
        () => none,
      );
      taken = next.timesMs;
      return next.waitMs;
    },
    hear(each, localMs) {
      if (known.limit === undefined && !each.refused && !each.retryAfterMs) return;
      heard.push(each);
      if (isFlushing) return;
      isFlushing = true;
      flush(localMs)
        .catch(() => undefined)
        .finally(() => {
          isFlushing = false;
        });
    },
    runsLow(localMs) {
      if (known.limit?.low) return;
      void change(localMs, runLowIn).catch(() => undefined);
    },
    perSecond: () => perSecondOf(known),
    measured: () => measuredOf(known),
  };
}

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
  /** Requests a second that are sent now; `undefined` while the service has not been measured. */
  perSecond(): number | undefined;
}

/** The rate limiters of one run: one for each service and token. */
export interface RateLimiters {
  of(origin: string, token: string | undefined): RateLimiter;
  /** Requests a second that the slowest of them lets pass now; `undefined` while none was measured. */
  perSecond(): number | undefined;
  /** Requests that waited for their turn, and requests that services turned away. */
  met(): { readonly waits: number; readonly refused: number };
  /** From now on requests to a service are taken out of a bucket that others use, too, whatever token they have. */
  share(bucketOf: (origin: string) => Bucket): void;
}

/** No wait goes on where nothing passed for so long, and no longer `Retry-After` is waited for. */
export const patienceMs = 120_000;

/** A wait that is shorter is not said. */
const worthSayingMs = 1000;

/** Makes the limiters of one run, which learn from the replies alone. */
export function rateLimiters(clock: Clock, random: Random, waiting: Waiting): RateLimiters {
  const known = new Map<string, RateLimiter>();
  let waits = 0;
  let bucketOf: ((origin: string) => Bucket) | undefined;
  let last: { readonly origin: string; readonly token: string; readonly limiter: RateLimiter } | undefined;
  const counting: Waiting = (...facts) => {
    waits += 1;
    waiting(...facts);
  };
  return {
    of(origin, token = '') {
      // Nearly all requests of a run are of one token, which is long to look up.
      if (last !== undefined && last.origin === origin && last.token === token) return last.limiter;
      const key = bucketOf ? `${origin} *` : `${origin} ${token}`;
      const limiter =
        known.get(key) ?? rateLimiter(clock, bucketOf?.(origin) ?? learningBucket(random), counting);
      known.set(key, limiter);
      last = { origin, token, limiter };
      return limiter;
    },
    share(make) {
      bucketOf = make;
      last = undefined;
    },
    met: () => ({
      waits,
      refused: [...known.values()].reduce((sum, limiter) => sum + limiter.met().refused, 0),
    }),
    perSecond() {
      const rates = [...known.values()].flatMap((limiter) => limiter.perSecond() ?? []);
      return rates.length === 0 ? undefined : Math.min(...rates);
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
    met: () => ({ refused: refusals, perSecond: bucket.measured() }),
    perSecond: bucket.perSecond,
    isHopeful() {
      const nowMs = clock.now();
      return heldUntilMs - nowMs <= patienceMs && nowMs - (refusedSinceMs ?? nowMs) <= patienceMs;
    },
  };
}
