import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { clusterId, credentialDigests } from '../ids-and-secrets.ts';

test('a user can sign in with MD5 or SHA-1 and the name, realm or phone number of the account', async () => {
  const { call, seed } = await calledSandbox();
  const { md5, sha } = credentialDigests('admin', seed.adminPassword);
  const ways = [
    { credentials: md5, account_name: 'acme' },
    { credentials: md5, method: 'md5', account_name: 'ACME' },
    { credentials: sha, method: 'sha', account_realm: 'acme.sandbox.example' },
    { credentials: md5, phone_number: seed.phoneNumber },
  ];
  for (const data of ways) {
    const reply = await call('PUT', '/v2/user_auth', { data });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      status: 'success',
      auth_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      data: { account_id: seed.accountId, owner_id: seed.adminUserId, language: 'en-US', is_reseller: false },
    });
  }
});

test('two identifiers return 400', async () => {
  const { call, seed } = await calledSandbox();
  const credentials = credentialDigests('admin', seed.adminPassword).md5;
  const data = { credentials, account_name: 'acme', account_realm: seed.accountRealm };
  const reply = await call('PUT', '/v2/user_auth', { data });
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ status: 'error', error: '400', message: 'validation error' });
  expect(reply.data).toHaveProperty('account_realm.superfluous');
});

test('with several identifiers, the realm has priority over the name', async () => {
  const { call, seed, adminToken } = await calledSandbox({ like: 'kazoo' });
  const below = { name: 'below', realm: 'below.example.com' };
  await call('PUT', `/v2/accounts/${seed.accountId}`, { token: await adminToken(), data: below });
  const credentials = credentialDigests('admin', seed.adminPassword).md5;
  for (const [account_name, account_realm, status] of [
    ['below', seed.accountRealm, 201],
    ['acme', below.realm, 401],
    ['acme', 'none.example.com', 201],
  ] as const) {
    const named = { account_name, account_realm };
    const reply = await call('PUT', '/v2/user_auth', { data: { credentials, ...named } });
    expect(reply.status, account_realm).toBe(status);
    if (status === 401) continue;
    expect(reply.data).toMatchObject({ account_id: seed.accountId, cluster_id: clusterId });
  }
});

test.each([
  ['a wrong password', { credentials: credentialDigests('admin', 'wrong').md5, account_name: 'acme' }],
  ['an unknown account', { credentials: credentialDigests('admin', 'wrong').md5, account_name: 'nobody' }],
  ['no account at all', { credentials: credentialDigests('admin', 'wrong').md5 }],
])('%s is refused with 401', async (_, data) => {
  const { call } = await calledSandbox();
  const reply = await call('PUT', '/v2/user_auth', { data });
  expect(reply.status).toBe(401);
  expect(reply.body).toMatchObject({ error: '401', message: 'invalid_credentials' });
});

test('an API key signs in to its account, and an unknown key returns 404', async () => {
  const { call, seed } = await calledSandbox();
  const good = await call('PUT', '/v2/api_auth', { data: { api_key: seed.apiKey } });
  expect(good.status).toBe(201);
  expect(good.data).toMatchObject({ account_id: seed.accountId, owner_id: seed.adminUserId });
  const bad = await call('PUT', '/v2/api_auth', { data: { api_key: 'f'.repeat(64) } });
  expect(bad.status).toBe(404);
  expect(bad.body).toMatchObject({ message: 'bad_identifier' });
});

test('HTTP Basic accepts the account id and the MD5 digest', async () => {
  const { call, seed } = await calledSandbox();
  const basic = (hash: string) => `Basic ${Buffer.from(`${seed.accountId}:${hash}`).toString('base64')}`;
  const path = `/v2/accounts/${seed.accountId}/users`;
  const authorization = basic(credentialDigests('admin', seed.adminPassword).md5);
  expect((await call('GET', path, { headers: { authorization } })).status).toBe(200);
  const wrong = { authorization: basic(credentialDigests('admin', 'no').md5) };
  expect((await call('GET', path, { headers: wrong })).status).toBe(401);
});

test('HTTP Basic refuses disabled users and users of a disabled account', async () => {
  const { call, seed, adminToken, superToken } = await calledSandbox();
  const data = { username: 'ann', password: 'first-sign-in', first_name: 'Ann', last_name: 'Archer' };
  const account = `/v2/accounts/${seed.accountId}`;
  const made = await call('PUT', `${account}/users`, { token: await adminToken(), data });
  const hash = credentialDigests('ann', data.password).md5;
  const authorization = `Basic ${Buffer.from(`${seed.accountId}:${hash}`).toString('base64')}`;
  const path = `${account}/users/${made.at('data.id')}`;
  const read = async () => (await call('GET', path, { headers: { authorization } })).status;
  const token = await superToken();
  expect(await read()).toBe(200);
  for (const place of [path, account])
    for (const enabled of [false, true]) {
      expect((await call('PATCH', place, { token, data: { enabled } })).status).toBe(200);
      expect(await read()).toBe(enabled ? 200 : 401);
    }
});

test('a plain user of the topmost account cannot reset the system secret', async () => {
  const { call, superToken, tokenOf } = await calledSandbox();
  const token = await superToken();
  const { data: own } = await call('GET', `/v2/auth/tokeninfo?token=${token}`, { token });
  const users = `/v2/accounts/${String(Object(own).account_id)}/users`;
  const data = { username: 'ann', password: 'first-sign-in', first_name: 'Ann', last_name: 'Archer' };
  expect((await call('PUT', users, { token, data })).status).toBe(201);
  const plain = await tokenOf('ann', data.password, 'platform');
  const body = { action: 'reset_signature_secret', data: {} };
  expect((await call('PUT', '/v2/auth', { token: plain, body })).status).toBe(403);
  expect((await call('GET', users, { token })).status).toBe(200);
});

test('token information describes the holder of a token in the query or the body', async () => {
  const { call, seed, adminToken } = await calledSandbox();
  const token = await adminToken();
  const who = { account_id: seed.accountId, owner_id: seed.adminUserId, account_name: 'acme' };
  const byBody = await call('POST', '/v2/auth/tokeninfo', { token, data: { token } });
  expect(byBody.data).toMatchObject(who);
  const byAddress = await call('GET', `/v2/auth/tokeninfo?token=${token}`, { token });
  expect(byAddress.data).toMatchObject(who);
  expect((await call('POST', '/v2/auth/tokeninfo', { token, data: { token: 'x.y.z' } })).status).toBe(401);
});
