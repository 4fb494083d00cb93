import { Failure, nextStep } from '../../../base/failure.ts';
import { oneLine } from '../../../base/wording.ts';
import { environmentName } from '../../../client/session/choose-identity.ts';
import { refreshToken } from '../../../client/session/sign-in.ts';
import type { Context } from '../../command/context.ts';

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
      throw new Failure('interrupted', `${done} The steps after it were interrupted.`, { cause: error });
    notices.warn(`${done} Checking the result failed: ${whyUnread(error)}`);
    return undefined;
  }
}

/** A refusal after a change is about the look at it alone: nobody has to sign in for the change. */
const whyUnread = ({ kind, message, status }: Failure): string =>
  kind === 'auth'
    ? `the service does not allow it${status === undefined ? '' : ` (${status})`}.`
    : oneLine(message);

/** The service's treatment of a token that was got before a reset. */
export type OldToken = 'refused' | 'accepted' | 'unknown';

/**
 * Tries a token that was got before a reset, by exchanging it for a new one: every service that gives tokens has that
 * (Authentication 2), whatever else it leaves out. `unknown` where the answer is neither yes nor no.
 */
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

/**
 * Tells whether the session works after a reset, and signs in again if its token is no longer good. Somebody who is
 * signed out is told so. `done` says what was reset; `undefined` if it cannot be found out, which is a warning.
 */
export async function signedInAfter(
  context: Context,
  done: string,
  before: string,
): Promise<boolean | undefined> {
  return afterwards(context, done, async () => {
    if ((await tryOldToken(context, before)) === 'accepted') return true;
    const session = await context.session();
    try {
      await session.renew(before);
      return true;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'auth') throw error;
      const { name } = session.profile;
      const where = name === environmentName ? [] : ['--profile', name];
      context.notices.warn(`You are signed out as well. Sign in again: ${nextStep`login ${where}`}`);
      return false;
    }
  });
}
