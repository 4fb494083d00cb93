import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

const secretFile = ({ folders }: World, folder: 'credentials' | 'tokens', profile: string) =>
  readFileSync(join(folders.home, '.config', 'telctl', folder, `${profile}.json`), 'utf8');
const keyFile = (world: World, profile: string) => secretFile(world, 'credentials', profile);

test('masks the API key without --reveal', async () => {
  const world = await openWorld();
  const hidden = await world.telctl('accounts api-key show -o json');
  expect(hidden.code, hidden.stderr).toBe(0);
  expect(hidden.stdout).not.toContain(world.seed.apiKey);
  const shown = await world.telctl('accounts api-key show -o json --reveal');
  expect(JSON.parse(shown.stdout)).toEqual({ account_id: world.seed.accountId, api_key: world.seed.apiKey });
});

test('a rotation stores the new key in every profile that used the old key', async () => {
  const world = await openWorld();
  const login = ['login', '--profile', 'second', '--base-url', world.url, '--api-key-stdin'];
  expect((await world.telctl(login, { stdin: world.seed.apiKey })).code).toBe(0);
  const ofOldKey = secretFile(world, 'tokens', 'test');
  world.clock.turn(1000);
  const run = await world.telctl('accounts api-key rotate --yes -o json');
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({ old_key_refused: true, stored_for: ['test', 'second'] });
  expect(secretFile(world, 'tokens', 'test')).not.toBe(ofOldKey);
  expect(keyFile(world, 'test')).not.toContain(world.seed.apiKey);
  expect(keyFile(world, 'second')).toBe(keyFile(world, 'test'));
  const after = await world.telctl('users list -o name --profile second');
  expect(after.code, after.stderr).toBe(0);
});

test('a rotation does not start if the new key could not be stored', async () => {
  const world = await openWorld();
  const before = keyFile(world, 'test');
  const run = await world.telctl('accounts api-key rotate --yes', {
    disk: {
      writePrivate: () => {
        throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
      },
    },
  });
  expect(run.code, run.stderr).toBe(1);
  expect(run.stderr).toContain('The API key cannot be written');
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(keyFile(world, 'test')).toBe(before);
});

test('a rotation does not change profiles of other services', async () => {
  const world = await openWorld();
  const login = ['login', '--profile', 'elsewhere', '--base-url', 'http://localhost:9000', '--api-key-stdin'];
  expect((await world.telctl(login, { stdin: world.seed.apiKey })).code).toBe(0);
  const before = keyFile(world, 'elsewhere');
  const run = await world.telctl('accounts api-key rotate --yes --profile test -o json');
  expect(JSON.parse(run.stdout)).toMatchObject({ stored_for: ['test'] });
  expect(keyFile(world, 'elsewhere')).toBe(before);
});

test('a rotation asks first, and changes nothing if the answer is no', async () => {
  const world = await openWorld();
  const unasked = await world.telctl('accounts api-key rotate');
  expect(unasked.code).toBe(2);
  const declined = await world.telctl('accounts api-key rotate', {
    tty: true,
    answers: [{ to: /Replace the API key of acme/, type: 'n' }],
  });
  expect(declined.code).toBe(130);
  const sent = [...unasked.requests, ...declined.requests].filter(({ method }) => method === 'POST');
  expect(sent).toEqual([]);
});

test('rotates a key from the environment only with --reveal', async () => {
  const world = await openWorld({ signIn: 'none' });
  const env = { TELCTL_BASE_URL: world.url, TELCTL_API_KEY: world.seed.apiKey };
  const lost = await world.telctl('accounts api-key rotate --yes', { env });
  expect(lost.code).toBe(2);
  const run = await world.telctl('accounts api-key rotate --yes --reveal -o json', { env });
  expect(run.code, run.stderr).toBe(0);
  const { api_key: key } = JSON.parse(run.stdout);
  const after = await world.telctl('users list -o name', { env: { ...env, TELCTL_API_KEY: key } });
  expect(after.code, after.stderr).toBe(0);
});

test('a dry run of a rotation sends no writes', async () => {
  const world = await openWorld();
  const run = await world.telctl('accounts api-key rotate --dry-run');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('Would send POST');
  expect(run.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});
