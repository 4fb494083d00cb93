import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSignIn, openWorld, type Run, type World } from '../../support/world.ts';

/** Creates a world without a sign-in, and a program that prints a file. */
async function openVault(secret: (world: World) => string) {
  const world = await openWorld({ signIn: 'none' });
  const path = join(world.folders.cwd, 'secret');
  const files = { secret: `${secret(world)}\r\nmore\n` };
  const login = (...options: readonly string[]): Promise<Run> =>
    world.telctl(['login', '--base-url', world.url, ...options], { files });
  return { world, login, command: `cat '${path}'` };
}

const readStored = (world: World): string =>
  world
    .filesWritten()
    .flatMap(({ path, isFolder }) =>
      isFolder || /tokens|cwd|secret$/.test(path) ? [] : [readFileSync(path, 'utf8')],
    )
    .join('\n');

test('a profile signs in with the API key that a program prints, and stores only the command', async () => {
  const { world, login, command } = await openVault(({ seed }) => seed.apiKey);
  const first = await login('--api-key-command', command, '-v');
  expect(first.code, first.stderr).toBe(0);
  world.clock.turn(2 * 3_600_000);
  const later = await world.telctl('users list -o name -v');
  expect(later.code, later.stderr).toBe(0);
  expect(later.requests.filter(isSignIn)).toHaveLength(1);
  for (const { stdout, stderr } of [first, later]) expect(stdout + stderr).not.toContain(world.seed.apiKey);
  expect(readStored(world)).toContain('secretCommand');
  expect(readStored(world)).not.toContain(world.seed.apiKey);

  const who = await world.telctl('whoami -o json');
  expect(JSON.parse(who.stdout).secrets).toMatchObject({ api_key: 'output of cat' });
  const explained = JSON.parse((await world.telctl('config explain -o json')).stdout);
  expect(explained).toContainEqual({
    setting: 'secret-command',
    value: command.replaceAll("'", ''),
    source: 'profile',
    from: 'profile default',
  });

  expect((await world.telctl('logout')).code).toBe(0);
  const gone = await world.telctl('users list');
  expect(gone.code).toBe(4);
  expect(gone.requests).toEqual([]);
});

test('a profile signs in with the password that a program prints', async () => {
  const { world, login, command } = await openVault(({ seed }) => seed.adminPassword);
  const user = ['--username', 'admin', '--account-name', 'acme'];
  const first = await login(...user, '--password-command', command);
  expect(first.code, first.stderr).toBe(0);
  world.clock.turn(2 * 3_600_000);
  const later = await world.telctl('whoami -o json');
  expect(later.code, later.stderr).toBe(0);
  expect(JSON.parse(later.stdout)).toMatchObject({
    method: 'password',
    secrets: { password: 'output of cat' },
  });
  expect(readStored(world)).not.toContain(world.seed.adminPassword);
});

test.each([
  [['--api-key-command', 'pass show key | head -1'], '|'],
  [['--api-key-command', 'pass show "$KEY"'], '$'],
  [['--api-key-command', '~/bin/key'], '~'],
  [['--api-key-command', "pass 'show"], 'in pairs'],
  [['--api-key-command', ' '], 'must be a program'],
  [['--api-key-command', 'pass', '--api-key-stdin'], '--api-key-command or --api-key-stdin'],
  [['--api-key-command', 'pass', '--keyring'], '--keyring'],
  [['--api-key-command', 'pass', '--username', 'admin'], '--username'],
  [['--password-command', 'pass', '--sso', 'google'], '--sso'],
])('login %j is refused before anything runs or is sent', async (options, named) => {
  const { world, login } = await openVault(({ seed }) => seed.apiKey);
  const run = await login(...options);
  expect(run).toMatchObject({ code: 2, requests: [] });
  expect(run.stderr).toContain(named);
  expect((await world.telctl('profiles list -o json')).stdout).toBe('[]\n');
});

test.each([
  ['/nowhere/pass show key', 'does not exist'],
  ['false', 'ended with exit code 1'],
  ['true', 'printed nothing'],
])('reports that the command %s prints no secret', async (command, said) => {
  const { login } = await openVault(({ seed }) => seed.apiKey);
  const run = await login('--api-key-command', command);
  expect(run).toMatchObject({ code: 4, requests: [] });
  expect(run.stderr).toContain(said);
});
