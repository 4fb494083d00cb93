import { expect, test } from 'vitest';
import { isSignIn, openWorld, type World } from '../../../../test/support/world.ts';

const asSuper = ({ url, seed }: World) => ({
  TELCTL_BASE_URL: url,
  TELCTL_USERNAME: 'super',
  TELCTL_PASSWORD: seed.superPassword,
  TELCTL_ACCOUNT_NAME: 'platform',
});

test('requires the host name to revoke all tokens of the service, even with --yes', async () => {
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

test('asks for the name in a terminal, and changes nothing after a wrong answer', async () => {
  const world = await openWorld();
  const run = await world.telctl('tokens revoke-all --scope account', {
    tty: true,
    answers: [{ to: /Type acme/, type: 'yes' }],
  });
  expect(run.code).toBe(9);
  expect(run.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('revokes the tokens of a user, and keeps the sessions of others', async () => {
  const world = await openWorld();
  const run = await world.telctl('tokens revoke-all --scope user --user admin --yes');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('admin');
  expect((await world.telctl('users list -o name')).code).toBe(0);
});

test('suggests signing in again after users revoke their own tokens', async () => {
  const world = await openWorld({ signIn: 'password' });
  const run = await world.telctl('tokens revoke-all --scope user --yes');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('telctl login');
});

test('shows the request of a revocation in a dry run, and does not send it', async () => {
  const world = await openWorld();
  const run = await world.telctl('tokens revoke-all --scope account --dry-run');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain(`PUT /v2/accounts/${world.seed.accountId}/auth`);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('inspects another token without putting it in a URL', async () => {
  const world = await openWorld();
  const token = await world.sandbox.superToken();
  const run = await world.telctl('tokens info --token-stdin -o json', { stdin: `${token}\n` });
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ account_name: 'platform' });
  expect(run.requests.map(({ method, search }) => `${method}${search}`)).toEqual(['POST']);
});

test('shows the current token even after it was revoked', async () => {
  const world = await openWorld();
  await world.revokeTokens();
  const run = await world.telctl('tokens info -o json');
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ account_name: 'acme' });
});

/** A service that says success and nothing more. */
const bare = {
  method: 'PUT',
  path: /\/auth(?:\/keys\/\w+)?$/,
  fault: { kind: 'rewrite', change: (body: string) => withoutData(body) },
} as const;

function withoutData(body: string): string {
  const { data, ...rest } = JSON.parse(body);
  // A new token comes with data; the answer to a reset with none.
  return data?.account_id === undefined ? JSON.stringify(rest) : body;
}

const isAlive = async (world: World, token: string) =>
  (await world.sandbox.call('GET', `/v2/accounts/${world.seed.accountId}`, { token })).status === 200;

test('revoking tokens of an account keeps its users signed in, and says so', async () => {
  const world = await openWorld();
  const [ofUser, ofKey] = [await world.sandbox.adminToken(), await world.sandbox.keyToken()];
  const run = await world.telctl('tokens revoke-all --scope account --yes', { faults: [bare] });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('from its API key. Its users stay signed in.');
  expect([await isAlive(world, ofUser), await isAlive(world, ofKey)]).toEqual([true, false]);
});

for (const signIn of ['api-key', 'password'] as const) {
  test(`--everyone revokes every token of the account (${signIn}), and verifies it with an old token`, async () => {
    const world = await openWorld({ signIn });
    await world.addUser({ username: 'ann', first_name: 'Ann', last_name: 'Archer' });
    const before = [
      await world.sandbox.adminToken(),
      await world.sandbox.tokenOf('ann', 'first-sign-in'),
      await world.sandbox.keyToken(),
    ];
    const run = await world.telctl('tokens revoke-all --scope account --everyone --yes -o json', {
      faults: [bare],
    });
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      users: 2,
      old_token: 'refused',
      signed_in: signIn === 'api-key',
    });
    for (const token of before) expect(await isAlive(world, token)).toBe(false);
    expect(run.stderr.includes('You are signed out.')).toBe(signIn === 'password');
  });
}

test('--everyone for another account revokes only the tokens of that account', async () => {
  const world = await openWorld();
  await world.telctl('accounts create --name kidb --realm kidb.example');
  const own = [await world.sandbox.adminToken(), await world.sandbox.keyToken()];
  const run = await world.telctl('tokens revoke-all --scope account --everyone --yes --account kidb -o json');
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ name: 'kidb', old_token: 'refused', signed_in: true });
  for (const token of own) expect(await isAlive(world, token)).toBe(true);
});

