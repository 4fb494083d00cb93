import { Failure } from '../../base/failure.ts';
import type { Clock } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { StoredToken } from './profile.ts';
import type { CachedToken, TokenCache } from './token-cache.ts';

/** The ways to a new token, tried in this order. */
export interface Renewals {
  /** Exchanges a token that still lives. */
  refresh(token: string): Promise<CachedToken>;
  /** Signs in with what is stored or in the environment; `undefined` where that is nothing. */
  signIn(): Promise<CachedToken | undefined>;
  /** Signs in with what a person types; throws `Failure` (`auth`) where nobody can be asked. */
  askAndSignIn(): Promise<CachedToken>;
}

/** One token, held in memory and in its file, and renewed when it is due. */
export interface TokenKeeper {
  /** The token held now, dead or alive. */
  held(): CachedToken | undefined;
  /** A token that should work, renewed ahead or newly made. Many callers at once share one renewal. */
  token(): Promise<CachedToken>;
  /** A token other than `rejected`, which the service refused. */
  renew(rejected: string): Promise<CachedToken>;
  /** Takes over a token that was got elsewhere. */
  keep(token: CachedToken): void;
}

/** A token is exchanged this long before its end (Authentication 2). */
const renewAheadMs = 600_000;

export function keepToken(clock: Clock, cache: TokenCache, renewals: Renewals): TokenKeeper {
  let memory: CachedToken | undefined;
  let renewal: Promise<CachedToken> | undefined;

  const held = (): CachedToken | undefined => {
    memory ??= cache.read();
    return memory;
  };
  const lives = (token: StoredToken): boolean => clock.now() < token.expiresAtMs;
  const isFresh = (token: StoredToken): boolean => clock.now() < token.expiresAtMs - renewAheadMs;
  const keep = (token: CachedToken): CachedToken => {
    memory = token;
    cache.write(token);
    return token;
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
    async token() {
      const mine = held();
      if (mine !== undefined && isFresh(mine)) return mine;
      return once(async () => {
        const newest = cache.read() ?? mine;
        if (newest === undefined || !lives(newest)) return signIn();
        if (isFresh(newest)) {
          memory = newest;
          return newest;
        }
        return (await refreshed(newest)) ?? signIn();
      });
    },
    async renew(rejected) {
      if (memory !== undefined && memory.token !== rejected && lives(memory)) return memory;
      return once(async () => {
        const newest = cache.read();
        if (newest !== undefined && newest.token !== rejected && isFresh(newest)) {
          memory = newest;
          return newest;
        }
        return signIn();
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
      memory = token;
      return token;
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
