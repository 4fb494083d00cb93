import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

test('a wrong password is refused with code 4 and nothing is stored', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(
    `login --base-url ${world.url} --account-name acme --username admin --password-stdin`,
    { stdin: 'not the password' },
  );
  expect(run.code).toBe(4);
  expect(run.stdout).toBe('');
  expect(run.stderr).toMatch(/password|refused|user/i);
  expect((await world.telctl('profiles list -o json')).stdout.trim()).toBe('[]');
});

test('an unknown account is refused with code 4', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(
    `login --base-url ${world.url} --account-name nobody --username admin --password-stdin`,
    { stdin: world.seed.adminPassword },
  );
  expect(run.code).toBe(4);
  expect(run.stderr).not.toContain(world.seed.adminPassword);
});

test('two identifiers of the account are refused before any request', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(
    `login --base-url ${world.url} --account-name acme --account-realm acme.sandbox.example --username admin --password-stdin`,
    { stdin: world.seed.adminPassword },
  );
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('--account-realm');
  expect(run.requests).toEqual([]);
});

test('a missing identifier is named without a terminal', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(`login --base-url ${world.url} --username admin --password-stdin`, {
    stdin: world.seed.adminPassword,
  });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('--account-name');
  expect(run.requests).toEqual([]);
});

test('a missing password is reported with the options that provide it', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl(`login --base-url ${world.url} --account-name acme --username admin`);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('--password-stdin');
  expect(run.requests).toEqual([]);
});

test('plain HTTP to another machine is refused without --insecure-http', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl('login --base-url http://api.example --api-key-stdin', {
    stdin: world.seed.apiKey,
  });
  expect(run.code).toBe(9);
  expect(run.stderr).toContain('https');
  expect(run.requests).toEqual([]);
});

test('a command without a sign-in exits with code 4 and explains how to sign in', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl('users list');
  expect(run.code).toBe(4);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain('telctl login');
  expect(run.requests).toEqual([]);
});

test('a script without a sign-in receives the error as one JSON object', async () => {
  const world = await openWorld({ signIn: 'none' });
  const run = await world.telctl('users list -o json');
  expect(run.code).toBe(4);
  expect(JSON.parse(run.stderr)).toMatchObject({ error: { kind: 'auth' } });
});
