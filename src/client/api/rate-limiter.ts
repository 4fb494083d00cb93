import type { Clock, Random } from '../../base/host/host.ts';

export interface LimitReply {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * Called about waiting requests. `perSecond` is the allowed rate, if known. `heldMs` is the pause that the service
 * requested with `Retry-After`.
 */
export type Waiting = (perSecond: number | undefined, heldMs: number | undefined) => void;

/** One limiter per service and token. */
export type RateLimiters = ReturnType<typeof rateLimiters>;

/** Longest wait without an accepted request, and longest `Retry-After` to wait for. */
export const maxWaitMs = 120_000;

/** Shorter waits are not reported. */
const reportedWaitMs = 1000;

/** Creates the limiters of one run. They start without a limit. */
export function rateLimiters(clock: Clock, random: Pick<Random, 'fraction'>, waiting: Waiting) {
  const known = new Map<string, RateLimiter>();
  let waits = 0;
  const countWait: Waiting = (...facts) => {
    waits += 1;
    waiting(...facts);
  };
  return {
    of(origin: string, token = ''): RateLimiter {
      const key = `${origin} ${token}`;
      const limiter = known.get(key) ?? new RateLimiter(clock, random, countWait);
      known.set(key, limiter);
      return limiter;
    },
    /** Numbers of requests that waited for a turn, and of rate-limited requests. */
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

/** Limits the requests of one token to one service. Times are in Unix milliseconds. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #waiting: Waiting;
  readonly #rate: AdaptiveRate;
  #queue: Promise<unknown> = Promise.resolve();
  #running = 0;
  #refusals = 0;
  #refusedSinceMs: number | undefined;
  #heldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, random: Pick<Random, 'fraction'>, waiting: Waiting) {
    this.#clock = clock;
    this.#waiting = waiting;
    this.#rate = new AdaptiveRate(random);
  }

  /**
   * Waits for a turn, in order of the calls. Rejects with the signal's reason if it aborts first. Every turn ends with
   * `endTurn`.
   */
  waitForTurn(signal?: AbortSignal): Promise<void> {
    // Only the first request in the queue waits for the rate, which keeps the order.
    const turn = this.#queue.then(() => this.#waitForRate(signal));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #waitForRate(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const nowMs = this.#clock.now();
      const heldMs = this.#heldUntilMs - nowMs;
      // Requests fail if the service requests a longer pause.
      const waitMs = heldMs > 0 && heldMs <= maxWaitMs ? heldMs : this.#rate.take(nowMs);
      if (waitMs <= 0) break;
      this.#reportWait(waitMs, nowMs);
      await this.#clock.sleep(Math.ceil(waitMs), signal);
    }
    this.#running += 1;
  }

  #reportWait(waitMs: number, nowMs: number): void {
    const heldMs = this.#heldUntilMs > nowMs ? this.#heldUntilMs - nowMs : undefined;
    const sinceMs = this.#refusedSinceMs === undefined ? 0 : nowMs - this.#refusedSinceMs;
    const perSecond = this.#rate.perSecond();
    if (perSecond !== undefined || (heldMs ?? 0) >= reportedWaitMs || sinceMs + waitMs >= reportedWaitMs)
      this.#waiting(perSecond, heldMs);
  }

  endTurn(sentMs: number, reply: LimitReply | undefined): void {
    this.#running -= 1;
    if (reply === undefined) return;
    const nowMs = this.#clock.now();
    const { retryAfterMs = 0 } = reply;
    const refused = reply.status === 429;
    if (refused) this.#refusals += 1;
    this.#refusedSinceMs = refused ? (this.#refusedSinceMs ?? nowMs) : undefined;
    this.#heldUntilMs = Math.max(this.#heldUntilMs, nowMs + retryAfterMs);
    this.#rate.learn(refused, sentMs, nowMs, retryAfterMs);
  }

