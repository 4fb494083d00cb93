import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { systemCode, systemReason } from '../../base/system-trouble.ts';
import type { Host } from '../../host/host.ts';
import type { OutsideValue } from './outside.ts';

/** Largest file that can be filled in, in bytes. */
const largest = 1_000_000;

/** Gives the text of `${file.PATH}`: of a path as it was written, from the folder of its manifest. */
export type ReadOutsideFile = (path: string, folder: string) => OutsideValue;

/**
 * Makes the reader of files that manifests name. A manifest may come from somebody else, and what it names is sent to
 * the service. So a file must lie, all links followed, below the manifest's folder or below one of `allowed`, folders
 * that the caller named; files that telctl keeps for itself are never read. Each file is read once, and one line break
 * at its end is left out.
 */
export function outsideFiles(host: Host, allowed: readonly string[]): ReadOutsideFile {
  const known = new Map<string, OutsideValue>();
  return (path, folder) => {
    const full = resolve(folder, path);
    // One file may be in reach of one manifest and out of reach of another.
    const key = JSON.stringify([folder, full]);
    const found = known.get(key) ?? readOutside(host, { path, full, folders: [folder, ...allowed] });
    known.set(key, found);
    return found;
  };
}

interface Wanted {
  /** As the manifest has it. */
  readonly path: string;
  readonly full: string;
  /** The file must lie below one of them; the manifest's own is the first. */
  readonly folders: readonly string[];
}

function readOutside(host: Host, { path, full, folders }: Wanted): OutsideValue {
  const { files } = host;
  const problem = (message: string): OutsideValue => ({ problem: `\${file.${path}}: ${message}` });
  try {
    const target = realPath(host, full);
    if (isOwn(host, target)) return problem(`${full} belongs to telctl, and no manifest may read it`);
    if (!folders.some((folder) => isBelow(realPath(host, folder), target)))
      return problem(outOfReach(full, target, folders[0]));
    const kind = files.kindOf(target);
    if (kind === undefined) return problem(`there is no file ${full}`);
    if (kind !== 'file') return problem(`${full} is ${kind === 'folder' ? 'a folder' : 'no file'}`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(files.readBytes(target, largest));
    return { text: text.replace(/\r?\n$/, '') };
  } catch (error) {
    if (systemCode(error) === 'EFBIG') return problem(`${full} is larger than 1 MB`);
    const reason = systemReason(error);
    return problem(`${full} ${reason === undefined ? 'is not UTF-8 text' : `cannot be read (${reason})`}`);
  }
}

const outOfReach = (full: string, target: string, folder: string | undefined): string =>
  `${full === target ? full : `${full} leads to ${target}, which`} is not below ${folder ?? 'its folder'}, where the manifest is; --allow-files ${dirname(target)} allows it`;

/** A path with its links followed, as far as it exists. */
function realPath(host: Host, path: string): string {
  const full = resolve(host.cwd, path);
  if (host.files.kindOf(full) !== undefined) return host.files.realPath(full);
  return dirname(full) === full ? full : join(realPath(host, dirname(full)), basename(full));
}

/** Tells whether a path is a folder, or lies below it; both absolute. */
function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Tells whether a file is one that telctl keeps: settings, keys, tokens, its state, the records of a sandbox. */
function isOwn(host: Host, path: string): boolean {
  const { config, cache, state } = host.folders;
  if ([config, cache, state].some((folder) => isBelow(realPath(host, folder), path))) return true;
  // Records lie where `sandbox start --data` put them, the passwords of their users beside them.
  const name = basename(path);
  return (
    name.startsWith('sandbox.db') ||
    (name === 'seed.json' && host.files.kindOf(join(dirname(path), 'sandbox.db')) !== undefined)
  );
}