test('fails if an old token is still accepted', async () => {
  const world = await openWorld();
  // Something on the way says that all is done, and nothing was.
  const faults = [
    {
      method: 'PUT',
      path: /accounts\/.*\/auth$/,
      fault: { kind: 'answer', status: 200, body: '{"status":"success"}' },
    },
  ] as const;
  const run = await world.telctl('tokens revoke-all --scope account --everyone --yes', { faults });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('still accepts an old token');
});

test('reports a partly failed reset, which can be repeated', async () => {
  const world = await openWorld();
  const { id } = await world.addUser({ username: 'ann', first_name: 'Ann', last_name: 'Archer' });
  const faults = [
    { path: new RegExp(`${id}/auth$`), fault: { kind: 'answer', status: 500, body: '{"message":"down"}' } },
  ] as const;
  const line = 'tokens revoke-all --scope account --everyone --yes';
  const run = await world.telctl(line, { faults });
  expect(run.code).toBe(8);
  expect(run.stderr).toContain('1 of 3 secrets may have been reset: there was no valid response');
  expect((await world.telctl(line)).code).toBe(0);
});

test('rejects options of different scopes', async () => {
  const world = await openWorld();
  await world.telctl('accounts create --name kidb --realm kidb.example');
  for (const words of [
    '--scope user --everyone',
    '--scope account --user admin',
    '--scope system --account kidb',
    '--scope user --account kidb',
  ]) {
    const run = await world.telctl(`tokens revoke-all ${words} --yes`);
    expect(run.code, words).toBe(2);
    expect(
      run.requests.filter(({ method }) => method === 'PUT'),
      words,
    ).toEqual([]);
  }
});

test('reports that the user is signed out, even if the service supports no reads', async () => {
  const world = await openWorld();
  const env = { ...asSuper(world), TELCTL_PASSWORD: '', TELCTL_TOKEN: await world.sandbox.superToken() };
  const faults = [
    { method: 'GET', path: /.*/, fault: { kind: 'answer', status: 404, body: '{"message":"not offered"}' } },
  ] as const;
  const run = await world.telctl('tokens revoke-all --scope system --confirm 127.0.0.1', { env, faults });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('You are signed out.');
  expect(run.stderr).not.toContain('Not signed in');
});

test('prints the next steps for a password profile after all tokens are revoked', async () => {
  const { telctl, profile, revokeTokens, seed } = await openWorld({ signIn: 'password' });
  await revokeTokens();
  const refused = await telctl(`users list --profile ${profile}`);
  expect(refused.code).toBe(4);
  const [, variable = '', line = ''] = /Set (\w+), or run: telctl (.+)/.exec(refused.stderr) ?? [];
  const env = { [variable]: seed.adminPassword };
  expect((await telctl(`users list --profile ${profile} -o name`, { env })).code).toBe(0);
  const ended = await telctl(`tokens revoke-all --scope user --user admin --yes --profile ${profile}`);
  expect(ended.stderr).toContain(`Sign in again: telctl login --profile ${profile}\n`);
  const again = await telctl(line, { stdin: seed.adminPassword });
  expect(again.code, again.stderr).toBe(0);
  expect((await telctl(`users list --profile ${profile}`)).code).toBe(0);
});
