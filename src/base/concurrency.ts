import { Failure } from './failure.ts';

/**
 * Runs the same work on many items, with a limit on parallel runs. Results are in the order of the items. After a
 * failure no new work starts, and the first failure is thrown when all running work has ended.
 */
export async function mapWithConcurrency<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length);
  const remaining = items.entries();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const [index, item] of remaining) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** Number of items per parallel run that may start ahead of the oldest unfinished one. */
const aheadPerRun = 4;

/**
 * Runs the same work on items, at most `limit()` in parallel, and yields the results in order. A slow reader slows
 * the work down. Failures are handled as in `mapWithConcurrency`.
 */
export async function* mapInOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: () => number,
  work: (item: T) => Promise<R>,
  ahead = aheadPerRun,
): AsyncGenerator<R> {
  const remaining = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const started: { outcome?: { readonly result: R } }[] = [];
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let next = await remaining.next();
  try {
    for (;;) {
      const most = Math.max(1, limit());
      while (!next.done && running.size < most && started.length < most * ahead && failures.length === 0) {
        const item = next.value;
        const entry: (typeof started)[number] = {};
        const end = work(item)
          .then((result) => {
            entry.outcome = { result };
          })
          .catch((error: unknown) => void failures.push(error))
          .finally(() => running.delete(end));
        running.add(end);
        started.push(entry);
        next = await remaining.next();
      }
      if (failures.length > 0 || started.length === 0) break;
      if (started[0]?.outcome === undefined) await Promise.race(running);
      while (started[0]?.outcome !== undefined) {
        const { result } = started[0].outcome;
        started.shift();
        yield result;
      }
    }
  } finally {
    await Promise.all(running);
    await remaining.return?.();
  }
  for (const failure of failures) throw failure;
}

export function memoize<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= work();
    return made;
  };
}

export function itemQueue<T>() {
  const waiting: T[] = [];
  let ended = false;
  let wake = (): void => undefined;
  return {
    add(one: T): void {
      waiting.push(one);
      wake();
    },
    waiting: () => waiting.length,
    end(): void {
      ended = true;
      wake();
    },
    async *read(): AsyncGenerator<T> {
      for (;;) {
        for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) yield one;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/**
 * Creates a queue that delays work until requests that were started meanwhile are sent, so that the service handles
 * them during the work. `soon` runs a function after the current events are handled.
 */
export function deferWork(soon: (act: () => void) => void) {
  const waiting: (() => void | Promise<void>)[] = [];
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  const fail = (error: unknown): void => void errors.push(error);
  const start = (work: () => void | Promise<void>): void => {
    try {
      const working = work();
      // Most pieces are synchronous. Promises would cost as much as the work.
      if (working === undefined) return;
      const end = working.catch(fail).finally(() => running.delete(end));
      running.add(end);
    } catch (error) {
      fail(error);
    }
  };
  const begin = (): void => waiting.splice(0).forEach(start);
  return {
    add(work: () => void | Promise<void>): void {
      waiting.push(work);
      // The HTTP client sends the next request of a connection two turns of the event loop after a response.
      if (waiting.length === 1) soon(() => soon(begin));
    },
    /** Resolves when all work is done. Throws the first error. */
    async done(): Promise<void> {
      begin();
      await Promise.all(running);
      for (const error of errors) throw error;
    },
  };
}

/**
 * Returns a function that a long computation awaits between two parts, so that pending events are handled, such as a
 * signal or a deadline. Throws a `Failure` of kind `interrupted` if the program was interrupted.
 */
export const createPause =
  ({
    timers: { soon },
    interrupted,
  }: {
    readonly timers: { soon(act: () => void): void };
    readonly interrupted: AbortSignal;
  }) =>
  async (): Promise<void> => {
    await new Promise<void>((resolve) => soon(resolve));
    if (interrupted.aborted) throw new Failure('interrupted', 'Interrupted before the end.');
  };
