import fs from 'node:fs';
import { dirname } from 'node:path';
import {
  changedMs,
  isLink,
  isWritable,
  kindOf,
  list,
  makePrivateFolder,
  modeOf,
  readBytes,
  readKept,
  readPipe,
  readText,
  realPath,
  remove,
  sizeOf,
  within,
} from './file-access.ts';
import { isLocked, lock, withLock } from './locks.ts';
import { renameFile, replaceFile, replaceFileLater, synced, writeAll } from './write-file.ts';

/** Writes a file that only this user may read (0600). See `replaceFile`. */
const writePrivate = (path: string, content: string | Uint8Array): void =>
  replaceFile(path, content, { secret: true });

/** Does the same as `writePrivate` without blocking this process while the disk works. */
const keepPrivate = (path: string, text: string): Promise<void> =>
  replaceFileLater(path, text, { secret: true });

/** Writes a file that others may read, such as one that the user named. See `replaceFile`. */
const writePublic = (path: string, content: string | Uint8Array): void =>
  replaceFile(path, content, { secret: false });

/** A file that is added to. Methods throw the system's error where that cannot be done. */
export interface GrowingFile {
  /** Adds text. The system has it when this returns, even if this process dies then. */
  add(text: string): void;
  /** Resolves when the disk has it. */
  flush(): Promise<void>;
  close(): void;
}

/** Makes a private file to be added to, and throws `EEXIST` for one that is there; `again` opens that one. */
function growPrivate(path: string, { again = false } = {}): GrowingFile {
  makePrivateFolder(dirname(path));
  const { O_WRONLY, O_APPEND, O_NOFOLLOW } = fs.constants;
  const handle = fs.openSync(path, again ? O_WRONLY | O_APPEND | (O_NOFOLLOW ?? 0) : 'ax', 0o600);
  return {
    add(text) {
      writeAll(handle, text);
    },
    flush: () => synced(handle),
    close: () => fs.closeSync(handle),
  };
}

/** Gives a file another place on the same disk; its folder is made. */
function move(from: string, to: string): void {
  makePrivateFolder(dirname(to));
  renameFile(from, to);
}

/** The file system as the rest of telctl uses it. */
export const files = {
  readText,
  readKept,
  readBytes,
  readPipe,
  within,
  sizeOf,
  changedMs,
  kindOf,
  modeOf,
  isLink,
  isWritable,
  realPath,
  makePrivateFolder,
  writePrivate,
  keepPrivate,
  growPrivate,
  writePublic,
  move,
  remove,
  list,
  lock,
  isLocked,
  withLock,
};

export type Files = typeof files;
