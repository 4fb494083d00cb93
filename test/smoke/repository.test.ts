import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

test('the checks run without npm, from any folder, under any Node.js', () => {
  const { cwd } = testFolders();
  const script = join(root, 'scripts', 'check.ts');
  // `node` is the oldest one that there is: the machine's own, where it has one.
  const env = { HOME: cwd, PATH: '/usr/local/bin:/usr/bin:/bin' };
  const output = execFileSync(
    'sh',
    ['-c', 'PATH="$PATH:$1" exec node "$2" tests', 'sh', join(root, 'node_modules', '.bin'), script],
    { cwd, env },
  ).toString();
  expect(output).toMatch(/^ok {6}tests {2}\(.* s\)\nAll in /);
});
