import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, processEnv, root, runProcess } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('--version prints the version', async () => {
  const { home } = testFolders();
  const run = await runProcess(['--version'], { home });
  expect(run).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('--help prints to stdout and writes no files', async () => {
  const { home } = testFolders();
  const run = await runProcess(['--help'], { home });
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('Usage:');
  expect(existsSync(join(home, '.config'))).toBe(false);
});

/** Runs telctl. Also returns the loaded files of dist and the loaded slow modules of Node.js. */
async function runRecordingLoads(
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
  known?: string,
) {
  const { home: fresh, cwd } = testFolders();
  const home = known ?? fresh;
  const loaded = join(cwd, 'loaded.txt');
  writeFileSync(loaded, '');
  const env = {
    ...{ LOADED_FILES: loaded, NODE_OPTIONS: `--import=${join(root, 'test/support/loaded-files.mjs')}` },
    ...more,
  };
  const run = await runProcess(argv, { home, env });
  const names = readFileSync(loaded, 'utf8')
    .split('\n')
    .filter((name) => name !== '');
  const isOurs = (name: string): boolean => !/^(?:node|v8):/.test(name);
  return { run, home, files: names.filter(isOurs), ofNode: names.filter((name) => !isOurs(name)) };
}

/** Returns the total size of files in dist in kilobytes. */
const kilobytes = (files: readonly string[]): number =>
  files.reduce((sum, name) => sum + statSync(join(root, 'dist', name)).size, 0) / 1024;

test.each([
  { argv: [] },
  { argv: ['--help'] },
  { argv: ['users', '--help'] },
  { argv: ['apply', 'history', '-h'] },
])('a help page loads one small file, and no streams or hashes: telctl $argv', async ({ argv }) => {
  const { run, files, ofNode } = await runRecordingLoads(argv);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('telctl');
  expect(files).toEqual(['quick.js']);
  expect(kilobytes(files)).toBeLessThan(24);
  expect(ofNode).toEqual([]);
});

test('the stored help pages are those of the commands', async () => {
  const [kept, made] = [
    await runRecordingLoads(['users', 'list', '--help']),
    await runRecordingLoads(['users', 'list', '-h', '-q']),
  ];
  expect(kept.files).toEqual(['quick.js']);
  expect(made.files).toContain('main.js');
  expect(kept.run).toEqual(made.run);
});

test('a single read loads few files and only its resources', async () => {
  // No server uses this port.
  const env = { TELCTL_BASE_URL: 'http://127.0.0.1:1', TELCTL_TOKEN: 'a-token' };
  const { run, files, ofNode } = await runRecordingLoads(['users', 'get', 'alice', '--retries', '0'], env);
  expect(run.code, run.stderr).toBe(75);
  expect(files).toContain('main.js');
  // The file with all resources, and their list.
  expect(files.join('\n')).not.toMatch(/catalogue-|resource-list/);
  expect(files.length, files.join()).toBeLessThanOrEqual(23);
  expect(kilobytes(files)).toBeLessThan(868);
  // The cache file of a token is named by a hash.
  expect(ofNode).toEqual(['node:crypto', 'node:net']);
});

// Commands that send files or whole lists are loaded when they run.
test.each(['media', 'ports', 'lists'])('a single read of %s loads no additional files', async (noun) => {
  const env = { TELCTL_BASE_URL: 'http://127.0.0.1:1', TELCTL_TOKEN: 'a-token' };
  const { run, files } = await runRecordingLoads([noun, 'get', 'one', '--retries', '0'], env);
  expect(run.code, run.stderr).toBe(75);
  expect(files.length, files.join()).toBeLessThanOrEqual(23);
});

test('a completed read restores V8 flags, and a second read by name sends one request', async () => {
  const { home } = testFolders();
  expect((await runProcess(['sandbox', 'start', '--memory'], { home })).code).toBe(0);
  try {
    const readUser = () => runRecordingLoads(['users', 'get', 'admin', '-v', '-o', 'json'], {}, home);
    const [first, second] = [await readUser(), await readUser()];
    expect(second.run.code, second.run.stderr).toBe(0);
    expect([first, second].map(({ run }) => run.stderr.match(/^GET /gm)?.length)).toEqual([2, 1]);
    expect(second.files.length, second.files.join()).toBeLessThanOrEqual(19);
    expect(kilobytes(second.files)).toBeLessThan(861);
    expect(second.ofNode).toEqual(['node:net']);
  } finally {
    await runProcess(['sandbox', 'stop'], { home });
  }
});

test('a sandbox loads few files until its first response', async () => {
  const { run, files } = await runRecordingLoads(['sandbox', 'exec', '--', process.execPath, '-e', '0']);
  expect(run.code, run.stderr).toBe(0);
  expect(files.length, files.join()).toBeLessThanOrEqual(120);
});

test('a background sandbox loads only what its requests need', async () => {
  const { run, files, home } = await runRecordingLoads(['sandbox', 'start', '--memory']);
  try {
    expect(run.code, run.stderr).toBe(0);
    // The command first loads its own files, then the background process loads its file. Shared code is one file.
    const own = files.slice(files.indexOf('background.js'));
    expect(own).toContain('chunks/base.js');
    expect(kilobytes(own)).toBeLessThan(1734);
    // Command modules are loaded only by the command that starts the process.
    expect(files.filter((name) => name === 'chunks/start.js')).toHaveLength(1);
    const change = await runRecordingLoads(['users', 'patch', 'admin', '--first-name', 'Bo'], {}, home);
    expect(change.run.code, change.run.stderr).toBe(0);
    expect(change.files.join('\n')).toContain('record-writes-');
    expect(change.files).not.toContain('chunks/catalogue.js');
    expect(change.files.length, change.files.join()).toBeLessThanOrEqual(60);
  } finally {
    await runProcess(['sandbox', 'stop'], { home });
  }
});

test('an assistant server loads only the commands of its tools', async () => {
  const { run, files } = await runRecordingLoads(['mcp']);
  expect(run.code, run.stderr).toBe(0);
  expect(files.length, files.join()).toBeLessThanOrEqual(148);
});

test('each file of the build loads separately', async () => {
  const { cwd } = testFolders();
  const program = join(cwd, 'load.mjs');
  writeFileSync(
    program,
    `import { readdirSync } from 'node:fs';
    for (const name of readdirSync('${root}/dist/chunks')) await import('${root}/dist/chunks/' + name);
    process.exit(0);`,
  );
  const loaded = await runProcess([], { home: cwd, script: program });
  expect(loaded).toMatchObject({ code: 0, stderr: '' });
});

test('a packed tarball is below 2.6 MB, installs into an empty prefix and runs', async () => {
  const { home, cwd } = testFolders();
  const env = {
    ...processEnv({ home }),
    npm_config_cache: join(home, 'npm'),
    npm_config_update_notifier: 'false',
  };
  const pack = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', cwd], {
    cwd: root,
    env,
  });
  const packed: unknown = JSON.parse(pack.toString());
  const tarball = join(cwd, readTarballName(packed));
  expect(statSync(tarball).size).toBeLessThan(2_600_000);
  const prefix = join(home, 'prefix');
  execFileSync('npm', ['install', '-g', '--offline', '--omit=optional', '--prefix', prefix, tarball], {
    cwd,
    env,
    stdio: 'pipe',
  });
  const installed = await runProcess(['--version'], { home, script: join(prefix, 'bin', 'telctl') });
  expect(installed).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  const listed = await runProcess(['commands'], { home, script: join(prefix, 'bin', 'telctl') });
  expect(listed.code, listed.stderr).toBe(0);
  expect(listed.stdout).toContain('users');
  const folder = join(prefix, 'lib', 'node_modules', 'telctl');
  const links = readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g);
  const linked = [...links].map(([, path = '']) => path);
  expect(linked).toContain('docs/release.md');
  expect(linked.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
  const page = readFileSync(join(prefix, 'share', 'man', 'man1', 'telctl-users.1'), 'utf8');
  expect(page).toContain('telctl users password');
});

