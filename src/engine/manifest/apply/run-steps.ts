import type { Step } from '../plan.ts';

export interface StepRunner {
  readonly atOnce: number;
  /** Returns false if later steps cannot run. Rejects only for a bug. */
  work(step: Step): Promise<boolean>;
  /** Called for a step that does not run because an earlier step, `failed`, did not succeed. */
  skip(step: Step, failed: Step): void;
  stopped(): boolean;
}

/**
 * Runs each step after those before it. A step that may cost runs as early as possible and alone, because it may ask
 * a question. Deletes that only other deletes depend on run last.
 */
export function runSteps(steps: readonly Step[], runner: StepRunner): Promise<void> {
  const queue = new StepQueue(steps);
  return new Promise((resolve, reject) => {
    let bug: { readonly error: unknown } | undefined;
    const settle = (step: Step, ok: boolean): void => {
      for (const [follower, failed] of queue.settle(step, ok)) runner.skip(follower, failed);
    };
    const startReadySteps = (): void => {
      for (;;) {
        const step = runner.stopped() || bug ? undefined : queue.next(runner.atOnce);
        if (step === undefined) break;
        runner
          .work(step)
          .then(
            (ok) => settle(step, ok),
            (error: unknown) => {
              bug ??= { error };
              settle(step, false);
            },
          )
          .then(startReadySteps, reject);
      }
      if (queue.running === 0) bug ? reject(bug.error) : resolve();
    };
    startReadySteps();
  });
}

class StepQueue {
  running = 0;
  readonly #followers = new Map<string, Step[]>();
  /** Unfinished steps that a step depends on. */
  readonly #missing = new Map<string, number>();
  readonly #isLast = new Map<string, boolean>();
  readonly #over = new Set<string>();
  readonly #costly: Step[] = [];
  readonly #ready: Step[] = [];
  readonly #last: Step[] = [];
  #taken = 0;
  #left: number;
  #isCostlyRunning = false;

  constructor(steps: readonly Step[]) {
    const keys = new Set(steps.map(({ key }) => key));
    for (const step of steps) {
      const before = step.after.filter((key) => keys.has(key));
      this.#missing.set(step.key, before.length);
      for (const key of before) {
        const followers = this.#followers.get(key);
        if (followers) followers.push(step);
        else this.#followers.set(key, [step]);
      }
    }
    this.#left = steps.filter((step) => !this.#runsLast(step)).length;
    for (const step of steps) if (this.#missing.get(step.key) === 0) this.#enqueue(step);
  }

  next(atOnce: number): Step | undefined {
    if (this.#isCostlyRunning || this.running >= atOnce) return undefined;
    const step = this.#nextReady();
    if (step === undefined) return undefined;
    this.running += 1;
    this.#isCostlyRunning = step.mayCost === true;
    return step;
  }

  /** Returns the skipped steps after a failure, each with the step that it depends on. */
  settle(step: Step, ok: boolean): readonly (readonly [Step, Step])[] {
    this.running -= 1;
    this.#isCostlyRunning = false;
    this.#end(step);
    if (!ok) return this.#fail(step);
    for (const follower of this.#followersOf(step)) {
      const missing = (this.#missing.get(follower.key) ?? 1) - 1;
      this.#missing.set(follower.key, missing);
      if (missing === 0 && !this.#over.has(follower.key)) this.#enqueue(follower);
    }
    return [];
  }

  #followersOf({ key }: Step): readonly Step[] {
    return this.#followers.get(key) ?? [];
  }

  #runsLast(step: Step): boolean {
    const { key, by } = step;
    const runsLast =
      this.#isLast.get(key) ??
      (by === 'delete' && this.#followersOf(step).every((each) => this.#runsLast(each)));
    this.#isLast.set(key, runsLast);
    return runsLast;
  }

  #enqueue(step: Step): void {
    if (step.mayCost) this.#costly.push(step);
    else if (this.#runsLast(step)) this.#last.push(step);
    else this.#ready.push(step);
  }

  #nextReady(): Step | undefined {
    if (this.#costly.length > 0) return this.running === 0 ? this.#costly.shift() : undefined;
    if (this.#taken < this.#ready.length) return this.#ready[this.#taken++];
    return this.#left === 0 ? this.#last.shift() : undefined;
  }

  #end(step: Step): void {
    this.#over.add(step.key);
    if (!this.#runsLast(step)) this.#left -= 1;
  }

  #fail(step: Step): readonly (readonly [Step, Step])[] {
    return this.#followersOf(step).flatMap((follower) => {
      if (this.#over.has(follower.key)) return [];
      this.#end(follower);
      return [[follower, step] as const, ...this.#fail(follower)];
    });
  }
}
