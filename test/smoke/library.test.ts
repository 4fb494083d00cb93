import { execFile } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/extensions/sandbox/library.ts';
import { makeFolders } from '../support/fake-host.ts';
import { root } from '../support/process.ts';

const run = promisify(execFile);
const folders = makeFolders();
const project = folders.cwd;

/** The programs of the page, in order. */
const programs = [
  ...readFileSync(join(root, 'docs/library.md'), 'utf8').matchAll(/^```ts\n(.*?)^```/gms),
].map(([, text = '']) => text);

const body = `const client = connect({ baseUrl: process.env.SERVICE_URL ?? '', apiKey: process.env.SERVICE_KEY ?? '' });
client.users.list().all().then((users) => console.log(users.length + ' user'));
export const isFailure = (error: unknown): boolean => error instanceof Failure && error.retryable;
`;
/** Small programs: an ES module, a CommonJS module, and one for a browser. */
const small = {
  'small.mts': `import { connect, Failure } from 'telctl';\n${body}`,
  'small.cts': `import { connect, Failure } from 'telctl';\n${body}`,
  'page.mts':
    "import { connect } from 'telctl';\nconnect({ baseUrl: 'https://service.example', apiKey: 'any' });\n",
};

/** Writes at exit what the library changed in the process. */
const watch = `import { writeFileSync } from 'node:fs';
const before = process.listenerCount('warning');
process.on('exit', () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException'];
  const listeners = signals.filter((name) => process.listenerCount(name) > 0);
  writeFileSync('watched.json', JSON.stringify({ listeners, mutes: process.listenerCount('warning') !== before }));
});
`;

