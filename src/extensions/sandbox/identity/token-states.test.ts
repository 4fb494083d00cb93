import { decodeProtectedHeader } from 'jose';
import { expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { minuteMs, seededRandom } from '../../../../test/support/clock.ts';

const person = (username: string, priv_level = 'user') => ({
  username,
  password: 'secret-1',
  first_name: username,
  last_name: 'X',
  priv_level,
});

/** A sandbox with tokens of every kind: who holds them, and whether they are good. */
async function tokensOfAll() {
  const sandbox = await calledSandbox();
  const { call, seed } = sandbox;
  const [superior, admin, key] = [
    await sandbox.superToken(),
    await sandbox.adminToken(),
    await sandbox.keyToken(),
  ];
  const users = `/v2/accounts/${seed.accountId}/users`;
  const made = await call('PUT', users, { token: admin, data: person('alice') });
  const alice = await sandbox.tokenOf('alice', 'secret-1');
  const tokens = { superior, admin, key, alice };
  const living = async (): Promise<readonly string[]> => {
    const states = await Promise.all(
      Object.entries(tokens).map(async ([name, token]) => {
        const { status } = await call('GET', '/v2/webhooks', { token });
        expect([200, 401]).toContain(status);
        return status === 200 ? [name] : [];
      }),
    );
    return states.flat();
  };
  return { ...sandbox, tokens, living, aliceId: made.at('data.id'), users };
}

const everyone = ['superior', 'admin', 'key', 'alice'];
const action = (name: string) => ({ action: name, data: {} });
const secretReset = action('reset_signature_secret');

async function keyId({ call }: CalledSandbox, token: string): Promise<string> {
  const { data } = await call('GET', '/v2/auth/keys', { token });
  return String(Array.isArray(data) ? data[0] : '');
}

test('a token is signed with RS256 and names its key', async () => {
  const sandbox = await calledSandbox();
  const token = await sandbox.adminToken();
  expect(decodeProtectedHeader(token)).toEqual({
    alg: 'RS256',
    typ: 'JWT',
    kid: await keyId(sandbox, token),
  });
});

test('a token expires after an hour', async () => {
  const { clock, living } = await tokensOfAll();
  clock.turn(59 * minuteMs);
  expect(await living()).toEqual(everyone);
  clock.turn(minuteMs);
  expect(await living()).toEqual([]);
});

test('a refreshed token expires later than the old one', async () => {
  const { call, clock, tokens } = await tokensOfAll();
  clock.turn(50 * minuteMs);
  for (const token of [tokens.admin, tokens.key]) {
    const refreshed = await call('PUT', '/v2/auth', { token, body: action('refresh_token') });
    expect(refreshed.status).toBe(201);
    clock.turn(11 * minuteMs);
    expect((await call('GET', '/v2/webhooks', { token })).status).toBe(401);
    expect((await call('GET', '/v2/webhooks', { token: refreshed.at('auth_token') })).status).toBe(200);
    clock.turn(-11 * minuteMs);
  }
});

test('only the super administrator can reset the system secret, which ends all tokens', async () => {
  const { call, tokens, living, adminToken } = await tokensOfAll();
  const refused = await call('PUT', '/v2/auth', { token: tokens.admin, body: secretReset });
  expect(refused.status).toBe(403);
  expect(await living()).toEqual(everyone);
  const done = await call('PUT', '/v2/auth', { token: tokens.superior, body: secretReset });
  expect(done.status).toBe(201);
  expect(done.data).toEqual({});
  expect(await living()).toEqual([]);
  expect((await call('GET', '/v2/webhooks', { token: await adminToken() })).status).toBe(200);
});

test('a reset of the private key ends all tokens under the same key id', async () => {
  const sandbox = await tokensOfAll();
  const { call, tokens, living } = sandbox;
  const id = await keyId(sandbox, tokens.superior);
  const body = action('reset_private_key');
  expect((await call('PUT', `/v2/auth/keys/${id}`, { token: tokens.admin, body })).status).toBe(403);
  expect((await call('PUT', `/v2/auth/keys/${id}`, { token: tokens.superior, body })).status).toBe(201);
  expect(await living()).toEqual([]);
  expect(await keyId(sandbox, await sandbox.superToken())).toBe(id);
});

test("a reset of an account's secret only ends the tokens of its API key", async () => {
  const { call, tokens, living, seed, keyToken } = await tokensOfAll();
  const path = `/v2/accounts/${seed.accountId}/auth`;
  expect((await call('PUT', path, { token: tokens.alice, body: secretReset })).status).toBe(403);
  expect((await call('PUT', path, { token: tokens.admin, body: secretReset })).status).toBe(201);
  expect(await living()).toEqual(['superior', 'admin', 'alice']);
  expect(await keyToken()).toBeTruthy();
});

test("a reset of a user's secret only ends that user's tokens, and users can reset their own", async () => {
  const { call, tokens, living, users, aliceId, seed } = await tokensOfAll();
  const others = `${users}/${seed.adminUserId}/auth`;
  expect((await call('PUT', others, { token: tokens.alice, body: secretReset })).status).toBe(403);
  const own = `${users}/${aliceId}/auth`;
  expect((await call('PUT', own, { token: tokens.alice, body: secretReset })).status).toBe(201);
  expect(await living()).toEqual(['superior', 'admin', 'key']);
  const refresh = await call('PUT', '/v2/auth', { token: tokens.alice, body: action('refresh_token') });
  expect(refresh.status).toBe(401);
});

test.each([
  ['a new password', { password: 'secret-2' }],
  ['being disabled', { enabled: false }],
])('%s only ends the tokens of the user', async (_, data) => {
  const { call, tokens, living, users, aliceId } = await tokensOfAll();
  await call('PATCH', `${users}/${aliceId}`, { token: tokens.admin, data: { email: 'a@acme.example' } });
  expect(await living()).toEqual(everyone);
  expect((await call('PATCH', `${users}/${aliceId}`, { token: tokens.admin, data })).status).toBe(200);
  expect(await living()).toEqual(['superior', 'admin', 'key']);
  const refresh = await call('PUT', '/v2/auth', { token: tokens.alice, body: action('refresh_token') });
  expect(refresh.status).toBe(401);
});

test('the tokens of a deleted user are refused', async () => {
  const { call, tokens, living, users, aliceId } = await tokensOfAll();
  await call('DELETE', `${users}/${aliceId}`, { token: tokens.admin });
  expect(await living()).toEqual(['superior', 'admin', 'key']);
});

test('all tokens of a disabled account are refused, and its users cannot sign in', async () => {
  const { call, tokens, living, seed } = await tokensOfAll();
  const path = `/v2/accounts/${seed.accountId}`;
  expect((await call('PATCH', path, { token: tokens.admin, data: { enabled: false } })).data).toMatchObject({
    enabled: true,
  });
  await call('PATCH', path, { token: tokens.superior, data: { enabled: false } });
  expect(await living()).toEqual(['superior']);
  const signIn = await call('PUT', '/v2/api_auth', { data: { api_key: seed.apiKey } });
  expect(signIn.status).toBe(400);
  expect(signIn.data).toHaveProperty('account.disabled');
});

test('rotating an API key ends the old key and its tokens immediately', async () => {
  const { call, tokens, living, seed, keyToken } = await tokensOfAll();
  const path = `/v2/accounts/${seed.accountId}/api_key`;
  expect((await call('GET', path, { token: tokens.alice })).status).toBe(403);
  expect((await call('GET', path, { token: tokens.admin })).data).toEqual({ api_key: seed.apiKey });
  const rotated = await call('POST', path, { token: tokens.key, data: {} });
  expect(rotated.at('data.api_key')).toMatch(/^[0-9a-f]{64}$/);
  expect(await living()).toEqual(['superior', 'admin', 'alice']);
  expect((await call('PUT', '/v2/api_auth', { data: { api_key: seed.apiKey } })).status).toBe(404);
  expect(await keyToken(rotated.at('data.api_key'))).toBeTruthy();
});

test('a forged, foreign or truncated token is refused', async () => {
  const { call, tokens } = await tokensOfAll();
  const other = await calledSandbox({ random: seededRandom(8) });
  const [header = '', payload = ''] = tokens.alice.split('.');
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  const bad = [
    `${header}.${payload}.`,
    `${none}.${payload}.`,
    tokens.alice.slice(0, -4),
    await other.adminToken(),
  ];
  for (const token of bad) expect((await call('GET', '/v2/webhooks', { token })).status).toBe(401);
  expect((await call('GET', '/v2/webhooks')).status).toBe(401);
});
