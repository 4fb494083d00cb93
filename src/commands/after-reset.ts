import { Failure } from '../base/failure.ts';
import type { Context } from '../command/context.ts';
import { refreshToken } from '../session/sign-in.ts';
import { afterwards } from './afterwards.ts';

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
      context.notices.warn('You are signed out as well. Sign in again: telctl login');
      return false;
    }
  });
}
