import { Failure } from '../../src/base/failure.ts';

/** The failure that some work ends in; throws what else it ends in. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof Failure)) throw failure ?? new Error('it did not fail');
  return failure;
}
