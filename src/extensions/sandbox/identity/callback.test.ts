import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { type Forgery, forgingProvider } from '../../../../test/support/forging-provider.ts';

async function withProvider() {
  const sandbox = await calledSandbox();
  const { call } = sandbox;
  const token = await sandbox.adminToken();
  const provider = await forgingProvider('acme-app');
  const app = { client_id: 'acme-app', provider: 'google', secret: 'app-secret' };
  await call('PUT', '/v2/auth/apps', { token, data: app });
  const setProvider = async (changes: Readonly<Record<string, string | boolean>> = {}) =>
    call('POST', '/v2/auth/providers/google', {
      token: await sandbox.superToken(),
      data: { id: 'google', discovery: provider.discovery, issuer_domains: [provider.issuer], ...changes },
    });
  expect((await setProvider()).status).toBe(200);
  const redeem = (code: string, more: Readonly<Record<string, string>> = {}) =>
    call('PUT', '/v2/auth/callback', {
      data: {
        client_id: 'acme-app',
        provider: 'google',
        redirect_uri: 'http://127.0.0.1:4000/callback',
        code,
        ...more,
      },
    });
  const signIn = (sub = 'ann') => redeem(provider.code({ sub, nonce: 'n' }), { nonce: 'n' });
  const authorize = async (data: Readonly<Record<string, string>>) =>
    call('PUT', '/v2/auth/authorize', { data });
  return { ...sandbox, token, provider, setProvider, redeem, signIn, authorize };
}

const link = '/v2/auth/links/google-ann';

test('an identity can only sign in while it is linked to a user', async () => {
  const { call, token, seed, signIn } = await withProvider();
  const unlinked = await signIn();
  expect(unlinked.status).toBe(201);
  expect(unlinked.data).toEqual({});
  expect((await call('GET', link, { token })).status).toBe(404);
  expect((await call('PUT', link, { token, data: {} })).data).toMatchObject({
    email: 'ann@mail.example',
    verified_email: true,
    display_name: 'Name of ann',
    scopes: ['openid', 'email'],
  });
  expect((await call('GET', '/v2/auth/links', { token })).data).toMatchObject([{ app: 'acme-app' }]);
  const linked = await signIn();
  expect(linked.data).toMatchObject({ account_id: seed.accountId, owner_id: seed.adminUserId });
  const own = linked.at('auth_token');
  expect((await call('GET', `/accounts/${seed.accountId}/users`, { token: own })).status).toBe(200);
  expect((await call('DELETE', link, { token })).status).toBe(200);
  expect((await signIn()).data).toEqual({});
});

test('a disabled user or account cannot sign in', async () => {
  const { call, seed, signIn, authorize, provider, superToken, tokenOf } = await withProvider();
  const users = `/v2/accounts/${seed.accountId}/users`;
  const superior = await superToken();
  const ann = { username: 'ann', password: 'first-sign-in', first_name: 'Ann', last_name: 'Archer' };
  const id = (await call('PUT', users, { token: superior, data: ann })).at('data.id');
  await signIn();
  const own = await tokenOf('ann', ann.password);
  expect((await call('PUT', link, { token: own, data: {} })).status).toBe(201);
  const ways = [
    signIn,
    async () => authorize({ token: await provider.token({ sub: 'ann' }), provider: 'google' }),
  ];
  for (const path of [`${users}/${id}`, `/v2/accounts/${seed.accountId}`])
    for (const enabled of [false, true]) {
      expect((await call('PATCH', path, { token: superior, data: { enabled } })).status).toBe(200);
      for (const way of ways) {
        const reply = await way();
        expect(reply.status, `${path} ${enabled}: ${reply.text}`).toBe(enabled ? 201 : 401);
        if (!enabled) expect(reply.text).not.toContain('auth_token');
      }
    }
});

test('the token of an unlinked identity names its link and gives no access', async () => {
  const { call, seed, signIn } = await withProvider();
  const token = (await signIn()).at('auth_token');
  expect(decodeJwt(token)).toMatchObject({ auth_id: 'google-ann' });
  for (const path of ['/v2/auth/links', `/accounts/${seed.accountId}/users`]) {
    expect((await call('GET', path, { token })).status).toBe(401);
  }
});

test('a link of another user cannot be read or taken over', async () => {
  const { call, token, superToken, signIn } = await withProvider();
  await signIn();
  await call('PUT', link, { token, data: {} });
  const other = await superToken();
  expect((await call('GET', link, { token: other })).status).toBe(404);
  expect((await call('PUT', link, { token: other, data: {} })).status).toBe(403);
});

