#!/usr/bin/env node
// Small and without dependencies: it also has to run, and say what is wrong, under a Node.js that is too old.
import module from 'node:module';

const folder = import.meta.dirname ?? new URL('.', import.meta.url).pathname;

/** Node.js releases that telctl supports, as in package.json's engines. */
function supported(version) {
  const [major, minor, patch] = version.split('.').map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

/** Runs this file again with the Node.js that the checkout pins, if there is one. */
async function runPinned() {
  const [{ existsSync }, { spawn }] = await Promise.all([import('node:fs'), import('node:child_process')]);
  const pinned = `${folder}/../node_modules/node/bin/node`;
  if (process.env.TELCTL_PINNED_NODE || !existsSync(pinned)) {
    process.stderr.write(
      `telctl needs Node.js 22.22.2, 24.15 or newer in those lines, or 26 and up; this is ${process.versions.node}.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(pinned, [process.argv[1], ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TELCTL_PINNED_NODE: '1' },
  });
  // A Ctrl-C reaches the child through the terminal; what is sent to this process alone is handed on.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exitCode = code ?? 1;
  });
}

/** Where telctl keeps what may be thrown away; the same places as src/host/folders.ts. */
function cacheFolder() {
  const { env, platform } = process;
  if (env.TELCTL_CACHE_DIR) return env.TELCTL_CACHE_DIR;
  if (platform === 'win32' && env.LOCALAPPDATA) return `${env.LOCALAPPDATA}\\telctl\\cache`;
  const base = env.XDG_CACHE_HOME || (env.HOME && `${env.HOME}/.cache`);
  return base && `${base}/telctl`;
}

async function run() {
  // Said to this process alone: a telctl that it starts finds its Node.js by itself.
  delete process.env.TELCTL_PINNED_NODE;
  const cache = cacheFolder();
  // Compiled code is kept between runs; where the folder cannot be written, Node.js goes on without.
  if (cache) module.enableCompileCache?.(`${cache}/code`);
  try {
    await import('../dist/main.js');
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write('telctl is not built in this checkout. Run: npm run build\n');
    process.exitCode = 1;
  }
}

const [only, more] = process.argv.slice(2);
if (more === undefined && (only === '--version' || only === '-V')) {
  const { readFileSync } = await import('node:fs');
  process.stdout.write(`${JSON.parse(readFileSync(`${folder}/../package.json`, 'utf8')).version}\n`);
} else if (supported(process.versions.node)) await run();
else await runPinned();
