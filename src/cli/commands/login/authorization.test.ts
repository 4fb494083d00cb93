import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { beginAuthorization, readCode, readPastedCode, type SignInPage } from './authorization.ts';

const page: SignInPage = {
  issuer: 'https://accounts.example',
  address: new URL('https://accounts.example/auth?tenant=one'),
  namesIssuer: true,
};
let count = 0;
const random = {
  bytes: (length: number) => Buffer.alloc(length, ++count),
  fraction: () => 0,
};
const begin = (pkce = true) =>
  beginAuthorization({ page, clientId: 'cli', redirectUri: 'http://127.0.0.1:4000/callback', random, pkce });

const good = (state: string) => ({ state, code: 'c0de', iss: page.issuer });

test('generates distinct state, nonce and verifier, and sends only the challenge', () => {
  const { address, state, nonce, codeVerifier = '' } = begin();
  const params = new URL(address).searchParams;
  expect(new Set([state, nonce, codeVerifier]).size).toBe(3);
  expect(params.get('tenant')).toBe('one');
  expect(params.get('code_challenge')).toBe(createHash('sha256').update(codeVerifier).digest('base64url'));
  expect(address).not.toContain(codeVerifier);
});

test('sends state and nonce without a challenge if PKCE is off', () => {
  const { address, codeVerifier } = begin(false);
  const params = new URL(address).searchParams;
  expect(codeVerifier).toBeUndefined();
  expect([...params.keys()].filter((name) => name.startsWith('code_'))).toEqual([]);
  expect(params.get('state')).not.toBe(params.get('nonce'));
});

test('accepts only a response with matching state, the right issuer and a code', () => {
  const authorization = begin();
  const answer = (changes: Readonly<Record<string, string | undefined>>) => {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...good(authorization.state), ...changes })) {
      if (value !== undefined) params.set(name, value);
    }
    return () => readCode(authorization, params);
  };
  expect(answer({})()).toBe('c0de');
  for (const [changes, says] of [
    [{ state: 'other' }, 'another sign-in'],
    [{ state: undefined }, 'another sign-in'],
    [{ iss: 'https://elsewhere.example' }, 'does not come from'],
    [{ iss: undefined }, 'does not come from'],
    [{ error: 'access_denied' }, 'access_denied'],
    [{ code: undefined }, 'has no code'],
    [{ code: '' }, 'has no code'],
  ] as const) {
    expect(answer(changes)).toThrow(says);
  }
});

test('accepts a pasted code, or a URL with a matching state', () => {
  const authorization = begin();
  const address = (state: string) => `http://127.0.0.1:8400/callback?${new URLSearchParams(good(state))}`;
  expect(readPastedCode(authorization, ' c0de\n')).toBe('c0de');
  expect(readPastedCode(authorization, address(authorization.state))).toBe('c0de');
  expect(() => readPastedCode(authorization, address('other'))).toThrow('another sign-in');
  expect(() => readPastedCode(authorization, ' ')).toThrow('No code was given');
});
