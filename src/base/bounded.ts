/**
 * Does the same to many things, at most so many at once; results stand in the order of the things. The first failure
 * is thrown when nothing is under way any more, and nothing is begun after it.
 */
export async function bounded<T, R>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(things.length);
  const left = things.entries();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const [index, thing] of left) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(thing);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(atOnce, things.length)) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/**
 * Does the same to things as they come, at most `atOnce()` at once, which is asked again before each. Nothing is kept
 * of what is done. The first failure is thrown when nothing is under way any more, and nothing is begun after it.
 */
export async function pooled<T>(
  things: AsyncIterable<T>,
  atOnce: () => number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const thing of things) {
    while (running.size >= Math.max(1, atOnce())) await Promise.race(running);
    if (failures.length > 0) break;
    const done = work(thing)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(done));
    running.add(done);
  }
  await Promise.all(running);
  for (const failure of failures) throw failure;
}

/** Things that are begun before the oldest that is still under way is over, for each that is worked on at once. */
const aheadOf = 4;

/**
 * Does the same to things, at most `atOnce()` at once, and gives what comes of each in the order of the things, as soon
 * as all before it are over. Whoever takes them slowly slows the work down, so that few results wait. The first failure is
 * thrown when nothing is under way any more, and nothing is begun after it.
 */
export async function* inOrder<T, R>(
  things: Iterable<T>,
  atOnce: () => number,
  work: (thing: T) => Promise<R>,
): AsyncGenerator<R> {
  const left = things[Symbol.iterator]();
  const begun: { over?: { readonly result: R } }[] = [];
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let next = left.next();
  try {
    for (;;) {
      const most = Math.max(1, atOnce());
      while (!next.done && running.size < most && begun.length < most * aheadOf && failures.length === 0) {
        const thing = next.value;
        const one: (typeof begun)[number] = {};
        const end = work(thing)
          .then((result) => {
            one.over = { result };
          })
          .catch((error: unknown) => void failures.push(error))
          .finally(() => running.delete(end));
        running.add(end);
        begun.push(one);
        next = left.next();
      }
      if (failures.length > 0 || begun.length === 0) break;
      if (begun[0]?.over === undefined) await Promise.race(running);
      while (begun[0]?.over !== undefined) {
        const { result } = begun[0].over;
        begun.shift();
        yield result;
      }
    }
  } finally {
    await Promise.all(running);
  }
  for (const failure of failures) throw failure;
}
