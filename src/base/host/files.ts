import fs from 'node:fs';
import { dirname, join } from 'node:path';
import {
  changedMs,
  isLink,
  isWritable,
  kindOf,
  list,
  makeFolder,
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

/**
 * Writes a private file (0600 in a 0700 folder) so that a reader sees the old text or the new, never a part:
 * a new file beside it, flushed, then renamed over it. A symbolic link in its place is replaced, not followed.
 */
function writePrivate(path: string, text: string | Uint8Array): void {
  const { handle, end } = draftBeside(path);
  let isWhole = false;
  try {
    fs.writeFileSync(handle, text);
    fs.fsyncSync(handle);
    isWhole = true;
  } finally {
    end(isWhole);
  }
}

/** The same as `writePrivate`, and others work on while the disk takes it. */
async function keepPrivate(path: string, text: string): Promise<void> {
  const { handle, end } = draftBeside(path);
  let isWhole = false;
  try {
    fs.writeFileSync(handle, text);
    await synced(handle);
    isWhole = true;
  } finally {
    end(isWhole);
  }
}

/** Writes a file beside another one, whose place it takes at the end if it is complete. */
function draftBeside(path: string): {
  readonly handle: number;
  readonly end: (isWhole: boolean) => void;
} {
  makePrivateFolder(dirname(path));
  const draft = join(
    dirname(path),
    `.${process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')}.tmp`,
  );
  const handle = fs.openSync(draft, 'wx', 0o600);
  return {
    handle,
    end(isWhole) {
      try {
        fs.closeSync(handle);
        if (isWhole) rename(draft, path);
      } finally {
        fs.rmSync(draft, { force: true });
      }
    },
  };
}

/** Pause before a rename is tried again, in milliseconds. */
const renamePauseMs = 25;

/** Renames a file. On Windows a search for viruses may refuse that, so it is tried for half a second. */
function rename(from: string, to: string, triesLeft = 20): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    const isHeld = process.platform === 'win32' && /^(?:EPERM|EACCES|EBUSY)$/.test(Object(error).code);
    if (!isHeld || triesLeft === 0) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, renamePauseMs);
    rename(from, to, triesLeft - 1);
  }
}

const synced = (handle: number): Promise<void> =>
  new Promise((resolve, reject) => fs.fsync(handle, (error) => (error ? reject(error) : resolve())));

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
      const bytes = Buffer.from(text);
      for (let sent = 0; sent < bytes.length; ) sent += fs.writeSync(handle, bytes, sent);
    },
    flush: () => synced(handle),
    close: () => fs.closeSync(handle),
  };
}

/** Writes a file that others may read, such as one the user asked for by name. */
function writePublic(path: string, content: string | Uint8Array): void {
  makeFolder(dirname(path), 0o777);
  fs.writeFileSync(path, content);
}

/** Gives a file another place on the same disk; its folder is made. */
function move(from: string, to: string): void {
  makePrivateFolder(dirname(to));
  rename(from, to);
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
