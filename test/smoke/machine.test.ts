import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen } from '../support/listening-sandbox.ts';
import { runProcess, startProcess } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

/** Root may write anywhere; a file in the place of a folder stops it too. */
const barred = '/dev/null/telctl';

test('a home folder that cannot be written still lets the environment sign in', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const locked = join(home, 'locked');
  mkdirSync(locked);
  chmodSync(locked, 0o500);
  const env = {
    ...sandbox.keyEnv,
    TELCTL_CONFIG_DIR: barred,
    TELCTL_CACHE_DIR: barred,
    TELCTL_STATE_DIR: barred,
  };
  const run = await runProcess(['users', 'list', '-o', 'name'], { home: locked, cwd: home, env });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('admin');
  expect(run.stderr).not.toMatch(/\n\s+at /);
});

test('a home folder that cannot be written is named when a profile has to be stored', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const run = await runProcess(['login', '--base-url', sandbox.url, '--api-key-stdin'], {
    home,
    env: { TELCTL_CONFIG_DIR: barred },
    stdin: sandbox.seed.apiKey,
  });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(barred);
  expect(run.stderr).not.toMatch(/\n\s+at /);
});

test('a cache that cannot be written costs speed and nothing else', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const env = { ...sandbox.keyEnv, TELCTL_CACHE_DIR: barred };
  const run = await runProcess(['users', 'list', '-o', 'name'], { home, env });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('admin');
});

test('Ctrl-C in a request ends with 130 and prints no result', async () => {
  const sandbox = await listen({ hold: /\/users$/ });
  const { home } = testFolders();
  const running = startProcess(['users', 'list'], { home, env: sandbox.keyEnv });
  await sandbox.held;
  running.child.kill('SIGINT');
  const end = await running.end;
  expect(end.code).toBe(130);
  expect(end.stdout).toBe('');
  expect(end.stderr).not.toMatch(/\n\s+at /);
});
