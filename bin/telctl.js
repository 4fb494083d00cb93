#!/usr/bin/env node
// Small and without dependencies: it also has to run, and say what is wrong, under a Node.js that is too old.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
/** Module of Node.js as it is: an import statement reads all that it exports, which loads much more. */
const builtin = process.getBuiltinModule ?? module.createRequire(import.meta.url);

/** Tells whether a Node.js has what telctl's packages need: it is 22.19 or newer, as package.json's engines say. */
function supported(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

/** Runs this file again with the Node.js that the checkout pins, if there is one. */
function runPinned() {
  const { existsSync } = builtin('node:fs');
  const pinned = `${folder}/../node_modules/node/bin/${process.platform === 'win32' ? 'node.exe' : 'node'}`;
  if (process.env.TELCTL_PINNED_NODE || !existsSync(pinned)) {
    process.stderr.write(`telctl needs Node.js 22.19 or newer; this is ${process.versions.node}.\n`);
    process.exitCode = 1;
    return;
  }
  let child;
  // Before the child starts: a signal in between would end this process only.
  // A Ctrl-C at a terminal reaches the child by itself; what is sent to this process alone is handed on.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal));
  child = builtin('node:child_process').spawn(pinned, [process.argv[1], ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TELCTL_PINNED_NODE: '1' },
  });
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exitCode = code ?? 1;
  });
}

/** Tells whether a path is absolute; other values of these variables count as unset. */
const isAbsolute = (path) => path && builtin('node:path').isAbsolute(path);

/** Where telctl keeps what may be thrown away; the same places as src/base/host/file-access.ts. */
function cacheFolder() {
  const { env, platform } = process;
  if (env.TELCTL_CACHE_DIR) return env.TELCTL_CACHE_DIR;
  if (platform === 'win32' && isAbsolute(env.LOCALAPPDATA)) return `${env.LOCALAPPDATA}\\telctl\\cache`;
  if (isAbsolute(env.XDG_CACHE_HOME)) return `${env.XDG_CACHE_HOME}/telctl`;
  return isAbsolute(env.HOME) ? `${env.HOME}/.cache/telctl` : undefined;
}

/**
 * The folder for compiled code, which is run as it lies there: this user's alone. `undefined` where it cannot be made,
 * belongs to somebody else, or is open to others, who may have put code there.
 */
function codeFolder() {
  const cache = cacheFolder();
  if (!cache) return undefined;
  const { lstatSync, mkdirSync } = builtin('node:fs');
  const code = `${cache}/code`;
  try {
    mkdirSync(code, { recursive: true, mode: 0o700 });
    const isOurs = [cache, code].every((path) => {
      const found = lstatSync(path);
      return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0;
    });
    return isOurs ? code : undefined;
  } catch {
    // Windows has no such users: its folder lies in the user's own.
    return process.getuid ? undefined : code;
  }
}

/** Tells whether a line may ask for a page that the build has kept: the front page, or the help of a command. */
function mayAskForPage() {
  const words = process.argv.slice(2);
  const [last = 'help'] = words.slice(-1);
  return last === '--help' || last === '-h' || (last === 'help' && words.length < 2);
}

async function run() {
  // Said to this process alone: a telctl that it starts finds its Node.js by itself.
  delete process.env.TELCTL_PINNED_NODE;
  try {
    if (mayAskForPage() && (await import('../dist/quick.js')).answerQuickly(process.argv.slice(2))) return;
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  }
  // Compiled code is kept between runs; where the folder cannot be written, Node.js goes on without.
  const code = codeFolder();
  if (code) module.enableCompileCache?.(code);
  try {
    // The sandbox that `sandbox start` starts is no command: it loads nothing that reads command lines.
    await import(only === '__serve' ? '../dist/background.js' : '../dist/main.js');
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write('telctl is not built in this checkout. Run: npm run build\n');
    process.exitCode = 1;
  }
}

const [only, more] = process.argv.slice(2);
if (more === undefined && (only === '--version' || only === '-V')) {
  const fs = builtin('node:fs');
  const line = `${JSON.parse(fs.readFileSync(`${folder}/../package.json`, 'utf8')).version}\n`;
  try {
    // A stream for so little takes longer than all else.
    if (fs.writeSync(1, line) < line.length) throw new Error('only a part was written');
  } catch {
    // telctl itself says what is wrong with its output.
    await run();
  }
} else if (supported(process.versions.node)) await run();
else runPinned();
