import type { Clock, Timers } from '../../host/host.ts';
import type { QueueName, QueuePosition } from '../store/delivery.ts';

/** Knows when what is to be done next, and says so when the time has come. */
export class Schedule<T> {
  readonly #clock: Clock;
  readonly #begin: (item: T) => void;
  readonly #moments = new Map<T, number>();
  #sleep: { readonly untilMs: number; readonly stop: AbortController } | undefined;

  constructor(clock: Clock, begin: (item: T) => void) {
    this.#clock = clock;
    this.#begin = begin;
  }

  /** True when the time of an entry has come. */
  get isDue(): boolean {
    const nowMs = this.#clock.now();
    return [...this.#moments.values()].some((moment) => moment <= nowMs);
  }

  /** Notes that something is to be done at a moment; the earliest one that was noted counts. */
  note(item: T, moment: number): void {
    const known = this.#moments.get(item);
    if (known !== undefined && known <= moment) return;
    this.#moments.set(item, moment);
    if (!this.#sleep || moment < this.#sleep.untilMs) this.look();
  }

  /** Begins what is due, and waits for the next. */
  look(): void {
    this.end();
    const nowMs = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [item, moment] of this.#moments) {
      if (moment <= nowMs) {
        this.#moments.delete(item);
        this.#begin(item);
      } else next = Math.min(next, moment);
    }
    if (next < Number.POSITIVE_INFINITY) this.#wait(next, nowMs);
  }

  /** Waits for nothing more. */
  end(): void {
    this.#sleep?.stop.abort();
    this.#sleep = undefined;
  }

  #wait(untilMs: number, nowMs: number): void {
    const stop = new AbortController();
    this.#sleep = { untilMs, stop };
    this.#clock.sleep(untilMs - nowMs, stop.signal).then(
      () => {
        if (!stop.signal.aborted) this.look();
      },
      (error: unknown) => {
        if (!stop.signal.aborted) throw error;
      },
    );
  }
}

/** Number of quick requests at once, and of all requests. */
const quickSlots = 32;
const allSlots = 500;
/** A request that takes longer gives its place to others and goes on without one. */
const patienceMs = 100;

/**
 * Bounds how much is done at once. What waits long for somebody else stops counting, so that slow receivers do not
 * hold up quick ones; only where very many are slow does everybody wait.
 */
export class Slots {
  readonly #timers: Timers;
  readonly #waiting: (() => void)[] = [];
  #quick = 0;
  #all = 0;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Does something when it is its turn. */
  async use<T>(act: () => Promise<T>): Promise<T> {
    if (this.#isFull()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#enter();
    let counts = true;
    const stepAside = (): void => {
      counts = false;
      this.#quick -= 1;
      this.#next();
    };
    const callOff = this.#timers.later(patienceMs, stepAside);
    try {
      return await act();
    } finally {
      callOff();
      if (counts) this.#quick -= 1;
      this.#all -= 1;
      this.#next();
    }
  }

  #isFull(): boolean {
    return this.#quick >= quickSlots || this.#all >= allSlots;
  }

  #enter(): void {
    this.#quick += 1;
    this.#all += 1;
  }

  #next(): void {
    const next = this.#isFull() ? undefined : this.#waiting.shift();
    if (!next) return;
    this.#enter();
    next();
  }
}

/** Number of requests within a window that count as a rush, and length of a window. */
const rush = 13;
const windowMs = 50;
/**
 * Interval at which waiting requests get on in a rush, and the share of them that do so for each request beside the
 * one that always does.
 */
const beatMs = 5;
const share = 0.2;

/**
 * Lets requests of the service go before what it does by itself: while very many come, deliveries get on at a small
 * rate, and as fast as they can when the rush is over.
 */
export class DeliveryThrottle {
  readonly #timers: Timers;
  readonly #waiting: (() => void)[] = [];
  #windowStart = 0;
  #requests = 0;
  #before = 0;
  #sinceBeat = 0;
  #isBeating = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Notes that a request of the service came. */
  noteRequest(): void {
    this.#turnWindow();
    this.#requests += 1;
    this.#sinceBeat += 1;
  }

  /** Resolves when something that is not a request may go on; `undefined` where it may at once. */
  turn(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && !this.isRush) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (!this.#isBeating) this.#beat();
    return promise;
  }

  #turnWindow(): void {
    const now = this.#timers.elapsedMs();
    const age = now - this.#windowStart;
    if (age < windowMs) return;
    this.#before = age < 2 * windowMs ? this.#requests : 0;
    this.#requests = 0;
    this.#windowStart = now;
  }

  /** True when very many requests come. */
  get isRush(): boolean {
    this.#turnWindow();
    return this.#before >= rush || this.#requests >= rush;
  }

  #beat(): void {
    this.#isBeating = true;
    this.#timers.later(beatMs, () => {
      this.#isBeating = false;
      const many = this.isRush ? 1 + Math.floor(this.#sinceBeat * share) : this.#waiting.length;
      this.#sinceBeat = 0;
      for (const go of this.#waiting.splice(0, many)) go();
      if (this.#waiting.length > 0) this.#beat();
    });
  }
}

/**
 * The state of one queue. It is called when something comes to it, runs until nothing of it is due, and settles when
 * the outcomes are committed: then the agenda knows when it is to run next.
 */
export interface Line {
  readonly queue: QueueName;
  /** The run that is under way. */
  running: Promise<void> | undefined;
  /** Something came during the run. */
  runsAgain: boolean;
  /** Position that the run has reached, while its outcomes are not committed. */
  position: QueuePosition | undefined;
  /** Calls off the next run of a line that the store failed. */
  callOff: (() => void) | undefined;
}

const lineOf = (queue: QueueName): Line => ({
  queue,
  running: undefined,
  runsAgain: false,
  position: undefined,
  callOff: undefined,
});

/** The lines of a sandbox: one of events, and one for each webhook that something came for. */
export class Lines {
  readonly events = lineOf({ kind: 'events' });
  readonly #webhooks = new Map<string, Line>();

  of(queue: QueueName): Line {
    return queue.kind === 'events' ? this.events : this.ofWebhook(queue.webhookId);
  }

  ofWebhook(webhookId: string): Line {
    const line = this.#webhooks.get(webhookId) ?? lineOf({ kind: 'webhook', webhookId });
    this.#webhooks.set(webhookId, line);
    return line;
  }

  all(): readonly Line[] {
    return [this.events, ...this.#webhooks.values()];
  }

  /** The runs that are under way. */
  runs(): readonly Promise<void>[] {
    return this.all().flatMap(({ running }) => running ?? []);
  }
}

/** Waits for work, but no longer than so many milliseconds. */
export async function within(timers: Timers, ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const callOff = timers.later(ms, resolve);
  await Promise.race([work, promise]);
  callOff();
}
