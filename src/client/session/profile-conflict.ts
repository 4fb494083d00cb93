import { createHint, Failure, nextStep } from '../../base/failure.ts';
import { secretVariable } from './choose-identity.ts';
import {
  type EnvironmentIdentity,
  environmentIdentifier,
  environmentIdentity,
  environmentSession,
} from './environment-session.ts';
import type { Profile } from './profile-store.ts';
import { readStoredKey } from './secret-sources.ts';
import type { SessionParts } from './session.ts';
import { isEnvironmentFor, normaliseBaseUrl } from './settings.ts';
import { lifetimeMs, signIn, tokenHolder, type Who } from './sign-in.ts';
import { type CachedToken, claimsOf } from './token-cache.ts';

/** Returns the failure for a named profile beside which a variable means another service or identity. */
function contradiction(profile: Profile, own: string, other: string, variables: string): Failure {
  return new Failure('usage', `Profile "${profile.name}" is ${own}, and ${other}.`, {
    hint: createHint`Unset ${variables}, or name another profile: ${nextStep`profiles list`}`,
  });
}

const accountWords = ({ accountName, accountId }: Who, username?: string): string =>
  `${username === undefined ? '' : `user ${username} of `}account ${accountName ?? accountId}`;

/** Throws `Failure` (`usage`) where what signed in with a variable is not whom the profile is of. */
function refuseOther(profile: Profile, who: Who, identity: EnvironmentIdentity): void {
  const isKey = identity.kind === 'credentials' && identity.credentials.kind === 'api-key';
  const isUser = isKey || profile.ownerId === undefined || who.ownerId === undefined;
  if (who.accountId === profile.accountId && (isUser || who.ownerId === profile.ownerId)) return;
  const username =
    identity.kind === 'credentials' && identity.credentials.kind === 'password'
      ? identity.credentials.username
      : who.ownerId;
  const isElsewhere = who.accountId !== profile.accountId;
  throw contradiction(
    profile,
    `of ${accountWords(profile, isElsewhere ? undefined : profile.username)}`,
    `${identity.from} is of ${accountWords(who, isElsewhere ? undefined : username)}`,
    identity.from,
  );
}

/** Returns the identity that the environment's secrets make by themselves; a password alone makes none. */
function identityOf({ host: { env } }: SessionParts): EnvironmentIdentity | undefined {
  const isOpen = env.TELCTL_USERNAME && !env.TELCTL_TOKEN && !env.TELCTL_API_KEY;
  return isOpen && environmentIdentifier(env) === undefined ? undefined : environmentIdentity(env);
}

/** Tells without a request that a secret is the profile's own. */
async function isOwn(
  { host, warn }: SessionParts,
  profile: Profile,
  identity: EnvironmentIdentity,
): Promise<boolean> {
  if (identity.kind === 'token') return false;
  const { credentials } = identity;
  if (credentials.kind === 'api-key')
    return (await readStoredKey(host, profile, warn)) === credentials.apiKey;
  const { username, identifier } = profile;
  return (
    credentials.kind === 'password' &&
    credentials.username.toLowerCase() === username?.toLowerCase() &&
    credentials.identifier.kind === identifier?.kind &&
    credentials.identifier.value === identifier.value
  );
}

/**
 * Checks that the secrets of the environment belong to the given profile: `TELCTL_BASE_URL` is its service, and they
 * sign in to its account. Otherwise throws `Failure` (`usage`) that names both. A secret without a service is never
 * sent, and a refused one belongs to no account.
 */
export async function refuseOtherSpeaker(parts: SessionParts, profile: Profile): Promise<void> {
  const { host, settings, warn } = parts;
  const { TELCTL_BASE_URL: service } = host.env;
  const secret = secretVariable(host.env);
  if (!service) return;
  if (!isEnvironmentFor(host.env, profile.baseUrl)) {
    // The command line's word alone stands above a variable that says where, and none that says who.
    if (settings.profile.source === 'option' && secret === undefined) return;
    const address = normaliseBaseUrl(service, 'TELCTL_BASE_URL');
    const variables = ['TELCTL_BASE_URL', ...(secret === undefined ? [] : [secret])].join(' and ');
    throw contradiction(profile, `of ${profile.baseUrl}`, `TELCTL_BASE_URL names ${address}`, variables);
  }
  const identity = identityOf(parts);
  if (identity === undefined || (await isOwn(parts, profile, identity))) return;
  try {
    const { profile: other } = await environmentSession(parts, profile.baseUrl, identity);
    refuseOther(profile, other, identity);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'auth') throw error;
    warn(`The service refused ${identity.from}; profile "${profile.name}" speaks without it.`);
  }
}

/** Signs in with the environment's secrets, if they name somebody. Throws `Failure` (`usage`) for another one. */
export async function signInBeside(parts: SessionParts, profile: Profile): Promise<CachedToken | undefined> {
  const identity = identityOf(parts);
  if (identity === undefined) return undefined;
  if (identity.kind === 'credentials') {
    const { token, who } = await signIn(parts, profile.baseUrl, identity.credentials);
    refuseOther(profile, who, identity);
    return token;
  }
  const { token } = identity;
  refuseOther(profile, await tokenHolder(parts, profile.baseUrl, token), identity);
  const issuedAtMs = parts.host.clock.now();
  const end = Number(claimsOf(token)?.exp) * 1000;
  return { token, issuedAtMs, expiresAtMs: end > 0 ? end : issuedAtMs + lifetimeMs };
}
