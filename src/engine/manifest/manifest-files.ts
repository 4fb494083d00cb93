import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject } from '../../base/json.ts';
import { reading } from '../../base/reading.ts';

const isManifest = (name: string): boolean => /\.(?:ya?ml|json)$/i.test(name);
const isHidden = (name: string): boolean => name.startsWith('.');

/**
 * The files that operands of `-f` mean, in their order: files and `-` as they are, folders as all manifests in and
 * below them, sorted. Hidden names and files of calls are passed over, linked folders are not entered. Throws `Failure` of kind `usage`
 * where there is nothing, where a folder holds no manifest or cannot be read, or where a link in it leads out of it.
 */
export function manifestFiles(host: Host, operands: readonly string[]): readonly string[] {
  if (operands.filter((operand) => operand === '-').length > 1)
    throw new Failure('usage', 'Standard input can be read once; -f - was given twice.');
  return operands.flatMap((operand) => {
    // A variable of a script that is not set: the working folder is not what was meant.
    if (operand === '')
      throw new Failure('usage', '-f was given an empty name.', { hint: 'For this folder: -f .' });
    if (operand === '-') return ['-'];
    const path = resolve(host.cwd, operand);
    const kind = reading(operand, () => host.files.kindOf(path));
    if (kind === undefined && /[*?[]/.test(operand)) return matching(host, operand);
    if (kind !== 'folder') return [operand];
    const found = filesBelow(host, operand, host.files.realPath(path), '').filter(
      (file) => !isCaseFile(host, file),
    );
    if (found.length > 0) return found;
    throw new Failure('usage', `The folder ${operand} holds no manifest.`, {
      hint: 'A manifest ends in .yaml, .yml or .json; hidden files are passed over.',
    });
  });
}

/** The manifests that a pattern in quotes means, sorted: `*` and `?` in one name, `**` over folders, `[abc]`. */
function matching(host: Host, pattern: string): readonly string[] {
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
  throw new Failure('usage', `No manifest is called ${pattern}.`);
}

/** All manifests in and below a folder, sorted; as `manifestFiles` finds them, but there need be none. */
export const manifestsBelow = (host: Host, folder: string): readonly string[] =>
  filesBelow(host, folder, host.files.realPath(resolve(host.cwd, folder)), '');

const largestLooked = 10_000_000;

/** True for a file of calls (`telctl test`): it has `cases` at the top. */
export function isCaseFile(host: Host, file: string): boolean {
  const text = reading(file, () =>
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

/** True for a way out of a folder. The name of a folder in it may begin with two dots, as in a volume of Kubernetes. */
export const leadsOut = (way: string): boolean => isAbsolute(way) || /^\.\.(?:[/\\]|$)/.test(way);

function filesBelow(host: Host, folder: string, root: string, below: string): readonly string[] {
  const names = reading(join(folder, below), () => host.files.list(join(root, below))).filter(
    (name) => !isHidden(name),
  );
  return names.flatMap((name) => {
    const inner = join(below, name);
    const path = join(root, inner);
    const shown = join(folder, inner);
    const { linked, kind } = reading(shown, () => ({
      linked: host.files.isLink(path),
      kind: host.files.kindOf(path),
    }));
    if (kind === 'folder') return linked ? [] : filesBelow(host, folder, root, inner);
    if (!isManifest(name)) return [];
    if (kind === undefined) throw new Failure('usage', `${shown} is a link that leads nowhere.`);
    if (linked && leadsOut(relative(root, host.files.realPath(path))))
      throw new Failure('usage', `${shown} is a link that leads out of ${folder}.`, {
        hint: `Name the file itself: -f ${host.files.realPath(path)}`,
      });
    return [shown];
  });
}
