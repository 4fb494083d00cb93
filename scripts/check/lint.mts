/**
 * Formats and lints files that changed since they last passed, by their hash. After an install, or a change of the
 * configuration or of Biome, it checks every file. Rules that follow calls into other files can miss the effect of a
 * change there until then.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const kept = join(root, 'node_modules', '.cache', 'linted.json');
/** Maximum number of files named individually. */
const namedAtMost = 200;

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('base64');
const inRoot = (path: string): string => join(root, path);
const rules = ['biome.json', 'node_modules/@biomejs/biome/package.json']
  .map((path) => hashOf(inRoot(path)))
  .join();

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
})
  .toString()
  .split('\0')
  .filter((path) => path !== '' && existsSync(inRoot(path)));
const hashes = new Map(listed.map((path) => [path, hashOf(inRoot(path))]));
const before: { rules?: string; hashes?: Record<string, string> } = existsSync(kept)
  ? JSON.parse(readFileSync(kept, 'utf8'))
  : {};
const passed = before.rules === rules ? (before.hashes ?? {}) : {};
const changed = [...hashes].flatMap(([path, hash]) => (passed[path] === hash ? [] : [path]));

if (changed.length > 0) {
  const options = ['check', '--error-on-warnings', '--no-errors-on-unmatched', '--files-ignore-unknown=true'];
  const { status } = spawnSync('biome', [...options, ...(changed.length > namedAtMost ? ['.'] : changed)], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
mkdirSync(dirname(kept), { recursive: true });
writeFileSync(kept, JSON.stringify({ rules, hashes: Object.fromEntries(hashes) }));
