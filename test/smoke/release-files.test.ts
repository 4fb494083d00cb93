import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checksumLine } from '../../scripts/release/checksums.mts';
import { archiveFor, platforms } from '../../scripts/release/recipes.mts';
import { createBillOfMaterials } from '../../scripts/release/sbom.mts';
import { root } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

const read = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');
const runScript = (name: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts', name), ...args], { encoding: 'utf8' });
const manifest = JSON.parse(read(root, 'package.json'));
const { version } = manifest;

/** The packages in the license notices of this build. */
const bundled = [...read(root, 'THIRD-PARTY-NOTICES.md').matchAll(/^## (\S+) (\d\S*)$/gm)].map(
  ([, name = '', release = '']) => ({ name, version: release, licence: '' }),
);

/** These tests run npm and other programs. */
const slow = { timeout: 120_000 };

test('a platform has an archive, its bill of materials and valid checksums', slow, () => {
  const { cwd } = testFolders();
  const from = join(cwd, 'binary');
  mkdirSync(from);
  writeFileSync(join(from, 'telctl'), '#!/bin/sh\necho it runs\n', { mode: 0o755 });
  writeFileSync(join(from, 'LICENSE-nodejs'), 'of Node.js');
  writeFileSync(join(from, 'telctl.cdx.json'), '{}');
  const folder = join(cwd, 'release');
  const run = runScript('release-files.mts', folder, '--from', from);
  expect(run.status, run.stderr).toBe(0);

  const name = `telctl-${version}-${process.platform}-${process.arch}`;
  const archive = `${name}.tar.gz`;
  expect(readdirSync(folder).sort()).toEqual([`${name}.cdx.json`, `${name}.sha256`, archive]);
  const check = spawnSync('sha256sum', ['--check', '--strict', `${name}.sha256`], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(check.stdout).toBe(`${archive}: OK\n${name}.cdx.json: OK\n`);

  spawnSync('tar', ['-xzf', join(folder, archive), '-C', cwd]);
  expect(readdirSync(join(cwd, name)).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'LICENSE-nodejs',
    'README.md',
    'THIRD-PARTY-NOTICES.md',
    'completions',
    'man',
    'telctl',
  ]);
  expect(readdirSync(join(cwd, name, 'man'))).toContain('telctl-users.1');
  expect(spawnSync(join(cwd, name, 'telctl')).stdout.toString()).toBe('it runs\n');
});

test(
  'the bill of materials lists every bundled package of the lock file and Node.js, but no tools',
  slow,
  () => {
    const bill = JSON.parse(JSON.stringify(createBillOfMaterials(root, bundled, '26.10.0')));
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { type: 'application', name: 'telctl', version } },
    });
    const { packages } = JSON.parse(read(root, 'package-lock.json'));
    const components: Readonly<Record<string, Record<string, unknown>>> = Object.fromEntries(
      bill.components.map((one: Record<string, unknown>) => [one.name, one]),
    );
    expect(Object.keys(components)).toEqual(expect.arrayContaining(['undici', 'commander', 'yaml', 'node']));
    expect(Object.keys(components)).not.toContain('vitest');
    expect(bill.components).toHaveLength(bundled.length + 1);
    const { integrity, version: release } = packages['node_modules/undici'];
    expect(components.undici).toMatchObject({
      purl: `pkg:npm/undici@${release}`,
      scope: 'required',
      hashes: [
        {
          alg: 'SHA-512',
          content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
        },
      ],
    });
    const refs = bill.components.map((one: Record<string, unknown>) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(bill.dependencies[0]).toEqual({ ref: `telctl@${version}`, dependsOn: refs });
    expect(() =>
      createBillOfMaterials(root, [{ name: 'unknown', version: '1.0.0', licence: '' }], '26.10.0'),
    ).toThrow('package-lock.json does not contain unknown 1.0.0.');
  },
);

