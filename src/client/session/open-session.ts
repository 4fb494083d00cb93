import { createHint, Failure, nextStep } from '../../base/failure.ts';
import { environmentName, isNamed, speakingVariable } from './choose-identity.ts';
import { environmentIdentity, environmentSession } from './environment-session.ts';
import { keepFacts } from './learned-facts.ts';
import { noProfile, notSignedInFailure, type Profile, profileNamed, readProfiles } from './profile-store.ts';
import {
  homePath,
  keyPath,
  openMode,
  readStoredKey,
  type SecretCommand,
  secretFrom,
  warnOfOpenFolder,
} from './secret-sources.ts';
import type { Session, SessionParts } from './session.ts';
import { isEnvironmentFor, isSameOrigin } from './settings.ts';
import { type Credentials, refreshToken, signIn } from './sign-in.ts';
import { type CachedToken, keepToken, openTokenCache, profileTokenPath } from './token-cache.ts';
import { saveFacts } from './write-profiles.ts';

/**
 * Opens the session of a profile or of the environment. Secrets are only sent to their own service: those of a profile
 * to its address, and those of the environment to `TELCTL_BASE_URL`. Throws `Failure`: `auth` if the user is not signed
 * in, `usage` for an unknown profile, or for a profile that conflicts with the service or identity of the environment
 * or an option.
 */
export async function openSession(parts: SessionParts): Promise<Session> {
  const { host, settings } = parts;
  const { profile: chosen, baseUrl } = settings;
  warnOfOpenFolder(host, parts);
  if (chosen.value === environmentName) return fromEnvironment(parts);
  if (chosen.value === undefined) throw noProfile(baseUrl.value);
  const profile = profileNamed(readProfiles(host), chosen.value);
  if (baseUrl.value !== undefined && !isSameOrigin(baseUrl.value, profile.baseUrl)) {
    throw new Failure(
      isNamed(settings) ? 'usage' : 'auth',
      `Profile "${profile.name}" is signed in to ${profile.baseUrl}, not to ${baseUrl.value}.`,
      { hint: createHint`Sign in there: ${nextStep`login --profile NAME --base-url ${baseUrl.value}`}` },
    );
  }
  if (isNamed(settings) && host.env.TELCTL_BASE_URL) {
    const { refuseOtherSpeaker } = await import('./profile-conflict.ts');
    await refuseOtherSpeaker(parts, profile);
  }
  const prefix = settings.prefix.source === 'environment' ? settings.prefix.value : undefined;
  const here = prefix === undefined ? profile : { ...profile, prefix };
  return storedSession(parts, here);
}

/** A session of the environment's secrets. Throws `Failure` where there are none for the service, or no service. */
async function fromEnvironment(parts: SessionParts): Promise<Session> {
  const { host, settings } = parts;
  const { value: baseUrl } = settings.baseUrl;
  if (speakingVariable(host.env) === undefined) throw noProfile(baseUrl);
  if (baseUrl === undefined) {
    throw new Failure('usage', 'No service was given to sign in to.', {
      hint: 'Set TELCTL_BASE_URL, or give --base-url URL.',
    });
  }
  if (!isEnvironmentFor(host.env, baseUrl)) throw noProfile(baseUrl);
  const identity = environmentIdentity(host.env);
  // `speakingVariable` looks at the same variables.
  if (identity === undefined) throw noProfile(baseUrl);
  return environmentSession(parts, baseUrl, identity);
}

