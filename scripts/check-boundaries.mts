/**
 * Holds the imports below `src/` against the table of `docs/architecture.md`: which room may import which, through
 * which door, and without circles. Keeps the process, the clock, timers, randomness and files at the edge. Prints one
 * line a breach and ends with 1 where there is one.
 */
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { type Arrow, circlesOf } from './boundaries/circles.mts';
import { type ImportUse, scan } from './boundaries/scan.mts';
import { type Permission, type RoomRules, readImportTable } from './boundaries/table.mts';

const lineLimit = 300;
/** Rooms that stand at the edge and may touch the process, the clock and randomness. */
const edge = new Set(['quick', 'base/host']);
const fileModules = new Set(['node:fs', 'node:fs/promises', 'fs', 'fs/promises']);
/** The one file that may write files: to the last byte, and under a name only when they are complete. */
const fileWriter = 'base/host/write-file.ts';
const fileWrites =
  /\b(?:writeFile|appendFile|copyFile|write|writev|truncate|ftruncate|cp)Sync\b|\bfs\.(?:promises|writeFile|appendFile|copyFile|write|writev|truncate|cp)\b|\bcreateWriteStream\b/;

const table = readImportTable(readFileSync('docs/architecture.md', 'utf8'));
const sources = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/').replace(/^src\//, ''))
  .filter((path) => !path.endsWith('.test.ts'))
  .sort();
const breaches: string[] = [];

/** The room that a file is in: the longest row of the table that its path begins with. */
function roomOf(path: string): string {
  const parts = path.replace(/\.ts$/, '').split('/');
  const prefixes = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  return prefixes.find((prefix) => table.has(prefix)) ?? parts[0] ?? '';
}

/** The folder of a room that a file is in: `sandbox/store`; `undefined` at the top level of a room. */
function folderOf(path: string): string | undefined {
  const room = roomOf(path);
  const rest = path.slice(room.length + 1).split('/');
  return rest.length > 1 ? `${room}/${rest[0]}` : undefined;
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** The permissions that some import needed. */
const needed = new Set<Permission>();

/** Tells whether one of the permissions lets a file have a target, a file or a package. Notes all that do as needed. */
function isGranted(permissions: readonly Permission[], from: string, target: string): boolean {
  const granting = permissions.filter(
    (permission) =>
      (permission.target === target || permission.target === roomOf(target)) &&
      (permission.onlyIn === undefined || permission.onlyIn === from),
  );
  for (const permission of granting) needed.add(permission);
  return granting.length > 0;
}

/** Tells whether a file stands at the top level of its room, or in one of the folders that the table leaves open. */
const isDoor = (path: string): boolean => {
  const folder = folderOf(path);
  return folder === undefined || (table.get(roomOf(path))?.open ?? []).includes(folder);
};

/** Returns the reason why a room may not import a file of another, or `undefined` where it may. */
function foreignBreach(
  rules: RoomRules,
  from: string,
  target: string,
  kind: ImportUse['kind'],
): string | undefined {
  if (!isDoor(target)) return `${target} is private to its room: import a file at the top level of the room`;
  // A value is allowed where the table says so; a type or an import on demand also by its own column.
  const isAllowed =
    isGranted(rules.values, from, target) ||
    (kind === 'type' && isGranted(rules.types, from, target)) ||
    (kind === 'dynamic' && isGranted(rules.onDemand, from, target));
  return isAllowed ? undefined : `${rules.room} may not import ${target} (${kind})`;
}

/** Returns the reason why a room may not import a package, or `undefined` where it may. */
function packageBreach(rules: RoomRules, from: string, specifier: string): string | undefined {
  const name = packageOf(specifier);
  // Files are read in one way, which cannot hang and has a limit: that of the host.
  const isFiles = fileModules.has(specifier) && !edge.has(rules.room);
  if (!isFiles && (name.startsWith('node:') || builtinModules.includes(name))) return undefined;
  if (isGranted(rules.packages, from, name)) return undefined;
  const listed = rules.packages.filter(({ target }) => target === name);
  return listed[0]?.onlyIn
    ? `${name} may be imported in ${listed.map(({ onlyIn }) => onlyIn).join(', ')} only`
    : `${rules.room} may not import the package ${name}`;
}

/** Imports between files, rooms, and folders of one room. What is loaded on demand makes no circle. */
const valueArrows: Arrow[] = [];
const roomArrows: Arrow[] = [];
const folderArrows: Arrow[] = [];

function noteArrow(from: string, to: string, kind: ImportUse['kind']): void {
  if (kind === 'dynamic') return;
  const because = `${from} imports ${to}`;
  if (kind === 'value') valueArrows.push({ from, to, because });
  const [room, otherRoom] = [roomOf(from), roomOf(to)];
  const [folder, otherFolder] = [folderOf(from), folderOf(to)];
  if (room !== otherRoom) roomArrows.push({ from: room, to: otherRoom, because });
  else if (folder !== undefined && otherFolder !== undefined && folder !== otherFolder)
    folderArrows.push({ from: folder, to: otherFolder, because });
}

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
  for (const { specifier, kind, line } of found.imports) {
    let why: string | undefined;
    if (specifier.startsWith('.')) {
      const target = normalize(join(dirname(path), specifier)).replaceAll('\\', '/');
      noteArrow(path, target, kind);
      if (roomOf(target) !== rules.room) why = foreignBreach(rules, path, target, kind);
    } else why = packageBreach(rules, path, specifier);
    if (why !== undefined) breaches.push(`src/${path}:${line}: ${why}`);
  }
  if (path !== fileWriter)
    for (const [index, text] of source.split('\n').entries())
      if (fileWrites.test(text))
        breaches.push(`src/${path}:${index + 1}: only src/${fileWriter} writes files; use its functions`);
  if (edge.has(rules.room)) continue;
  for (const { what, line } of found.edgeUses) {
    breaches.push(`src/${path}:${line}: ${what} belongs to the edge; take it from the host`);
  }
}

for (const arrows of [valueArrows, roomArrows, folderArrows]) {
  for (const circle of circlesOf(arrows))
    breaches.push(`a circle: ${circle.map(({ because }) => because).join('; ')}`);
}

for (const { room, values, types, onDemand, packages, open } of table.values()) {
  for (const permission of [...values, ...types, ...onDemand, ...packages]) {
    const { target, onlyIn } = permission;
    if (!needed.has(permission))
      breaches.push(
        `docs/architecture.md: nothing in ${onlyIn ?? room} needs the permission for ${target} any more`,
      );
  }
  for (const folder of open)
    if (!sources.some((path) => folderOf(path) === folder))
      breaches.push(`docs/architecture.md: the open folder ${folder} of ${room} does not exist`);
}

for (const line of breaches) console.error(line);
if (breaches.length > 0) process.exitCode = 1;
else console.log(`${sources.length} files keep to the import table`);
