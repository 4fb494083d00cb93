import { isObject, type JsonObject } from '../contract/json.ts';
import type { Host } from '../host/host.ts';

type Machine = Pick<Host, 'files' | 'platform'>;

/** What a file of secrets holds. */
export type SecretFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly cause: unknown }
  | { readonly kind: 'read'; readonly value: JsonObject; readonly openTo: string | undefined };

/** Reads a file of secrets. `openTo` says in words who else may read it. */
export function readSecretFile({ files, platform }: Machine, path: string): SecretFile {
  try {
    const file = files.readText(path);
    if (file === undefined) return { kind: 'none' };
    const value: unknown = JSON.parse(file.text);
    if (!isObject(value)) return { kind: 'damaged', cause: undefined };
    // Windows has no such bits: its files inherit who may read them from the user's folder.
    const isOpen = platform !== 'win32' && (file.mode & 0o077) !== 0;
    return {
      kind: 'read',
      value,
      openTo: isOpen ? `mode ${file.mode.toString(8).padStart(4, '0')}` : undefined,
    };
  } catch (cause) {
    return { kind: 'damaged', cause };
  }
}

/** What is said of a file of secrets that others may read. */
export const openFileWarning = (path: string, openTo: string): string =>
  `Others may read the secrets in ${path} (${openTo}). Close it: chmod 600 ${path}`;

/** A path as people read it: the home folder as `~`. */
export function shownPath({ env }: Pick<Host, 'env'>, path: string): string {
  const home = env.HOME;
  return home !== undefined && home !== '' && path.startsWith(`${home}/`)
    ? `~${path.slice(home.length)}`
    : path;
}
