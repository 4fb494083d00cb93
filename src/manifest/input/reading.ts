import { Failure } from '../../base/failure.ts';
import { systemReason } from '../../base/system-trouble.ts';

/** Does what reads a file or a folder. Throws `Failure` of kind `usage` with what the system says against it. */
export function reading<T>(shown: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw unreadable(shown, cause);
  }
}

/** Why a file that somebody named cannot be read, as a `Failure`; other errors come back as they are. */
export function unreadable(shown: string, error: unknown): unknown {
  const reason = error instanceof Failure ? undefined : systemReason(error);
  if (reason === undefined) return error;
  return new Failure('usage', `${shown} cannot be read (${reason}).`, { cause: error });
}
