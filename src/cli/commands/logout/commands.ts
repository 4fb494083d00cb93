import { nextStep } from '../../../base/failure.ts';
import { environmentIdentity, identityKey } from '../../../client/session/environment-session.ts';
import { noProfile, profileNamed, readProfiles } from '../../../client/session/profile-store.ts';
import { storedName } from '../../../client/session/speaker.ts';
import { environmentTokenPath } from '../../../client/session/token-cache.ts';
import { signOutProfile } from '../../../client/session/write-profiles.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';

export const logoutCommands: readonly Command[] = [
  defineCommand({
    path: ['logout'],
    summary: 'Forget the token and the API key of a profile',
    description:
      'Removes what could sign in from this machine. Nothing is sent, so it works without a network and with a dead token; a token that was copied elsewhere lives on until it ends or `telctl tokens revoke-all` ends it.',
    does: ['sign-in'],
    effect: 'local',
    examples: { 'telctl logout --profile prod': 'Forget the secrets of prod' },
    load: async () => logout,
  }),
];

/** Forgets the secrets of the chosen profile, and the token that the environment's variables got. Sends nothing. */
async function logout(_: unknown, context: Context): Promise<Result> {
  const { host, settings, notices } = context;
  const stored = readProfiles(host);
  const name = storedName(settings, stored);
  const variable = forgetEnvironmentToken(context);
  if (variable !== undefined) notices.warn(`${variable} is still set and signs in by itself.`);
  if (name === undefined) {
    if (variable === undefined) throw noProfile();
    return { kind: 'done', message: `Forgot the token that ${variable} got.`, value: { profile: null } };
  }
  const profile = profileNamed(stored, name);
  await signOutProfile(host, profile);
  return {
    kind: 'done',
    message: `Signed out of profile "${name}". To sign in again: ${nextStep`login --profile ${name}`}`,
    value: { profile: name },
  };
}

/** Removes the cached token of the environment; gives the variable that got it. */
function forgetEnvironmentToken({ host, settings }: Context): string | undefined {
  const identity = environmentIdentity(host.env);
  const { value: baseUrl } = settings.baseUrl;
  if (identity === undefined || baseUrl === undefined) return undefined;
  host.files.remove(environmentTokenPath(host, baseUrl, identityKey(identity)));
  return identity.from;
}
