import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { processes } from '../../../src/base/host/processes.ts';
import { programEnvironment } from '../../../src/base/program-environment.ts';
import { openWorld, type RunOptions, type World } from '../../support/world.ts';

const canary = 'canary-91c4';
/** Secrets and state URLs, as pipelines set them. The other settings are not secret. */
const secrets = {
  TELCTL_API_KEY: canary,
  TELCTL_PASSWORD: canary,
  TELCTL_TOKEN: canary,
  TELCTL_STATE_PASSWORD: canary,
  TELCTL_CLIENT_SECRET: canary,
};

/** Writes a program that stores its environment and arguments in the working folder. */
const spyProgram = (name: string): string =>
  `sh -c 'env > env-of-${name}.txt; echo "$0 $@" > args-of-${name}.txt' ${name}`;

async function readSpied(world: World, name: string): Promise<string> {
  const path = join(world.folders.cwd, `args-of-${name}.txt`);
  await expect.poll(() => existsSync(path)).toBe(true);
  return readFileSync(join(world.folders.cwd, `env-of-${name}.txt`), 'utf8') + readFileSync(path, 'utf8');
}

/** Runs programs in the working folder of the test. */
const runInFolder = ({ folders: { cwd } }: World): NonNullable<RunOptions['processes']> => {
  const quoted = `'${cwd.replaceAll("'", `'\\''`)}'`;
  const inWorkingFolder = (command: string, args: readonly string[]) =>
    ['sh', ['-c', `cd ${quoted} && exec "$0" "$@"`, command, ...args]] as const;
  return {
    runAttached: (command, args, ...rest) =>
      processes.runAttached(...inWorkingFolder(command, args), ...rest),
    startDetached: (command, args, ...rest) =>
      processes.startDetached(...inWorkingFolder(command, args), ...rest),
    startPager: (command, args, ...rest) => processes.startPager(...inWorkingFolder(command, args), ...rest),
    runForText: (command, args, ...rest) => processes.runForText(...inWorkingFolder(command, args), ...rest),
  };
};

test('editors, pagers and password programs receive no secrets of telctl', async () => {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const options = { processes: runInFolder(world) };
  const base = { ...secrets, TELCTL_PROFILE: world.profile, MINE: 'kept' };
  await world.telctl('users edit alice', { ...options, env: { ...base, EDITOR: spyProgram('editor') } });
  const seen = await readSpied(world, 'editor');
  expect(seen).toContain('MINE=kept');
  expect(seen).not.toContain(canary);
  const words = [
    'login',
    '--profile',
    'other',
    '--base-url',
    world.url,
    '--api-key-command',
    spyProgram('command'),
  ];
  await world.telctl(words, { ...options, env: { ...secrets } });
  expect(await readSpied(world, 'command')).not.toContain(canary);
});

test('variables that a manifest reads are not passed to programs', () => {
  const env = {
    CRM_KEY: canary,
    TELCTL_STATE: 'postgres://ci@db.example/telctl',
    TELCTL_OUTPUT: 'json',
    PATH: '/bin',
  };
  expect(programEnvironment({ env, withheld: new Set(['CRM_KEY']) }).variables).toEqual({
    TELCTL_OUTPUT: 'json',
    PATH: '/bin',
  });
});

const requestStatus = (
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(address, { headers }, (reply) => resolve(reply.resume().statusCode)).on('error', reject);
  });

test('the console opens from a private file that is deleted after the page loads', async () => {
  const world = await openWorld();
  const stop = new AbortController();
  let address = '';
  const started: string[] = [];
  const run = world.telctl('console', {
    tty: true,
    interrupted: stop.signal,
    env: { ...secrets, TELCTL_PROFILE: world.profile },
    shown: (text) => {
      address = /http:\S+/.exec(text)?.[0] ?? address;
    },
    processes: {
      startDetached: async (command, args, { variables }) => {
        started.push(JSON.stringify([command, args, variables]));
        return true;
      },
    },
  });
  await expect.poll(() => started.length).toBe(1);
  const [, path = ''] = /"(file:[^"]+)"/.exec(started[0] ?? '') ?? [];
  const file = fileURLToPath(path);
  const key = new URL(address).searchParams.get('key') ?? '';
  expect(key.length).toBeGreaterThan(20);
  expect(started[0]).not.toContain(key);
  expect(started[0]).not.toContain(canary);
  expect(readFileSync(file, 'utf8')).toContain(address);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const navigated = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  expect(await requestStatus(address, navigated)).toBe(200);
  await expect.poll(() => existsSync(file)).toBe(false);
  // The address works only once.
  expect(await requestStatus(address, navigated)).toBe(403);
  stop.abort();
  expect((await run).code).toBe(0);
});

test('only one function builds the environment of programs', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join('src', path));
  const building = files.filter((path) =>
    /\bvariables:\s*(?:host\.|process\.)?env\b/.test(readFileSync(path, 'utf8')),
  );
  expect(building).toEqual(['src/base/program-environment.ts', 'src/base/host/programs.ts']);
});
