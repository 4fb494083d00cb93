import { Failure } from '../../base/failure.ts';
import { systemReason } from '../../base/system-trouble.ts';

/**
 * What the file system says about a ledger, as a `Failure` of kind `failed`; anything else is thrown as it is.
 * `what`: `read` or `written`.
 */
export function ledgerTrouble(shown: string, what: 'read' | 'written', error: unknown): unknown {
  const reason = error instanceof Failure ? undefined : systemReason(error);
  if (reason === undefined) return error;
  return new Failure('failed', `The ledger ${shown} cannot be ${what} (${reason}).`, {
    hint: 'It says what telctl manages. Make that possible, or name another file with --ledger, then repeat.',
    cause: error,
  });
}
