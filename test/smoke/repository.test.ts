import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

test('the checks run without npm, from any folder, with any Node.js', () => {
  const { cwd } = testFolders();
  const script = join(root, 'scripts', 'check.ts');
  // Uses the oldest Node.js: that of the system, if there is one.
  const env = { HOME: cwd, PATH: '/usr/local/bin:/usr/bin:/bin' };
  const output = execFileSync(
    'sh',
    ['-c', 'PATH="$PATH:$1" exec node "$2" tests', 'sh', join(root, 'node_modules', '.bin'), script],
    { cwd, env },
  ).toString();
  expect(output).toMatch(/^ok {6}tests {2}\(.* s\)\nAll in /);
});

test('hosted CI runs only .ci/run, on three systems', () => {
  const { jobs } = parse(readFileSync(join(root, '.github', 'workflows', 'ci.yml'), 'utf8'));
  expect(Object.keys(jobs)).toEqual(['run']);
  expect(jobs.run.strategy.matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
  expect(jobs.run.steps).toEqual([
    { uses: expect.stringMatching(/^actions\/checkout@/) },
    { run: '.ci/run', shell: 'bash' },
  ]);
});

test('.ci/run explains what it needs if Chromium is missing and cannot be installed', () => {
  const { cwd } = testFolders();
  const run = spawnSync('bash', [join(root, '.ci', 'run')], {
    env: {
      HOME: cwd,
      PATH: createCommandsFolder(cwd, ['bash', 'dirname', 'id']),
      CHROMIUM: join(cwd, 'chromium'),
    },
    encoding: 'utf8',
  });
  expect(run.status).toBe(1);
  expect(run.stderr).toContain(`there is none at ${join(cwd, 'chromium')}`);
  expect(run.stderr).toContain('CHROMIUM=PATH .ci/run');
});

/** Creates a folder for PATH with only these commands. */
function createCommandsFolder(folder: string, names: readonly string[]): string {
  const path = join(folder, 'commands');
  mkdirSync(path);
  for (const name of names) symlinkSync(execFileSync('which', [name]).toString().trim(), join(path, name));
  return path;
}
