import { Failure } from '../base/failure.ts';
import { oneLine } from '../base/wording.ts';
import type { Context } from '../command/context.ts';

/**
 * Reads what became of a change that is done. The change stays done whatever the read comes to: a read that fails is a
 * warning that says so, and the command goes on without what was to be read. `done` is the sentence that says what was
 * done. Throws `Failure` (`interrupted`) with that sentence on Ctrl-C.
 */
export async function afterwards<T>(
  { notices }: Pick<Context, 'notices'>,
  done: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'interrupted')
      throw new Failure('interrupted', `${done} What came after it was interrupted.`, { cause: error });
    notices.warn(`${done} Looking at it afterwards failed: ${whyUnread(error)}`);
    return undefined;
  }
}

/** A refusal after a change is about the look at it alone: nobody has to sign in for the change. */
const whyUnread = ({ kind, message, status }: Failure): string =>
  kind === 'auth'
    ? `the service does not allow it${status === undefined ? '' : ` (${status})`}.`
    : oneLine(message);