/** Returns the file name in the output of `npm pack --json`: a list in npm 11, an object in later versions. */
function readTarballName(packed: unknown): string {
  const [first] = Array.isArray(packed) ? packed : Object.values(Object(packed));
  const { filename } = Object(first);
  if (typeof filename !== 'string') throw new Error('npm pack printed no file name');
  return filename;
}

test('output to a closed pipe is not an error', async () => {
  const { home } = testFolders();
  const line = `"${process.execPath}" "${bin}" commands -o json | head -c 20; echo "ended with \${PIPESTATUS[0]}"`;
  const child = spawn('bash', ['-c', line], { env: processEnv({ home }) });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  await once(child, 'close');
  expect(Buffer.concat(stderr).toString()).toBe('');
  expect(Buffer.concat(stdout).toString()).toMatch(/ended with (0|141)\n$/);
});

/** Returns arguments that make Node.js report another version and platform. */
const disguiseArguments = (versionOfNode: string, platform: string = process.platform): readonly string[] => {
  const facts = JSON.stringify({ version: `v${versionOfNode}`, platform });
  const script =
    `for (const [name, value] of Object.entries(${facts})) Object.defineProperty(process, name, { value });` +
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${versionOfNode}' } });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
};

/** Runs a script with a Node.js. */
async function runBin(
  script: string,
  node: readonly [command: string, ...args: string[]],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const [command, ...args] = node;
  const child = spawn(command, [...args, script, 'help', 'files'], { env });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  const [code] = await once(child, 'close');
  return { code, ...texts };
}

