/**
 * Creates a release of the committed source: `npm run release -- VERSION [--dry-run]` (docs/release.md). Works in a
 * worktree with a clean install. The checkout changes at the end, except in a dry run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ReleaseError, readProject } from './release/project.mts';

/** Files of the package. Each pattern must match, and no other file is allowed. */
const kinds: readonly RegExp[] = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^CHANGELOG\.md$/,
  /^CONTRIBUTING\.md$/,
  /^llms\.txt$/,
  /^docs\/.+\.(?:md|svg)$/,
  /^THIRD-PARTY-NOTICES\.md$/,
  /^bin\/telctl\.js$/,
  /^dist\/(?:main|quick|background)\.js$/,
  /^dist\/help\/[^/]+\.json$/,
  /^dist\/chunks\/[^/]+\.js$/,
  /^dist\/man\/telctl[^/]*\.[15]$/,
  /^dist\/library\/[a-z-]+(?:\.c?js|\.d\.c?ts)$/,
  /^completions\/(?:_telctl|telctl\.(?:bash|fish|ps1))$/,
  /^examples\/.+\.(?:yaml|txt|json)$/,
  /^integrations\/.+\.(?:ya?ml|csv|service)$/,
  /^schemas\/[^/]+\.json$/,
];

/** Runs a program in a folder and returns its output without the last newline. */
function output(cwd: string, command: string, ...args: readonly string[]): string {
  const shell = process.platform === 'win32' && command === 'npm';
  return execFileSync(command, args, { cwd, shell, encoding: 'utf8' }).trimEnd();
}

function npm(cwd: string, ...args: readonly string[]): void {
  try {
    execFileSync('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  } catch {
    throw new ReleaseError(`npm ${args.join(' ')} failed. Nothing was released.`);
  }
}

/** Writes the version to package.json or the lock file. */
function setVersion(path: string, version: string): void {
  const { packages, ...content } = JSON.parse(readFileSync(path, 'utf8'));
  const own = packages === undefined ? {} : { packages: { ...packages, '': { ...packages[''], version } } };
  writeFileSync(path, `${JSON.stringify({ ...content, version, ...own }, null, 2)}\n`);
}

/** Renames the unreleased section of the changelog to the version. */
function closeChangelog(path: string, version: string): void {
  const heading = /^## .*\(unreleased\)$/m;
  const text = readFileSync(path, 'utf8');
  if (!heading.test(text))
    throw new ReleaseError('CHANGELOG.md has no section "## NEXT (unreleased)" with what users see change.');
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(path, text.replace(heading, `## ${version} (${date})`));
}

/** Refuses a package with missing or unexpected files. Returns the number of files. */
function checkPackage(folder: string): number {
  const packed: unknown = JSON.parse(
    output(folder, 'npm', 'pack', '--dry-run', '--ignore-scripts', '--json'),
  );
  // npm 11 returns a list of packages, later versions an object.
  const [first] = Array.isArray(packed) ? packed : Object.values(Object(packed));
  const files: readonly { readonly path: string }[] = first.files;
  const unexpected = files.filter(({ path }) => !kinds.some((kind) => kind.test(path)));
  if (unexpected.length > 0)
    throw new ReleaseError(`The package must not hold ${unexpected.map(({ path }) => path).join(', ')}.`);
  const missing = kinds.filter((kind) => !files.some(({ path }) => kind.test(path)));
  if (missing.length > 0) throw new ReleaseError(`The package holds nothing like ${missing.join(', ')}.`);
  return files.length;
}

/** Creates commit and package of a version in a clean checkout. */
function makeRelease(folder: string, version: string): string {
  setVersion(join(folder, 'package.json'), version);
  setVersion(join(folder, 'package-lock.json'), version);
  closeChangelog(join(folder, 'CHANGELOG.md'), version);
  npm(folder, 'ci');
  npm(folder, 'run', 'generate');
  npm(folder, 'run', 'check');
  console.log(`The package holds ${checkPackage(folder)} files, all of kinds that are expected.`);
  output(folder, 'git', 'commit', '--all', '--quiet', '--message', `release: ${version}`);
  console.log(output(folder, 'git', 'show', '--stat', '--format=%s'));
  return output(folder, 'git', 'rev-parse', 'HEAD');
}

function release(version: string, dryRun: boolean): void {
  const root = process.cwd();
  const tag = `v${version}`;
  if (!/^\d+\.\d+\.\d+(?:-[\dA-Za-z.-]+)?$/.test(version))
    throw new ReleaseError(`"${version}" is no version: three numbers, as in 1.2.0.`);
  readProject(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  if (output(root, 'git', 'status', '--porcelain') !== '')
    throw new ReleaseError('There are changes that are not committed: commit or drop them.');
  if (output(root, 'git', 'tag', '--list', tag) !== '')
    throw new ReleaseError(`There is a tag ${tag} already.`);
  const folder = mkdtempSync(join(tmpdir(), 'telctl-release-'));
  output(root, 'git', 'worktree', 'add', '--quiet', '--detach', folder);
  try {
    const commit = makeRelease(folder, version);
    if (dryRun) {
      console.log('Dry run: nothing was changed.');
      return;
    }
    npm(folder, 'pack', '--ignore-scripts', '--pack-destination', root);
    output(root, 'git', 'merge', '--quiet', '--ff-only', commit);
    output(root, 'git', 'tag', '--annotate', tag, '--message', `telctl ${version}`);
    console.log(`Made ${tag}. Nothing is published yet: docs/release.md says how.`);
  } finally {
    output(root, 'git', 'worktree', 'remove', '--force', folder);
  }
}

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean' } },
  allowPositionals: true,
});
const [version, ...more] = positionals;
if (version === undefined || more.length > 0) {
  console.error('Usage: npm run release -- VERSION [--dry-run]');
  process.exit(2);
}
try {
  release(version, values['dry-run'] === true);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
