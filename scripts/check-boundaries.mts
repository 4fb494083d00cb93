/**
 * Holds the imports below `src/` against the table of `docs/architecture.md`, and keeps the process, the
 * clock, randomness and files at the edge. Prints one line a breach and ends with 1 where there is one.
 */
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { type ImportUse, scan } from './boundaries/scan.mts';
import { type Permission, type RoomRules, readImportTable } from './boundaries/table.mts';

const lineLimit = 300;
/** Rooms that stand at the edge and may touch the process, the clock and randomness. */
const edge = new Set(['main', 'host']);
const fileModules = new Set(['node:fs', 'node:fs/promises', 'fs', 'fs/promises']);

const table = readImportTable(readFileSync('docs/architecture.md', 'utf8'));
const sources = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/').replace(/^src\//, ''))
  .filter((path) => !path.endsWith('.test.ts'))
  .sort();

const roomOf = (path: string): string =>
  path.includes('/') ? (path.split('/')[0] ?? '') : path.replace(/\.ts$/, '');

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const grants = (permission: Permission, from: string, target: string): boolean =>
  (permission.target === target || permission.target === roomOf(target)) &&
  (permission.onlyIn === undefined || permission.onlyIn === from);

/** Why a room may not have an import, or `undefined` where it may. */
function breach(rules: RoomRules, from: string, use: ImportUse): string | undefined {
  if (use.specifier.startsWith('.')) {
    const target = normalize(join(dirname(from), use.specifier)).replaceAll('\\', '/');
    if (roomOf(target) === rules.room) return undefined;
    const allowed = [
      ...rules.values,
      ...(use.kind === 'type' ? rules.types : []),
      ...(use.kind === 'dynamic' ? rules.onDemand : []),
    ];
    if (allowed.some((permission) => grants(permission, from, target))) return undefined;
    return `${rules.room} may not import ${target} (${use.kind})`;
  }
  const name = packageOf(use.specifier);
  // Files are read in one way, which cannot hang and has a limit: that of the host.
  const isFiles = fileModules.has(use.specifier) && !edge.has(rules.room);
  if (!isFiles && (name.startsWith('node:') || builtinModules.includes(name))) return undefined;
  const listed = rules.packages.filter(({ target }) => target === name);
  if (listed.some(({ onlyIn }) => onlyIn === undefined || onlyIn === from)) return undefined;
  return listed[0]?.onlyIn
    ? `${name} may be imported in ${listed.map(({ onlyIn }) => onlyIn).join(', ')} only`
    : `${rules.room} may not import the package ${name}`;
}

const breaches: string[] = [];
for (const path of sources) {
  const rules = table.get(roomOf(path));
  if (!rules) {
    breaches.push(`src/${path}: the room ${roomOf(path)} is not in the table of docs/architecture.md`);
    continue;
  }
  const source = readFileSync(join('src', path), 'utf8');
  const lines = source.split('\n').length;
  if (lines > lineLimit)
    console.warn(`warning: src/${path} has ${lines} lines; files of ${lineLimit} are long`);
  const found = scan(path, source);
  for (const use of found.imports) {
    const why = breach(rules, path, use);
    if (why !== undefined) breaches.push(`src/${path}:${use.line}: ${why}`);
  }
  if (edge.has(rules.room)) continue;
  for (const { what, line } of found.edgeUses) {
    breaches.push(`src/${path}:${line}: ${what} belongs to the edge; take it from the host`);
  }
}

const unknownFiles = [...table.values()]
  .flatMap(({ values, types, onDemand, packages }) => [...values, ...types, ...onDemand, ...packages])
  .flatMap(({ target, onlyIn }) => [target, onlyIn ?? ''])
  .filter((path) => path.endsWith('.ts') && !sources.includes(path));
for (const path of unknownFiles)
  breaches.push(`docs/architecture.md: the table names src/${path}, which does not exist`);

for (const line of breaches) console.error(line);
if (breaches.length > 0) process.exitCode = 1;
else console.log(`${sources.length} files keep to the import table`);