test.each([
  ['linux', 'node'],
  ['win32', 'node.exe'],
])('runs itself with the pinned Node.js if the current one is too old: %s', async (platform, name) => {
  const { home, cwd } = testFolders();
  const pinned = join(cwd, 'node_modules/node/bin', name);
  mkdirSync(dirname(pinned), { recursive: true });
  writeFileSync(pinned, '#!/bin/sh\necho "pinned, $TELCTL_PINNED_NODE: $*"\n', { mode: 0o755 });
  const script = join(cwd, 'bin/telctl.js');
  mkdirSync(dirname(script));
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
  copyFileSync(bin, script);
  const run = await runBin(
    script,
    [process.execPath, ...disguiseArguments('22.18.0', platform)],
    processEnv({ home }),
  );
  expect(run).toEqual({ code: 0, stdout: `pinned, 1: ${script} help files\n`, stderr: '' });
});

test.each(['SIGHUP', 'SIGQUIT', 'SIGTERM'] as const)('forwards %s to the pinned Node.js', async (signal) => {
  const { home, cwd } = testFolders();
  const pinned = join(cwd, 'node_modules/node/bin/node');
  mkdirSync(dirname(pinned), { recursive: true });
  const waiting = `trap 'exit 7' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`;
  writeFileSync(pinned, `#!/bin/sh\n${waiting}\n`, { mode: 0o755 });
  mkdirSync(join(cwd, 'bin'));
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
  copyFileSync(bin, join(cwd, 'bin/telctl.js'));
  const args = [...disguiseArguments('22.18.0'), join(cwd, 'bin/telctl.js'), 'users', 'list'];
  const child = spawn(process.execPath, args, { env: processEnv({ home }) });
  child.stdout.once('data', () => child.kill(signal));
  expect(await once(child, 'close')).toEqual([7, null]);
});

test('runs on every Node.js version that package.json names, and refuses older ones with one sentence', async () => {
  const { home } = testFolders();
  const env = processEnv({ home, env: { TELCTL_PINNED_NODE: '1' } });
  expect(engines.node).toBe('>=22.19.0');
  for (const newEnough of ['22.19.0', '23.0.0', '23.3.0', '24.0.0'])
    expect(await runBin(bin, [process.execPath, ...disguiseArguments(newEnough)], env)).toMatchObject({
      code: 0,
    });
  expect(await runBin(bin, [process.execPath, ...disguiseArguments('22.18.0')], env)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'telctl needs Node.js 22.19 or newer; this is 22.18.0.\n',
  });
});

test('the compile cache is in a folder that others cannot write, for every umask, and used from no other', async () => {
  const { home, cwd } = testFolders();
  const code = join(home, '.cache/telctl/code');
  const open = join(cwd, 'open');
  writeFileSync(open, `#!/bin/sh\numask 000\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
  const { NODE_COMPILE_CACHE: _, ...env } = processEnv({ home });
  const list = (...more: readonly string[]) => runBin(bin, [open, ...more], env);
  expect((await list()).code).toBe(0);
  expect(statSync(code).mode & 0o777).toBe(0o700);
  expect(readdirSync(code)).not.toEqual([]);
  rmSync(code, { recursive: true });
  mkdirSync(code);
  chmodSync(code, 0o777);
  expect((await list()).code).toBe(0);
  expect(readdirSync(code)).toEqual([]);
  chmodSync(code, 0o700);
  const other = 'process.getuid = () => 4242';
  expect((await list('--import', `data:text/javascript,${encodeURIComponent(other)}`)).code).toBe(0);
  expect(readdirSync(code)).toEqual([]);
});

test('a sandbox is refused with one sentence on Node.js 23.0 to 23.3, which has no database', async () => {
  const { home } = testFolders();
  const env = { NODE_OPTIONS: '--no-experimental-sqlite' };
  for (const [line, begin] of [
    ['sandbox start', 'The sandbox did not start: '],
    ['sandbox serve --memory', ''],
    ['sandbox exec -- true', ''],
  ] as const)
    expect(await runProcess(line.split(' '), { home, env }), line).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${begin}The sandbox needs SQLite, which Node.js ${process.versions.node} does not include.\nUse Node.js 24 or newer. Other commands work with this version.\n`,
    });
});
