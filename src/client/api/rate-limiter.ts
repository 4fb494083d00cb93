import type { Clock, Random } from '../../base/host/host.ts';

export interface LimitReply {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * Called about requests that wait: with the number a second that the service allows, as far as it is known,
 * and the milliseconds for which it takes none, if it said so by `Retry-After`.
 */
export type Waiting = (perSecond: number | undefined, heldMs: number | undefined) => void;

export type RateLimiter = ReturnType<typeof rateLimiter>;

/** The rate limiters of one run: one for each service and token. */
export type RateLimiters = ReturnType<typeof rateLimiters>;

/** Longest wait in which nothing passes, and longest `Retry-After` that is waited for. */
export const patienceMs = 120_000;

/** Shortest wait that is announced. */
const worthSayingMs = 1000;

/** Makes the limiters of one run, which learn from the replies alone. */
export function rateLimiters(clock: Clock, random: Pick<Random, 'fraction'>, waiting: Waiting) {
  const known = new Map<string, RateLimiter>();
  let waits = 0;
  const counting: Waiting = (...facts) => {
    waits += 1;
    waiting(...facts);
  };
  return {
    of(origin: string, token = ''): RateLimiter {
      const key = `${origin} ${token}`;
      const limiter = known.get(key) ?? rateLimiter(clock, random, counting);
      known.set(key, limiter);
      return limiter;
    },
    /** Requests that waited for their turn, and requests that services turned away. */
    met: () => ({
      waits,
      refused: [...known.values()].reduce((sum, limiter) => sum + limiter.met().refused, 0),
    }),
    /** Requests a second that the slowest of them lets pass now; `undefined` while none was measured. */
    perSecond() {
      const rates = [...known.values()].flatMap((limiter) => limiter.perSecond() ?? []);
      return rates.length === 0 ? undefined : Math.min(...rates);
    },
  };
}

/** Lets the requests of one token to one service go when its rate limit allows. Times are Unix milliseconds. */
export function rateLimiter(clock: Clock, random: Pick<Random, 'fraction'>, waiting: Waiting) {
  const rate = adaptiveRate(random);
  let line: Promise<unknown> = Promise.resolve();
  let running = 0;
  let refusals = 0;
  let refusedSinceMs: number | undefined;
  let heldUntilMs = Number.NEGATIVE_INFINITY;

  const say = (waitMs: number, nowMs: number): void => {
    const heldMs = heldUntilMs > nowMs ? heldUntilMs - nowMs : undefined;
    const sinceMs = refusedSinceMs === undefined ? 0 : nowMs - refusedSinceMs;
    const perSecond = rate.perSecond();
    if (perSecond !== undefined || (heldMs ?? 0) >= worthSayingMs || sinceMs + waitMs >= worthSayingMs)
      waiting(perSecond, heldMs);
  };
  const untilTaken = async (signal: AbortSignal | undefined): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      const nowMs = clock.now();
      const heldMs = heldUntilMs - nowMs;
      // Nobody waits for a service that asks for longer: who is turned away gives up.
      const waitMs = heldMs > 0 && heldMs <= patienceMs ? heldMs : rate.take(nowMs);
      if (waitMs <= 0) break;
      say(waitMs, nowMs);
      await clock.sleep(Math.ceil(waitMs), signal);
    }
    running += 1;
  };
  return {
    /**
     * Waits for the turn of a request, in the order in which turns were asked for. Rejects with the signal's reason when
     * it aborts first. Every turn ends with `ended`.
     */
    turn(signal?: AbortSignal): Promise<void> {
      // Only the first in line asks for the rate, so that nobody is overtaken.
      const mine = line.then(() => untilTaken(signal));
      line = mine.catch(() => undefined);
      return mine;
    },
    ended(sentMs: number, reply: LimitReply | undefined): void {
      running -= 1;
      if (reply === undefined) return;
      const nowMs = clock.now();
      const { retryAfterMs = 0 } = reply;
      const refused = reply.status === 429;
      if (refused) refusals += 1;
      refusedSinceMs = refused ? (refusedSinceMs ?? nowMs) : undefined;
      heldUntilMs = Math.max(heldUntilMs, nowMs + retryAfterMs);
      rate.hear(refused, sentMs, nowMs, retryAfterMs);
    },
    /** Tells how many requests are left, as the envelope of a reply says. */
    left(remaining: number): void {
      if (remaining <= running) rate.runsLow(clock.now());
    },
    /** The number of requests that were turned away, and the number a second that passed while some were. */
    met: () => ({ refused: refusals, perSecond: rate.measured() }),
    perSecond: rate.perSecond,
    /** Tells whether a request that was turned away may still have its turn; false when none passed for minutes. */
    isHopeful(): boolean {
      const nowMs = clock.now();
      return heldUntilMs - nowMs <= patienceMs && nowMs - (refusedSinceMs ?? nowMs) <= patienceMs;
    },
  };
}

