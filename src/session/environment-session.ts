import { Failure } from '../base/failure.ts';
import { detectPrefix } from './detect-prefix.ts';
import { type EnvironmentIdentity, identityKey } from './environment.ts';
import { keepToken } from './keep-token.ts';
import { cachedFacts } from './learned-facts.ts';
import { environmentRefused, withVariable } from './not-signed-in.ts';
import type { Profile, SignInMethod, StoredToken } from './profile.ts';
import { shownPath } from './secret-file.ts';
import type { Session } from './session.ts';
import type { SessionParts } from './session-parts.ts';
import { refreshToken, type SignedIn, signIn, tokenHolder, type Who } from './sign-in.ts';
import { type CachedToken, environmentTokenPath, openTokenCache, type TokenCache } from './token-cache.ts';

/** Name of the profile that environment variables make; none that is stored can have it. */
const environmentName = '(environment)';

/**
 * A session of `TELCTL_*` variables. Signs in, or asks whose token it is, unless the cache says: who speaks must be
 * known before the first path can be built.
 */
export async function environmentSession(
  parts: SessionParts,
  baseUrl: string,
  identity: EnvironmentIdentity,
  cache: TokenCache = openTokenCache(
    parts.host,
    environmentTokenPath(parts.host, baseUrl, identityKey(identity)),
    parts.warn,
  ),
): Promise<Session> {
  const { host, settings } = parts;

  const complete = async (signedIn: SignedIn): Promise<CachedToken> => ({
    ...signedIn.token,
    who: signedIn.who,
    prefix: settings.prefix.value ?? (await detectPrefix(parts, baseUrl, signedIn)),
  });
  const signInAnew = async (): Promise<CachedToken> => {
    if (identity.kind === 'token') throw environmentRefused(identity.from);
    try {
      return await complete(await signIn(parts, baseUrl, identity.credentials));
    } catch (error) {
      throw error instanceof Failure && error.kind === 'auth' ? withVariable(error, identity.from) : error;
    }
  };
  const tokens = keepToken(host.clock, cache, {
    refresh: async (token) => (await refreshToken(parts, baseUrl, token)).token,
    signIn: signInAnew,
    askAndSignIn: signInAnew,
  });

  const now = await firstToken();
  const { who, prefix = '/v2' } = now;
  if (who === undefined) throw environmentRefused(identity.from);
  const profile: Profile = {
    name: environmentName,
    baseUrl,
    prefix: settings.prefix.value ?? prefix,
    ...who,
    ...ways(identity),
  };

  return {
    settings,
    profile,
    fromEnvironment: true,
    profileSource: settings.baseUrl.from || identity.from,
    ...cachedFacts(host, baseUrl),
    token: async () => (identity.kind === 'token' ? identity.token : (await tokens.token()).token),
    async renew(rejected) {
      if (identity.kind === 'token') {
        cache.forget();
        throw environmentRefused(identity.from);
      }
      return (await tokens.renew(rejected)).token;
    },
    storedToken: tokens.held,
    secretPlaces: () => ({
      [identity.kind === 'token' ? 'token' : profile.method === 'api-key' ? 'api_key' : 'password']:
        identity.from,
      ...(identity.kind === 'token' ? {} : { token: `${shownPath(host, host.folders.cache)} (0600)` }),
    }),
    async refresh() {
      const fresh = await refreshToken(parts, baseUrl, (await tokens.token()).token);
      tokens.keep({ ...now, ...fresh.token });
      return fresh.token;
    },
    signInAgain: async () => tokens.renew(tokens.held()?.token ?? ''),
    async passwordChanged(password) {
      if (identity.kind !== 'credentials' || identity.credentials.kind !== 'password') return;
      const credentials = { ...identity.credentials, password };
      tokens.keep({ ...now, ...(await signIn(parts, baseUrl, credentials)).token });
    },
    async keyRotated(apiKey) {
      if (profile.method !== 'api-key') return;
      tokens.keep({ ...now, ...(await signIn(parts, baseUrl, { kind: 'api-key', apiKey })).token });
    },
  };

  async function firstToken(): Promise<CachedToken> {
    const cached = tokens.held();
    if (cached?.who !== undefined) return cached;
    if (identity.kind === 'credentials') return tokens.token();
    const token = lastingToken(identity.token, host.clock.now());
    const known = await complete({ token, who: await holder(identity.token) });
    tokens.keep(known);
    return known;
  }

  async function holder(token: string): Promise<Who> {
    try {
      return await tokenHolder(parts, baseUrl, token);
    } catch (error) {
      throw error instanceof Failure && error.kind === 'auth'
        ? environmentRefused(identity.from, error)
        : error;
    }
  }
}

/** How long a given token lives is not known: it is used until the service refuses it. */
const lastingToken = (token: string, nowMs: number): StoredToken => ({
  token,
  issuedAtMs: nowMs,
  expiresAtMs: Number.MAX_SAFE_INTEGER,
});

function ways(
  identity: EnvironmentIdentity,
): Pick<Profile, 'method' | 'username' | 'identifier' | 'keyStore'> {
  if (identity.kind === 'token') return { method: 'token', keyStore: 'none' };
  const { credentials } = identity;
  const method: SignInMethod = credentials.kind;
  if (credentials.kind === 'api-key') return { method, keyStore: 'none' };
  const named = credentials.kind === 'password' ? { identifier: credentials.identifier } : {};
  return { method, keyStore: 'none', username: credentials.username, ...named };
}
