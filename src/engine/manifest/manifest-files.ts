import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject } from '../../base/json.ts';
import { describeIoError, readOrFail } from '../../base/read-errors.ts';
import type { Exported, ExportedSection } from './exported.ts';

const isManifest = (name: string): boolean => /\.(?:ya?ml|json)$/i.test(name);
const isHidden = (name: string): boolean => name.startsWith('.');

/** Skips hidden files, call files and linked folders. `operands` are the values of `-f`. */
export function manifestFiles(host: Host, operands: readonly string[]): readonly string[] {
  if (operands.filter((operand) => operand === '-').length > 1)
    throw new Failure('usage', 'Standard input can only be read once, but -f - was given twice.');
  return operands.flatMap((operand) => {
    // An unset variable in a script must not select the working folder.
    if (operand === '')
      throw new Failure('usage', '-f was given an empty name.', { hint: 'For the current folder: -f .' });
    if (operand === '-') return ['-'];
    const path = resolve(host.cwd, operand);
    const kind = readOrFail(operand, () => host.files.kindOf(path));
    if (kind === undefined && /[*?[]/.test(operand)) return matchPattern(host, operand);
    if (kind !== 'folder') return [operand];
    const found = filesBelow(host, operand, host.files.realPath(path), '').filter(
      (file) => !isCaseFile(host, file),
    );
    if (found.length > 0) return found;
    throw new Failure('usage', `The folder ${operand} contains no manifests.`, {
      hint: 'Manifests end in .yaml, .yml or .json. Hidden files are skipped.',
    });
  });
}

/** `*` and `?` match within a name, `**` across folders, `[abc]` a character. */
function matchPattern(host: Host, pattern: string): readonly string[] {
  const parts = pattern.split(sep).join('/').split('/');
  const fixed = parts.findIndex((part) => /[*?[]/.test(part));
  const folder = parts.slice(0, fixed).join('/') || (pattern.startsWith('/') ? '/' : '.');
  const words = new Map([
    ['**/', '(?:[^/]+/)*'],
    ['**', '.*'],
    ['*', '[^/]*'],
    ['?', '[^/]'],
  ]);
  const source = parts
    .slice(fixed)
    .join('/')
    .replaceAll(/\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|[^*?[]|\[/g, (part) =>
      /^\[.+\]$/.test(part)
        ? part.replace('[!', '[^').replaceAll('\\', '\\\\')
        : (words.get(part) ?? part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')),
    );
  const wanted = new RegExp(`^${source}$`);
  const isFolder = host.files.kindOf(resolve(host.cwd, folder)) === 'folder';
  const below = isFolder ? manifestsBelow(host, folder) : [];
  const found = below.filter(
    (file) => wanted.test(relative(folder, file).split(sep).join('/')) && !isCaseFile(host, file),
  );
  if (found.length > 0) return found;
  throw new Failure('usage', `No manifest matches ${pattern}.`);
}

export const manifestsBelow = (host: Host, folder: string): readonly string[] =>
  filesBelow(host, folder, host.files.realPath(resolve(host.cwd, folder)), '');

const largestLooked = 10_000_000;

/** Files of calls (`telctl test`) have `cases` at the top. */
export function isCaseFile(host: Host, file: string): boolean {
  const text = readOrFail(file, () =>
    Buffer.from(host.files.readBytes(resolve(host.cwd, file), largestLooked)).toString('utf8'),
  );
  if (!text.trimStart().startsWith('{')) return /^(?:cases|"cases"|'cases')\s*:/m.test(text);
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && Object.hasOwn(value, 'cases');
  } catch {
    return false;
  }
}

/** A folder's name can begin with two dots, as in Kubernetes volumes. */
export const leavesFolder = (way: string): boolean => isAbsolute(way) || /^\.\.(?:[/\\]|$)/.test(way);

function filesBelow(host: Host, folder: string, root: string, below: string): readonly string[] {
  const names = readOrFail(join(folder, below), () => host.files.list(join(root, below))).filter(
    (name) => !isHidden(name),
  );
  return names.flatMap((name) => {
    const inner = join(below, name);
    const path = join(root, inner);
    const shown = join(folder, inner);
    const { linked, kind } = readOrFail(shown, () => ({
      linked: host.files.isLink(path),
      kind: host.files.kindOf(path),
    }));
    if (kind === 'folder') return linked ? [] : filesBelow(host, folder, root, inner);
    if (!isManifest(name)) return [];
    if (kind === undefined) throw new Failure('usage', `${shown} is a broken link.`);
    if (linked && leavesFolder(relative(root, host.files.realPath(path))))
      throw new Failure('usage', `${shown} is a link to a file outside of ${folder}.`, {
        hint: `Name the file itself: -f ${host.files.realPath(path)}`,
      });
    return [shown];
  });
}

/** One text, or a folder with a file for each section or object. */
export type Split = 'none' | 'sections' | 'objects';

export interface ExportFile {
  /** Path below the folder, with `/`. Empty for a single file. */
  readonly path: string;
  readonly sections: readonly ExportedSection[];
}

/** Windows reserves these device names with any extension. */
export const reservedNames = /^(?:con|prn|aux|nul|com\d|lpt\d|conin|conout|clock)$/;

/** File names have only lowercase letters, digits, `-` and `_`, so they are valid on every system. */
export function layOutFiles(exported: Exported, split: Split): readonly ExportFile[] {
  const sections = exported.sections.filter(
    ({ objects, missing }) => objects.length > 0 || missing !== undefined,
  );
  if (split === 'none') return [{ path: '', sections }];
  return sections.flatMap((section): readonly ExportFile[] => {
    const { kind, objects } = section;
    if (split === 'sections' || kind.shape === 'one' || objects.length === 0)
      return [{ path: `${kind.name}.yaml`, sections: [section] }];
    const names = fileNames(objects.map(({ name }) => name));
    return objects.map((object) => ({
      path: `${kind.name}/${names.get(object.name)}.yaml`,
      sections: [{ ...section, objects: [object] }],
    }));
  });
}

/** Returns a file name for each local name. Names are unique even if letter case is ignored. */
export function fileNames(names: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set<string>();
  return new Map(
    names.map((name) => {
      const safe = name
        .toLowerCase()
        .replaceAll(/[^a-z0-9_-]+/g, '-')
        .replaceAll(/^-+|-+$/g, '')
        .slice(0, 100);
      const base = safe === '' || reservedNames.test(safe) ? `${safe}_` : safe;
      let file = base;
      for (let number = 2; used.has(file); number += 1) file = `${base}-${number}`;
      used.add(file);
      return [name, file] as const;
    }),
  );
}

export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** With `secret`, only the user can read the files. Below `folder`, symbolic links are not followed. */
export function writeFiles(
  { files: disk, cwd }: Host,
  files: readonly TextFile[],
  { folder, secret }: { readonly folder: string | undefined; readonly secret: boolean },
): void {
  const root = folder === undefined ? undefined : resolve(cwd, folder);
  for (const { name } of files) {
    const path = resolve(cwd, name);
    const places = root === undefined || dirname(path) === root ? [path] : [path, dirname(path)];
    const link = root === undefined ? undefined : places.find((place) => disk.isLink(place));
    if (link !== undefined)
      throw new Failure(
        'refused',
        `${link} is a symbolic link, which exports do not follow. Nothing was written.`,
        {
          hint: 'Remove it, or export into another folder.',
        },
      );
  }
  for (const { name, text } of files) {
    try {
      const path = resolve(cwd, name);
      if (secret) disk.writePrivate(path, text);
      else disk.writePublic(path, text);
    } catch (cause) {
      throw new Failure('failed', `${name} cannot be written (${describeIoError(cause)}).`, { cause });
    }
  }
}
