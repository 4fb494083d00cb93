import { expect, test } from 'vitest';
import { minuteMs } from '../../support/clock.ts';
import { isSignIn, openWorld } from '../../support/world.ts';

test('a token is used for fifty minutes without another sign-in', async () => {
  const world = await openWorld();
  world.clock.turn(49 * minuteMs);
  const run = await world.telctl('users list -o name');
  expect(run.code, run.stderr).toBe(0);
  expect(run.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /v2/accounts/${world.seed.accountId}/users`,
  ]);
});

test('after fifty minutes the token is renewed early by refresh', async () => {
  const world = await openWorld();
  world.clock.turn(51 * minuteMs);
  const run = await world.telctl('users list -o name');
  expect(run.code, run.stderr).toBe(0);
  const [renewal] = run.requests;
  expect(renewal).toMatchObject({
    method: 'PUT',
    path: '/v2/auth',
    body: { action: 'refresh_token', data: {} },
  });
  expect(run.requests.filter(isSignIn)).toEqual([]);
  const again = await world.telctl('users list -o name');
  expect(again.requests).toHaveLength(1);
});

test('an expired token is replaced by a sign-in with the stored key', async () => {
  const world = await openWorld();
  world.clock.turn(120 * minuteMs);
  const run = await world.telctl('users list -o name');
  expect(run.code, run.stderr).toBe(0);
  expect(run.requests.filter(isSignIn)).toHaveLength(1);
});

test('a forbidden request is sent once, and the token is kept', async () => {
  const world = await openWorld();
  const body = '{"status":"error","error":"403","message":"forbidden","data":{}}';
  const run = await world.telctl('users list', {
    faults: [{ method: 'GET', fault: { kind: 'answer', status: 403, body } }],
  });
  expect([run.code, run.requests.map(({ method }) => method)], run.stderr).toEqual([4, ['GET']]);
});

test('a revoked token is renewed once and the request repeated once', async () => {
  const world = await openWorld();
  await world.revokeTokens();
  const run = await world.telctl('users list -o name');
  expect(run.code, run.stderr).toBe(0);
  expect(run.requests.filter(isSignIn)).toHaveLength(1);
  expect(run.requests.filter(({ path }) => path.endsWith('/users'))).toHaveLength(2);
});

test('a service that keeps returning 401 receives two requests', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list', {
    faults: [
      {
        path: /\/users$/,
        fault: {
          kind: 'answer',
          status: 401,
          body: '{"status":"error","error":"401","message":"invalid_credentials","data":{}}',
        },
      },
    ],
  });
  expect(run.code).toBe(4);
  expect(run.requests.filter(({ path }) => path.endsWith('/users'))).toHaveLength(2);
});

test('an expired token without a stored key exits with code 4 in CI', async () => {
  const world = await openWorld({ signIn: 'password' });
  world.clock.turn(120 * minuteMs);
  const run = await world.telctl('users list', { env: { CI: '1' } });
  expect(run.code).toBe(4);
  expect(run.stderr).toContain('telctl login');
});

test('an expired token without a stored key asks for the password at a terminal', async () => {
  const world = await openWorld({ signIn: 'password' });
  world.clock.turn(120 * minuteMs);
  const run = await world.telctl('users list -o name', {
    tty: true,
    answers: [{ to: /password/i, type: world.seed.adminPassword }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('admin');
});

test('TELCTL_TOKEN is sent unchanged and never renewed', async () => {
  const world = await openWorld();
  const token = (await world.telctl('tokens show')).stdout.trim();
  const env = { TELCTL_BASE_URL: world.url, TELCTL_TOKEN: token };
  expect((await world.telctl('users list -o name', { env })).code).toBe(0);
  await world.revokeTokens();
  const run = await world.telctl('users list -o name', { env });
  expect(run.code).toBe(4);
  expect(run.requests.filter(isSignIn)).toEqual([]);
});

test('tokens refresh replaces the token immediately', async () => {
  const world = await openWorld();
  const before = (await world.telctl('tokens show')).stdout.trim();
  world.clock.turn(minuteMs);
  expect((await world.telctl('tokens refresh')).code).toBe(0);
  expect((await world.telctl('tokens show')).stdout.trim()).not.toBe(before);
});

test('tokens info names the owner of the token', async () => {
  const world = await openWorld();
  const run = await world.telctl('tokens info -o json');
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ account_id: world.seed.accountId });
});
