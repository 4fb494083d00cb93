/**
 * Writes SHA256SUMS, the Homebrew formula and the Scoop manifest of a release from the files of all platforms: `npm
 * run release:recipes -- FOLDER` (docs/release.md).
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build/options.mts';
import { verifyHashes } from './release/checksums.mts';
import { ReleaseError, readProject } from './release/project.mts';
import { archiveFor, formula, type Hashes, platforms, scoopManifest } from './release/recipes.mts';

function writeRecipes(folder: string, packageFile: string): void {
  const project = readProject(JSON.parse(readFileSync(packageFile, 'utf8')));
  const found = verifyHashes(
    folder,
    readdirSync(folder).filter((name) => name.endsWith('.sha256')),
  );
  const archives = platforms.map((platform) => [platform, archiveFor(project.version, platform)] as const);
  const missing = archives.map(([, archive]) => archive).filter((archive) => !found.has(archive));
  if (missing.length > 0)
    throw new ReleaseError(`The folder lacks ${missing.join(', ')}: each is packed on its own system.`);
  const hashes = Object.fromEntries(
    archives.map(([platform, archive]) => [platform, found.get(archive)]),
  ) as Hashes;
  const sums = [...found].map(([file, hash]) => `${hash}  ${file}\n`).sort();
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
  writeFileSync(join(folder, 'telctl.rb'), formula(project, hashes));
  writeFileSync(join(folder, 'telctl.json'), scoopManifest(project, hashes));
}

const [folder, packageFile = join(root, 'package.json'), ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
  console.error('Usage: npm run release:recipes -- FOLDER');
  process.exit(2);
}
try {
  writeRecipes(folder, packageFile);
  console.log(`${folder}: SHA256SUMS, telctl.rb, telctl.json`);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
