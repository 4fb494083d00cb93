/**
 * Packs the executable of this platform for a release: `npm run release:files -- FOLDER`, after `npm run binary`
 * (docs/release.md). Writes the archive, its bill of materials and their checksums to FOLDER.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, version } from './build/options.mts';
import { checksumLine } from './release/checksums.mts';
import { archiveBaseName, archiveFor, currentPlatform } from './release/recipes.mts';

/** Files of the checkout that an archive contains, in addition to the executable. */
const beside = {
  'README.md': 'README.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
  'THIRD-PARTY-NOTICES.md': 'THIRD-PARTY-NOTICES.md',
  completions: 'completions',
  man: 'dist/man',
} as const;

/** Packs a folder. On Windows, the system tar creates ZIP files, and another one may be first in the path. */
function pack(parent: string, name: string, archive: string): void {
  const [program, flags] =
    process.platform === 'win32'
      ? [join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'tar.exe'), '-acf']
      : ['tar', '-czf'];
  execFileSync(program, [flags, archive, '-C', parent, name], { stdio: 'inherit' });
}

const { values, positionals } = parseArgs({
  options: { from: { type: 'string', default: join(root, 'binary') } },
  allowPositionals: true,
});
const [target, ...more] = positionals;
if (target === undefined || more.length > 0) {
  console.error('Usage: npm run release:files -- FOLDER');
  process.exit(2);
}
const from = values.from;
const program = process.platform === 'win32' ? 'telctl.exe' : 'telctl';
if (!existsSync(join(from, program))) {
  console.error(`There is no ${join(from, program)}. Run: npm run binary`);
  process.exit(1);
}
const platform = currentPlatform();
const name = archiveBaseName(version, platform);
const folder = resolve(target);
const archive = archiveFor(version, platform);
const bill = `${name}.cdx.json`;
mkdirSync(folder, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'telctl-files-'));
try {
  for (const [file, source] of Object.entries(beside))
    cpSync(join(root, source), join(work, name, file), { recursive: true });
  for (const file of [program, 'LICENSE-nodejs']) cpSync(join(from, file), join(work, name, file));
  pack(work, name, join(folder, archive));
} finally {
  rmSync(work, { recursive: true, force: true });
}
cpSync(join(from, 'telctl.cdx.json'), join(folder, bill));
writeFileSync(
  join(folder, `${name}.sha256`),
  [archive, bill].map((file) => checksumLine(file, readFileSync(join(folder, file)))).join(''),
);
console.log(`${join(folder, archive)}, its bill of materials and the checksums of both`);
