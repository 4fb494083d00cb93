import { Failure } from '../../base/failure.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { profileNamed, readProfiles } from '../../session/profile-store.ts';
import { deleteProfile } from '../../session/write-profiles.ts';
import type { profileArguments } from './commands.ts';

/** Forgets a profile and its secrets, after asking. Sends nothing. */
export async function removeProfile(
  { name }: InputOf<Record<never, never>, typeof profileArguments>,
  { host, ask }: Context,
): Promise<Result> {
  const profile = profileNamed(readProfiles(host), name);
  const question = `Forget profile ${name} (${profile.baseUrl}) with its token and API key?`;
  if (!(await ask.confirm(question, { option: '--yes' }))) {
    throw new Failure('interrupted', 'Nothing was forgotten.');
  }
  await deleteProfile(host, profile);
  return { kind: 'done', message: `Forgot profile "${name}".`, value: { name } };
}
