import { Failure, nextStep } from '../../../base/failure.ts';
import { toOneLine } from '../../../base/wording.ts';
import { environmentName } from '../../../client/session/choose-identity.ts';
import { refreshToken } from '../../../client/session/sign-in.ts';
import type { Context } from '../../command/context.ts';

/**
 * Reads the result of a change. The change is done even if the read fails: a failed read is a warning, and the
 * command continues without the result. `done` describes the change. Throws `interrupted` with `done` on Ctrl-C.
 */
export async function readAfterChange<T>(
  { notices }: Pick<Context, 'notices'>,
  done: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'interrupted')
      throw new Failure('interrupted', `${done} The steps after it were interrupted.`, { cause: error });
    notices.warn(`${done} Checking the result failed: ${readFailureText(error)}`);
    return undefined;
  }
}

/** A refused read after a change needs no new sign-in for the change. */
const readFailureText = ({ kind, message, status }: Failure): string =>
  kind === 'auth'
    ? `the service does not allow it${status === undefined ? '' : ` (${status})`}.`
    : toOneLine(message);

export type OldToken = 'refused' | 'accepted' | 'unknown';

/** Tests an old token by exchanging it. Returns `unknown` if the service neither accepts nor refuses it. */
export async function tryOldToken(context: Context, token: string): Promise<OldToken> {
  const { profile } = await context.session();
  try {
    await refreshToken(context.sessionParts(), profile.baseUrl, token);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return error.status === 401 || error.status === 403 ? 'refused' : 'unknown';
  }
}

/** Checks the session after a reset, and signs in again if needed. `done` describes the reset. */
export async function restoreSession(
  context: Context,
  done: string,
  before: string,
): Promise<boolean | undefined> {
  return readAfterChange(context, done, async () => {
    if ((await tryOldToken(context, before)) === 'accepted') return true;
    const session = await context.session();
    try {
      await session.renew(before);
      return true;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'auth') throw error;
      const { name } = session.profile;
      const where = name === environmentName ? [] : ['--profile', name];
      context.notices.warn(`You are signed out. Sign in again: ${nextStep`login ${where}`}`);
      return false;
    }
  });
}