/** Creates a folder with an archive for every platform, and a package.json with URLs. */
function createRelease() {
  const { cwd } = testFolders();
  const folder = join(cwd, 'release');
  mkdirSync(folder);
  for (const platform of platforms) {
    const archive = archiveFor(version, platform);
    const content = Buffer.from(`what is in ${platform}`);
    writeFileSync(join(folder, archive), content);
    writeFileSync(join(folder, `${platform}.sha256`), checksumLine(archive, content));
  }
  const filled = {
    ...manifest,
    homepage: 'https://forge.example/team/telctl#readme',
    repository: { type: 'git', url: 'git+https://forge.example/team/telctl.git' },
    bugs: { url: 'https://forge.example/team/telctl/issues' },
  };
  const packageFile = join(cwd, 'package.json');
  writeFileSync(packageFile, JSON.stringify(filled));
  return { folder, packageFile };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

test(
  'formula and manifest name the archive of each platform by hash, at the location in package.json',
  slow,
  () => {
    const { folder, packageFile } = createRelease();
    const run = runScript('release-recipes.mts', folder, packageFile);
    expect(run.status, run.stderr).toBe(0);
    const downloadUrl = (platform: string, extension: string): string =>
      `https://forge.example/team/telctl/releases/download/v${version}/telctl-${version}-${platform}.${extension}`;
    const formula = read(folder, 'telctl.rb');
    for (const platform of ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'])
      expect(formula).toContain(
        `      url "${downloadUrl(platform, 'tar.gz')}"\n      sha256 "${hashOf(`what is in ${platform}`)}"\n`,
      );
    expect(formula).toContain('homepage "https://forge.example/team/telctl#readme"');
    expect(formula.match(/^ *(?:class|def|on_\w+ do|test do)/gm)).toHaveLength(
      formula.match(/^ *end$/gm)?.length ?? 0,
    );
    expect(JSON.parse(read(folder, 'telctl.json'))).toMatchObject({
      version,
      license: 'MIT',
      architecture: {
        '64bit': { url: downloadUrl('win32-x64', 'zip'), hash: hashOf('what is in win32-x64') },
      },
      extract_dir: `telctl-${version}-win32-x64`,
      bin: 'telctl.exe',
    });
    expect(read(folder, 'SHA256SUMS').trimEnd().split('\n')).toHaveLength(platforms.length);
  },
);

test('no recipe is written for a changed or missing file, or without a project location', slow, () => {
  const changed = createRelease();
  writeFileSync(join(changed.folder, archiveFor(version, 'linux-x64')), 'something else');
  const lacking = createRelease();
  rmSync(join(lacking.folder, 'win32-x64.sha256'));
  const nowhere = createRelease();
  const empty = { homepage: '', repository: { type: 'git', url: '' }, bugs: { url: '' } };
  writeFileSync(nowhere.packageFile, JSON.stringify({ ...manifest, ...empty }));
  for (const [{ folder, packageFile }, words] of [
    [
      changed,
      `telctl-${version}-linux-x64.tar.gz is not the file that was packed: its checksum is another one.`,
    ],
    [lacking, `The folder lacks telctl-${version}-win32-x64.zip: each is packed on its own system.`],
    [
      nowhere,
      'package.json does not say where the project is. Fill in, with https addresses: repository.url, homepage, bugs.url.',
    ],
  ] as const) {
    const run = runScript('release-recipes.mts', folder, packageFile);
    expect(run.stderr).toBe(`${words}\n`);
    expect(run.status).toBe(1);
    expect(readdirSync(folder)).not.toContain('telctl.rb');
  }
});

test('the workflow packs on each system with existing scripts, and publishes with provenance', () => {
  const { jobs } = parse(read(root, '.github', 'workflows', 'release.yml'));
  expect(jobs.files.strategy.matrix.os).toHaveLength(platforms.length);
  const lines: readonly string[] = [...jobs.files.steps, ...jobs.pack.steps, ...jobs.publish.steps].flatMap(
    ({ run }) => run ?? [],
  );
  const scripts = lines.flatMap((line) => /^npm run (\S+)/.exec(line)?.[1] ?? []);
  expect(scripts).toEqual(['binary', 'demo:binary', 'release:files', 'release:recipes']);
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts));
  expect(jobs.publish).toMatchObject({ needs: 'pack', permissions: { 'id-token': 'write' } });
  expect(lines.filter((line) => line.startsWith('npm publish'))).toEqual([
    expect.stringMatching(/ --provenance /),
  ]);
});

test('actions are pinned by commit, and jobs that sign or publish install no packages', () => {
  for (const name of ['ci', 'release', 'site']) {
    const text = read(root, '.github', 'workflows', `${name}.yml`);
    const named = [...text.matchAll(/uses: (\S+)(.*)$/gm)].map(([, action = '', note = '']) => action + note);
    expect(named.length).toBeGreaterThan(0);
    for (const action of named) expect(action).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const { jobs } = parse(text);
    for (const { permissions = {}, steps } of Object.values<Job>(jobs))
      if (permissions['id-token'] !== undefined)
        expect(
          steps.map(({ run = '' }) => run).filter((run) => /npm (?:ci|i|install|run)\b/.test(run)),
        ).toEqual([]);
  }
});

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string }[];
}
