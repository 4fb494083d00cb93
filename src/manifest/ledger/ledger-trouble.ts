import { Failure } from '../../contract/failure.ts';

const reasons = new Map([
  ['ENOSPC', 'no space left on the disk'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EACCES', 'not allowed'],
  ['EPERM', 'not allowed'],
  ['EROFS', 'the disk is read-only'],
  ['ENOENT', 'the folder is not there, and cannot be made'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'something on the way to it is no folder'],
  ['ELOCKED', 'another telctl is writing it'],
]);

/**
 * What the file system says about a ledger, as a `Failure` of kind `failed`; anything else is thrown as it is.
 * `what`: `read` or `written`.
 */
export function ledgerTrouble(shown: string, what: 'read' | 'written', error: unknown): unknown {
  const code =
    error instanceof Error && !(error instanceof Failure) && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) return error;
  return new Failure('failed', `The ledger ${shown} cannot be ${what} (${reasons.get(code) ?? code}).`, {
    hint: 'It says what telctl manages. Make that possible, or name another file with --ledger, then repeat.',
    cause: error,
  });
}
