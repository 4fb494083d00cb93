import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import type { SandboxMode } from '../differences.ts';

async function signedIn(parts: { readonly like?: SandboxMode | undefined } = {}) {
  const sandbox = await calledSandbox(parts);
  return { ...sandbox, token: await sandbox.adminToken(), account: `/accounts/${sandbox.seed.accountId}` };
}

test.each([
  {
    like: undefined,
    beside: { status: 'error', error: '404', data: { message: 'bad identifier', cause: 'none' } },
  },
  { like: 'specification', beside: {} },
] as const)(
  'reference operations return errors with a code, message and request id (mode $like)',
  async ({ like, beside }) => {
    const { call, token, account } = await signedIn({ like });
    const reply = await call('GET', `${account}/users/none/vcard`, {
      token,
      headers: { 'x-request-id': 'mine-1' },
    });
    expect(reply.status).toBe(404);
    expect(reply.headers['x-request-id']).toBe('mine-1');
    expect(reply.body).toEqual({
      code: 'bad_identifier',
      message: expect.any(String),
      request_id: 'mine-1',
      ...beside,
    });
  },
);

test('errors of authentication, limits and webhooks have the legacy envelope', async () => {
  const { call, token, account } = await signedIn();
  const reply = await call('GET', `/v2${account}/webhooks/none`, { token });
  expect(reply.status).toBe(404);
  expect(reply.body).toMatchObject({
    status: 'error',
    error: '404',
    message: 'bad_identifier',
    data: { cause: 'none' },
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    timestamp: '2025-01-15T09:00:00Z',
    version: '5.0.0',
    node: expect.any(String),
  });
});

test('a success response has the request id, the node and the version', async () => {
  const { call, token, account } = await signedIn();
  const reply = await call('GET', `${account}/users`, { token });
  expect(reply.body).toMatchObject({
    status: 'success',
    auth_token: token,
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    timestamp: '2025-01-15T09:00:00Z',
    version: '5.0.0',
    page_size: 1,
  });
});

test.each([
  ['an unknown path', 'GET', '/v2/nothing', {}, 404],
  ['a method that the path does not take', 'DELETE', '/v2/webhooks', {}, 405],
  ['a body that is not JSON', 'PUT', '/v2/api_auth', { body: '{"data":' }, 400],
  ['a body that is not an object', 'PUT', '/v2/api_auth', { body: '[]' }, 400],
  ['a body without data', 'PUT', '/v2/api_auth', { body: '{}' }, 400],
  ['data that is a text', 'PUT', '/v2/api_auth', { body: '{"data":"x"}' }, 400],
  [
    'another content type',
    'PUT',
    '/v2/api_auth',
    { body: 'a=b', headers: { 'content-type': 'text/plain' } },
    415,
  ],
  ['a body that is too large', 'PUT', '/v2/api_auth', { body: `"${'x'.repeat(8_000_001)}"` }, 413],
  ['no action', 'PUT', '/v2/auth', { body: '{"data":{}}', signed: true }, 400],
  ['an unknown action', 'PUT', '/v2/auth', { body: '{"action":"dance","data":{}}', signed: true }, 400],
])('%s is refused', async (_, method, path, { signed, ...sending }: Record<string, unknown>, status) => {
  const { call, token } = await signedIn();
  const reply = await call(method as string, path as string, { ...sending, ...(signed ? { token } : {}) });
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ status: 'error', error: String(status) });
});

test.each([
  ['half of a pair', String.raw`a\ud83d`, 400],
  ['its other half', String.raw`\uDE00a`, 400],
  ['a pair', String.raw`\ud83d\ude00`, 201],
  ['a backslash before such a word', String.raw`\\ud83d`, 201],
])('like kazoo, %s in a text returns its status', async (_, name, status) => {
  const { call, adminToken, seed } = await calledSandbox({ like: 'kazoo' });
  const sending = { token: await adminToken(), body: `{"data":{"name":"${name}"}}` };
  const reply = await call('PUT', `/v2/accounts/${seed.accountId}/menus`, sending);
  expect(reply.status).toBe(status);
  if (status === 400) expect(reply.data).toHaveProperty('json.invalid.target', 'body');
});

test('a wrong method returns 405 with the allowed methods', async () => {
  const { call } = await signedIn();
  expect((await call('PATCH', '/v2/user_auth')).headers.allow).toBe('PUT');
});

test.each([
  ['v2', 200, 404],
  ['none', 404, 200],
  ['both', 200, 200],
] as const)('account resources are available under the prefix %s', async (prefix, withPrefix, without) => {
  const { call, adminToken, seed } = await calledSandbox({ prefix });
  const token = await adminToken();
  const path = `/accounts/${seed.accountId}/metaflows`;
  expect((await call('GET', `/v2${path}`, { token })).status).toBe(withPrefix);
  expect((await call('GET', path, { token })).status).toBe(without);
});

test.each(['../x', 'a/b', '%2e', 'with space', 'ü', 'x'.repeat(900)])(
  'the id %s is looked up unchanged',
  async (id) => {
    const { call, token, account } = await signedIn();
    const reply = await call('GET', `${account}/users/${encodeURIComponent(id)}`, { token });
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ code: 'bad_identifier', data: { cause: id } });
  },
);
