import { Failure } from './failure.ts';
import { systemReason } from './system-trouble.ts';

/** Does what reads a file or a folder. Throws `Failure` of kind `usage` with what the system says against it. */
export function reading<T>(shown: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw unreadable(shown, cause);
  }
}

/**
 * Returns the reason why a file that somebody named cannot be read, as a `Failure`; returns other errors as they are.
 */
export function unreadable(shown: string, error: unknown): unknown {
  const reason = error instanceof Failure ? undefined : systemReason(error);
  if (reason === undefined) return error;
  return new Failure('usage', `${shown} cannot be read (${reason}).`, { cause: error });
}

/** The part of a file system that says what stands at a path. */
interface Kinds {
  readonly files: { kindOf(path: string): string | undefined };
}

/**
 * Throws `Failure` of kind `usage` for a path that is a device, a pipe or a folder: what is written whole takes the
 * place of what is there, and would take that of `/dev/null`, too.
 */
export function refuseUnplain({ files }: Kinds, path: string, shown: string, option: string): void {
  const kind = reading(shown, () => files.kindOf(path));
  if (kind === undefined || kind === 'file') return;
  const what = kind === 'folder' ? 'a folder' : 'a device or a pipe';
  throw new Failure('usage', `${shown} is ${what}; ${option} takes the name of a file.`);
}
