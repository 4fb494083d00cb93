import { createHint, Failure, nextStep } from '../../base/failure.ts';
import { environmentName, identityVariable, isProfileSelected } from './choose-identity.ts';
import { environmentIdentity, environmentSession } from './environment-session.ts';
import { keepFacts } from './learned-facts.ts';
import {
  findProfile,
  noProfileFailure,
  notSignedInFailure,
  type Profile,
  readProfiles,
} from './profile-store.ts';
import {
  homePath,
  keyPath,
  openMode,
  readCommandSecret,
  readStoredKey,
  type SecretCommand,
  warnOfOpenFolder,
} from './secret-sources.ts';
import type { Session, SessionParts } from './session.ts';
import { isEnvironmentFor, isSameOrigin } from './settings.ts';
import { type Credentials, refreshToken, signIn } from './sign-in.ts';
import {
  type CachedToken,
  openTokenCache,
  profileTokenPath,
  type Renewals,
  TokenKeeper,
} from './token-cache.ts';
import { saveFacts } from './write-profiles.ts';

/**
 * Opens the session of a profile or of the environment. Secrets are only sent to their own service: the address of
 * the profile, or `TELCTL_BASE_URL` for the environment. Throws `Failure`: `auth` if the user is not signed in,
 * `usage` for an unknown profile, or for a profile that conflicts with the environment or an option.
 */
export async function openSession(parts: SessionParts): Promise<Session> {
  const { host, settings } = parts;
  const { profile: chosen, baseUrl } = settings;
  warnOfOpenFolder(host, parts);
  if (chosen.value === environmentName) return openEnvironmentSession(parts);
  if (chosen.value === undefined) throw noProfileFailure(baseUrl.value);
  const profile = findProfile(readProfiles(host), chosen.value);
  if (baseUrl.value !== undefined && !isSameOrigin(baseUrl.value, profile.baseUrl)) {
    throw new Failure(
      isProfileSelected(settings) ? 'usage' : 'auth',
      `Profile "${profile.name}" is signed in to ${profile.baseUrl}, not to ${baseUrl.value}.`,
      { hint: createHint`Sign in there: ${nextStep`login --profile NAME --base-url ${baseUrl.value}`}` },
    );
  }
  if (isProfileSelected(settings) && host.env.TELCTL_BASE_URL) {
    const { refuseOtherSpeaker } = await import('./profile-conflict.ts');
    await refuseOtherSpeaker(parts, profile);
  }
  const prefix = settings.prefix.source === 'environment' ? settings.prefix.value : undefined;
  const here = prefix === undefined ? profile : { ...profile, prefix };
  return storedSession(parts, here);
}

/** Throws `Failure` if the environment has no secret for the service, or no service is set. */
async function openEnvironmentSession(parts: SessionParts): Promise<Session> {
  const { host, settings } = parts;
  const { value: baseUrl } = settings.baseUrl;
  if (identityVariable(host.env) === undefined) throw noProfileFailure(baseUrl);
  if (baseUrl === undefined) {
    throw new Failure('usage', 'No service is set.', {
      hint: 'Set TELCTL_BASE_URL, or pass --base-url URL.',
    });
  }
  if (!isEnvironmentFor(host.env, baseUrl)) throw noProfileFailure(baseUrl);
  const identity = environmentIdentity(host.env);
  // `identityVariable` reads the same variables.
  if (identity === undefined) throw noProfileFailure(baseUrl);
  return environmentSession(parts, baseUrl, identity);
}

/** Sends no request before a token is needed. */
function storedSession(parts: SessionParts, profile: Profile): Session {
  const { host, warn, settings } = parts;
  const cache = openTokenCache(host, profileTokenPath(host, profile.name), warn);
  const signIns = new ProfileSignIn(parts, profile);
  const tokens = new TokenKeeper(host.clock, cache, signIns);
  return {
    settings,
    profile,
    fromEnvironment: false,
    profileSource: settings.profile.from,
    ...keepFacts(profile.learned, (facts) => saveFacts(host, profile, facts)),
    token: async () => (await tokens.token()).token,
    renew: async (rejected) => (await tokens.renew(rejected)).token,
    storedToken: () => tokens.current(),
    secretPlaces: () => secretPlaces(parts, profile, tokens.current() !== undefined),
    async refresh() {
      const { token } = await tokens.token();
      return tokens.store(await signIns.refresh(token));
    },
    signInAgain: async () => tokens.renew(tokens.current()?.token ?? ''),
    async passwordChanged(password) {
      if (passwordCredentials(profile, password) !== undefined)
        tokens.store(await signIns.withPassword(password));
    },
    async keyRotated(apiKey) {
      if (profile.method === 'api-key') tokens.store(await signIns.withKey(apiKey));
    },
  };
}

