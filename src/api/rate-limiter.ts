import type { Clock, Random } from '../host/host.ts';

/** The end of one request, as far as the rate limit is concerned. */
interface Heard {
  /** The service turned the request away (429). */
  readonly refused: boolean;
  /** Wait that `Retry-After` asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Time at which the request was sent. */
  readonly sentMs: number;
}

/**
 * The bucket of requests that a service keeps for a caller, as far as it is known here. Every request is taken out of
 * it before it is sent, and every reply is put to it. Times are Unix milliseconds.
 */
export interface Bucket {
  /** Takes a request out. 0: it may be sent now; else how long to wait before asking again, in milliseconds. */
  take(nowMs: number): Promise<number>;
  hear(heard: Heard, nowMs: number): void;
  /** The service said that nothing is left beside what is under way. */
  runsLow(nowMs: number): void;
  /** Requests a second that are sent now; `undefined` while the service has not been measured. */
  perSecond(): number | undefined;
  /** Requests a second that passed while the service turned some away: what it refills. */
  measured(): number | undefined;
}

/** Rate that is tried first once a service turned a request away, since compatible services refill ten a second. */
const firstRate = 10;
/** Slower than this is asked of no service, in requests a second. */
const leastRate = 0.5;
/** A window is a second long, or as long as two requests take. */
const windowMs = 1000;
/** Requests that were not sent in time are made up for, up to those of so many milliseconds. */
const burstMs = 1000;
/**
 * Share by which one gap may be longer or shorter than the others, so that no caller always comes just after another.
 */
const spread = 0.3;
/** Growth after the first window without a refusal; each further one doubles it, up to `mostGrowth`. */
const leastGrowth = 0.05;
const mostGrowth = 1;
/** Grows a slow caller faster than a fast one, so that several callers come to the same share. */
const fairGrowth = 0.5;

/** Facts of a limit that replies have shown; a value that several processes may share. */
interface Limit {
  rate: number;
  measured: boolean;
  /** Time of the first refusal: refusals of requests sent before it say nothing about the rate. */
  readonly sinceMs: number;
  nextMs: number;
  windowStartMs: number;
  passed: number;
  refused: number;
  low: boolean;
  growth: number;
  /** The rate of the window before, where nothing was refused in it; else 0. */
  clean: number;
  /** What passed in windows with refusals, and how long they were in all. */
  passedWhenFull: number;
  fullMs: number;
}

/** Contents of a bucket: a value that survives JSON. */
export interface BucketState {
  limit?: Limit;
  /** Nothing is sent before this time. */
  heldUntilMs: number;
}

const beginLimit = (nowMs: number): Limit => ({
  rate: firstRate,
  measured: false,
  sinceMs: nowMs,
  nextMs: nowMs + 1000 / firstRate,
  windowStartMs: nowMs,
  passed: 0,
  refused: 0,
  low: false,
  growth: mostGrowth,
  clean: 0,
  passedWhenFull: 0,
  fullMs: 0,
});

/** Takes a request out of a bucket, or gives the time to wait. */
function takeFrom(state: BucketState, nowMs: number, random: Pick<Random, 'fraction'>): number {
  const { limit, heldUntilMs } = state;
  if (nowMs < heldUntilMs) return heldUntilMs - nowMs;
  if (limit === undefined) return 0;
  const atMs = Math.max(limit.nextMs, nowMs - burstMs);
  if (atMs > nowMs) return atMs - nowMs;
  limit.nextMs = atMs + (1000 / limit.rate) * (1 + spread * (random.fraction() - 0.5));
  return 0;
}

/** Puts the end of a request to a bucket. */
function hearIn(state: BucketState, { refused, retryAfterMs = 0, sentMs }: Heard, nowMs: number): void {
  if (refused) state.limit ??= beginLimit(nowMs);
  const { limit } = state;
  if (retryAfterMs > 0) {
    state.heldUntilMs = Math.max(state.heldUntilMs, nowMs + retryAfterMs);
    // The service says when to go on: what was refused until then says nothing about the rate.
    if (limit) startWindow(limit, state.heldUntilMs);
    return;
  }
  if (limit === undefined || sentMs < limit.sinceMs) return;
  if (refused) limit.refused += 1;
  else limit.passed += 1;
  if (nowMs - limit.windowStartMs >= Math.max(windowMs, 2000 / limit.rate)) closeWindow(limit, nowMs);
}

