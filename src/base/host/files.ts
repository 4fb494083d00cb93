import fs from 'node:fs';
import { dirname } from 'node:path';
import {
  createFolderReaders,
  isLink,
  isWritable,
  kindOf,
  listFolder,
  makePrivateFolder,
  modeOf,
  modifiedMs,
  readBytes,
  readLargeText,
  readPipe,
  readText,
  realPath,
  remove,
  sizeOf,
} from './file-access.ts';
import { isLocked, lock, withLock } from './locks.ts';
import { flushToDisk, renameFile, replaceFile, replaceFileLater, writeAll } from './write-file.ts';

/** Writes a file that only this user can read (0600). See `replaceFile`. */
const writePrivate = (path: string, content: string | Uint8Array): void =>
  replaceFile(path, content, { secret: true });

const writePrivateLater = (path: string, text: string): Promise<void> =>
  replaceFileLater(path, text, { secret: true });

/** Writes a file that others can read, such as an output file. See `replaceFile`. */
const writePublic = (path: string, content: string | Uint8Array): void =>
  replaceFile(path, content, { secret: false });

/** An append-only file. Methods throw the system's error on failure. */
export interface AppendOnlyFile {
  /** Appends text. The text is in the operating system when this returns, even if the process then dies. */
  add(text: string): void;
  /** Resolves when the text is on the disk. */
  flush(): Promise<void>;
  close(): void;
}

/** Creates a private append-only file. Throws `EEXIST` if it exists; with `again`, opens it. */
function openAppendOnly(path: string, { again = false } = {}): AppendOnlyFile {
  makePrivateFolder(dirname(path));
  const { O_WRONLY, O_APPEND, O_NOFOLLOW } = fs.constants;
  const handle = fs.openSync(path, again ? O_WRONLY | O_APPEND | (O_NOFOLLOW ?? 0) : 'ax', 0o600);
  return {
    add(text) {
      writeAll(handle, text);
    },
    flush: () => flushToDisk(handle),
    close: () => fs.closeSync(handle),
  };
}

function move(from: string, to: string): void {
  makePrivateFolder(dirname(to));
  renameFile(from, to);
}

export const files = {
  readText,
  readLargeText,
  readBytes,
  readPipe,
  within: createFolderReaders,
  sizeOf,
  modifiedMs,
  kindOf,
  modeOf,
  isLink,
  isWritable,
  realPath,
  makePrivateFolder,
  writePrivate,
  writePrivateLater,
  openAppendOnly,
  writePublic,
  move,
  remove,
  list: listFolder,
  lock,
  isLocked,
  withLock,
};

export type Files = typeof files;
