import type { Clock, Random } from '../../base/host/host.ts';

export interface LimitReply {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * Called about waiting requests, with the requests per second that the service allows, if known, and the milliseconds
 * of a pause that it requested with `Retry-After`.
 */
export type Waiting = (perSecond: number | undefined, heldMs: number | undefined) => void;

export type RateLimiter = ReturnType<typeof rateLimiter>;

/** The rate limiters of one run: one per service and token. */
export type RateLimiters = ReturnType<typeof rateLimiters>;

/** Longest wait without any accepted request, and longest `Retry-After` to wait for. */
export const patienceMs = 120_000;

/** Shortest wait that is reported. */
const worthSayingMs = 1000;

/** Creates the limiters of one run. They learn only from responses. */
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
    /** The numbers of requests that waited for a turn, and that services rate-limited. */
    met: () => ({
      waits,
      refused: [...known.values()].reduce((sum, limiter) => sum + limiter.met().refused, 0),
    }),
    /** Requests per second of the slowest limiter, or `undefined` if none is measured. */
    perSecond() {
      const rates = [...known.values()].flatMap((limiter) => limiter.perSecond() ?? []);
      return rates.length === 0 ? undefined : Math.min(...rates);
    },
  };
}

/** Limits the requests of one token to one service. Times are in Unix milliseconds. */
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
      // Longer pauses are not waited for. Rate-limited requests fail.
      const waitMs = heldMs > 0 && heldMs <= patienceMs ? heldMs : rate.take(nowMs);
      if (waitMs <= 0) break;
      say(waitMs, nowMs);
      await clock.sleep(Math.ceil(waitMs), signal);
    }
    running += 1;
  };
  return {
    /**
     * Waits for a turn, in order of the calls. Rejects with the signal's reason if it aborts first. Every turn ends
     * with `ended`.
     */
    turn(signal?: AbortSignal): Promise<void> {
      // Only the first request in the queue waits for the rate, which keeps the order.
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
    /** Sets the number of remaining requests from the envelope of a response. */
    left(remaining: number): void {
      if (remaining <= running) rate.runsLow(clock.now());
    },
    /** The number of rate-limited requests, and the accepted requests per second during that time. */
    met: () => ({ refused: refusals, perSecond: rate.measured() }),
    perSecond: rate.perSecond,
    /** Returns true if a rate-limited request can still succeed, and false if none was accepted for minutes. */
    isHopeful(): boolean {
      const nowMs = clock.now();
      return heldUntilMs - nowMs <= patienceMs && nowMs - (refusedSinceMs ?? nowMs) <= patienceMs;
    },
  };
}

/** First measured rate, in requests per second. Compatible services refill at this rate. */
const firstRate = 10;
/** Lowest rate, in requests per second. */
const leastRate = 1;
/** Shortest length of a window in milliseconds. */
const windowMs = 1000;
const windowRequests = 2;
/** Time span whose unused requests can be sent at once, in milliseconds. */
const burstMs = 1000;
/** Random variation of one gap, so that callers do not stay in lockstep. */
const spread = 0.3;
/** Growth after the first window without a refusal. Each further one doubles it, up to `mostGrowth`. */
const leastGrowth = 0.05;
const mostGrowth = 1;

/**
 * Adapts the rate of requests: unlimited until the first refusal, then evenly spaced. A window with refusals lowers the
 * rate to the accepted requests, which is the refill rate of the service, but by at most half. A window without
 * refusals raises it by a growing amount, so that a lifted limit is detected soon.
 */
function adaptiveRate(random: Pick<Random, 'fraction'>) {
  let rate: number | undefined;
  let growth = mostGrowth;
  let nextMs = 0;
  let window = { startMs: 0, passed: 0, refused: 0, isLow: false };
  /** Time of the last decrease. Requests sent before it say nothing about the rate. */
  let slowedMs = Number.NEGATIVE_INFINITY;
  /** Accepted requests per second in the last window with refusals. */
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
    // An unused rate is not known to be too low.
    if (!isLow && ((passed + 1) * 1000) / lengthMs < was * 0.8) return was;
    if (isLow) growth = leastGrowth;
    const more = was * (1 + growth) + leastRate;
    growth = Math.min(mostGrowth, growth * 2);
    return more;
  };
  return {
    /** Takes a turn. Returns 0, or the milliseconds to wait before the next try. */
    take(nowMs: number): number {
      if (rate === undefined) return 0;
      const atMs = Math.max(nextMs, nowMs - burstMs);
      if (atMs > nowMs) return atMs - nowMs;
      nextMs = atMs + (1000 / rate) * (1 + spread * (random.fraction() - 0.5));
      return 0;
    },
    /** Learns from the result of a request. */
    hear(refused: boolean, sentMs: number, nowMs: number, retryAfterMs: number): void {
      if (refused && rate === undefined) rate = begin(nowMs);
      if (rate === undefined) return;
      // Refusals say nothing about the rate until the service accepts requests again.
      if (retryAfterMs > 0) window = { startMs: nowMs + retryAfterMs, passed: 0, refused: 0, isLow: false };
      if (nowMs < window.startMs || sentMs <= slowedMs) return;
      window[refused ? 'refused' : 'passed'] += 1;
      const lengthMs = nowMs - window.startMs;
      if (lengthMs < Math.max(windowMs, (windowRequests * 1000) / rate)) return;
      if (window.refused > 0) slowedMs = nowMs;
      rate = close(rate, lengthMs);
      window = { startMs: nowMs, passed: 0, refused: 0, isLow: false };
    },
    /** Called when the service reports no remaining requests other than those in progress. */
    runsLow(nowMs: number): void {
      rate ??= begin(nowMs);
      window.isLow = true;
    },
    /** Current requests per second, or `undefined` before the first measurement. */
    perSecond: () => (passing === undefined ? undefined : rate),
    /** Accepted requests per second while the service refused some. */
    measured: () => passing,
  };
}
