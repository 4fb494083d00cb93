import { expect, test } from 'vitest';
import { minuteMs, turnedClock } from '../../../test/support/clock.ts';
import { Failure } from '../../base/failure.ts';
import { type CachedToken, type Renewals, type TokenCache, TokenKeeper } from './token-cache.ts';

function setUp(renewals: Partial<Renewals> = {}, kept?: { readonly issuedMinutesAgo: number }) {
  const clock = turnedClock();
  const log: string[] = [];
  let made = 0;
  const fresh = (how: string): CachedToken => {
    made += 1;
    log.push(how);
    return { token: `${how}-${made}`, issuedAtMs: clock.now(), expiresAtMs: clock.now() + 60 * minuteMs };
  };
  const issuedAtMs = clock.now() - (kept?.issuedMinutesAgo ?? 0) * minuteMs;
  let stored: CachedToken | undefined = kept && {
    token: 'kept',
    issuedAtMs,
    expiresAtMs: issuedAtMs + 60 * minuteMs,
  };
  const cache: TokenCache = {
    path: 'token.json',
    read: () => stored,
    write: (token) => {
      stored = token;
    },
    forget: () => {
      stored = undefined;
    },
    exclusive: (work) => work(),
  };
  const keeper = new TokenKeeper(clock, cache, {
    refresh: async () => fresh('refresh'),
    signIn: async () => fresh('sign-in'),
    askAndSignIn: async () => fresh('asked'),
    ...renewals,
  });
  return { keeper, log, cache };
}

const refused = async (): Promise<never> => {
  throw new Failure('auth', 'revoked');
};
const unreachable = async (): Promise<never> => {
  throw new Failure('unavailable', 'down');
};

test('uses a fresh token as is', async () => {
  const { keeper, log } = setUp({}, { issuedMinutesAgo: 49 });
  expect((await keeper.token()).token).toBe('kept');
  expect(log).toEqual([]);
});

test('refreshes a 50-minute-old token once for many callers', async () => {
  const { keeper, log, cache } = setUp({}, { issuedMinutesAgo: 51 });
  const tokens = await Promise.all(Array.from({ length: 20 }, () => keeper.token()));
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
  expect(log).toEqual(['refresh']);
  expect(cache.read()?.token).toBe('refresh-1');
});

test('replaces an expired token instead of refreshing it', async () => {
  const { keeper, log } = setUp({}, { issuedMinutesAgo: 61 });
  await keeper.token();
  expect(log).toEqual(['sign-in']);
});

test('signs in if the service refuses the refresh', async () => {
  const { keeper, log } = setUp({ refresh: refused }, { issuedMinutesAgo: 55 });
  await keeper.token();
  expect(log).toEqual(['sign-in']);
});

test('keeps using a valid token if the refresh gets no response', async () => {
  const { keeper } = setUp({ refresh: unreachable }, { issuedMinutesAgo: 55 });
  expect((await keeper.token()).token).toBe('kept');
});

test('signs in once for many callers with a rejected token, including late ones', async () => {
  const { keeper, log } = setUp({}, { issuedMinutesAgo: 1 });
  await keeper.token();
  const tokens = await Promise.all(Array.from({ length: 20 }, () => keeper.renew('kept')));
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
  expect((await keeper.renew('kept')).token).toBe('sign-in-1');
  expect(log).toEqual(['sign-in']);
});

test('uses a token that another process renewed', async () => {
  const { keeper, log, cache } = setUp({}, { issuedMinutesAgo: 1 });
  const held = await keeper.token();
  cache.write({ ...held, token: 'of-another-process' });
  expect((await keeper.renew('kept')).token).toBe('of-another-process');
  expect(log).toEqual([]);
});

test('prompts once for many callers if no stored credentials can sign in', async () => {
  const { keeper, log } = setUp({ signIn: async () => undefined });
  await Promise.all([keeper.token(), keeper.token(), keeper.token()]);
  expect(log).toEqual(['asked']);
});

test('retries after a failed renewal', async () => {
  let tries = 0;
  const { keeper } = setUp({
    signIn: async () => {
      tries += 1;
      return tries === 1
        ? unreachable()
        : { token: 'second', issuedAtMs: 0, expiresAtMs: Number.MAX_SAFE_INTEGER };
    },
  });
  await expect(keeper.token()).rejects.toMatchObject({ kind: 'unavailable' });
  expect((await keeper.token()).token).toBe('second');
});
