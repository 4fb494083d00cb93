import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Clock, Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { StoredToken } from './profile-store.ts';
import { readSecretFile } from './secret-sources.ts';
import type { TokenHolder } from './sign-in.ts';

/** Tokens of the environment include the facts that a profile would contain. */
export interface CachedToken extends StoredToken {
  readonly who?: TokenHolder;
  readonly prefix?: string;
}

export interface TokenCache {
  readonly path: string;
  /** Returns `undefined` if the token is missing or unreadable. */
  read(): CachedToken | undefined;
  /** Warns once and continues if the file cannot be written. */
  write(token: CachedToken): void;
  forget(): void;
  /** Locks across all telctl processes of this user. Runs `work` without a lock if locking fails. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

export const profileTokenPath = ({ folders }: Pick<Host, 'folders'>, name: string): string =>
  join(folders.config, 'tokens', `${name}.json`);

/** Returns a path with a hash of the service and of the identity. */
export function environmentTokenPath(
  { folders }: Pick<Host, 'folders'>,
  baseUrl: string,
  who: string,
): string {
  const name = createHash('sha256').update(`${baseUrl}\n${who}`).digest('hex');
  return join(folders.cache, 'tokens', `env-${name}.json`);
}

/** `warn` receives a line about a file that others can access, or that is damaged or read-only. */
export function openTokenCache(host: Host, path: string, warn: (line: string) => void): TokenCache {
  const { files } = host;
  const said = new Set<string>();
  const warnOnce = (line: string): void => {
    if (said.size === 0) warn(line);
    said.add(line);
  };
  return {
    path,
    read() {
      const file = readSecretFile(host, path);
      if (file.kind === 'none') return undefined;
      const token = file.kind === 'read' ? parseToken(file.value) : undefined;
      if (token === undefined) warnOnce(`The token in ${path} cannot be read; a new one takes its place.`);
      else if (file.kind === 'read') for (const line of file.trouble) warnOnce(line);
      return token;
    },
    write(token) {
      try {
        files.writePrivate(path, `${JSON.stringify(token)}\n`);
      } catch (error) {
        warnOnce(`The token cannot be kept in ${path} (${errorReason(error)}); each command signs in again.`);
      }
    },
    forget() {
      files.remove(path);
    },
    async exclusive(work) {
      let begun = false;
      try {
        return await files.withLock(
          path,
          () => {
            begun = true;
            return work();
          },
          { signal: host.interrupted },
        );
      } catch (error) {
        // Errors of the lock are ignored, because the token is still usable.
        if (begun) throw error;
        return work();
      }
    },
  };
}

export function memoryTokenCache(): TokenCache {
  let kept: CachedToken | undefined;
  return {
    path: '',
    read: () => kept,
    write(token) {
      kept = token;
    },
    forget() {
      kept = undefined;
    },
    exclusive: (work) => work(),
  };
}

const errorReason = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

function parseToken(value: JsonObject): CachedToken | undefined {
  const { token, issuedAtMs, expiresAtMs, who, prefix } = value;
  if (typeof token !== 'string' || typeof issuedAtMs !== 'number' || typeof expiresAtMs !== 'number')
    return undefined;
  return {
    token,
    issuedAtMs,
    expiresAtMs,
    ...(isTokenHolder(who) ? { who } : {}),
    ...(typeof prefix === 'string' ? { prefix } : {}),
  };
}

const isTokenHolder = (value: unknown): value is TokenHolder =>
  typeof value === 'object' && value !== null && 'accountId' in value && typeof value.accountId === 'string';

/** Methods to get a new token, tried in this order. */
export interface Renewals {
  refresh(token: string): Promise<CachedToken>;
  /** Uses stored credentials or those of the environment. Returns `undefined` if there are none. */
  signIn(): Promise<CachedToken | undefined>;
  /** Asks the user. Throws `Failure` (`auth`) without a terminal. */
  askAndSignIn(): Promise<CachedToken>;
}

/** Milliseconds before the expiry at which a token is exchanged (Authentication 2). */
const renewAheadMs = 600_000;

/** Keeps one token in memory and in its file, and renews it when necessary. */
export class TokenKeeper {
  readonly #clock: Clock;
  readonly #cache: TokenCache;
  readonly #renewals: Renewals;
  #memory: CachedToken | undefined;
  #renewal: Promise<CachedToken> | undefined;

  constructor(clock: Clock, cache: TokenCache, renewals: Renewals) {
    this.#clock = clock;
    this.#cache = cache;
    this.#renewals = renewals;
  }

  current(): CachedToken | undefined {
    this.#memory ??= this.#cache.read();
    return this.#memory;
  }

  store(token: CachedToken): CachedToken {
    this.#cache.write(token);
    return this.#remember(token);
  }

  /** Returns a valid token. Concurrent callers share one renewal. */
  async token(): Promise<CachedToken> {
    const mine = this.current();
    if (mine !== undefined && this.#isFresh(mine)) return mine;
    return this.#renewOnce(async () => {
      const newest = this.#cache.read() ?? mine;
      if (newest === undefined || !this.#isValid(newest)) return this.#signIn();
      if (this.#isFresh(newest)) return this.#remember(newest);
      return (await this.#exchange(newest)) ?? this.#signIn();
    });
  }

  async renew(rejected: string): Promise<CachedToken> {
    const mine = this.#memory;
    if (mine !== undefined && mine.token !== rejected && this.#isValid(mine)) return mine;
    return this.#renewOnce(async () => {
      const newest = this.#cache.read();
      return newest !== undefined && newest.token !== rejected && this.#isFresh(newest)
        ? this.#remember(newest)
        : this.#signIn();
    });
  }

  #isValid(token: StoredToken): boolean {
    return this.#clock.now() < token.expiresAtMs;
  }

  #isFresh(token: StoredToken): boolean {
    return this.#clock.now() < token.expiresAtMs - renewAheadMs;
  }

  #remember(token: CachedToken): CachedToken {
    this.#memory = token;
    return token;
  }

  #renewOnce(work: () => Promise<CachedToken | undefined>): Promise<CachedToken> {
    this.#renewal ??= this.#renewAlone(work).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renewAlone(work: () => Promise<CachedToken | undefined>): Promise<CachedToken> {
    // Asks without the lock, so that other processes do not wait for the user.
    return (await this.#cache.exclusive(work)) ?? this.store(await this.#renewals.askAndSignIn());
  }

  async #signIn(): Promise<CachedToken | undefined> {
    const fresh = await this.#renewals.signIn();
    return fresh && this.store(fresh);
  }

  /** Returns the new token, the old one if the service is unreachable, or `undefined` if the token was revoked. */
  async #exchange(token: CachedToken): Promise<CachedToken | undefined> {
    try {
      return this.store({ ...token, ...(await this.#renewals.refresh(token.token)) });
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
      if (error.kind === 'auth') return undefined;
      return this.#remember(token);
    }
  }
}

/** Decodes a signed token without checking the signature. Returns `undefined` for other text. */
export function decodeClaims(token: string): JsonObject | undefined {
  const [, payload = ''] = token.split('.');
  try {
    const claims: Json = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
