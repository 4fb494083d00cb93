import type { Step } from '../plan.ts';

export interface Queueing {
  readonly atOnce: number;
  /** Carries a step out; returns whether the steps after it may follow. Rejects only for a bug. */
  work(step: Step): Promise<boolean>;
  /** Called for a step that is not begun since a step before it, `failed`, did not succeed. */
  skip(step: Step, failed: Step): void;
  /** Tells whether nothing new is to be begun. */
  stopped(): boolean;
}

/**
 * Carries steps out, each when those before it are done. What may cost comes as early as it can and alone, since
 * somebody may be asked; deletes that only other deletes wait for come when all else is over.
 */
export function runSteps(steps: readonly Step[], { atOnce, work, skip, stopped }: Queueing): Promise<void> {
  const byKey = new Map(steps.map((step) => [step.key, step]));
  const missing = new Map<string, number>();
  const followers = new Map<string, Step[]>();
  for (const step of steps) {
    const before = step.after.filter((key) => byKey.has(key));
    missing.set(step.key, before.length);
    for (const key of before) {
      const those = followers.get(key);
      if (those) those.push(step);
      else followers.set(key, [step]);
    }
  }
  const patient = new Map<string, boolean>();
  const waitsForEnd = ({ key, by }: Step): boolean => {
    const known = patient.get(key) ?? (by === 'delete' && (followers.get(key) ?? []).every(waitsForEnd));
    patient.set(key, known);
    return known;
  };
  const costly: Step[] = [];
  const ready: Step[] = [];
  const last: Step[] = [];
  let taken = 0;
  let running = 0;
  let alone = false;
  let left = steps.filter((step) => !waitsForEnd(step)).length;
  const over = new Set<string>();

  const enqueue = (step: Step): void => {
    if (step.mayCost) costly.push(step);
    else if (waitsForEnd(step)) last.push(step);
    else ready.push(step);
  };
  const next = (): Step | undefined => {
    if (alone || running >= atOnce) return undefined;
    if (costly.length > 0) return running === 0 ? costly.shift() : undefined;
    if (taken < ready.length) return ready[taken++];
    return left === 0 ? last.shift() : undefined;
  };
  const end = (step: Step): void => {
    over.add(step.key);
    if (!waitsForEnd(step)) left -= 1;
  };
  const fail = (step: Step): void => {
    for (const follower of followers.get(step.key) ?? []) {
      if (over.has(follower.key)) continue;
      end(follower);
      skip(follower, step);
      fail(follower);
    }
  };
  const settle = (step: Step, ok: boolean): void => {
    running -= 1;
    alone = false;
    end(step);
    if (!ok) {
      fail(step);
      return;
    }
    for (const follower of followers.get(step.key) ?? []) {
      const still = (missing.get(follower.key) ?? 1) - 1;
      missing.set(follower.key, still);
      if (still === 0 && !over.has(follower.key)) enqueue(follower);
    }
  };

  for (const step of steps) if (missing.get(step.key) === 0) enqueue(step);
  return new Promise((resolve, reject) => {
    let bug: { readonly error: unknown } | undefined;
    const pump = (): void => {
      for (;;) {
        const step = stopped() || bug ? undefined : next();
        if (step === undefined) break;
        running += 1;
        alone = step.mayCost === true;
        work(step)
          .then(
            (ok) => settle(step, ok),
            (error: unknown) => {
              bug ??= { error };
              settle(step, false);
            },
          )
          .then(pump, reject);
      }
      if (running === 0) bug ? reject(bug.error) : resolve();
    };
    pump();
  });
}
