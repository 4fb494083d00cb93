/**
 * Checks imports below `src/` against the table of `docs/architecture.md`: permitted modules, public files, no
 * cycles. Only `base/host` uses the process, clock, timers, randomness and files. Prints one line per violation, and
 * exits with code 1 if there is one.
 */
import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { type Dependency, findCycles } from './boundaries/cycles.mts';
import { type ImportUse, scanSource } from './boundaries/scan.mts';
import { type ModuleRules, type Permission, readImportTable } from './boundaries/table.mts';

const lineLimit = 300;
/** Modules that may use the process, the clock and randomness. */
const edge = new Set(['quick', 'base/host']);
const fileModules = new Set(['node:fs', 'node:fs/promises', 'fs', 'fs/promises']);
/** The only file that may write files. It writes completely and then renames. */
const fileWriter = 'base/host/write-file.ts';
const fileWrites =
  /\b(?:writeFile|appendFile|copyFile|write|writev|truncate|ftruncate|cp)Sync\b|\bfs\.(?:promises|writeFile|appendFile|copyFile|write|writev|truncate|cp)\b|\bcreateWriteStream\b/;

const table = readImportTable(readFileSync('docs/architecture.md', 'utf8'));
const sources = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/').replace(/^src\//, ''))
  .filter((path) => !path.endsWith('.test.ts'))
  .sort();
const violations: string[] = [];

/** Returns the module of a file: the longest row of the table that its path starts with. */
function moduleOf(path: string): string {
  const parts = path.replace(/\.ts$/, '').split('/');
  const prefixes = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  return prefixes.find((prefix) => table.has(prefix)) ?? parts[0] ?? '';
}

/** Returns the folder of a file in its module (`sandbox/store`), or `undefined` at the top level. */
function folderOf(path: string): string | undefined {
  const module = moduleOf(path);
  const rest = path.slice(module.length + 1).split('/');
  return rest.length > 1 ? `${module}/${rest[0]}` : undefined;
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Permissions that at least one import uses. */
const needed = new Set<Permission>();

/** Returns true if a permission covers the target, and marks such permissions as used. */
function isGranted(permissions: readonly Permission[], from: string, target: string): boolean {
  const granting = permissions.filter(
    (permission) =>
      (permission.target === target || permission.target === moduleOf(target)) &&
      (permission.onlyIn === undefined || permission.onlyIn === from),
  );
  for (const permission of granting) needed.add(permission);
  return granting.length > 0;
}

/** Returns true for a file at the top level of its module, or in a folder that the table opens. */
const isPublic = (path: string): boolean => {
  const folder = folderOf(path);
  return folder === undefined || (table.get(moduleOf(path))?.open ?? []).includes(folder);
};

/** Returns why a module may not import a file of another module, or `undefined`. */
function importViolation(
  rules: ModuleRules,
  from: string,
  target: string,
  kind: ImportUse['kind'],
): string | undefined {
  if (!isPublic(target))
    return `${target} is private to its module: import a file at the top level of the module`;
  // Values need the first column. Types and dynamic imports may also use their own column.
  const isAllowed =
    isGranted(rules.values, from, target) ||
    (kind === 'type' && isGranted(rules.types, from, target)) ||
    (kind === 'dynamic' && isGranted(rules.onDemand, from, target));
  return isAllowed ? undefined : `${rules.module} may not import ${target} (${kind})`;
}

/** Returns why a module may not import a package, or `undefined`. */
function packageViolation(rules: ModuleRules, from: string, specifier: string): string | undefined {
  const name = packageOf(specifier);
  // Files are only read through `base/host`, which limits size and time.
  const isFiles = fileModules.has(specifier) && !edge.has(rules.module);
  if (!isFiles && (name.startsWith('node:') || builtinModules.includes(name))) return undefined;
  if (isGranted(rules.packages, from, name)) return undefined;
  const listed = rules.packages.filter(({ target }) => target === name);
  return listed[0]?.onlyIn
    ? `${name} may be imported in ${listed.map(({ onlyIn }) => onlyIn).join(', ')} only`
    : `${rules.module} may not import the package ${name}`;
}

/** Imports between files, modules and folders. Dynamic imports do not form cycles. */
const valueArrows: Dependency[] = [];
const moduleArrows: Dependency[] = [];
const folderArrows: Dependency[] = [];

function noteArrow(from: string, to: string, kind: ImportUse['kind']): void {
  if (kind === 'dynamic') return;
  const because = `${from} imports ${to}`;
  if (kind === 'value') valueArrows.push({ from, to, because });
  const [module, otherModule] = [moduleOf(from), moduleOf(to)];
  const [folder, otherFolder] = [folderOf(from), folderOf(to)];
  if (module !== otherModule) moduleArrows.push({ from: module, to: otherModule, because });
  else if (folder !== undefined && otherFolder !== undefined && folder !== otherFolder)
    folderArrows.push({ from: folder, to: otherFolder, because });
}

for (const path of sources) {
  const rules = table.get(moduleOf(path));
  if (!rules) {
    violations.push(`src/${path}: the module ${moduleOf(path)} is not in the table of docs/architecture.md`);
    continue;
  }
  const source = readFileSync(join('src', path), 'utf8');
  const lines = source.split('\n').length;
  if (lines > lineLimit)
    console.warn(`warning: src/${path} has ${lines} lines; files of ${lineLimit} are long`);
  const found = scanSource(path, source);
  for (const { specifier, kind, line } of found.imports) {
    let why: string | undefined;
    if (specifier.startsWith('.')) {
      const target = normalize(join(dirname(path), specifier)).replaceAll('\\', '/');
      noteArrow(path, target, kind);
      if (moduleOf(target) !== rules.module) why = importViolation(rules, path, target, kind);
    } else why = packageViolation(rules, path, specifier);
    if (why !== undefined) violations.push(`src/${path}:${line}: ${why}`);
  }
  if (path !== fileWriter)
    for (const [index, text] of source.split('\n').entries())
      if (fileWrites.test(text))
        violations.push(`src/${path}:${index + 1}: only src/${fileWriter} writes files; use its functions`);
  if (edge.has(rules.module)) continue;
  for (const { what, line } of found.edgeUses) {
    violations.push(`src/${path}:${line}: ${what} belongs to the edge; take it from the host`);
  }
}

for (const arrows of [valueArrows, moduleArrows, folderArrows]) {
  for (const circle of findCycles(arrows))
    violations.push(`a circle: ${circle.map(({ because }) => because).join('; ')}`);
}

for (const { module, values, types, onDemand, packages, open } of table.values()) {
  for (const permission of [...values, ...types, ...onDemand, ...packages]) {
    const { target, onlyIn } = permission;
    if (!needed.has(permission))
      violations.push(
        `docs/architecture.md: nothing in ${onlyIn ?? module} imports ${target}. Remove the permission`,
      );
  }
  for (const folder of open)
    if (!sources.some((path) => folderOf(path) === folder))
      violations.push(`docs/architecture.md: the open folder ${folder} of ${module} does not exist`);
}

for (const line of violations) console.error(line);
if (violations.length > 0) process.exitCode = 1;
else console.log(`${sources.length} files keep to the import table`);
