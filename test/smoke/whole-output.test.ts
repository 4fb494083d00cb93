import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen } from '../support/listening-sandbox.ts';
import { bin, processEnv, runProcess } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a bash script in which `telctl` is the program of this checkout. */
function runBash(
  script: string,
  options: { home: string; env?: Record<string, string>; cwd?: string },
): Promise<Run> {
  const line = `telctl() { "${process.execPath}" "${bin}" "$@"; }\n${script}`;
  const { cwd = options.home } = options;
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', line], { cwd, env: processEnv(options) }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

test('a full disk is an error for every output format and for help', async () => {
  const data = Array.from({ length: 90 }, (_, index) => ({
    ...{ id: String(index).padStart(32, '0'), username: `user-${index}` },
    ...{ first_name: 'x'.repeat(40), last_name: 'y', email: `user-${index}@acme.example` },
  }));
  const sandbox = await listen({ answer: { path: /\/users$/, data } });
  const { home } = testFolders();
  const lines = [
    ...['json', 'yaml', 'csv', 'ndjson', 'table'].map((format) => `users list --limit 0 -o ${format}`),
    'users --help',
  ];
  for (const line of lines) {
    const run = await runBash(`ulimit -f 1; telctl ${line} > out`, { home, env: sandbox.keyEnv });
    expect(run.code, `${line}: ${run.stderr}`).toBe(1);
    expect(run.stderr, line).toContain('The result could not be written completely (EFBIG).');
  }
});

test('in a deleted working folder, every command reports it in one sentence', async () => {
  const { home } = testFolders();
  for (const line of ['', '--help', 'users list', 'validate -f x.yaml', 'sandbox status', 'mcp']) {
    const script = `mkdir gone; cd gone; rmdir ../gone; telctl ${line} < /dev/null`;
    const run = await runBash(script, { home });
    expect(`${run.code} ${run.stdout}${run.stderr}`, line).toBe(
      '1 The working folder cannot be used (it was deleted).\nChange to a folder that exists, and run the command again.\n',
    );
  }
});

test('empty or relative variables write no secret or cache below the working folder', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const cwd = join(home, 'repository');
  mkdirSync(cwd);
  const bad = ['', '~', './conf', 'conf'].flatMap((value) => [
    { XDG_CONFIG_HOME: value, XDG_CACHE_HOME: value, XDG_STATE_HOME: value },
    { HOME: value, TELCTL_CONFIG_DIR: join(home, 'own'), TELCTL_STATE_DIR: join(home, 'own') },
  ]);
  for (const env of bad) {
    const login = ['login', '--base-url', sandbox.url, '--api-key-stdin'];
    const run = await runProcess(login, { home, cwd, env, stdin: sandbox.seed.apiKey });
    expect(run.code, run.stderr).toBe(0);
    await runProcess(['completion', 'install', 'bash'], { home, cwd, env: { ...env, HOME: home } });
    expect(readdirSync(cwd), JSON.stringify(env)).toEqual([]);
  }
});
