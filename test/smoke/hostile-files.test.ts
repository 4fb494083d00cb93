import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createIdleCheck, type ProcessEnd, runProcess, startProcess, userTime } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

/** Time limit in milliseconds, even on a busy machine. A run that hangs never ends. */
const timeLimitMs = 60_000;
/** Time limit for interrupted runs. */
const interruptLimitMs = 30_000;

async function measureRun(run: Promise<ProcessEnd>): Promise<ProcessEnd & { readonly ms: number }> {
  const start = performance.now();
  return { ...(await run), ms: performance.now() - start };
}

const makePipe = (path: string): void => void execFileSync('sh', ['-c', 'mkfifo "$0"', path]);

/** Files and folders that a hostile checkout may contain instead of expected files. */
const traps: Readonly<Record<string, (path: string) => void>> = {
  'a link to /dev/zero': (path) => symlinkSync('/dev/zero', path),
  'a link to the terminal': (path) => symlinkSync('/dev/tty', path),
  'a named pipe': makePipe,
  'a folder': (path) => mkdirSync(path),
  'a link in a circle': (path) => symlinkSync(path, path),
  'a file of a terabyte': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 40);
  },
};

for (const [what, lay] of Object.entries(traps)) {
  test(`${what} instead of .telctl.yaml is reported immediately`, async () => {
    const { home, cwd } = testFolders();
    lay(join(cwd, '.telctl.yaml'));
    const run = await measureRun(runProcess(['config', 'explain'], { home, cwd }));
    expect(run.stderr).toContain(join(cwd, '.telctl.yaml'));
    expect(run.stderr).toContain('cannot be read');
    expect(run.stderr).not.toContain('bug');
    expect(run.code).toBe(2);
    expect(run.ms).toBeLessThan(timeLimitMs);
  });

  test(`${what} instead of a secret, a manifest, a referenced file or the settings is reported immediately`, async () => {
    const { home, cwd } = testFolders();
    lay(join(cwd, 'trap'));
    const config = join(home, '.config', 'telctl');
    mkdirSync(config, { recursive: true });
    lay(join(config, 'config.json'));
    const isPipe = what === 'a named pipe';
    const lines = [
      ['whoami'],
      ['validate', '-f', 'office.yaml'],
      // Files named by options may be pipes.
      ...(isPipe
        ? []
        : [
            ['validate', '-f', 'trap'],
            ['login', '--api-key-file', 'trap'],
          ]),
    ];
    writeFileSync(join(cwd, 'office.yaml'), `users: { a: { username: '\${file.trap}' } }`);
    for (const line of lines) {
      const env = { TELCTL_BASE_URL: 'http://127.0.0.1:1', TELCTL_API_KEY: 'x' };
      const isOwn = line[0] === 'whoami';
      const run = await measureRun(
        runProcess(line, { home: isOwn ? home : cwd, cwd, env: isOwn ? {} : env }),
      );
      expect([1, 2, 10], `${line.join(' ')}: ${run.stderr}`).toContain(run.code);
      expect(run.stderr).toContain(isOwn ? join(config, 'config.json') : 'trap');
      expect(run.stderr).not.toMatch(/bug|\n\s+at /);
      expect(run.ms).toBeLessThan(timeLimitMs);
    }
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  const lines: Readonly<Record<string, (folder: string) => readonly string[]>> = {
    'standard input': () => ['validate', '-f', '-'],
    'a named pipe that nobody writes to': (folder) => {
      makePipe(join(folder, 'pipe'));
      return ['validate', '-f', join(folder, 'pipe')];
    },
  };
  for (const [what, lineIn] of Object.entries(lines)) {
    test(`${signal} ends a run that waits for ${what}`, async () => {
      const { home } = testFolders();
      const running = startProcess(lineIn(home), { home, keepStdin: true });
      await vi.waitUntil(createIdleCheck(running.child.pid), { timeout: 120_000 });
      running.child.kill(signal);
      const end = await measureRun(running.end);
      expect(end.stderr).toBe('Interrupted.\n');
      expect(end.code).toBe(130);
      expect(end.ms).toBeLessThan(interruptLimitMs);
    });
  }

  // A query stops after five seconds, which on a busy machine may be before its computation is detected.
  test(`${signal} ends an endless query`, { retry: 5 }, async () => {
    const { home } = testFolders();
    const endless = `[0]${' | [@,@,@,@]'.repeat(6)}${' | map(&[@,@,@,@], @[])'.repeat(12)}`;
    const running = startProcess(['commands', '-o', 'json', '--query', endless], { home });
    // This much processor time means that the query is running, because listing commands takes less.
    await vi.waitUntil(() => userTime(running.child.pid) > 80, { timeout: 60_000 });
    running.child.kill(signal);
    const end = await measureRun(running.end);
    expect(end.code === 130 || end.signal === signal, JSON.stringify(end)).toBe(true);
    expect(end.ms).toBeLessThan(interruptLimitMs);
  });
}

test('a pipe given as an option is read to its end', async () => {
  const { home } = testFolders();
  makePipe(join(home, 'pipe'));
  const running = startProcess(['validate', '-f', join(home, 'pipe')], { home });
  execFileSync('sh', ['-c', `echo 'users: { a: { username: a, nope: 1 } }' > ${join(home, 'pipe')}`]);
  const end = await running.end;
  expect(end.stderr).toContain('unknown field "nope"');
  expect(end.code).toBe(10);
});
