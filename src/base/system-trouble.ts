/** Meanings of the codes of file system errors. */
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
  ['ELOOP', 'links that lead in a circle'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EEXIST', 'something is there already'],
  ['EBUSY', 'another process uses it'],
  ['EIO', 'the disk does not answer as it should'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['ELOCKED', 'another telctl is writing it'],
]);

/** The code of an error of the file system, such as `ENOSPC`; `undefined` for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^E(?!RR_)[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}

/** Says why something could not be read or written, in words; a code or a word where there are none. */
export const troubleWith = (error: unknown): string => systemReason(error) ?? 'unknown reason';

/** Says why the file system refused something, in words; `undefined` for any other error. */
export function systemReason(error: unknown): string | undefined {
  const code = systemCode(error);
  return code === undefined ? undefined : (reasons.get(code) ?? code);
}
