import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

const user = '--account-name acme --username admin';

test('a sign-in by password is stored as a profile', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(`login --profile work --base-url ${world.url} ${user} --password-stdin`, {
    stdin: `${world.seed.adminPassword}\n`,
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('acme');
  const who = await world.telctl('whoami --profile work -o json');
  expect(JSON.parse(who.stdout)).toMatchObject({
    profile: 'work',
    base_url: world.url,
    account_id: world.seed.accountId,
    account_name: 'acme',
    method: 'password',
  });
});

test('the password is sent as an MD5 digest with the user name in lower case', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(
    `login --base-url ${world.url} --account-name acme --username ADMIN --password-stdin`,
    { stdin: `${world.seed.adminPassword}\n` },
  );
  expect(run.code, run.stderr).toBe(0);
  const [login] = run.requests.filter(({ path }) => path === '/v2/user_auth');
  expect(login?.method).toBe('PUT');
  expect(login?.headers['x-auth-token']).toBeUndefined();
  expect(login?.body).toEqual({
    data: { credentials: world.digest('md5'), method: 'md5', account_name: 'acme' },
  });
});

test('the password is sent as a SHA-1 digest on request', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(`login --base-url ${world.url} ${user} --method sha --password-stdin`, {
    stdin: world.seed.adminPassword,
  });
  expect(run.code, run.stderr).toBe(0);
  const [login] = run.requests.filter(({ path }) => path === '/v2/user_auth');
  expect(login?.body).toEqual({
    data: { credentials: world.digest('sha1'), method: 'sha', account_name: 'acme' },
  });
});

test('the account can be identified by its realm', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(
    `login --base-url ${world.url} --account-realm acme.sandbox.example --username admin --password-stdin`,
    { stdin: world.seed.adminPassword },
  );
  expect(run.code, run.stderr).toBe(0);
  const [login] = run.requests.filter(({ path }) => path === '/v2/user_auth');
  expect(login?.body).toMatchObject({ data: { account_realm: 'acme.sandbox.example' } });
});

test('an API key signs in and is stored for renewals', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(`login --base-url ${world.url} --api-key-stdin`, {
    stdin: `${world.seed.apiKey}\n`,
  });
  expect(run.code, run.stderr).toBe(0);
  const who = await world.telctl('whoami -o json');
  expect(JSON.parse(who.stdout)).toMatchObject({ method: 'api-key', account_name: 'acme' });
});

test('HTTP Basic signs in with the account id and the digest', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(`login --base-url ${world.url} --basic ${user} --password-stdin`, {
    stdin: world.seed.adminPassword,
  });
  expect(run.code, run.stderr).toBe(0);
  expect((await world.telctl('users list -o name')).stdout).toContain('admin');
});

test('the password prompt at a terminal hides the input', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(`login --base-url ${world.url} ${user}`, {
    tty: true,
    answers: [{ to: /password/i, type: world.seed.adminPassword }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout + run.stderr).not.toContain(world.seed.adminPassword);
});

test('a password from the environment signs in without a profile', async () => {
  const world = await openWorld({ signIn: 'none' });
  const env = {
    TELCTL_BASE_URL: world.url,
    TELCTL_USERNAME: 'admin',
    TELCTL_PASSWORD: world.seed.adminPassword,
    TELCTL_ACCOUNT_NAME: 'acme',
  };
  const run = await world.telctl('users list -o name', { env });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout.split('\n')).toContain('admin');
  expect((await world.telctl('profiles list -o json')).stdout.trim()).toBe('[]');
});

test('logout deletes the token and the key', async () => {
  const world = await openWorld();
  expect((await world.telctl('logout')).code).toBe(0);
  const run = await world.telctl('users list');
  expect(run.code).toBe(4);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain('telctl login');
});

test('several profiles can be stored, and one is the default', async () => {
  const world = await openWorld();
  const second = await world.telctl(`login --profile second --base-url ${world.url} --api-key-stdin`, {
    stdin: world.seed.apiKey,
  });
  expect(second.code, second.stderr).toBe(0);
  const names = (await world.telctl('profiles list -o name')).stdout.trim().split('\n');
  expect(names).toEqual(expect.arrayContaining([world.profile, 'second']));
  expect((await world.telctl('profiles use second')).code).toBe(0);
  expect(JSON.parse((await world.telctl('whoami -o json')).stdout)).toMatchObject({ profile: 'second' });
});
