/**
 * Compares the size of each folder of the source with `scripts/check/sizes.json`, in definitions and in bytes, and
 * fails if a folder grew by more than 2 %. `--write` updates the file, so that a change that grows a folder shows it.
 * Lines are not counted, since they follow the formatter.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const file = join(root, 'scripts/check/sizes.json');
const largestGrowth = 1.02;
const definition =
  /^(?:export )?(?:default )?(?:declare )?(?:async )?(?:function\*?|const|class|interface|type) \w+/gm;

interface Size {
  readonly definitions: number;
  readonly bytes: number;
}

/** Returns the folder that a file counts for: `src/cli`, `src/extensions/calls`, or `src` for files at the top. */
function folderOfSource(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/').slice(0, -1);
  return parts.slice(0, parts[1] === 'extensions' ? 3 : 2).join('/');
}

const sources = globSync('src/**/*.ts', { cwd: root })
  .filter((path) => !/\.test\.ts$|generated/.test(path))
  .sort();
const sizes: Record<string, Size> = {};
for (const path of sources) {
  const text = readFileSync(join(root, path), 'utf8');
  const folder = folderOfSource(path);
  const { definitions, bytes } = sizes[folder] ?? { definitions: 0, bytes: 0 };
  sizes[folder] = {
    definitions: definitions + (text.match(definition)?.length ?? 0),
    bytes: bytes + Buffer.byteLength(text),
  };
}

if (process.argv.includes('--write')) writeFileSync(file, `${JSON.stringify(sizes, null, 2)}\n`);
else {
  const noted: Record<string, Size> = JSON.parse(readFileSync(file, 'utf8'));
  for (const [folder, size] of Object.entries(sizes))
    for (const measure of ['definitions', 'bytes'] as const) {
      const before = noted[folder]?.[measure] ?? 0;
      if (size[measure] <= before * largestGrowth) continue;
      console.error(
        `${folder} grew from ${before} to ${size[measure]} ${measure}. If it has to: node scripts/check-sizes.mts --write`,
      );
      process.exitCode = 1;
    }
}