class ProfileSignIn implements Renewals {
  readonly #parts: SessionParts;
  readonly #profile: Profile;

  constructor(parts: SessionParts, profile: Profile) {
    this.#parts = parts;
    this.#profile = profile;
  }

  async refresh(token: string): Promise<CachedToken> {
    return (await refreshToken(this.#parts, this.#profile.baseUrl, token)).token;
  }

  /** Uses the profile's command, its stored key, or the environment, in this order. */
  async signIn(): Promise<CachedToken | undefined> {
    const { host, warn } = this.#parts;
    const profile = this.#profile;
    if (profile.secretCommand !== undefined) return this.#withCommand(profile.secretCommand);
    const apiKey = await readStoredKey(host, profile, warn);
    if (apiKey !== undefined) return this.withKey(apiKey);
    if (!isEnvironmentFor(host.env, profile.baseUrl)) return undefined;
    const { TELCTL_PASSWORD: password } = host.env;
    if (identityVariable(host.env) !== undefined) {
      const { signInWithEnvironment: signInBeside } = await import('./profile-conflict.ts');
      const token = await signInBeside(this.#parts, profile);
      if (token !== undefined) return token;
    }
    return password && passwordCredentials(profile, password) ? this.withPassword(password) : undefined;
  }

  async askAndSignIn(): Promise<CachedToken> {
    const { askSecret } = this.#parts;
    const { name, username } = this.#profile;
    if (askSecret === undefined || passwordCredentials(this.#profile, '') === undefined)
      throw notSignedInFailure(this.#profile);
    return this.withPassword(await askSecret(`Password of ${username} (profile ${name}):`));
  }

  async withPassword(password: string): Promise<CachedToken> {
    const credentials = passwordCredentials(this.#profile, password);
    if (credentials === undefined) throw notSignedInFailure(this.#profile);
    return this.#signInAs(credentials);
  }

  withKey(apiKey: string): Promise<CachedToken> {
    return this.#signInAs({ kind: 'api-key', apiKey });
  }

  async #withCommand(command: SecretCommand): Promise<CachedToken> {
    const isKey = this.#profile.method === 'api-key';
    const secret = await readCommandSecret(this.#parts.host, command, isKey ? 'API key' : 'password');
    return isKey ? this.withKey(secret) : this.withPassword(secret);
  }

  async #signInAs(credentials: Credentials): Promise<CachedToken> {
    const profile = this.#profile;
    const { token, who } = await signIn(this.#parts, profile.baseUrl, credentials);
    if (who.accountId !== profile.accountId) {
      throw new Failure(
        'auth',
        `These credentials belong to another account than profile "${profile.name}".`,
        {
          hint: createHint`To change the profile: ${nextStep`login --profile ${profile.name}`}`,
        },
      );
    }
    return token;
  }
}

/** Returns `undefined` for profiles that do not use a password. */
function passwordCredentials(profile: Profile, password: string): Credentials | undefined {
  const { method, username, identifier, hash = 'md5', accountId } = profile;
  if (username === undefined) return undefined;
  if (method === 'basic') return { kind: 'basic', accountId, username, password };
  if (method !== 'password' || identifier === undefined) return undefined;
  return { kind: 'password', username, password, identifier, hash };
}

/** Returns the locations of a profile's secrets with their permissions: `~/.config/telctl (0600)`. */
export function secretPlaces(
  { host }: Pick<SessionParts, 'host'>,
  { name, method, keyStore, secretCommand }: Pick<Profile, 'name' | 'method' | 'keyStore' | 'secretCommand'>,
  hasToken: boolean,
): Readonly<Record<string, string>> {
  const folder = homePath(host, host.folders.config);
  const describeFilePlace = (path: string): string => {
    const open = openMode(host.platform, host.files.modeOf(path));
    return `${folder} (${open === undefined ? '0600' : `${open}: others can read it`})`;
  };
  return {
    ...(keyStore === 'file' ? { api_key: describeFilePlace(keyPath(host, name)) } : {}),
    ...(keyStore === 'keyring' ? { api_key: "the operating system's keyring" } : {}),
    ...(secretCommand === undefined
      ? {}
      : { [method === 'api-key' ? 'api_key' : 'password']: `output of ${secretCommand[0]}` }),
    ...(hasToken ? { token: describeFilePlace(profileTokenPath(host, name)) } : {}),
  };
}
