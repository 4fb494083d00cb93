import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSignIn, openWorld } from '../../../../test/support/world.ts';

test('a read-only profile rejects every change until the protection is removed', async () => {
  const world = await openWorld();
  expect((await world.telctl('profiles set test --protect read-only')).code).toBe(0);
  const run = await world.telctl('users patch admin --first-name Ada');
  expect(run.code).toBe(9);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const raw = await world.telctl('api PATCH /v2/accounts/{account_id} --field org=Other');
  const sent = raw.requests.filter((request) => request.method !== 'GET' && !isSignIn(request));
  expect([raw.code, sent]).toEqual([9, []]);
  expect((await world.telctl('profiles set test --protect none')).code).toBe(0);
  expect((await world.telctl('users patch admin --first-name Ada')).code).toBe(0);
});

test('sets account, output and certificates with global options, and unsets them by name', async () => {
  const world = await openWorld();
  const set = await world.telctl('profiles set test --account acme -o json --ca-file ca.pem');
  expect(JSON.parse(set.stdout)).toMatchObject({ account: 'acme', output: 'json', protect: null });
  expect(JSON.parse((await world.telctl('profiles show test')).stdout).ca_file).toMatch(/^\/.*ca\.pem$/);
  const unset = await world.telctl('profiles set test --unset account --unset output --unset ca-file');
  expect(unset.code, unset.stderr).toBe(0);
  const shown = JSON.parse((await world.telctl('profiles show test -o json')).stdout);
  expect(shown).toMatchObject({ account: null, output: null, ca_file: null });
});

test('fails without a setting, and lists the available ones', async () => {
  const world = await openWorld();
  const run = await world.telctl('profiles set test');
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('--protect');
});

test('removes a profile with its secrets, and makes the last remaining one the default', async () => {
  const world = await openWorld();
  const login = ['login', '--profile', 'second', '--base-url', world.url, '--api-key-stdin'];
  expect((await world.telctl(login, { stdin: world.seed.apiKey })).code).toBe(0);
  const unasked = await world.telctl('profiles delete test');
  expect(unasked.code).toBe(2);
  expect((await world.telctl('profiles delete test --yes')).code).toBe(0);
  const left = JSON.parse((await world.telctl('profiles list -o json')).stdout);
  expect(left).toEqual([expect.objectContaining({ name: 'second', default: true })]);
  expect(world.filesWritten().filter(({ path }) => path.endsWith('test.json'))).toEqual([]);
});

test.each(['../up', '-x', 'a b', '__proto__'])('rejects the profile name %j', async (name) => {
  const world = await openWorld({ signIn: 'none' });
  const line = [`--profile=${name}`, 'login', '--base-url', world.url, '--api-key-stdin'];
  const run = await world.telctl(line, { stdin: world.seed.apiKey });
  expect(run.code).toBe(2);
  expect(run.requests).toEqual([]);
});

test('signs out while the service is down', async () => {
  const world = await openWorld();
  const run = await world.telctl('logout', { faults: [{ fault: { kind: 'refuse' } }] });
  expect(run.code, run.stderr).toBe(0);
  expect(run.requests).toEqual([]);
  expect(JSON.parse((await world.telctl('profiles show test -o json')).stdout).secrets).toEqual({});
});

test('keeps the protection after a new sign-in', async () => {
  const world = await openWorld();
  await world.telctl('profiles set test --protect confirm');
  const again = await world.telctl('login --profile test --api-key-stdin', { stdin: world.seed.apiKey });
  expect(again.code, again.stderr).toBe(0);
  expect(JSON.parse((await world.telctl('profiles show -o json')).stdout)).toMatchObject({
    protect: 'confirm',
  });
});

test('a sign-in to another service does not replace a profile', async () => {
  const world = await openWorld();
  const login = (baseUrl: string) =>
    world.telctl(['login', '--base-url', baseUrl, '--api-key-stdin'], { stdin: world.seed.apiKey });
  expect((await login('http://localhost:9000')).code).toBe(0);
  const third = await login('http://localhost:9001');
  expect([third.code, third.requests], third.stderr).toEqual([2, []]);
  const kept = JSON.parse((await world.telctl('profiles list -o json')).stdout);
  expect(kept.map(({ base_url: url }: { base_url: string }) => url)).toEqual([
    world.url,
    'http://localhost:9000',
  ]);
});

