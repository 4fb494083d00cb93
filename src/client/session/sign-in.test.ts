import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../test/support/world.ts';

const issuer = 'https://accounts.example';
const document = { issuer, authorization_endpoint: `${issuer}/auth` };

/** Signs in with a pasted code, the provider and the service's callback answering as told. */
async function signIn(
  world: World,
  callback: { readonly status: number; readonly body: unknown },
  more: readonly string[] = [],
  discovery: unknown = document,
) {
  const known = ['--client-id', 'cli', '--discovery', `${issuer}/.well-known/openid-configuration`];
  const way = ['--no-browser', '--code-stdin'];
  return world.telctl(['login', '--base-url', world.url, '--sso', 'google', ...known, ...way, ...more], {
    stdin: 'the-code\n',
    faults: [
      {
        path: /openid-configuration$/,
        fault: { kind: 'answer', status: 200, body: JSON.stringify(discovery) },
      },
      {
        path: /\/auth\/callback$/,
        fault: { kind: 'answer', status: callback.status, body: JSON.stringify(callback.body) },
      },
    ],
  });
}

const success = (data: unknown, more: object = {}) => ({
  status: 201,
  body: { status: 'success', request_id: 'r', data, ...more },
});
const refused = {
  status: 401,
  body: { status: 'error', error: '401', message: 'invalid_credentials', data: {} },
};

test('sends the code with verifier and nonce, and without a token', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await signIn(world, success({}));
  const [sent] = run.requests.filter(({ path }) => path === '/v2/auth/callback');
  expect(sent?.method).toBe('PUT');
  expect(sent?.headers['x-auth-token']).toBeUndefined();
  expect(sent?.body).toEqual({
    data: {
      provider: 'google',
      client_id: 'cli',
      code: 'the-code',
      redirect_uri: 'http://127.0.0.1:8400/callback',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    },
  });
  expect(run.stdout + run.stderr).not.toContain(Object(sent?.body).data.code_verifier);
});

test('fails and stores no profile if the service offers no link', async () => {
  const world = await openWorld({ signIn: 'none' });
  for (const token of [{}, { auth_token: 'opaque' }, { auth_token: 'a.b.c' }]) {
    const run = await signIn(world, success({}, token));
    expect(run.code).toBe(4);
    expect(run.stderr).toContain('offers no link');
  }
  expect((await world.telctl('profiles list -o json')).stdout.trim()).toBe('[]');
});

test('suggests --no-pkce if the code is rejected, and --no-pkce omits the verifier', async () => {
  const world = await openWorld({ signIn: 'none' });
  const first = await signIn(world, refused);
  expect(first.code).toBe(4);
  expect(first.stderr).toContain('--no-pkce');
  const second = await signIn(world, refused, ['--no-pkce']);
  expect(second.code).toBe(4);
  expect(second.stderr).not.toContain('--no-pkce');
  const [sent] = second.requests.filter(({ path }) => path === '/v2/auth/callback');
  expect(Object.keys(Object(sent?.body).data)).not.toContain('code_verifier');
});

test('rejects an invalid discovery document and a plain http endpoint', async () => {
  const world = await openWorld({ signIn: 'none' });
  const none = await signIn(world, success({}), [], { hello: 'world' });
  expect(none.code).toBe(1);
  expect(none.stderr).toContain('not an OpenID discovery document');
  const plain = { issuer, authorization_endpoint: 'http://accounts.example/auth' };
  expect((await signIn(world, success({}), [], plain)).code).toBe(9);
});

test('explains how to sign in at the provider again when the token expires', async () => {
  const world = await openWorld();
  const { accountId: account_id, adminUserId: owner_id } = world.seed;
  const auth_token = await world.sandbox.adminToken();
  const run = await signIn(world, success({ account_id, owner_id }, { auth_token }), ['--profile', 'single']);
  expect(run.code, run.stderr).toBe(0);
  expect((await world.telctl('whoami --profile single -o json')).code).toBe(0);
  world.clock.turn(2 * 3_600_000);
  const late = await world.telctl('whoami --profile single');
  expect(late.code).toBe(4);
  expect(late.stderr).toContain('telctl login --profile single --sso google');
});
