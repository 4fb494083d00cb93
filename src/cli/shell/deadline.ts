import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { inWords } from '../../base/moment.ts';
import type { Result } from '../command/result.ts';

export interface Deadline {
  /** The machine, interrupted when the time is over. */
  readonly host: Host;
  /** Returns the error that the command threw, or the proper one if the time was over. */
  errorOf(error: unknown): unknown;
  /** The result of the command; that of one that was ended ends with `unavailable`. */
  resultOf(result: Result): Result;
}

/** Interrupts a command after `ms`, as Ctrl-C would. Without a time nothing is changed. */
export function deadlineOf(host: Host, ms: number | undefined): Deadline {
  if (ms === undefined) return { host, errorOf: (error) => error, resultOf: (result) => result };
  const over = host.after(ms);
  const isOver = (): boolean => over.aborted && !host.interrupted.aborted;
  const sentence = `The command took longer than ${inWords(ms)} (--deadline).`;
  const told = (failure: Failure, lines: readonly string[]): Failure => {
    const { hint, details, warnings, accepted, inDoubt } = failure;
    return new Failure('unavailable', lines, { hint, details, warnings, accepted, inDoubt, cause: failure });
  };
  return {
    host: { ...host, interrupted: AbortSignal.any([host.interrupted, over]) },
    errorOf(error) {
      if (!isOver()) return error;
      if (error instanceof Error && error.name === 'AbortError')
        return new Failure('unavailable', sentence, { cause: error });
      return error instanceof Failure && error.kind === 'interrupted' ? told(error, [sentence]) : error;
    },
    resultOf(result) {
      if (!isOver()) return result;
      const { failure } = result;
      return {
        ...result,
        ...(result.exit === 'interrupted' ? { exit: 'unavailable' } : {}),
        ...(failure?.kind === 'interrupted' ? { failure: told(failure, [sentence, ...failure.lines]) } : {}),
      };
    },
  };
}
