import fs from 'node:fs';
import { dirname } from 'node:path';
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
