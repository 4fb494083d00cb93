/**
 * Starts the checks with the Node.js of the install. Every Node.js from 20 must run this file, so it is CommonJS
 * without types.
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
