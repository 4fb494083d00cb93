import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { environmentName } from './choose-identity.ts';
import { cachedFacts, type FactKeeper } from './learned-facts.ts';
import {
  type Identifier,
  type Profile,
  refusedSecretFailure,
  type SignInMethod,
  withVariable,
} from './profile-store.ts';
import { homePath } from './secret-sources.ts';
import type { RequestParts, Session, SessionParts } from './session.ts';
import {
  type Credentials,
  detectPrefix,
  refreshToken,
  type SignedIn,
  signIn,
  type TokenHolder,
  tokenHolder,
} from './sign-in.ts';
import {
  type CachedToken,
  environmentTokenPath,
  openTokenCache,
  type Renewals,
  type TokenCache,
  TokenKeeper,
} from './token-cache.ts';

/** `from` is the variable or library option. */
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
 * Reads the first of a token, an API key, or a user with password and account. Throws `Failure` (`usage`) unless the
 * account is given exactly once (Authentication 3).
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
    throw new Failure('usage', 'TELCTL_USERNAME requires an account. Set exactly one of its variables.', {
      hint: identifiers.map(([name]) => name).join(', '),
    });
  }
  const credentials = { kind: 'password', username, password, identifier, hash: 'md5' } as const;
  return { kind: 'credentials', credentials, from: 'TELCTL_PASSWORD' };
}

/** Throws `Failure` (`usage`) if several variables name an account. */
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

/** Distinguishes the tokens of different identities. */
export function identityKey(identity: EnvironmentIdentity): string {
  if (identity.kind === 'token') return `token ${identity.token}`;
  const { credentials } = identity;
  if (credentials.kind === 'api-key') return `key ${credentials.apiKey}`;
  const where =
    credentials.kind === 'password' ? Object.values(credentials.identifier).join(' ') : credentials.accountId;
  return `user ${credentials.username.toLowerCase()} ${where}`;
}

export interface SessionMemory {
  readonly cache: TokenCache;
  readonly facts: FactKeeper;
}

const openFileMemory = (
  { host, warn }: SessionParts,
  baseUrl: string,
  identity: EnvironmentIdentity,
): SessionMemory => ({
  cache: openTokenCache(host, environmentTokenPath(host, baseUrl, identityKey(identity)), warn),
  facts: cachedFacts(host, baseUrl),
});

/** Asks the service for the holder of the token, unless it is cached. */
export async function environmentSession(
  parts: SessionParts,
  baseUrl: string,
  identity: EnvironmentIdentity,
  kept: SessionMemory = openFileMemory(parts, baseUrl, identity),
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

/** A session without the parts that its run or program adds. */
export type IdentitySession = Omit<Session, 'settings' | 'profileSource' | 'secretPlaces'>;

export async function identitySession(
  parts: RequestParts,
  baseUrl: string,
  identity: EnvironmentIdentity,
  { cache, facts }: SessionMemory,
): Promise<IdentitySession> {
  const { prefix: prefixSetting } = parts.settings;
  const signIns = new IdentitySignIn(parts, baseUrl, identity);
  const tokens = new TokenKeeper(parts.host.clock, cache, signIns);
  const first = await firstToken(tokens, signIns);
  const { who, prefix = '/v2' } = first;
  if (who === undefined) throw refusedSecretFailure(identity.from);
  const profile: Profile = {
    name: environmentName,
    baseUrl,
    prefix: prefixSetting.value ?? prefix,
    ...who,
    ...signInFields(identity),
  };
  const storeSignIn = async (credentials: Credentials): Promise<void> =>
    void tokens.store({ ...first, ...(await signIn(parts, baseUrl, credentials)).token });
  return {
    profile,
    fromEnvironment: true,
    ...facts,
    token: async () => (identity.kind === 'token' ? identity.token : (await tokens.token()).token),
    async renew(rejected) {
      if (identity.kind === 'token') {
        cache.forget();
        throw refusedSecretFailure(identity.from);
      }
      return (await tokens.renew(rejected)).token;
    },
    storedToken: () => tokens.current(),
    async refresh() {
      const fresh = await refreshToken(parts, baseUrl, (await tokens.token()).token);
      tokens.store({ ...first, ...fresh.token });
      return fresh.token;
    },
    signInAgain: async () => tokens.renew(tokens.current()?.token ?? ''),
    async passwordChanged(password) {
      if (identity.kind === 'credentials' && identity.credentials.kind === 'password')
        await storeSignIn({ ...identity.credentials, password });
    },
    async keyRotated(apiKey) {
      if (profile.method === 'api-key') await storeSignIn({ kind: 'api-key', apiKey });
    },
  };
}

class IdentitySignIn implements Renewals {
  readonly #parts: RequestParts;
  readonly #baseUrl: string;
  readonly identity: EnvironmentIdentity;

  constructor(parts: RequestParts, baseUrl: string, identity: EnvironmentIdentity) {
    this.#parts = parts;
    this.#baseUrl = baseUrl;
    this.identity = identity;
  }

  async refresh(token: string): Promise<CachedToken> {
    return (await refreshToken(this.#parts, this.#baseUrl, token)).token;
  }

  async signIn(): Promise<CachedToken> {
    const { identity } = this;
    if (identity.kind === 'token') throw refusedSecretFailure(identity.from);
    try {
      return await this.withFacts(await signIn(this.#parts, this.#baseUrl, identity.credentials));
    } catch (error) {
      throw error instanceof Failure && error.kind === 'auth' ? withVariable(error, identity.from) : error;
    }
  }

  askAndSignIn(): Promise<CachedToken> {
    return this.signIn();
  }

  /** Adds facts that a profile would contain. */
  async withFacts(signedIn: SignedIn): Promise<CachedToken> {
    const { prefix } = this.#parts.settings;
    return {
      ...signedIn.token,
      who: signedIn.who,
      prefix: prefix.value ?? (await detectPrefix(this.#parts, this.#baseUrl, signedIn)),
    };
  }

  /** Throws `Failure` (`auth`) if the service refuses the token. */
  async holder(token: string): Promise<TokenHolder> {
    try {
      return await tokenHolder(this.#parts, this.#baseUrl, token);
    } catch (error) {
      throw error instanceof Failure && error.kind === 'auth'
        ? refusedSecretFailure(this.identity.from, error)
        : error;
    }
  }

  /** The lifetime of a given token is unknown. It is used until the service refuses it. */
  async givenToken(token: string): Promise<CachedToken> {
    const issuedAtMs = this.#parts.host.clock.now();
    const stored = { token, issuedAtMs, expiresAtMs: Number.MAX_SAFE_INTEGER };
    return this.withFacts({ token: stored, who: await this.holder(token) });
  }
}

async function firstToken(tokens: TokenKeeper, signIns: IdentitySignIn): Promise<CachedToken> {
  const cached = tokens.current();
  if (cached?.who !== undefined) return cached;
  const { identity } = signIns;
  return identity.kind === 'credentials'
    ? tokens.token()
    : tokens.store(await signIns.givenToken(identity.token));
}

function signInFields(
  identity: EnvironmentIdentity,
): Pick<Profile, 'method' | 'username' | 'identifier' | 'keyStore'> {
  if (identity.kind === 'token') return { method: 'token', keyStore: 'none' };
  const { credentials } = identity;
  const method: SignInMethod = credentials.kind;
  if (credentials.kind === 'api-key') return { method, keyStore: 'none' };
  const named = credentials.kind === 'password' ? { identifier: credentials.identifier } : {};
  return { method, keyStore: 'none', username: credentials.username, ...named };
}