const perSecondOf = ({ limit }: BucketState): number | undefined =>
  limit?.measured ? limit.rate : undefined;

function measuredOf({ limit }: BucketState): number | undefined {
  if (!limit?.measured) return undefined;
  return limit.fullMs > 0 ? (limit.passedWhenFull * 1000) / limit.fullMs : limit.rate;
}

function runLowIn(state: BucketState, nowMs: number): void {
  state.limit ??= beginLimit(nowMs);
  state.limit.low = true;
}

/**
 * A bucket that learns from the replies. As long as nothing is refused it lets everything pass. From the first refusal
 * on requests are spaced evenly. In a window with refusals the rate becomes what really passed, which is just what the
 * service refills while its bucket is empty; in one without it grows, faster and faster, so that a limit that was
 * lifted is found out soon. A `Retry-After` holds everything.
 */
export function learningBucket(random: Pick<Random, 'fraction'>): Bucket {
  const state: BucketState = { heldUntilMs: 0 };
  return {
    take: async (nowMs) => takeFrom(state, nowMs, random),
    hear: (heard, nowMs) => hearIn(state, heard, nowMs),
    runsLow: (nowMs) => runLowIn(state, nowMs),
    perSecond: () => perSecondOf(state),
    measured: () => measuredOf(state),
  };
}

/** A bucket that processes share, wherever it is kept. Times are those of its keeper. */
export interface SharedState {
  read(): Promise<{ readonly state: BucketState; readonly nowMs: number }>;
  /** Changes the state, one process at a time, and gives what `change` gives. */
  change<T>(change: (state: BucketState, nowMs: number) => T): Promise<T>;
}

/** A limit that another process met is heard of within this time, in milliseconds. */
const refreshMs = 500;

/** A learning bucket that several processes share. Until one of them was turned away nobody waits for it. */
export function sharedBucket(shared: SharedState, random: Pick<Random, 'fraction'>): Bucket {
  let known: BucketState = { heldUntilMs: 0 };
  let refreshedMs = Number.NEGATIVE_INFINITY;
  /** Time of the keeper, less that of this machine. */
  let offsetMs = 0;
  let heard: Heard[] = [];
  let isFlushing = false;
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
      if (known.limit === undefined && localMs + offsetMs >= known.heldUntilMs) return 0;
      return change(localMs, (state, nowMs) => takeFrom(state, nowMs, random)).catch(() => 0);
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

function startWindow(limit: Limit, nowMs: number): void {
  limit.windowStartMs = nowMs;
  limit.passed = 0;
  limit.refused = 0;
  limit.low = false;
}

/** Sets the rate by what came back within the window, and starts the next. */
function closeWindow(limit: Limit, nowMs: number): void {
  const { rate, passed, refused, low, growth } = limit;
  const passedRate = (passed * 1000) / (nowMs - limit.windowStartMs);
  if (refused > 0) {
    limit.passedWhenFull += passed;
    limit.fullMs += nowMs - limit.windowStartMs;
    limit.rate = Math.min(rate, Math.max(passedRate, limit.clean, rate / 2, leastRate));
    limit.clean = 0;
    limit.measured ||= passed > 0;
    // Where nothing passes at all, what comes afterwards is as unknown as at the beginning.
    limit.growth = passed === 0 ? mostGrowth : leastGrowth;
  } else if (low) {
    limit.measured = true;
    limit.rate = rate * (1 + leastGrowth);
    limit.growth = leastGrowth;
  } else if (passedRate >= rate * 0.8) {
    limit.clean = rate;
    limit.rate = rate * (1 + growth) + fairGrowth;
    limit.growth = Math.min(mostGrowth, growth * 2);
  }
  startWindow(limit, nowMs);
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
  const counting: Waiting = (...facts) => {
    waits += 1;
    waiting(...facts);
  };
  return {
    of(origin, token = '') {
      const key = bucketOf ? `${origin} *` : `${origin} ${token}`;
      const limiter =
        known.get(key) ?? rateLimiter(clock, bucketOf?.(origin) ?? learningBucket(random), counting);
      known.set(key, limiter);
      return limiter;
    },
    share(make) {
      bucketOf = make;
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