/** Packs the checkout as it would be published, and installs it with TypeScript into an empty project. */
beforeAll(async () => {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  const packing = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project];
  const { stdout } = await run('npm', packing, { cwd: root });
  await run('tar', ['-xzf', join(project, stdout.trim())], { cwd: project });
  symlinkSync(join(project, 'package'), join(modules, 'telctl'));
  for (const name of ['@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  const compilerOptions = { strict: true, target: 'es2024', module: 'nodenext', types: ['node'] };
  const files = programs.map((_, index) => `program${index}.ts`);
  for (const [index, text] of programs.entries()) writeFileSync(join(project, `program${index}.ts`), text);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  writeFileSync(join(project, 'watch.js'), watch);
  for (const [name, text] of Object.entries(small)) writeFileSync(join(project, name), text);
});

afterAll(() => folders.remove());

test('example programs compile against the packed types and print the documented output', async () => {
  expect(programs).toHaveLength(6);
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const compiled = await run(process.execPath, [compiler], { cwd: project }).catch((error) => error);
  expect(compiled.stdout).toBe('');
  const sandbox = await startSandbox();
  const env = {
    HOME: folders.home,
    PATH: process.env.PATH,
    SERVICE_URL: sandbox.baseUrl,
    SERVICE_KEY: sandbox.admin.apiKey,
    // The library must not read these variables.
    TELCTL_BASE_URL: 'http://127.0.0.1:9',
    TELCTL_TOKEN: 'of-another-service',
    TELCTL_ACCOUNT: 'elsewhere',
    TELCTL_TIMEOUT: 'never',
  };
  const ends = [];
  for (const index of programs.keys()) {
    const line = ['--import', './watch.js', `program${index}.js`];
    const { stdout, stderr } = await run(process.execPath, line, { cwd: project, env });
    ends.push({ stdout: stdout.replaceAll(/[0-9a-f]{32}/g, 'ID'), stderr });
    const watched = JSON.parse(readFileSync(join(project, 'watched.json'), 'utf8'));
    expect({ index, ...watched }).toEqual({ index, listeners: [], mutes: false });
  }
  await sandbox.stop();
  expect(ends).toEqual([
    {
      stderr: '',
      stdout: `alice: Europe/Zurich
The service asks for estimated 40.00 for 4 inbound_trunks.
4 trunks
Gone: There is no user "ID": bad identifier
`,
    },
    { stderr: '', stdout: '201: Night\ninterrupted, retryable: false\n' },
    {
      stderr: '',
      stdout: 'This client does not allow the effects of users.delete (deletes). No request was sent.\n',
    },
    { stderr: '', stdout: 'doc_created vmbox; checked: secret; open: 5\n' },
    {
      stderr: '',
      stdout: expect.stringMatching(
        /^office reads BOB_PASSWORD\ncreate user bob\ncreate vmbox 2002\ndone: users.bob\ndone: vmboxes.bob\n(?:#.*\n)+\nvmboxes:\n {2}"2002":\n/,
      ),
    },
    {
      stderr: '',
      stdout: `voicemail "Carol": Message of 20 s in voicemail box "Carol"
1 box, after 1 fault
24 hours later
`,
    },
  ]);
  // Only the ledger and the journal of the apply are written.
  expect(readdirSync(folders.home)).toEqual(['.local']);
});

test.each([
  ['node16', 'node16'],
  ['esnext', 'bundler'],
])('its types resolve from both kinds of modules with %s and resolution %s', async (module, how) => {
  const options = `--noEmit --strict --target es2024 --types node --module ${module} --moduleResolution ${how}`;
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const files = how === 'bundler' ? ['small.mts'] : ['small.mts', 'small.cts'];
  const line = [compiler, ...options.split(' '), '--ignoreConfig', ...files];
  const compiled = await run(process.execPath, line, { cwd: project }).catch((error) => error);
  expect(compiled.stdout).toBe('');
});

test.each(['esm', 'cjs'] as const)('bundled as %s it runs and is at most 325 kB', async (format) => {
  const outfile = join(project, `bundle.${format === 'esm' ? 'mjs' : 'cjs'}`);
  const entry = join(project, format === 'esm' ? 'small.mts' : 'small.cts');
  await build({ entryPoints: [entry], bundle: true, platform: 'node', format, outfile });
  expect(statSync(outfile).size).toBeLessThanOrEqual(325_000);
  const sandbox = await startSandbox();
  const env = { SERVICE_URL: sandbox.baseUrl, SERVICE_KEY: sandbox.admin.apiKey };
  expect(await run(process.execPath, [outfile], { env })).toEqual({ stdout: '1 user\n', stderr: '' });
  await sandbox.stop();
});

test.each(['esm', 'cjs'] as const)(
  'telctl/manifest and telctl/sandbox run from a bundle as %s',
  async (format) => {
    const text = `import { plan } from 'telctl/manifest';
import { startSandbox } from 'telctl/sandbox';
const sandbox = await startSandbox();
console.log(typeof plan, new URL(sandbox.baseUrl).hostname);
await sandbox.stop();\n`;
    // CommonJS does not support top-level await.
    const [imports = '', program = ''] = text.split(/(?<=sandbox';\n)/);
    const contents = `${imports}(async () => {\n${program}})();\n`;
    // The optional keyring package is usually installed. Its native file cannot be bundled.
    symlinkSync(join(root, 'node_modules/@napi-rs'), join(project, 'node_modules/@napi-rs'));
    onTestFinished(() => unlinkSync(join(project, 'node_modules/@napi-rs')));
    const outfile = join(project, `whole.${format === 'esm' ? 'mjs' : 'cjs'}`);
    const stdin = { contents, resolveDir: project };
    const { warnings } = await build({
      stdin,
      bundle: true,
      platform: 'node',
      format,
      outfile,
      logLevel: 'silent',
    });
    expect(warnings.filter(({ text: each }) => !each.includes('import.meta'))).toEqual([]);
    const env = { HOME: folders.home };
    expect(await run(process.execPath, [outfile], { env })).toEqual({
      stdout: 'function 127.0.0.1\n',
      stderr: '',
    });
  },
);

test('packed files do not contain the folder of the build', () => {
  const names = readdirSync(join(project, 'package'), { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => join(project, 'package', name)).filter((path) => statSync(path).isFile());
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((path) => readFileSync(path, 'utf8').includes(root))).toEqual([]);
});

test('a bundle for browsers replaces the Node.js part with one sentence', async () => {
  const outfile = join(project, 'page.mjs');
  await build({ entryPoints: [join(project, 'page.mts')], bundle: true, format: 'esm', outfile });
  expect(statSync(outfile).size).toBeLessThan(1_000);
  const ended = await run(process.execPath, [outfile]).catch((error) => error);
  expect(ended.stderr).toContain('Error: telctl is a library for programs on servers');
});

test('telctl/test runs case files in node:test and Vitest, and explains a failure', async () => {
  const [, program = ''] =
    /^```js\n(.*?)^```/ms.exec(readFileSync(join(root, 'docs/library.md'), 'utf8')) ?? [];
  const flow = 'flow: { module: hangup, data: {} }';
  const write = (name: string, text: string): void => writeFileSync(join(project, name), text);
  write('office.yaml', `callflows: { main: { numbers: ["2001"], ${flow} } }\n`);
  mkdirSync(join(project, 'calls'), { recursive: true });
  const one = (name: string, end: string): string =>
    `  - { name: ${name}, call: { from: +13125550100, to: 2001 }, expect: { ends_in: ${end} } }\n`;
  write(
    'calls/office.yaml',
    `at: 2026-11-23 10:00 Europe/Zurich\ncases:\n${one('it hangs up', 'hangup')}${one('somebody answers', 'voicemail')}`,
  );
  mkdirSync(join(project, 'vitest'), { recursive: true });
  write('calls.test.mjs', program);
  write('vitest/calls.test.mjs', program.replace(/'node:test'; .*$/m, "'vitest';"));
  const env = { PATH: process.env.PATH, HOME: folders.home, NO_COLOR: '1' };
  const ended = await run(process.execPath, ['--test', '--test-reporter=tap', 'calls.test.mjs'], {
    cwd: project,
    env,
  }).catch((error) => error);
  expect(ended.stdout).toMatch(/ok 1 - it hangs up.*not ok 2 - somebody answers.*calls\/office\.yaml:4/s);
  symlinkSync(join(root, 'node_modules/vitest'), join(project, 'node_modules/vitest'));
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'vitest/calls.test.mjs'];
  const inVitest = await run(process.execPath, vitest, { cwd: project, env }).catch((error) => error);
  expect(inVitest.stdout).toMatch(/1 failed \| 1 passed/);
  expect(`${inVitest.stdout}${inVitest.stderr}`).toContain('calls/office.yaml:4');
});
