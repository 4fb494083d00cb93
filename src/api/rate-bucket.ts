import type { Random } from '../host/host.ts';

/** The end of one request, as far as the rate limit is concerned. */
export interface Heard {
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

/**
 * Rate that is tried first where a service takes hardly anything any more, in requests a second: compatible services
 * refill as many.
 */
const firstRate = 10;
/** Refusals more than what passes, from the first one on, that show that the service is asked far too fast. */
const flood = 8;
/** Slower than this is asked of no service, in requests a second. */
const leastRate = 0.5;
/** A window is as long as so many requests take, more of them where some are refused, within these bounds. */
const windowMs = 1000;
const longestWindowMs = 4000;
const cleanRequests = 2;
const refusedRequests = 5;
const trialRequests = 8;
/** After a slower rate was set, the replies to what was sent before are waited for, up to so many milliseconds. */
const longestDrainMs = 5000;
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
/** A caller may have sent that much faster than it did on average. */
const pauses = 1.8;
/** Share of what passed that is tried where slowing did not help. */
const trialShare = 0.7;
/** A service that turns more away than this share, however slowly it is asked, is limited and not noisy. */
const mostNoise = 0.5;
/** The share that is noise is believed as if so many requests had shown that there is none. */
const doubt = 4;
/** Share of the noise that is forgotten in a window, so that it is looked at again. */
const forgotten = 0.02;
/** More refusals than noise explains are so many standard deviations away. */
const surprise = 2.5;

/**
 * A window that is slower than what passed in the one before. A limit lets all of it pass: what is refused all the same
 * is noise.
 */
interface Trial {
  /** Share that was refused before. */
  readonly share: number;
  /** Rate to go back to where that was noise. */
  readonly before: number;
  /** Rate to go on with where it was a limit. */
  readonly passed: number;
}

/** Facts of a limit that replies have shown; a value that several processes may share. */
interface Limit {
  rate: number;
  /** Nothing is spaced yet: the first refusals are looked at. */
  isOpen: boolean;
  measured: boolean;
  /** Time of the last slowing: what was sent before says nothing about the rate. */
  sinceMs: number;
  nextMs: number;
  windowStartMs: number;
  passed: number;
  refused: number;
  /** Longest time that a reply of the window took. */
  slowestMs: number;
  low: boolean;
  growth: number;
  /** The rate of the window before, where nothing was refused in it but noise; else 0. */
  clean: number;
  /** Set while windows are refused too much: the rate of the first, the most that passed in one, the last one's share. */
  full?: { readonly rate: number; readonly passed: number; readonly share: number };
  trial?: Trial;
  /** Share of requests that are turned away at any speed. */
  noise: number;
  /** Requests that passed in windows with refusals, and the length of those in all. */
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
  isOpen: true,
  measured: false,
  sinceMs: 0,
  nextMs: nowMs,
  windowStartMs: nowMs,
  passed: 0,
  refused: 0,
  slowestMs: 0,
  low: false,
  growth: mostGrowth,
  clean: 0,
  noise: 0,
  passedWhenFull: 0,
  fullMs: 0,
});

/** Takes a request out of a bucket, or gives the time to wait. */
function takeFrom(state: BucketState, nowMs: number, random: Pick<Random, 'fraction'>): number {
  const { limit, heldUntilMs } = state;
  if (nowMs < heldUntilMs) return heldUntilMs - nowMs;
  if (limit === undefined || limit.isOpen) return 0;
  const atMs = Math.max(limit.nextMs, nowMs - burstMs);
  if (atMs > nowMs) return atMs - nowMs;
  limit.nextMs = atMs + (1000 / limit.rate) * (1 + spread * (random.fraction() - 0.5));
  return 0;
}

/**
 * Takes a request out of a bucket, and those that may follow within some time; gives when each of them may be sent, or
 * the time to wait where none may now.
 */
export function takeAhead(
  state: BucketState,
  nowMs: number,
  random: Pick<Random, 'fraction'>,
  aheadMs: number,
): { readonly waitMs: number; readonly timesMs: readonly number[] } {
  const waitMs = takeFrom(state, nowMs, random);
  const { limit } = state;
  if (waitMs > 0 || limit === undefined || limit.isOpen) return { waitMs, timesMs: [] };
  const timesMs: number[] = [];
  while (limit.nextMs <= nowMs + aheadMs) {
    timesMs.push(limit.nextMs);
    takeFrom(state, Math.max(limit.nextMs, nowMs), random);
  }
  return { waitMs, timesMs };
}

/** Puts the end of a request to a bucket. */
export function hearIn(
  state: BucketState,
  { refused, retryAfterMs = 0, sentMs }: Heard,
  nowMs: number,
): void {
  if (refused) state.limit ??= beginLimit(nowMs);
  const { limit } = state;
  if (retryAfterMs > 0) {
    state.heldUntilMs = Math.max(state.heldUntilMs, nowMs + retryAfterMs);
    if (!limit) return;
    // The service says when to go on: what was refused until then says nothing about the rate.
    limit.isOpen = false;
    startWindow(limit, state.heldUntilMs);
    return;
  }
  if (limit === undefined || nowMs < limit.windowStartMs || sentMs <= limit.sinceMs) return;
  if (refused) limit.refused += 1;
  else limit.passed += 1;
  limit.slowestMs = Math.max(limit.slowestMs, nowMs - sentMs);
  const least = limit.trial ? trialRequests : limit.refused > 0 ? refusedRequests : cleanRequests;
  if (limit.isOpen) closeOpening(limit, nowMs);
  else if (
    nowMs - limit.windowStartMs >=
    Math.max(windowMs, Math.min((least * 1000) / limit.rate, longestWindowMs))
  )
    closeWindow(limit, nowMs);
}

