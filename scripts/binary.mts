/**
 * Builds `binary/telctl`, one executable for the current platform with Node.js, telctl and the manual pages (`npm run
 * binary`, docs/release.md). It runs without an installed Node.js. Its bill of materials and the license of Node.js
 * are in the same folder.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { bundledPackages, inputsOf } from './build/notices.mts';
import { buildOptions, requireBanner, root, version } from './build/options.mts';
import { manPages } from './man/pages.mts';
import { createBillOfMaterials } from './release/sbom.mts';

const isWindows = process.platform === 'win32';
const tools = join(import.meta.dirname, 'binary');
const folder = join(root, 'binary');
const file = join(folder, isWindows ? 'telctl.exe' : 'telctl');

/**
 * Returns a Node.js 26 binary, which can build executables: the current one (on Alpine, it has the matching C
 * library), or the one pinned by the lock file.
 */
function findBuilder(): string {
  if (process.versions.node.startsWith('26.')) return process.execPath;
  const node = join(tools, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node');
  if (!existsSync(node))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: tools,
      stdio: 'inherit',
      shell: isWindows,
    });
  return node;
}

const work = mkdtempSync(join(tmpdir(), 'telctl-binary-'));
try {
  const { metafile } = await build({
    ...buildOptions,
    metafile: true,
    entryPoints: ['src/main.ts'],
    outfile: join(work, 'telctl.mjs'),
    target: 'node26',
    banner: { js: requireBanner.replace('import.meta.url', 'process.execPath') },
  });
  const pages = await manPages(version);
  for (const [name, text] of pages) writeFileSync(join(work, name), text);
  const config = {
    main: join(work, 'telctl.mjs'),
    mainFormat: 'module',
    output: file,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    assets: Object.fromEntries([...pages].map(([name]) => [name, join(work, name)])),
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  mkdirSync(folder, { recursive: true });
  const node = findBuilder();
  execFileSync(node, ['--build-sea', join(work, 'sea.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  chmodSync(file, 0o755);
  // macOS runs only signed programs. A local signature is enough.
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', file]);
  const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  const bill = createBillOfMaterials(root, bundledPackages(root, inputsOf(metafile)), nodeVersion);
  writeFileSync(join(folder, 'telctl.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  const [licence = join(dirname(node), '../LICENSE')] = globSync(
    join(tools, 'node_modules/**/node-{linux,darwin,win}*/LICENSE'),
  );
  copyFileSync(licence, join(folder, 'LICENSE-nodejs'));
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`${file}: ${Math.round(statSync(file).size / 1024 / 1024)} MB`);
