import { Failure, type FailureKind } from '../../base/failure.ts';
import type { Result } from '../command/result.ts';
import type { HoldingNotices } from '../terminal/notices.ts';

/** Sentences of a run that has something to show and an exit other than 0. */
const sentences: Partial<Record<FailureKind, string>> = {
  partial: 'Some of it could not be read or done.',
  not_found: 'Nothing was found.',
  invalid: 'Errors were found.',
};

/**
 * A result whose exit is not 0, as the error that stands alone on stderr: its data is on stdout. Differences that were
 * asked for by `--exit-code` are no error. The lines that were kept back are in its details.
 */
export function errorOfExit(result: Result, notices: HoldingNotices): Failure | undefined {
  const { exit } = result;
  if (exit === undefined || exit === 'differences') return undefined;
  const summary = result.kind === 'list' ? result.summary?.() : undefined;
  const message = 'message' in result ? result.message : undefined;
  const { said, warnings } = notices.drop();
  return new Failure(exit, message ?? summary ?? sentences[exit] ?? 'Problems were found.', {
    ...(said.length > 0 ? { details: { said } } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  });
}

/** Returns an error with the earlier warnings, if those were kept back. */
export function withWarnings(error: unknown, notices: HoldingNotices): unknown {
  const { warnings } = notices.drop();
  if (!(error instanceof Failure) || warnings.length === 0) return error;
  return new Failure(error.kind, error.lines, { ...error, cause: error.cause, warnings });
}
