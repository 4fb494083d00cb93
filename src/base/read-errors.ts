import { Failure } from './failure.ts';

/** Throws a `Failure` of kind `usage` with the system's reason. */
export function readOrFail<T>(shown: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw toReadFailure(shown, cause);
  }
}

/** Returns other errors unchanged. */
export function toReadFailure(shown: string, error: unknown): unknown {
  const reason = error instanceof Failure ? undefined : systemReason(error);
  if (reason === undefined) return error;
  return new Failure('usage', `${shown} cannot be read (${reason}).`, { cause: error });
}

interface Kinds {
  readonly files: { kindOf(path: string): string | undefined };
}

/** Throws `Failure` (`usage`) for a device, a pipe or a folder, because writing a file would replace it. */
export function refuseSpecialFile({ files }: Kinds, path: string, shown: string, option: string): void {
  const kind = readOrFail(shown, () => files.kindOf(path));
  if (kind === undefined || kind === 'file') return;
  const what = kind === 'folder' ? 'a folder' : 'a device or a pipe';
  throw new Failure('usage', `${shown} is ${what}; ${option} requires a file name.`);
}

const reasons = new Map([
  ['EACCES', 'not allowed'],
  ['EPERM', 'not allowed'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'no space left on the disk'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'it is too large'],
  ['EFTYPE', 'it is not a regular file'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['ENOENT', 'it does not exist, or its folder cannot be made'],
  ['ELINKED', 'a link is in its path now'],
  ['EMLINK', 'it has several names (hard links)'],
  ['ELOOP', 'it contains circular links'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EEXIST', 'it already exists'],
  ['EBUSY', 'another process uses it'],
  ['EIO', 'the disk has an I/O error'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['ENOHOME', 'HOME is not an absolute path, and the system knows no home folder of this user'],
  ['ENOCWD', 'it was deleted'],
  ['ELOCKED', 'another telctl is writing it'],
]);

/** Returns `undefined` for an error that is not from the file system. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^E(?!RR_)[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}

export const describeIoError = (error: unknown): string => systemReason(error) ?? 'unknown reason';

export function systemReason(error: unknown): string | undefined {
  const code = systemCode(error);
  return code === undefined ? undefined : (reasons.get(code) ?? code);
}
