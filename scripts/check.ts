/**
 * Starts the checks under the Node.js that comes with the install. Any Node.js from 20 up has to be able to run this
 * file itself: so it is CommonJS, and has no syntax that JavaScript has not.
 */
{
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { join } = process.getBuiltinModule('node:path');
  const node = join(__dirname, '..', 'node_modules', '.bin', 'node');
  const { status } = spawnSync(node, [join(__dirname, 'check', 'run.mts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status === null) console.error(`There is no Node.js at ${node}: run npm ci first.`);
  process.exitCode = status ?? 1;
}