  setRemaining(remaining: number): void {
    if (remaining <= this.#running) this.#rate.noteLow(this.#clock.now());
  }

  /** Returns the number of rate-limited requests, and the accepted requests per second during that time. */
  met(): { readonly refused: number; readonly perSecond: number | undefined } {
    return { refused: this.#refusals, perSecond: this.#rate.acceptedPerSecond() };
  }

  perSecond(): number | undefined {
    return this.#rate.perSecond();
  }

  /** Returns false if the service has accepted no request for minutes. */
  isHopeful(): boolean {
    const nowMs = this.#clock.now();
    return this.#heldUntilMs - nowMs <= maxWaitMs && nowMs - (this.#refusedSinceMs ?? nowMs) <= maxWaitMs;
  }
}

/** Requests per second. Compatible services refill at this rate. */
const firstRate = 10;
const leastRate = 1;
/** Milliseconds and requests of the shortest window. */
const windowMs = 1000;
const windowRequests = 2;
/** Unused requests of this time can be sent at once. */
const burstMs = 1000;
/** Random part of each gap, so that callers do not stay in lockstep. */
const spread = 0.3;
/** Growth after the first window without a refusal. Each further window doubles it, up to `mostGrowth`. */
const leastGrowth = 0.05;
const mostGrowth = 1;

interface RateWindow {
  readonly startMs: number;
  passed: number;
  refused: number;
  isLow: boolean;
}

const startWindow = (startMs: number): RateWindow => ({ startMs, passed: 0, refused: 0, isLow: false });

/**
 * Adapts the rate of requests: unlimited until the first refusal, then evenly spaced. A window with refusals lowers the
 * rate to the accepted requests, which is the refill rate of the service, but by at most half. A window without
 * refusals raises it by a growing amount, so that a lifted limit is detected soon.
 */
class AdaptiveRate {
  readonly #random: Pick<Random, 'fraction'>;
  #rate: number | undefined;
  #growth = mostGrowth;
  #nextMs = 0;
  #window = startWindow(0);
  /** Requests before the last decrease say nothing about the rate. */
  #slowedMs = Number.NEGATIVE_INFINITY;
  /** Accepted requests per second in the last window with refusals. */
  #passing: number | undefined;

  constructor(random: Pick<Random, 'fraction'>) {
    this.#random = random;
  }

  /** Returns 0, or the milliseconds to wait before the next try. */
  take(nowMs: number): number {
    if (this.#rate === undefined) return 0;
    const atMs = Math.max(this.#nextMs, nowMs - burstMs);
    if (atMs > nowMs) return atMs - nowMs;
    this.#nextMs = atMs + (1000 / this.#rate) * (1 + spread * (this.#random.fraction() - 0.5));
    return 0;
  }

  learn(refused: boolean, sentMs: number, nowMs: number, retryAfterMs: number): void {
    if (refused) this.#rate ??= this.#begin(nowMs);
    if (this.#rate === undefined) return;
    // Refusals say nothing about the rate until the service accepts requests again.
    if (retryAfterMs > 0) this.#window = startWindow(nowMs + retryAfterMs);
    const window = this.#window;
    if (nowMs < window.startMs || sentMs <= this.#slowedMs) return;
    window[refused ? 'refused' : 'passed'] += 1;
    const lengthMs = nowMs - window.startMs;
    if (lengthMs < Math.max(windowMs, (windowRequests * 1000) / this.#rate)) return;
    if (window.refused > 0) this.#slowedMs = nowMs;
    this.#rate = this.#rateAfter(window, this.#rate, lengthMs);
    this.#window = startWindow(nowMs);
  }

  /** Called if the service has no remaining requests other than those in progress. */
  noteLow(nowMs: number): void {
    this.#rate ??= this.#begin(nowMs);
    this.#window.isLow = true;
  }

  /** Returns requests per second, or `undefined` before the first measurement. */
  perSecond(): number | undefined {
    return this.#passing === undefined ? undefined : this.#rate;
  }

  /** Returns accepted requests per second while the service refused some. */
  acceptedPerSecond(): number | undefined {
    return this.#passing;
  }

  #begin(nowMs: number): number {
    this.#nextMs = nowMs + 1000 / firstRate;
    this.#window = startWindow(nowMs);
    return firstRate;
  }

  #rateAfter({ passed, refused, isLow }: RateWindow, before: number, lengthMs: number): number {
    const passedRate = (passed * 1000) / lengthMs;
    if (refused > 0) {
      this.#growth = passed === 0 ? mostGrowth : leastGrowth;
      if (passed > 0) this.#passing = passedRate;
      return Math.max(leastRate, Math.min(before, Math.max(passedRate, before / 2)));
    }
    // The rate is not known to be too low if it was not used.
    if (!isLow && ((passed + 1) * 1000) / lengthMs < before * 0.8) return before;
    if (isLow) this.#growth = leastGrowth;
    const more = before * (1 + this.#growth) + leastRate;
    this.#growth = Math.min(mostGrowth, this.#growth * 2);
    return more;
  }
}
