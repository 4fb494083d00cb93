import { Failure } from '../../base/failure.ts';
import { systemCode, systemReason } from '../../base/reading.ts';
import { saltedHash } from './ledger.ts';
import type { Account } from './state.ts';

/** Beginning of the names of an account's files: `<host>-<account>-<hash>`. */
export function accountFile({ origin, accountId }: Account): string {
  const host = URL.parse(origin)?.hostname.replaceAll(/[^\w.-]/g, '_') ?? 'service';
  return `${host}-${accountId.slice(0, 8).replaceAll(/\W/g, '_')}-${saltedHash(origin, accountId).slice(0, 6)}`;
}

/** Codes of errors that go away where there is room. */
const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Does what writes to a file of the log. Throws `Failure` where that cannot be done. */
export function writing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** A `Failure` that says why a file of the log cannot be written; other errors as they are. */
export function unwritable(path: string, error: unknown): unknown {
  const reason = systemReason(error);
  if (reason === undefined) return error;
  return new Failure('failed', `${path} cannot be written (${reason}).`, {
    hint: `Every change is written to the log first, so nothing more was sent. ${noRoom.has(systemCode(error) ?? '') ? 'Make room, then repeat.' : 'Repeat with another folder in TELCTL_STATE_DIR.'}`,
    cause: error,
  });
}
