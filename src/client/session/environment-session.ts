import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { environmentName } from './choose-identity.ts';
import { cachedFacts, type FactKeeper } from './learned-facts.ts';
import {
  environmentRefused,
  type Identifier,
  type Profile,
  type SignInMethod,
  type StoredToken,
  withVariable,
} from './profile-store.ts';
import { homePath } from './secret-sources.ts';
import type { Session, SessionParts, Speaking } from './session.ts';
import {
  type Credentials,
  detectPrefix,
  refreshToken,
  type SignedIn,
  signIn,
  tokenHolder,
  type Who,
} from './sign-in.ts';
import {
  type CachedToken,
  environmentTokenPath,
  keepToken,
  openTokenCache,
  type TokenCache,
} from './token-cache.ts';

/** The identity that signs in without a profile, and the variable, or the option of the library, that gives it. */
export type EnvironmentIdentity =
  | { readonly kind: 'token'; readonly token: string; readonly from: string }
  | {
      readonly kind: 'credentials';
      readonly credentials: Credentials;
      readonly from: string;
    };

type Env = Host['env'];

const identifiers = [
  ['TELCTL_ACCOUNT_NAME', 'account_name'],
  ['TELCTL_ACCOUNT_REALM', 'account_realm'],
  ['TELCTL_PHONE_NUMBER', 'phone_number'],
] as const;

/**
 * Reads the identity from the environment: the first of a token, an API key, or a user with password and account.
 * Throws `Failure` (`usage`) unless the account is given exactly once (Authentication 3).
 */
export function environmentIdentity(env: Env): EnvironmentIdentity | undefined {
  if (env.TELCTL_TOKEN) return { kind: 'token', token: env.TELCTL_TOKEN.trim(), from: 'TELCTL_TOKEN' };
  if (env.TELCTL_API_KEY) {
    const credentials = { kind: 'api-key', apiKey: env.TELCTL_API_KEY.trim() } as const;
    return { kind: 'credentials', credentials, from: 'TELCTL_API_KEY' };
  }
  const { TELCTL_USERNAME: username, TELCTL_PASSWORD: password } = env;
  if (!username || !password) return undefined;
  const identifier = environmentIdentifier(env);
  if (identifier === undefined) {
    throw new Failure('usage', 'TELCTL_USERNAME needs an account: set exactly one of its variables.', {
      hint: identifiers.map(([name]) => name).join(', '),
    });
  }
  const credentials = { kind: 'password', username, password, identifier, hash: 'md5' } as const;
  return { kind: 'credentials', credentials, from: 'TELCTL_PASSWORD' };
}

/** The identifier of a user's account in the environment. Throws `Failure` (`usage`) for more than one. */
export function environmentIdentifier(env: Env): Identifier | undefined {
  const given = identifiers.flatMap(([name, kind]) => (env[name] ? [{ name, kind, value: env[name] }] : []));
  if (given.length > 1) {
    throw new Failure(
      'usage',
      `Only one of ${given.map(({ name }) => name).join(' and ')} can name the account.`,
    );
  }
  const [one] = given;
  return one && { kind: one.kind, value: one.value };
}

/** Returns a key that distinguishes the tokens of one identity of the environment from those of another. */
export function identityKey(identity: EnvironmentIdentity): string {
  if (identity.kind === 'token') return `token ${identity.token}`;
  const { credentials } = identity;
  if (credentials.kind === 'api-key') return `key ${credentials.apiKey}`;
  const where =
    credentials.kind === 'password' ? Object.values(credentials.identifier).join(' ') : credentials.accountId;
  return `user ${credentials.username.toLowerCase()} ${where}`;
}

/** `localhost:8000`, `api.example`: a host without a scheme, as people type it. */
export interface SessionMemory {
  readonly cache: TokenCache;
  readonly facts: FactKeeper;
}

const keptInFiles = (
  { host, warn }: SessionParts,
  baseUrl: string,
  identity: EnvironmentIdentity,
): SessionMemory => ({
  cache: openTokenCache(host, environmentTokenPath(host, baseUrl, identityKey(identity)), warn),
  facts: cachedFacts(host, baseUrl),
});

/** A session of `TELCTL_*` variables; who speaks is asked for unless the cache says. */
export async function environmentSession(
  parts: SessionParts,
  baseUrl: string,
  identity: EnvironmentIdentity,
  kept: SessionMemory = keptInFiles(parts, baseUrl, identity),
): Promise<Session> {
  const { host, settings } = parts;
  const session = await identitySession(parts, baseUrl, identity, kept);
  return {
    ...session,
    settings,
    profileSource: settings.baseUrl.from || identity.from,
    secretPlaces: () => ({
      [identity.kind === 'token' ? 'token' : session.profile.method === 'api-key' ? 'api_key' : 'password']:
        identity.from,
      ...(identity.kind === 'token' ? {} : { token: `${homePath(host, host.folders.cache)} (0600)` }),
    }),
  };
}

/** A session without what its run or program says of itself. */
export type IdentitySession = Omit<Session, 'settings' | 'profileSource' | 'secretPlaces'>;

/** Signs in as an identity, and keeps its token where `kept` says. Throws as `environmentSession` does. */
export async function identitySession(
  parts: Speaking,
  baseUrl: string,
  identity: EnvironmentIdentity,
  { cache, facts }: SessionMemory,
): Promise<IdentitySession> {
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
    profile,
    fromEnvironment: true,
    ...facts,
    token: async () => (identity.kind === 'token' ? identity.token : (await tokens.token()).token),
    async renew(rejected) {
      if (identity.kind === 'token') {
        cache.forget();
        throw environmentRefused(identity.from);
      }
      return (await tokens.renew(rejected)).token;
    },
    storedToken: tokens.held,
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

/** Makes a stored token of a given one. Its lifetime is not known: it is used until the service refuses it. */
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