/** A session of a stored profile. Nothing is sent before a token is asked for. */
function storedSession(parts: SessionParts, profile: Profile): Session {
  const { host, warn, settings } = parts;
  const cache = openTokenCache(host, profileTokenPath(host, profile.name), warn);

  const signInAs = async (credentials: Credentials): Promise<CachedToken> => {
    const { token, who } = await signIn(parts, profile.baseUrl, credentials);
    if (who.accountId !== profile.accountId) {
      throw new Failure('auth', `What signed in belongs to another account than profile "${profile.name}".`, {
        hint: createHint`To change the profile: ${nextStep`login --profile ${profile.name}`}`,
      });
    }
    return token;
  };
  const withPassword = (password: string): Promise<CachedToken> => {
    const credentials = passwordCredentials(profile, password);
    if (credentials === undefined) throw notSignedInFailure(profile);
    return signInAs(credentials);
  };

  const withCommand = async (command: SecretCommand): Promise<CachedToken> => {
    const isKey = profile.method === 'api-key';
    const secret = await secretFrom(host, command, isKey ? 'API key' : 'password');
    return isKey ? signInAs({ kind: 'api-key', apiKey: secret }) : withPassword(secret);
  };

  const tokens = keepToken(host.clock, cache, {
    refresh: async (token) => (await refreshToken(parts, profile.baseUrl, token)).token,
    async signIn() {
      if (profile.secretCommand !== undefined) return withCommand(profile.secretCommand);
      const apiKey = await readStoredKey(host, profile, warn);
      if (apiKey !== undefined) return signInAs({ kind: 'api-key', apiKey });
      if (!isEnvironmentFor(host.env, profile.baseUrl)) return undefined;
      const { TELCTL_PASSWORD: password } = host.env;
      if (speakingVariable(host.env) !== undefined) {
        const { signInBeside } = await import('./profile-conflict.ts');
        const token = await signInBeside(parts, profile);
        if (token !== undefined) return token;
      }
      return password && passwordCredentials(profile, password) ? withPassword(password) : undefined;
    },
    async askAndSignIn() {
      const { askSecret } = parts;
      if (askSecret === undefined || passwordCredentials(profile, '') === undefined)
        throw notSignedInFailure(profile);
      return withPassword(await askSecret(`Password of ${profile.username} (profile ${profile.name}):`));
    },
  });

  return {
    settings,
    profile,
    fromEnvironment: false,
    profileSource: settings.profile.from,
    ...keepFacts(profile.learned, (facts) => saveFacts(host, profile, facts)),
    token: async () => (await tokens.token()).token,
    renew: async (rejected) => (await tokens.renew(rejected)).token,
    storedToken: tokens.held,
    secretPlaces: () => secretPlaces(parts, profile, tokens.held() !== undefined),
    async refresh() {
      const { token } = await tokens.token();
      const fresh = await refreshToken(parts, profile.baseUrl, token);
      tokens.keep(fresh.token);
      return fresh.token;
    },
    signInAgain: async () => tokens.renew(tokens.held()?.token ?? ''),
    async passwordChanged(password) {
      if (passwordCredentials(profile, password) !== undefined) tokens.keep(await withPassword(password));
    },
    async keyRotated(apiKey) {
      if (profile.method !== 'api-key') return;
      tokens.keep(await signInAs({ kind: 'api-key', apiKey }));
    },
  };
}

/** The credentials of a profile whose sign-in rests on a password; `undefined` for others. */
function passwordCredentials(profile: Profile, password: string): Credentials | undefined {
  const { method, username, identifier, hash = 'md5', accountId } = profile;
  if (username === undefined) return undefined;
  if (method === 'basic') return { kind: 'basic', accountId, username, password };
  if (method !== 'password' || identifier === undefined) return undefined;
  return { kind: 'password', username, password, identifier, hash };
}

/** Returns the places of a stored profile's secrets, with who may read them: `~/.config/telctl (0600)`. */
export function secretPlaces(
  { host }: Pick<SessionParts, 'host'>,
  { name, method, keyStore, secretCommand }: Pick<Profile, 'name' | 'method' | 'keyStore' | 'secretCommand'>,
  hasToken: boolean,
): Readonly<Record<string, string>> {
  const folder = homePath(host, host.folders.config);
  const inFile = (path: string): string => {
    const open = openMode(host.platform, host.files.modeOf(path));
    return `${folder} (${open === undefined ? '0600' : `${open}: others may read it`})`;
  };
  return {
    ...(keyStore === 'file' ? { api_key: inFile(keyPath(host, name)) } : {}),
    ...(keyStore === 'keyring' ? { api_key: "the operating system's keyring" } : {}),
    ...(secretCommand === undefined
      ? {}
      : { [method === 'api-key' ? 'api_key' : 'password']: `what ${secretCommand[0]} prints` }),
    ...(hasToken ? { token: inFile(profileTokenPath(host, name)) } : {}),
  };
}
