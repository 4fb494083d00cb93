import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** All files of the package, including those that npm adds. */
const packaged: readonly string[] = [...manifest.files, 'LICENSE', 'README.md'].filter(
  (path) => path !== 'CHANGELOG.md',
);
/** URLs of the test project. */
const places = {
  homepage: 'https://forge.example/team/telctl',
  repository: { type: 'git', url: 'git+https://forge.example/team/telctl.git' },
  bugs: { url: 'https://forge.example/team/telctl/issues' },
};

/** Matches all but one of many similar files of the package. */
const oneOfMany = /[/\\](?:(?:chunks|help|schemas)[/\\][b-z][^/\\]*|telctl-[a-t][^/\\]*\.1)$/;

/** Creates a repository with files of all kinds of the package, and with fast generators and checks. */
function createRepository(further: Readonly<Record<string, string>> = {}, paths = packaged) {
  const { cwd, home } = testFolders();
  const folder = join(cwd, 'checkout');
  const env = { PATH: process.env.PATH ?? '', HOME: home, npm_config_update_notifier: 'false' };
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, env }).toString();
  mkdirSync(folder);
  // Excluded files are listed with a leading exclamation mark.
  for (const path of paths.filter((each) => !each.startsWith('!')))
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !oneOfMany.test(source),
    });
  const { name, files, bin } = manifest;
  const scripts = { generate: 'node -e 0', check: 'node -e 0' };
  const written = {
    'package.json': JSON.stringify({ name, version: '0.1.0', ...places, files, bin, scripts }),
    'package-lock.json': JSON.stringify({
      name,
      version: '0.1.0',
      lockfileVersion: 3,
      packages: { '': { name, version: '0.1.0', bin } },
    }),
    'CHANGELOG.md': '# Changelog\n\n## 0.2.0 (unreleased)\n\n- A new command.\n\n## 0.1.0 (2026-01-02)\n',
    ...further,
  };
  for (const [path, text] of Object.entries(written)) writeFileSync(join(folder, path), text);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@telctl.example');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  const release = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts', 'release.mts'), ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
  const readState = () => [
    git('log', '--format=%H'),
    git('tag'),
    git('status', '--porcelain'),
    git('worktree', 'list'),
  ];
  return { folder, git, release, state: readState };
}

test('a release has version, dated changelog, commit, tag and package', () => {
  const { folder, git, release } = createRepository();
  const run = release('0.2.0');
  expect(run.status, run.stderr).toBe(0);
  expect(run.stdout).toMatch(/Made v0\.2\.0\. Nothing is published yet/);
  const showFile = (path: string): string => git('show', `v0.2.0:${path}`);
  expect(JSON.parse(showFile('package.json')).version).toBe('0.2.0');
  expect(JSON.parse(showFile('package-lock.json'))).toMatchObject({
    version: '0.2.0',
    packages: { '': { version: '0.2.0' } },
  });
  expect(showFile('CHANGELOG.md')).toMatch(/^## 0\.2\.0 \(\d{4}-\d\d-\d\d\)$/m);
  expect(git('log', '-1', '--format=%s %D').trim()).toBe('release: 0.2.0 HEAD -> main, tag: v0.2.0');
  expect(git('status', '--porcelain')).toBe('?? telctl-0.2.0.tgz\n');
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe(showFile('CHANGELOG.md'));
});

test('a dry run does the same and changes nothing', () => {
  const { release, state } = createRepository();
  const before = state();
  const run = release('0.2.0', '--dry-run');
  expect(run.status, run.stderr).toBe(0);
  expect(run.stdout).toContain('release: 0.2.0');
  expect(run.stdout).toContain('Dry run: nothing was changed.');
  expect(state()).toEqual(before);
});

test('an incomplete release is refused and changes nothing', () => {
  const surprising = createRepository({ 'schemas/notes.txt': 'draft' });
  // These are refused before the package is checked.
  const unlisted = createRepository({ 'CHANGELOG.md': '# Changelog\n\n## 0.1.0 (2026-01-02)\n' }, []);
  const nowhere = createRepository(
    { 'package.json': JSON.stringify({ name: 'telctl', version: '0.1.0', ...places, homepage: '' }) },
    [],
  );
  const dirty = createRepository({}, []);
  mkdirSync(join(dirty.folder, 'src'));
  writeFileSync(join(dirty.folder, 'src', 'new.ts'), '');
  const released = createRepository({}, []);
  released.git('tag', 'v0.2.0');
  for (const { repo, version, words } of [
    { repo: surprising, version: '0.2.0', words: 'The package must not hold schemas/notes.txt.' },
    { repo: unlisted, version: '0.2.0', words: 'has no section "## NEXT (unreleased)"' },
    { repo: nowhere, version: '0.2.0', words: 'Fill in, with https addresses: homepage.' },
    { repo: dirty, version: '0.2.0', words: 'not committed' },
    { repo: released, version: '0.2.0', words: 'There is a tag v0.2.0 already.' },
    { repo: released, version: 'next', words: '"next" is no version' },
  ]) {
    const before = repo.state();
    const run = repo.release(version);
    expect(run.status, words).toBe(1);
    expect(run.stderr).toContain(words);
    expect(repo.state()).toEqual(before);
  }
});
