import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Clock, Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { StoredToken } from './profile-store.ts';
import { readSecretFile } from './secret-sources.ts';
import type { Who } from './sign-in.ts';

/** A token in its file; tokens of the environment carry what a profile would say. */
export interface CachedToken extends StoredToken {
  readonly who?: Who;
  readonly prefix?: string;
}

/** The file that keeps one token from run to run. */
export interface TokenCache {
  readonly path: string;
  /** The kept token; `undefined` where there is none, or none that can be read. */
  read(): CachedToken | undefined;
  /** Stores a token. If that fails, warns once and goes on without. */
  write(token: CachedToken): void;
  forget(): void;
  /** Runs `work` alone among all telctl processes of this user; without a lock if none can be had. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export const profileTokenPath = ({ folders }: Pick<Host, 'folders'>, name: string): string =>
  join(folders.config, 'tokens', `${name}.json`);

/** Returns the path of the token of environment variables: named by service and by who signs in, both hashed. */
export function environmentTokenPath(
  { folders }: Pick<Host, 'folders'>,
  baseUrl: string,
  who: string,
): string {
  const name = createHash('sha256').update(`${baseUrl}\n${who}`).digest('hex');
  return join(folders.cache, 'tokens', `env-${name}.json`);
}

/** Opens the cache of one token. `warn` gets a line about a file that is open to others, damaged or not writable. */
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
        warnOnce(`The token cannot be kept in ${path} (${reasonOf(error)}); each command signs in again.`);
      }
    },
    forget() {
      files.remove(path);
    },
    async alone(work) {
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
        // Only trouble with the lock itself is passed over: the token is worth more than its file.
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
    alone: (work) => work(),
  };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

function parseToken(value: JsonObject): CachedToken | undefined {
  const { token, issuedAtMs, expiresAtMs, who, prefix } = value;
  if (typeof token !== 'string' || typeof issuedAtMs !== 'number' || typeof expiresAtMs !== 'number')
    return undefined;
  return {
    token,
    issuedAtMs,
    expiresAtMs,
    ...(isWho(who) ? { who } : {}),
    ...(typeof prefix === 'string' ? { prefix } : {}),
  };
}

const isWho = (value: unknown): value is Who =>
  typeof value === 'object' && value !== null && 'accountId' in value && typeof value.accountId === 'string';

/** The ways to a new token, tried in this order. */
export interface Renewals {
  /** Exchanges a token that still lives. */
  refresh(token: string): Promise<CachedToken>;
  /** Signs in with what is stored or in the environment; `undefined` where that is nothing. */
  signIn(): Promise<CachedToken | undefined>;
  /** Signs in with what a person types; throws `Failure` (`auth`) where nobody can be asked. */
  askAndSignIn(): Promise<CachedToken>;
}

/** A token is exchanged this long before its end (Authentication 2). */
const renewAheadMs = 600_000;

/** One token, held in memory and in its file, and renewed when it is due. */
export function keepToken(clock: Clock, cache: TokenCache, renewals: Renewals) {
  let memory: CachedToken | undefined;
  let renewal: Promise<CachedToken> | undefined;

  /** The token held now, dead or alive. */
  const held = (): CachedToken | undefined => {
    memory ??= cache.read();
    return memory;
  };
  const lives = (token: StoredToken): boolean => clock.now() < token.expiresAtMs;
  const isFresh = (token: StoredToken): boolean => clock.now() < token.expiresAtMs - renewAheadMs;
  const take = (token: CachedToken): CachedToken => {
    memory = token;
    return token;
  };
  /** Takes over a token, whoever got it. */
  const keep = (token: CachedToken): CachedToken => {
    cache.write(token);
    return take(token);
  };

  /** One renewal at a time in this process, and one among all processes. */
  const once = (work: () => Promise<CachedToken | undefined>): Promise<CachedToken> => {
    renewal ??= renewAlone(work).finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
  const renewAlone = async (work: () => Promise<CachedToken | undefined>): Promise<CachedToken> =>
    // A person is asked outside the lock, so that other processes do not wait for somebody to type.
    (await cache.alone(work)) ?? keep(await renewals.askAndSignIn());

  const signIn = async (): Promise<CachedToken | undefined> => {
    const fresh = await renewals.signIn();
    return fresh && keep(fresh);
  };

  return {
    held,
    keep,
    /** A token that should work, renewed ahead or newly made. Many callers at once share one renewal. */
    async token(): Promise<CachedToken> {
      const mine = held();
      if (mine !== undefined && isFresh(mine)) return mine;
      return once(async () => {
        const newest = cache.read() ?? mine;
        if (newest === undefined || !lives(newest)) return signIn();
        if (isFresh(newest)) return take(newest);
        return (await refreshed(newest)) ?? signIn();
      });
    },
    /** A token other than `rejected`, which the service refused. */
    async renew(rejected: string): Promise<CachedToken> {
      if (memory !== undefined && memory.token !== rejected && lives(memory)) return memory;
      return once(async () => {
        const newest = cache.read();
        return newest !== undefined && newest.token !== rejected && isFresh(newest) ? take(newest) : signIn();
      });
    },
  };

  /** The exchanged token; the old one where the service cannot be reached for it, nothing where it was revoked. */
  async function refreshed(token: CachedToken): Promise<CachedToken | undefined> {
    try {
      return keep({ ...token, ...(await renewals.refresh(token.token)) });
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
      if (error.kind === 'auth') return undefined;
      return take(token);
    }
  }
}

/** Returns the claims of a signed token, unchecked; `undefined` for text that is no signed token. */
export function claimsOf(token: string): JsonObject | undefined {
  const [, payload = ''] = token.split('.');
  try {
    const claims: Json = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