export const perSecondOf = ({ limit }: BucketState): number | undefined =>
  limit?.measured ? (limit.trial?.passed ?? limit.rate) : undefined;

export function measuredOf({ limit }: BucketState): number | undefined {
  if (!limit?.measured) return undefined;
  return limit.fullMs > 0 ? (limit.passedWhenFull * 1000) / limit.fullMs : limit.rate;
}

export function runLowIn(state: BucketState, nowMs: number): void {
  state.limit ??= { ...beginLimit(nowMs), isOpen: false };
  state.limit.low = true;
}

function startWindow(limit: Limit, nowMs: number): void {
  limit.windowStartMs = nowMs;
  limit.passed = 0;
  limit.refused = 0;
  limit.slowestMs = 0;
  limit.low = false;
}

/**
 * Ends the time in which nothing is spaced yet. Where hardly anything passes any more, the service was asked far too fast;
 * else what was sent until now is the first rate.
 */
function closeOpening(limit: Limit, nowMs: number): void {
  const { passed, refused, windowStartMs } = limit;
  const lengthMs = nowMs - windowStartMs;
  const isFlooded = refused - passed >= flood;
  if (!isFlooded && (lengthMs < windowMs || passed + refused < refusedRequests)) return;
  limit.isOpen = false;
  limit.nextMs = nowMs + 1000 / limit.rate;
  if (isFlooded) {
    limit.sinceMs = nowMs;
    startWindow(limit, nowMs);
  } else {
    limit.rate = Math.max(((passed + refused) * 1000) / lengthMs, leastRate);
    closeWindow(limit, nowMs);
  }
}

/** Sets the rate by what came back within the window, and starts the next. */
function closeWindow(limit: Limit, nowMs: number): void {
  const { passed, trial } = limit;
  const lengthMs = nowMs - limit.windowStartMs;
  let drainMs = 0;
  delete limit.trial;
  if (trial && passed > 0) endTrial(limit, trial);
  else if (isCongested(limit)) {
    slowDown(limit, lengthMs);
    limit.sinceMs = nowMs;
    // A trial waits until the service has refilled what was taken too fast.
    drainMs = Math.min(Math.max(limit.slowestMs, limit.trial ? windowMs : 0), longestDrainMs);
  } else grow(limit, lengthMs);
  startWindow(limit, nowMs + drainMs);
}

/** Sets the rate to what passed. Where that did not help before, a trial begins. */
function slowDown(limit: Limit, lengthMs: number): void {
  const { rate, passed, refused, full } = limit;
  const all = passed + refused;
  const share = refused / all;
  // The caller may have paused for a part of the window.
  const passedRate = Math.min(rate, (pauses * all * 1000) / lengthMs) * (1 - share);
  // Hardly fewer are refused than in the window before, though nothing was sent faster.
  const isStuck = full !== undefined && share >= full.share / 2;
  limit.full = full
    ? { ...full, share, passed: Math.max(full.passed, passedRate) }
    : { share, rate, passed: passedRate };
  limit.passedWhenFull += passed;
  limit.fullMs += lengthMs;
  limit.measured ||= passed > 0;
  // One bad window does not stop a fast caller; one in which hardly anything passed does.
  const floor = passed > 0 && refused > 3 * passed ? 0 : Math.max(limit.clean, rate / 2);
  limit.rate = Math.min(rate, Math.max(passedRate, floor, leastRate));
  limit.clean = 0;
  // Where nothing passes at all, what comes afterwards is as unknown as at the beginning.
  limit.growth = passed === 0 ? mostGrowth : leastGrowth;
  if (!isStuck || passed === 0 || limit.rate > passedRate * 1.1) return;
  limit.trial = { share, before: limit.full.rate, passed: Math.min(rate, limit.full.passed) };
  limit.rate = Math.max(limit.rate * trialShare, leastRate);
}

/** Learns from a trial what is noise: the more requests it had, the more it counts. */
function endTrial(limit: Limit, { share: shareBefore, before, passed }: Trial): void {
  const all = limit.passed + limit.refused;
  const share = limit.refused / all;
  // A single refusal is chance, or another caller.
  const isNoise = limit.refused > 1 && share >= shareBefore / 2;
  limit.noise += ((Math.min(share, mostNoise) - limit.noise) * all) / (all + doubt);
  limit.rate = isNoise ? before : passed;
  limit.clean = isNoise ? before : 0;
  limit.growth = isNoise ? mostGrowth : leastGrowth;
  delete limit.full;
}

/** Raises the rate, where it was used, by more each time. */
function grow(limit: Limit, lengthMs: number): void {
  const { rate, growth, passed, refused } = limit;
  delete limit.full;
  limit.noise *= 1 - forgotten;
  if (limit.low) {
    limit.measured = true;
    limit.rate = rate * (1 + leastGrowth);
    limit.growth = leastGrowth;
  } else if (((passed + refused + 1) * 1000) / lengthMs >= rate * 0.8) {
    limit.clean = rate;
    limit.rate = rate * (1 + growth) + fairGrowth;
    limit.growth = Math.min(mostGrowth, growth * 2);
  }
}

/** Tells whether more was refused in the window than noise explains. */
function isCongested({ passed, refused, noise }: Limit): boolean {
  const all = passed + refused;
  return refused > noise * all + surprise * Math.sqrt(noise * (1 - noise) * all);
}

/**
 * A bucket that learns from the replies. As long as nothing is refused it lets everything pass. After that requests are
 * spaced evenly. In a window with refusals the rate becomes what really passed, which is just what a service with a
 * limit refills while its bucket is empty; in one without it grows, faster and faster, so that a limit that was lifted
 * is found out soon. Where slowing does not help, what is refused is noise: it is expected from then on, and does not
 * slow anything. A `Retry-After` holds everything.
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
