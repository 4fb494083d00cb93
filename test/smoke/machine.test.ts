import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../support/listening-sandbox.ts';
import { bin, processEnv, runProcess, startProcess, userTime } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

/** Root may write to every folder, but not below a file. */
const barred = '/dev/null/telctl';

test('signs in from the environment with a read-only home folder', async () => {
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

test('reports a read-only home folder when a profile must be stored', async () => {
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

test('works without a writable cache', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const env = { ...sandbox.keyEnv, TELCTL_CACHE_DIR: barred };
  const run = await runProcess(['users', 'list', '-o', 'name'], { home, env });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('admin');
});

test('Ctrl-C during a request exits with code 130 and prints no result', async () => {
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

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends the display of 10,000 rows within a second',
  async (signal) => {
    const users = Array.from({ length: 10_000 }, (_, index) => ({
      ...{
        id: String(index).padStart(32, '0'),
        username: `user-${index}`,
        first_name: 'José',
        last_name: '山田',
      },
      ...{ email: `user-${index}@acme.example`, priv_level: 'user', enabled: true },
    }));
    const sandbox = await listen({ answer: { path: /\/users$/, data: users } });
    const { home } = testFolders();
    const { child, end } = startProcess(['users', 'list', '-o', 'table'], { home, env: sandbox.keyEnv });
    await sandbox.answered;
    const begun = userTime(child.pid);
    // After this much processor time, the response was read and the table is being formatted, or is complete.
    await vi.waitFor(() => expect(child.exitCode !== null || userTime(child.pid) >= begun + 20).toBe(true), {
      ...{ interval: 5, timeout: 60_000 },
    });
    const sentAt = performance.now();
    child.kill(signal);
    const { code, stderr } = await end;
    expect([0, 130], stderr).toContain(code);
    // Much longer than this takes on a busy machine, and much shorter than formatting the table takes.
    expect(performance.now() - sentAt).toBeLessThan(30_000);
  },
);

test('a proxy of the environment is used for other machines', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const asked: string[] = [];
  const server = createServer((_, response) => response.end()).on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const env = {
    ...sandbox.keyEnv,
    TELCTL_BASE_URL: 'https://api.example',
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
  };
  const run = await runProcess(['users', 'list', '--retries', '0'], { home, env });
  expect(asked[0]).toBe('api.example:443');
  expect(run.code).toBe(75);
  const wrong = await runProcess(['users', 'list'], { home, env: { ...env, HTTPS_PROXY: 'proxy:3128' } });
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('HTTPS_PROXY');
});

test.runIf(existsSync('/dev/full'))(
  'output that cannot be written is reported without a stack trace',
  async () => {
    const sandbox = await listen();
    const { home } = testFolders();
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [bin, 'users', 'list', '-o', 'json'], {
      env: processEnv({ home, env: sandbox.keyEnv }),
      stdio: ['ignore', full, 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const [code] = await once(child, 'close');
    closeSync(full);
    expect(code).toBe(1);
    expect(JSON.parse(stderr).error.message).toBe('The result could not be written completely (ENOSPC).');
  },
);
