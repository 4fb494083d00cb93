import { expect, test } from 'vitest';
import { isSignIn, openWorld, type World } from '../../../test/support/world.ts';

const asSuper = ({ url, seed }: World) => ({
  TELCTL_BASE_URL: url,
  TELCTL_USERNAME: 'super',
  TELCTL_PASSWORD: seed.superPassword,
  TELCTL_ACCOUNT_NAME: 'platform',
});

test('the end of all tokens of the service takes its host name, and --yes is no answer', async () => {
  const world = await openWorld();
  const env = asSuper(world);
  const unasked = await world.telctl('tokens revoke-all --scope system --yes', { env });
  expect(unasked.code).toBe(2);
  expect(unasked.stderr).toContain('--confirm 127.0.0.1');
  const wrong = await world.telctl('tokens revoke-all --scope system --confirm localhost', { env });
  expect(wrong.code).toBe(9);
  expect([...unasked.requests, ...wrong.requests].filter(({ path }) => path === '/v2/auth')).toEqual([]);
  const right = await world.telctl('tokens revoke-all --scope system --confirm 127.0.0.1', { env });
  expect(right.code, right.stderr).toBe(0);
  expect(right.stderr).toContain('every user of every account');
  const after = await world.telctl('users list -o name');
  expect(after.requests.filter(isSignIn)).toHaveLength(1);
});

test('at a terminal the name is typed, and another word changes nothing', async () => {
  const world = await openWorld();
  const run = await world.telctl('tokens revoke-all --scope account', {
    tty: true,
    answers: [{ to: /Type acme/, type: 'yes' }],
  });
  expect(run.code).toBe(9);
  expect(run.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test("a user's tokens end, and the session that is not the user's goes on", async () => {
  const world = await openWorld();
  const run = await world.telctl('tokens revoke-all --scope user --user admin --yes');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('admin');
  expect((await world.telctl('users list -o name')).code).toBe(0);
});

test('who signed in by password and ends the own tokens is told to sign in again', async () => {
  const world = await openWorld({ signIn: 'password' });
  const run = await world.telctl('tokens revoke-all --scope user --yes');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('telctl login');
});

test('a dry run of the end of tokens shows the request and sends it not', async () => {
  const world = await openWorld();
  const run = await world.telctl('tokens revoke-all --scope account --dry-run');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain(`PUT /v2/accounts/${world.seed.accountId}/auth`);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a foreign token is looked at without standing in an address', async () => {
  const world = await openWorld();
  const token = await world.sandbox.superToken();
  const run = await world.telctl('tokens info --token-stdin -o json', { stdin: `${token}\n` });
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ account_name: 'platform' });
  expect(run.requests.map(({ method, search }) => `${method}${search}`)).toEqual(['POST']);
});

test('information on the own token survives its end', async () => {
  const world = await openWorld();
  await world.revokeTokens();
  const run = await world.telctl('tokens info -o json');
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ account_name: 'acme' });
});
