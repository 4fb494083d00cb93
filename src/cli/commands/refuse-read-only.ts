import { Failure, leadsOn, nextStep } from '../../base/failure.ts';
import type { Context } from '../command/context.ts';

/**
 * Sees to it that nothing changes under a profile that is read-only. Throws `Failure` of kind `refused`; `what` says what
 * would change something, `other` what can be done there instead.
 */
export async function refuseReadOnly(
  { session }: Pick<Context, 'session'>,
  what: string,
  other?: string,
): Promise<void> {
  const { profile } = await session();
  if (profile.protect !== 'read-only') return;
  throw new Failure('refused', `Profile "${profile.name}" is read-only; ${what} would change something.`, {
    hint: other ?? leadsOn`Use another profile, or: ${nextStep`profiles set ${profile.name} --protect none`}`,
  });
}
