import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSignIn, openWorld, type World } from '../../../test/support/world.ts';

const keyEnv = ({ url, seed }: World) => ({ TELCTL_BASE_URL: url, TELCTL_API_KEY: seed.apiKey });

test('signs in once with an API key from the environment and caches the token for that service', async () => {
  const world = await openWorld({ signIn: 'none' });
  const first = await world.telctl('users list -o name', { env: keyEnv(world) });
  expect(first.code, first.stderr).toBe(0);
  expect(first.requests.filter(isSignIn)).toHaveLength(1);
  const second = await world.telctl('users list -o name', { env: keyEnv(world) });
  expect(second.requests).toHaveLength(1);
  const other = { ...keyEnv(world), TELCTL_BASE_URL: 'http://localhost:9000' };
  const elsewhere = await world.telctl('users list -o name', { env: other });
  expect(elsewhere.requests.filter(isSignIn)).toHaveLength(1);
  expect(world.filesWritten().map(({ path }) => path)).not.toContainEqual(
    expect.stringContaining('config.json'),
  );
});

test('caches a separate token for each sign-in from the environment', async () => {
  const world = await openWorld({ signIn: 'none' });
  const { superUsername, superPassword } = world.seed;
  const someoneElse = {
    TELCTL_BASE_URL: world.url,
    TELCTL_ACCOUNT_NAME: 'platform',
    TELCTL_USERNAME: superUsername,
    TELCTL_PASSWORD: superPassword,
  };
  for (const [env, name] of [
    [keyEnv(world), 'acme'],
    [someoneElse, 'platform'],
    [keyEnv(world), 'acme'],
  ] as const) {
    const run = await world.telctl('whoami -o json', { env });
    expect([run.code, run.stdout], run.stderr).toEqual([0, expect.stringContaining(`"${name}"`)]);
    const got = await world.telctl('accounts get -o json', { env });
    expect(JSON.parse(got.stdout), got.stderr).toMatchObject({ name });
  }
});

test('--profile uses the service of the profile and ignores TELCTL_BASE_URL', async () => {
  const world = await openWorld();
  const env = { TELCTL_BASE_URL: 'http://127.0.0.1:1' };
  const run = await world.telctl('whoami -o json --profile test', { env });
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ base_url: world.url, profile_source: '--profile' });
});

test('does not send the token of a profile to another address', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list --base-url https://elsewhere.example');
  expect(run.code).toBe(4);
  expect(run.requests).toEqual([]);
  expect(run.stderr).toContain('elsewhere.example');
});

test('does not send TELCTL_API_KEY to an address other than TELCTL_BASE_URL', async () => {
  const world = await openWorld();
  const env = { TELCTL_BASE_URL: 'https://elsewhere.example', TELCTL_API_KEY: 'f'.repeat(64) };
  const run = await world.telctl(`users list -o name --base-url ${world.url}`, { env });
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.stringify(run.requests)).not.toContain('f'.repeat(64));
});

test('does not sign in a profile of another service with credentials from the environment', async () => {
  const world = await openWorld({ signIn: 'password' });
  world.clock.turn(2 * 3_600_000);
  const user = { TELCTL_USERNAME: 'admin', TELCTL_ACCOUNT_NAME: 'acme' };
  const password = { TELCTL_PASSWORD: world.seed.adminPassword };
  for (const secrets of [{ TELCTL_API_KEY: world.seed.apiKey }, password, { ...user, ...password }]) {
    const env = { ...secrets, TELCTL_BASE_URL: 'https://elsewhere.example' };
    const run = await world.telctl('users list --profile test --no-input', { env });
    expect([run.code, run.requests], run.stderr).toEqual([2, []]);
  }
});

test('TELCTL_USERNAME requires exactly one account variable', async () => {
  const world = await openWorld({ signIn: 'none' });
  const env = {
    TELCTL_BASE_URL: world.url,
    TELCTL_USERNAME: 'admin',
    TELCTL_PASSWORD: world.seed.adminPassword,
  };
  const none = await world.telctl('users list', { env });
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('TELCTL_ACCOUNT_NAME');
  const both = { ...env, TELCTL_ACCOUNT_NAME: 'acme', TELCTL_ACCOUNT_REALM: 'acme.sandbox.example' };
  const two = await world.telctl('users list', { env: both });
  expect(two.code).toBe(2);
  expect(two.requests).toEqual([]);
});

test('TELCTL_PASSWORD renews a profile that signed in with a password', async () => {
  const world = await openWorld({ signIn: 'password' });
  world.clock.turn(2 * 3_600_000);
  const run = await world.telctl('users list -o name', {
    env: { TELCTL_PASSWORD: world.seed.adminPassword },
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.requests.filter(isSignIn)).toHaveLength(1);
});

test('an API key of another account does not sign in a profile', async () => {
  const world = await openWorld({ signIn: 'password' });
  const path = `/v2/accounts/${world.seed.masterAccountId}/api_key`;
  const token = await world.sandbox.superToken();
  const key = (await world.sandbox.call('GET', path, { token })).at('data.api_key');
  world.clock.turn(2 * 3_600_000);
  const run = await world.telctl('users list --profile test', { env: { TELCTL_API_KEY: key } });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('Profile "test" is of account acme, and TELCTL_API_KEY is of account');
});

test('suggests the nearest profile for an unknown one', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list --profile tesst');
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('"test"');
});

