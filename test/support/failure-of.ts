import { Failure } from '../../src/base/failure.ts';

/** Returns the `Failure` that work throws, and rethrows other errors. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof Failure)) throw failure ?? new Error('expected a failure');
  return failure;
}
