/**
 * Proves that the core does not need the extensions: removes each one from a copy of the source, together with those
 * that import it, and checks the types. Then removes all of them, builds telctl, and uses the result against a sandbox
 * of the complete telctl. `--tests NAME` runs the remaining tests without one extension instead.
 */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  globSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readImportTable } from './boundaries/table.mts';

const root = join(import.meta.dirname, '..');
const names = globSync('src/extensions/*/extension.ts', { cwd: root })
  .map((path) => path.split(/[\\/]/)[2] ?? '')
  .sort();
const table = readImportTable(readFileSync(join(root, 'docs/architecture.md'), 'utf8'));
const failures: string[] = [];

/** Returns an extension and the extensions that import it. */
const withDependents = (name: string): readonly string[] =>
  names.filter(
    (other) =>
      other === name ||
      table.get(`extensions/${other}`)?.values.some(({ target }) => target === `extensions/${name}`),
  );

/** Copies the checkout without some extensions. The packages are linked. */
function copyCheckoutWithout(removed: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'telctl-without-'));
  for (const path of ['bin', 'docs', 'examples', 'integrations', 'schemas', 'scripts', 'src', 'test'])
    cpSync(join(root, path), join(copy, path), {
      recursive: true,
      filter: (source) => !source.includes('node_modules'),
    });
  for (const path of ['package.json', 'tsconfig.json', 'vitest.config.ts', 'LICENSE', 'README.md'])
    cpSync(join(root, path), join(copy, path));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const list = join(copy, 'src/extensions.ts');
  let text = readFileSync(list, 'utf8');
  for (const name of removed) {
    rmSync(join(copy, 'src/extensions', name), { recursive: true });
    text = text
      .replace(new RegExp(`^import \\{ ${name} \\}.*\n`, 'm'), '')
      .replace(new RegExp(`(?<=\\[.*)\\b${name}\\b(?:, )?`), '');
  }
  writeFileSync(list, text);
  return copy;
}

/** Replaces the link to the packages by hard links. The build needs paths below its own folder. */
function linkPackages(copy: string): void {
  const packages = join(copy, 'node_modules');
  rmSync(packages);
  for (const entry of readdirSync(join(root, 'node_modules'), { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || source.includes('.cache')) continue;
    const target = join(copy, source.slice(root.length));
    mkdirSync(dirname(target), { recursive: true });
    if (entry.isSymbolicLink()) continue;
    try {
      linkSync(source, target);
    } catch {
      // The temporary folder can be on another file system.
      copyFileSync(source, target);
    }
  }
}

function run(cwd: string, command: readonly string[], env: NodeJS.ProcessEnv = {}): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, command, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
}

function expectSuccess(what: string, { status, stdout, stderr }: SpawnSyncReturns<string>): void {
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${what}`);
  if (status !== 0) failures.push(`${what}\n${stdout}${stderr}`);
}

/** Checks the types of the source only, because scripts and tests may use every extension. */
function checkTypes(copy: string, removed: readonly string[]): void {
  const config = { extends: './tsconfig.json', include: ['src'], exclude: ['src/**/*.test.ts'] };
  writeFileSync(join(copy, 'tsconfig.source.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  expectSuccess(`types without ${removed.join(', ')}`, run(copy, [compiler, '-p', 'tsconfig.source.json']));
}

/** Uses a build of the core against a sandbox: lists users, and applies a manifest twice. */
function tryCore(copy: string): void {
  const home = mkdtempSync(join(tmpdir(), 'telctl-core-'));
  const env = { HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', XDG_CACHE_HOME: '', NO_COLOR: '1' };
  const complete = join(root, 'bin/telctl.js');
  const core = join(copy, 'bin/telctl.js');
  writeFileSync(join(copy, 'office.yaml'), 'menus:\n  main:\n    name: Main\n');
  try {
    expectSuccess('sandbox of the complete telctl', run(copy, [complete, 'sandbox', 'start'], env));
    expectSuccess('core: help', run(copy, [core, '--help'], env));
    expectSuccess('core: users list', run(copy, [core, 'users', 'list'], env));
    expectSuccess('core: apply', run(copy, [core, 'apply', '-f', 'office.yaml', '--yes'], env));
    const again = run(copy, [core, 'apply', '-f', 'office.yaml', '--yes'], env);
    expectSuccess('core: apply again', again);
    if (!/Nothing to do/.test(again.stdout + again.stderr))
      failures.push(`core: the second apply changes something\n${again.stdout}${again.stderr}`);
    const refused = run(copy, [core, 'test'], env);
    if (refused.status !== 2) failures.push(`core: "telctl test" exits with code ${refused.status}, not 2`);
  } finally {
    run(copy, [complete, 'sandbox', 'stop'], env);
    rmSync(home, { recursive: true, force: true });
  }
}

/** Builds telctl without an extension and runs the remaining tests. Tests in other folders that use it fail. */
function runTests(name: string): void {
  const copy = copyCheckoutWithout(withDependents(name));
  linkPackages(copy);
  expectSuccess(`build without ${name}`, run(copy, ['scripts/build.mts']));
  const vitest = spawn(
    process.execPath,
    [join(copy, 'node_modules/vitest/vitest.mjs'), 'run', '--project=!browser'],
    { cwd: copy, stdio: 'inherit' },
  );
  vitest.on('exit', (status) => {
    rmSync(copy, { recursive: true, force: true });
    process.exitCode = status ?? 1;
  });
}

const [option, tested] = process.argv.slice(2);
if (option === '--tests' && tested !== undefined) runTests(tested);
else {
  for (const name of names) {
    const removed = withDependents(name);
    const copy = copyCheckoutWithout(removed);
    checkTypes(copy, removed);
    rmSync(copy, { recursive: true, force: true });
  }
  const copy = copyCheckoutWithout(names);
  checkTypes(copy, names);
  linkPackages(copy);
  expectSuccess('build of the core', run(copy, ['scripts/build.mts']));
  tryCore(copy);
  rmSync(copy, { recursive: true, force: true });
  for (const failure of failures) console.error(failure);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