/** Rate from which a limited service is measured, in requests a second: compatible services refill as many. */
const firstRate = 10;
/** Lowest rate that is used, in requests a second. */
const leastRate = 1;
/** A window is at least as long, and as long as so many requests take, in milliseconds. */
const windowMs = 1000;
const windowRequests = 2;
/** Span whose unsent requests may be made up for at once, in milliseconds. */
const burstMs = 1000;
/** Share by which one gap may be longer or shorter, so that no caller always comes just after another. */
const spread = 0.3;
/** Growth after the first window without a refusal; each further one doubles it, up to `mostGrowth`. */
const leastGrowth = 0.05;
const mostGrowth = 1;

/**
 * The rate at which requests are sent: any until one is refused, then evenly spaced. A window with refusals lowers it
 * to what passed, which is what a service with a limit refills, and at most to half; one without raises it, by more
 * each time, so that a limit that was lifted is found out soon.
 */
function adaptiveRate(random: Pick<Random, 'fraction'>) {
  let rate: number | undefined;
  let growth = mostGrowth;
  let nextMs = 0;
  let window = { startMs: 0, passed: 0, refused: 0, isLow: false };
  /** Time of the last slowing: what was sent before says nothing about the rate. */
  let slowedMs = Number.NEGATIVE_INFINITY;
  /** Requests a second that passed in the last window with refusals. */
  let passing: number | undefined;
  const begin = (nowMs: number): number => {
    nextMs = nowMs + 1000 / firstRate;
    window = { startMs: nowMs, passed: 0, refused: 0, isLow: false };
    return firstRate;
  };
  const close = (was: number, lengthMs: number): number => {
    const { passed, refused, isLow } = window;
    const passedRate = (passed * 1000) / lengthMs;
    if (refused > 0) {
      growth = passed === 0 ? mostGrowth : leastGrowth;
      if (passed > 0) passing = passedRate;
      return Math.max(leastRate, Math.min(was, Math.max(passedRate, was / 2)));
    }
    // A rate that nobody used is not known to be too low.
    if (!isLow && ((passed + 1) * 1000) / lengthMs < was * 0.8) return was;
    if (isLow) growth = leastGrowth;
    const more = was * (1 + growth) + leastRate;
    growth = Math.min(mostGrowth, growth * 2);
    return more;
  };
  return {
    /** Takes a turn. 0: now; else how long to wait before asking again, in milliseconds. */
    take(nowMs: number): number {
      if (rate === undefined) return 0;
      const atMs = Math.max(nextMs, nowMs - burstMs);
      if (atMs > nowMs) return atMs - nowMs;
      nextMs = atMs + (1000 / rate) * (1 + spread * (random.fraction() - 0.5));
      return 0;
    },
    /** Learns from the end of a request. */
    hear(refused: boolean, sentMs: number, nowMs: number, retryAfterMs: number): void {
      if (refused && rate === undefined) rate = begin(nowMs);
      if (rate === undefined) return;
      // Until the service takes requests again, refusals say nothing about the rate.
      if (retryAfterMs > 0) window = { startMs: nowMs + retryAfterMs, passed: 0, refused: 0, isLow: false };
      if (nowMs < window.startMs || sentMs <= slowedMs) return;
      window[refused ? 'refused' : 'passed'] += 1;
      const lengthMs = nowMs - window.startMs;
      if (lengthMs < Math.max(windowMs, (windowRequests * 1000) / rate)) return;
      if (window.refused > 0) slowedMs = nowMs;
      rate = close(rate, lengthMs);
      window = { startMs: nowMs, passed: 0, refused: 0, isLow: false };
    },
    /** The service said that nothing is left beside what is under way. */
    runsLow(nowMs: number): void {
      rate ??= begin(nowMs);
      window.isLow = true;
    },
    /** Requests a second that are sent now; `undefined` while the service has not been measured. */
    perSecond: () => (passing === undefined ? undefined : rate),
    /** Requests a second that passed while the service turned some away. */
    measured: () => passing,
  };
}
