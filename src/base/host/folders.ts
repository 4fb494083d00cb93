import fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { Folders, Host } from './host.ts';
import { isMissing, kindOf } from './read-files.ts';

/** Makes a folder (0700) with its parents. */
export const makePrivateFolder = (path: string): void => makeFolder(path, 0o700);

/**
 * Makes a folder with its parents, one by one: the recursive call of Node.js never returns where a file system, such
 * as /proc, says of a new folder that its parent is not there.
 */
export function makeFolder(path: string, mode: number): void {
  if (kindOf(path) === 'folder') return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    fs.mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (kindOf(path) !== 'folder') throw error;
  }
}

/** Removes a file or folder; nothing happens where there is none. */
export function remove(path: string): void {
  try {
    if (fs.lstatSync(path).isDirectory()) fs.rmSync(path, { force: true, recursive: true });
    // The error of rmSync has no code where the disk is read-only.
    else fs.unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/**
 * Finds telctl's folders: `TELCTL_CONFIG_DIR`, `TELCTL_CACHE_DIR` and `TELCTL_STATE_DIR` first, then the
 * XDG variables, then the platform's habit below the home folder.
 */
export function findFolders(env: Host['env'], home: string, platform: NodeJS.Platform): Folders {
  const local = platform === 'win32' ? env.LOCALAPPDATA : undefined;
  const below = (variable: string, xdg: string, fallback: string, windows: string): string =>
    env[variable] ||
    (local ? join(local, 'telctl', windows) : join(env[xdg] || join(home, fallback), 'telctl'));
  return {
    config: below('TELCTL_CONFIG_DIR', 'XDG_CONFIG_HOME', '.config', 'config'),
    cache: below('TELCTL_CACHE_DIR', 'XDG_CACHE_HOME', '.cache', 'cache'),
    state: below('TELCTL_STATE_DIR', 'XDG_STATE_HOME', join('.local', 'state'), 'state'),
  };
}
