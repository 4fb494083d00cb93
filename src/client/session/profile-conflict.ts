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
import { lifetimeMs, signIn, type TokenHolder, tokenHolder } from './sign-in.ts';
import { type CachedToken, decodeClaims } from './token-cache.ts';

function conflictFailure(profile: Profile, own: string, other: string, variables: string): Failure {
  return new Failure('usage', `Profile "${profile.name}" is ${own}, and ${other}.`, {
    hint: createHint`Unset ${variables}, or name another profile: ${nextStep`profiles list`}`,
  });
}

const describeAccount = ({ accountName, accountId }: TokenHolder, username?: string): string =>
  `${username === undefined ? '' : `user ${username} of `}account ${accountName ?? accountId}`;

/** Throws `Failure` (`usage`) if the secret of a variable belongs to another account or user than the profile. */
function refuseOtherIdentity(profile: Profile, who: TokenHolder, identity: EnvironmentIdentity): void {
  const isKey = identity.kind === 'credentials' && identity.credentials.kind === 'api-key';
  const isUser = isKey || profile.ownerId === undefined || who.ownerId === undefined;
  if (who.accountId === profile.accountId && (isUser || who.ownerId === profile.ownerId)) return;
  const username =
    identity.kind === 'credentials' && identity.credentials.kind === 'password'
      ? identity.credentials.username
      : who.ownerId;
  const isElsewhere = who.accountId !== profile.accountId;
  throw conflictFailure(
    profile,
    `of ${describeAccount(profile, isElsewhere ? undefined : profile.username)}`,
    `${identity.from} is of ${describeAccount(who, isElsewhere ? undefined : username)}`,
    identity.from,
  );
}

function environmentIdentityOf({ host: { env } }: SessionParts): EnvironmentIdentity | undefined {
  const isOpen = env.TELCTL_USERNAME && !env.TELCTL_TOKEN && !env.TELCTL_API_KEY;
  return isOpen && environmentIdentifier(env) === undefined ? undefined : environmentIdentity(env);
}

/** Returns true if a secret is the profile's own. Sends no request. */
async function isOwnSecret(
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
 * Throws `Failure` (`usage`) unless the secrets of the environment belong to the profile: `TELCTL_BASE_URL` is its
 * service, and they sign in to its account. A secret without a service is never sent. A refused secret belongs to no
 * account.
 */
export async function refuseOtherSpeaker(parts: SessionParts, profile: Profile): Promise<void> {
  const { host, settings, warn } = parts;
  const { TELCTL_BASE_URL: service } = host.env;
  const secret = secretVariable(host.env);
  if (!service) return;
  if (!isEnvironmentFor(host.env, profile.baseUrl)) {
    // A selected profile takes precedence over a service without a secret.
    if (settings.profile.source === 'option' && secret === undefined) return;
    const address = normaliseBaseUrl(service, 'TELCTL_BASE_URL');
    const variables = ['TELCTL_BASE_URL', ...(secret === undefined ? [] : [secret])].join(' and ');
    throw conflictFailure(profile, `of ${profile.baseUrl}`, `TELCTL_BASE_URL names ${address}`, variables);
  }
  const identity = environmentIdentityOf(parts);
  if (identity === undefined || (await isOwnSecret(parts, profile, identity))) return;
  try {
    const { profile: other } = await environmentSession(parts, profile.baseUrl, identity);
    refuseOtherIdentity(profile, other, identity);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'auth') throw error;
    warn(`The service refused ${identity.from}. Profile "${profile.name}" continues without it.`);
  }
}

/** Throws `Failure` (`usage`) if the secrets of the environment belong to another user or account. */
export async function signInWithEnvironment(
  parts: SessionParts,
  profile: Profile,
): Promise<CachedToken | undefined> {
  const identity = environmentIdentityOf(parts);
  if (identity === undefined) return undefined;
  if (identity.kind === 'credentials') {
    const { token, who } = await signIn(parts, profile.baseUrl, identity.credentials);
    refuseOtherIdentity(profile, who, identity);
    return token;
  }
  const { token } = identity;
  refuseOtherIdentity(profile, await tokenHolder(parts, profile.baseUrl, token), identity);
  const issuedAtMs = parts.host.clock.now();
  const end = Number(decodeClaims(token)?.exp) * 1000;
  return { token, issuedAtMs, expiresAtMs: end > 0 ? end : issuedAtMs + lifetimeMs };
}
