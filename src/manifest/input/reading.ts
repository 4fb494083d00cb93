import { Failure } from '../../contract/failure.ts';

const reasons = new Map([
  ['EACCES', 'not allowed'],
  ['EPERM', 'not allowed'],
  ['ELOOP', 'links that lead in a circle'],
  ['ENOTDIR', 'something on the way to it is no folder'],
]);

/** Does what reads a file or a folder. Throws `Failure` of kind `usage` with what the system says against it. */
export function reading<T>(shown: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') throw cause;
    throw new Failure('usage', `${shown} cannot be read (${reasons.get(cause.code) ?? cause.code}).`, {
      cause,
    });
  }
}
