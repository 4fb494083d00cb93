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