test.each(['TELCTL_API_KEY', 'TELCTL_PASSWORD'])(
  'login uses %s only for the service set in the environment',
  async (name) => {
    const world = await openWorld({ signIn: 'none' });
    const isKey = name === 'TELCTL_API_KEY';
    const argv = ['login', '--base-url', world.url, '--no-input'];
    const user = isKey ? [] : ['--username', 'admin', '--account-name', 'acme'];
    const secret = { [name]: isKey ? world.seed.apiKey : world.seed.adminPassword };
    const login = (TELCTL_BASE_URL: string) =>
      world.telctl([...argv, ...user], { env: { ...secret, TELCTL_BASE_URL } });
    const elsewhere = await login('https://elsewhere.example');
    expect([elsewhere.code, elsewhere.requests], elsewhere.stderr).toEqual([2, []]);
    expect((await login(world.url)).code).toBe(0);
  },
);

test('explains settings with their sources', async () => {
  const world = await openWorld();
  const run = await world.telctl('config explain -o json --timeout 5', { env: { TELCTL_RETRIES: '1' } });
  const rows: unknown = JSON.parse(run.stdout);
  expect(rows).toEqual(
    expect.arrayContaining([
      { setting: 'timeout', value: 5, source: 'option', from: '--timeout' },
      { setting: 'retries', value: 1, source: 'environment', from: 'TELCTL_RETRIES' },
      { setting: 'base-url', value: world.url, source: 'profile', from: 'profile test' },
    ]),
  );
});

test('explains the pager setting', async () => {
  const world = await openWorld();
  const { stdout } = await world.telctl('config explain -o json', { env: { TELCTL_PAGER: 'more -s' } });
  expect(JSON.parse(stdout)).toContainEqual({
    ...{ setting: 'pager', value: 'more -s' },
    ...{ source: 'environment', from: 'TELCTL_PAGER' },
  });
});

test('takes the log retention from the profile, unless the environment sets it', async () => {
  const world = await openWorld();
  const setting = async (env = {}) =>
    JSON.parse((await world.telctl('config explain -o json', { env })).stdout).find(
      ({ setting: name }: { setting: string }) => name === 'log-days',
    );
  expect(await setting()).toMatchObject({ value: 90, source: 'default' });
  expect((await world.telctl(`profiles set ${world.profile} --log-days 30`)).code).toBe(0);
  expect(await setting()).toMatchObject({ value: 30, source: 'profile' });
  expect(await setting({ TELCTL_LOG_DAYS: '7' })).toMatchObject({ value: 7, source: 'environment' });
  expect((await world.telctl(`profiles set ${world.profile} --unset log-days`)).code).toBe(0);
  expect(await setting()).toMatchObject({ value: 90 });
  expect((await world.telctl(`profiles set ${world.profile} --log-days 0`)).code).toBe(2);
});

test('stores a client certificate with its key, and removes both together', async () => {
  const world = await openWorld();
  const set = await world.telctl(`profiles set ${world.profile} --client-cert c.pem --client-key k.pem`);
  expect(set.code, set.stderr).toBe(0);
  const shown = JSON.parse((await world.telctl('profiles show -o json')).stdout);
  const { cwd } = world.folders;
  expect(shown).toMatchObject({ client_cert: join(cwd, 'c.pem'), client_key: join(cwd, 'k.pem') });
  const alone = await world.telctl(`profiles set ${world.profile} --client-key other.pem`);
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--client-cert') });
  const login = `login --profile ${world.profile} --base-url ${world.url} --api-key-stdin --client-cert both.pem`;
  const again = await world.telctl(login, { stdin: world.seed.apiKey });
  expect(again.code, again.stderr).toBe(0);
  const both = JSON.parse((await world.telctl('profiles show -o json')).stdout);
  expect(both).toMatchObject({ client_cert: join(cwd, 'both.pem'), client_key: null });
  const unset = await world.telctl(`profiles set ${world.profile} --unset client-cert -o json`);
  expect(JSON.parse(unset.stdout)).toMatchObject({ client_cert: null, client_key: null });
});

test.each(['api-key', 'password'] as const)(
  'marks profiles as signed in or signed out (%s)',
  async (signIn) => {
    const world = await openWorld({ signIn });
    const signedIn = async () =>
      JSON.parse((await world.telctl('profiles list -o json')).stdout)[0].signed_in;
    expect(await signedIn()).toBe(true);
    world.clock.turn(2 * 3_600_000);
    // A key signs in again by itself; a password is kept nowhere.
    expect(await signedIn()).toBe(signIn === 'api-key');
    expect((await world.telctl('logout')).code).toBe(0);
    expect(await signedIn()).toBe(false);
    expect((await world.telctl('profiles list')).stdout).toMatch(/SIGNED IN/);
  },
);
