/**
 * Makes `binary/telctl`, one executable file for the system that this runs on: Node.js, telctl in one module with its
 * code cache, and the manual pages (`npm run binary`, docs/release.md). It needs no Node.js where it runs.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildOptions, requireBanner, root, version } from './build/options.mts';
import { manPages } from './man/pages.mts';

const isWindows = process.platform === 'win32';
const tools = join(import.meta.dirname, 'binary');
const file = join(root, 'binary', isWindows ? 'telctl.exe' : 'telctl');

/** Node.js 26, which can build executables, as the lock file beside its package.json pins it. */
function builder(): string {
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
  await build({
    ...buildOptions,
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
  mkdirSync(join(root, 'binary'), { recursive: true });
  execFileSync(builder(), ['--build-sea', join(work, 'sea.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  chmodSync(file, 0o755);
  // macOS runs nothing that is not signed, if only by the machine itself.
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', file]);
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`${file}: ${Math.round(statSync(file).size / 1024 / 1024)} MB`);
