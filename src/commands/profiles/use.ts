import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { profileNamed, readProfiles } from '../../session/profile-store.ts';
import { changeProfiles } from '../../session/write-profiles.ts';
import type { profileArguments } from './commands.ts';
import { profileValue } from './profile-value.ts';

/** Makes a profile the one that is used where none is named. */
export async function useProfile(
  { name }: InputOf<Record<never, never>, typeof profileArguments>,
  { host }: Context,
): Promise<Result> {
  const profile = profileNamed(readProfiles(host), name);
  await changeProfiles(host, (stored) => ({ ...stored, defaultName: name }));
  return {
    kind: 'done',
    message: `Profile "${name}" (${profile.baseUrl}) is used from now on.`,
    value: profileValue(profile, name),
  };
}