test.each<readonly [string, Forgery]>([
  ['a foreign signature', { foreignKey: true }],
  ['a foreign issuer', { claims: { iss: 'https://elsewhere.example' } }],
  ['another audience', { claims: { aud: 'other-app' } }],
  ['another nonce', { claims: { nonce: 'other' } }],
  ['an end that has passed', { claims: { exp: Math.floor(Date.now() / 1000) - 60 } }],
])('an ID token with %s is refused and creates no link', async (_, forgery) => {
  const { call, token, provider, signIn } = await withProvider();
  provider.forge(forgery);
  const reply = await signIn();
  expect(reply.status, reply.text).toBe(401);
  expect((await call('PUT', link, { token, data: {} })).status).toBe(404);
});

test('the nonce of an ID token must match the sent nonce', async () => {
  const { provider, redeem } = await withProvider();
  expect((await redeem(provider.code({ sub: 'ann' }), { nonce: 'n' })).status).toBe(401);
  expect((await redeem(provider.code({ sub: 'ann', nonce: 'n' }))).status).toBe(401);
  expect((await redeem(provider.code({ sub: 'ann' }))).status).toBe(201);
});

test('the PKCE verifier is sent to the provider, and a code can be used once', async () => {
  const { provider, redeem } = await withProvider();
  const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url');
  const bound = () => provider.code({ sub: 'ann', challenge });
  expect((await redeem(bound())).status).toBe(401);
  expect((await redeem(bound(), { code_verifier: 'w'.repeat(43) })).status).toBe(401);
  const code = bound();
  expect((await redeem(code, { code_verifier: 'v'.repeat(43) })).status).toBe(201);
  expect((await redeem(code, { code_verifier: 'v'.repeat(43) })).status).toBe(401);
});

test('missing fields return 400, and unknown or disabled applications and providers return 401', async () => {
  const { call, provider, redeem, setProvider, signIn } = await withProvider();
  const empty = await call('PUT', '/v2/auth/callback', { data: { provider: 'google' } });
  expect(empty.status).toBe(400);
  expect(Object.keys(Object(empty.data))).toEqual(['client_id', 'code', 'redirect_uri']);
  const code = () => provider.code({ sub: 'ann' });
  expect((await redeem(code(), { client_id: 'nobody' })).status).toBe(401);
  expect((await redeem(code(), { provider: 'office365' })).status).toBe(401);
  await setProvider({ enabled: false });
  expect((await signIn()).status).toBe(401);
});

test('a provider needs https or this machine, and returns 503 if it is unreachable', async () => {
  const { setProvider, signIn } = await withProvider();
  await setProvider({ discovery: 'http://accounts.example/.well-known/openid-configuration' });
  expect((await signIn()).status).toBe(401);
  await setProvider({ discovery: 'http://127.0.0.1:1/.well-known/openid-configuration' });
  expect((await signIn()).status).toBe(503);
});

test("an issuer that the provider's record does not list is refused", async () => {
  const { call, superToken, provider, signIn } = await withProvider();
  const data = { id: 'google', discovery: provider.discovery, issuer_domains: ['accounts.example'] };
  await call('POST', '/v2/auth/providers/google', { token: await superToken(), data });
  expect((await signIn()).status).toBe(401);
});

test('an ID token authorizes only the user it is linked to', async () => {
  const { call, token, seed, provider, authorize } = await withProvider();
  const good = await provider.token({ sub: 'ann' });
  expect((await authorize({ token: good })).data).toEqual({});
  await call('PUT', link, { token, data: {} });
  for (const data of [{ token: good }, { token: good, provider: 'google' }]) {
    const reply = await authorize(data);
    expect(reply.data).toMatchObject({ owner_id: seed.adminUserId });
    expect(reply.at('auth_token')).not.toBe('');
  }
  const forged = await Promise.all([
    provider.token({ sub: 'ann' }, { foreignKey: true }),
    provider.token({ sub: 'ann', aud: 'other-app' }),
    provider.token({ sub: 'ann', aud: ['acme-app', 'other-app'], azp: 'other-app' }),
    provider.token({ sub: 'ann', iss: 'https://elsewhere.example' }),
    provider.token({ sub: 'ann', exp: 1 }),
  ]);
  for (const bad of [...forged, token, 'no token']) {
    expect((await authorize({ token: bad, provider: 'google' })).status).toBe(401);
    expect((await authorize({ token: bad })).status).toBe(401);
  }
  expect((await authorize({})).status).toBe(400);
  const alone = async (app: string, more: { readonly token?: string } = {}) =>
    call('PUT', '/v2/auth/authorize', { ...more, data: { app } });
  expect((await alone('acme-app')).status).toBe(401);
  expect((await alone('nobody', { token })).status).toBe(401);
  expect((await alone('acme-app', { token })).data).toMatchObject({ account_id: seed.accountId });
});
