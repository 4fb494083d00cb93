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
