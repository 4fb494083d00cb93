import type { Clock } from '../../host/host.ts';

/** Knows when what is to be done next, and says so when the time has come. */
export class Agenda {
  readonly #clock: Clock;
  readonly #begin: (id: string) => void;
  readonly #moments = new Map<string, number>();
  #sleep: { readonly untilMs: number; readonly stop: AbortController } | undefined;

  constructor(clock: Clock, begin: (id: string) => void) {
    this.#clock = clock;
    this.#begin = begin;
  }

  /** Whether something's time has come. */
  get isDue(): boolean {
    const nowMs = this.#clock.now();
    return [...this.#moments.values()].some((moment) => moment <= nowMs);
  }

  /** Notes that something is to be done at a moment; the earliest one that was noted counts. */
  note(id: string, moment: number): void {
    const known = this.#moments.get(id);
    if (known !== undefined && known <= moment) return;
    this.#moments.set(id, moment);
    if (!this.#sleep || moment < this.#sleep.untilMs) this.look();
  }

  /** Begins what is due, and waits for the next. */
  look(): void {
    this.end();
    const nowMs = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [id, moment] of this.#moments) {
      if (moment <= nowMs) {
        this.#moments.delete(id);
        this.#begin(id);
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
