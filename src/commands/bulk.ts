import type { Context } from '../cli/context.ts';
import { Failure } from '../contract/failure.ts';

/** What became of one piece of bulk work: its result, or why there is none. */
export type Outcome<R> =
  | { readonly ok: true; readonly result: R }
  | { readonly ok: false; readonly failure: Failure };

/** Failures after which the rest would only fail the same way. */
const hopeless = new Set(['auth', 'interrupted', 'unavailable', 'refused']);

/**
 * Does the same to many things, as many at once as the settings say; outcomes stand in the order of the things.
 * A failure does not stop the others, unless it says that none of them can succeed: then what was not begun
 * is left undone, with that same failure.
 */
export async function inBulk<T, R>(
  context: Context,
  things: readonly T[],
  what: string,
  work: (thing: T) => Promise<R>,
): Promise<readonly Outcome<R>[]> {
  const outcomes: Outcome<R>[] = new Array(things.length);
  let next = 0;
  let done = 0;
  let stop: Failure | undefined;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < things.length; index = next++) {
      outcomes[index] = stop
        ? { ok: false, failure: notBegun(stop) }
        : await outcomeOf(work, things[index] as T);
      const outcome = outcomes[index];
      if (outcome?.ok === false && hopeless.has(outcome.failure.kind)) stop ??= outcome.failure;
      done += 1;
      context.notices.progress(done, things.length, what);
    }
  };
  const workers = Math.max(1, Math.min(context.settings.concurrency.value, things.length));
  await Promise.all(Array.from({ length: workers }, worker));
  return outcomes;
}

const notBegun = ({ kind, message }: Failure): Failure => new Failure(kind, `Not sent, after: ${message}`);

async function outcomeOf<T, R>(work: (thing: T) => Promise<R>, thing: T): Promise<Outcome<R>> {
  try {
    return { ok: true, result: await work(thing) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ok: false, failure: error };
  }
}