test('warns of a token file that the group or others can read', async () => {
  const world = await openWorld();
  const path = join(world.folders.home, '.config', 'telctl', 'tokens', 'test.json');
  for (const mode of [0o640, 0o604]) {
    chmodSync(path, mode);
    const run = await world.telctl('users list -o name');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(`(mode 0${mode.toString(8)}). Close it: chmod 600 ${path}`);
  }
});

test('explains that the API key was replaced if the service rejects it', async () => {
  const world = await openWorld();
  const path = `/v2/accounts/${world.seed.accountId}/api_key`;
  const token = await world.sandbox.adminToken();
  expect((await world.sandbox.call('POST', path, { token, data: {} })).status).toBe(200);
  const run = await world.telctl('users list');
  expect(run.code).toBe(4);
  expect(run.stderr).toMatch(/API key/);
});

test('detects a service without a version prefix at sign-in', async () => {
  const world = await openWorld({ signIn: 'none' });
  const gone = { kind: 'answer', status: 404, body: '{"code":"not_found","message":"not found"}' } as const;
  const run = await world.telctl(`login --base-url ${world.url} --api-key-stdin`, {
    stdin: world.seed.apiKey,
    faults: [{ path: /^\/v2\/accounts\/\w+\/metaflows$/, fault: gone }],
  });
  expect(run.code, run.stderr).toBe(0);
  const after = await world.telctl('users list -o name');
  expect(after.requests.map(({ path }) => path)).toEqual([`/accounts/${world.seed.accountId}/users`]);
});

test('names TELCTL_API_KEY if the service refuses it', async () => {
  const world = await openWorld({ signIn: 'none' });
  for (const key of ['short', 'f'.repeat(64)]) {
    const env = { TELCTL_BASE_URL: world.url, TELCTL_API_KEY: key };
    const run = await world.telctl('users list', { env });
    expect(run.code).toBe(4);
    expect(run.stderr).toContain('The service refused the API key');
    expect(run.stderr).toContain('Set TELCTL_API_KEY to a new value');
    expect(run.stderr).toMatch(/^request \S+$/m);
  }
});

test('names TELCTL_API_KEY if a service is set but no credentials are', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl('users list', { env: { TELCTL_BASE_URL: world.url } });
  expect(run.code).toBe(4);
  expect(run.stderr).toBe(
    `Not signed in to ${world.url}.\nSet TELCTL_API_KEY, or run: telctl login --base-url ${world.url} --api-key-stdin\n`,
  );
});

test('warns of writable folders and readable secret files, and still uses them', async () => {
  const world = await openWorld();
  const { home, cwd } = world.folders;
  const folder = join(home, '.config/telctl');
  const key = join(cwd, 'key.pem');
  writeFileSync(key, 'new-password-1', { mode: 0o644 });
  chmodSync(folder, 0o777);
  const line = `users password admin --password-file key.pem --client-key key.pem --client-cert key.pem --dry-run`;
  const open = await world.telctl(line);
  expect(open.code, open.stderr).toBe(0);
  for (const said of [
    `Others may write to ${folder} (mode 0777)`,
    `Others may read the secrets in ${key} (mode 0644)`,
  ])
    expect(open.stderr).toContain(said);
  expect(open.stderr.match(/Others may/g)).toHaveLength(3);
  const login = `login --profile again --base-url ${world.url} --api-key-stdin`;
  const stdin = world.seed.apiKey;
  const folderLine = `warning: Others may write to ${folder} (mode 0777) and change who telctl speaks as. Close it: chmod 700 ${folder}`;
  for (const [run, times] of [
    [await world.telctl('users list -o name'), 1],
    [await world.telctl('users list -o name -q'), 0],
    [await world.telctl('users list -o name', { platform: 'win32' }), 0],
    [await world.telctl(login, { stdin }), 1],
  ] as const) {
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr.replaceAll(/\s+/g, ' ').split(folderLine)).toHaveLength(times + 1);
  }
  chmodSync(folder, 0o700);
  chmodSync(key, 0o600);
  expect((await world.telctl(line)).stderr).not.toContain('Others may');
});

test('warns of a readable API key file and signs in with it', async () => {
  const world = await openWorld();
  const key = join(world.folders.home, '.config/telctl/credentials/test.json');
  rmSync(join(world.folders.home, '.config/telctl/tokens'), { recursive: true });
  rmSync(join(world.folders.home, '.cache/telctl/tokens'), { recursive: true, force: true });
  chmodSync(key, 0o644);
  const run = await world.telctl('users list -o name');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain(
    `Others may read the secrets in ${key} (mode 0644). Close it: chmod 600 ${key}`,
  );
});
