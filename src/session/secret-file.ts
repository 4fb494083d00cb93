import { dirname } from 'node:path';
import { Failure } from '../base/failure.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Host } from '../host/host.ts';

type Machine = Pick<Host, 'files' | 'platform'>;

/** The content of a file of secrets; `trouble`: sentences on who else may read or write it. */
export type SecretFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly cause: unknown }
  | { readonly kind: 'read'; readonly value: JsonObject; readonly trouble: readonly string[] };

/**
 * Reads a file of secrets. One that belongs to another user is refused with a `Failure` (`refused`): it would sign in
 * as whoever wrote it. One that others may read, or that a link leads out of its folder to, is told in `trouble`.
 */
export function readSecretFile({ files, platform }: Machine, path: string): SecretFile {
  try {
    const file = files.readText(path);
    if (file === undefined) return { kind: 'none' };
    if (file.isForeign)
      throw new Failure('refused', `The secrets in ${path} belong to another user, and are not used.`, {
        hint: `If they are yours: sudo chown "$USER" ${path}. If not, remove the file and sign in again.`,
      });
    const value: unknown = JSON.parse(file.text);
    if (!isObject(value)) return { kind: 'damaged', cause: undefined };
    return { kind: 'read', value, trouble: [...openTo(platform, path, file.mode), ...linkedTo(files, path)] };
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    return { kind: 'damaged', cause };
  }
}

/** The mode of a file that others may read, in words. Windows has none: its files inherit it from the user's folder. */
export function openMode(platform: Host['platform'], mode: number | undefined): string | undefined {
  if (platform === 'win32' || mode === undefined || (mode & 0o077) === 0) return undefined;
  return `mode ${mode.toString(8).padStart(4, '0')}`;
}

function openTo(platform: Host['platform'], path: string, mode: number): readonly string[] {
  const open = openMode(platform, mode);
  return open === undefined
    ? []
    : [`Others may read the secrets in ${path} (${open}). Close it: chmod 600 ${path}`];
}

/** Reports a link that leads elsewhere: whoever may write there may give other secrets. */
function linkedTo(files: Host['files'], path: string): readonly string[] {
  if (!files.isLink(path)) return [];
  const target = files.realPath(path);
  return dirname(target) === files.realPath(dirname(path))
    ? []
    : [`The secrets of ${path} lie elsewhere: it is a link to ${target}. Put the file itself there.`];
}

/** A path as people read it: the home folder as `~`. */
export function shownPath({ env }: Pick<Host, 'env'>, path: string): string {
  const home = env.HOME;
  return home !== undefined && home !== '' && path.startsWith(`${home}/`)
    ? `~${path.slice(home.length)}`
    : path;
}
