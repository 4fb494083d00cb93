import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isOwnedByOther, makeFolder } from './file-access.ts';

/** Pause between two writes to a full pipe. */
const fullPipeMs = 5;

/** This folder has no imports, so it needs its own function. */
const fileErrorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/**
 * Writes all bytes to an open file. A full disk or a size limit (`ulimit -f`) accepts a part without an error and only
 * refuses the next write. Throws the system's error.
 */
export function writeAll(handle: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += fs.writeSync(handle, bytes, sent);
    } catch (error) {
      if (fileErrorCode(error) !== 'EAGAIN') throw error;
      pause(fullPipeMs);
    }
  }
}

interface Writing {
  /** Files are readable only by this user (0600). Their new folders are also private (0700). */
  readonly secret: boolean;
}

/**
 * Replaces a file atomically: writes a draft in the same folder, flushes it, then renames it. Symbolic links are
 * followed, except links of other users, which are replaced. An existing file that is not secret keeps its mode and
 * owner. Other hard links keep the old content. Devices and pipes are written directly. Throws the system's error
 * without any change.
 */
export function replaceFile(path: string, content: string | Uint8Array, writing: Writing): void {
  const draft = startDraft(path, writing);
  let isWhole = false;
  try {
    writeAll(draft.handle, content);
    if (draft.isFile) fs.fsyncSync(draft.handle);
    isWhole = true;
  } finally {
    draft.end(isWhole);
  }
}

export async function replaceFileLater(path: string, content: string, writing: Writing): Promise<void> {
  const draft = startDraft(path, writing);
  let isWhole = false;
  try {
    writeAll(draft.handle, content);
    if (draft.isFile) await flushToDisk(draft.handle);
    isWhole = true;
  } finally {
    draft.end(isWhole);
  }
}

interface Draft {
  readonly handle: number;
  /** False for a device or a pipe, which has no draft. */
  readonly isFile: boolean;
  /** Closes the draft, and renames it if it is complete. */
  end(isWhole: boolean): void;
}

function startDraft(path: string, { secret }: Writing): Draft {
  const target = followLinks(path);
  const before = fs.statSync(path, { throwIfNoEntry: false });
  if (before && (!before.isFile() || isOfProcess(target))) {
    const handle = fs.openSync(path, 'w');
    return { handle, isFile: false, end: () => fs.closeSync(handle) };
  }
  const folder = dirname(target);
  makeFolder(folder, secret ? 0o700 : 0o777);
  // A rename could replace a write-protected file.
  if (before && !secret) fs.accessSync(target, fs.constants.W_OK);
  const name = `.${process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')}.tmp`;
  const draft = join(folder, name);
  const handle = fs.openSync(draft, 'wx', before || secret ? 0o600 : 0o666);
  return {
    handle,
    isFile: true,
    end(isWhole) {
      try {
        if (isWhole && before && !secret) keepAccess(handle, before);
        fs.closeSync(handle);
        if (isWhole) renameFile(draft, target);
      } finally {
        fs.rmSync(draft, { force: true });
      }
      if (isWhole) flushFolder(folder);
    },
  };
}

/** Returns true if a path is an open file of a process, such as the target of `/dev/stdout`. */
const isOfProcess = (path: string): boolean => path.startsWith('/proc/');

const linksAtMost = 40;

/** Resolves the links of a path. Links of other users are not followed. */
function followLinks(path: string): string {
  let place = path;
  for (let links = 0; ; links += 1) {
    const found = fs.lstatSync(place, { throwIfNoEntry: false });
    if (!found?.isSymbolicLink() || isOwnedByOther(found) || isOfProcess(place)) return place;
    // Throws ELOOP.
    if (links === linksAtMost) fs.statSync(path);
    place = resolve(fs.realpathSync(dirname(place)), fs.readlinkSync(place));
  }
}

/** Gives the draft the owner and mode of the file that it replaces. */
function keepAccess(handle: number, { uid, gid, mode }: fs.Stats): void {
  const draft = fs.fstatSync(handle);
  if (draft.uid !== uid || draft.gid !== gid)
    try {
      fs.fchownSync(handle, uid, gid);
    } catch (error) {
      // Only an administrator can change the owner.
      if (fileErrorCode(error) !== 'EPERM') throw error;
    }
  fs.fchmodSync(handle, mode & 0o7777);
}

/** Flushes a folder, so that a rename survives a power loss. Some systems do not support it. */
function flushFolder(folder: string): void {
  try {
    const handle = fs.openSync(folder, 'r');
    try {
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    // Windows cannot open folders, and some file systems cannot flush them. The file is complete either way.
  }
}

const renamePauseMs = 25;

/** Renames a file. On Windows a virus scanner may block it, so it is retried for half a second. */
export function renameFile(from: string, to: string, triesLeft = 20): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    const isHeld =
      process.platform === 'win32' && /^(?:EPERM|EACCES|EBUSY)$/.test(String(fileErrorCode(error)));
    if (!isHeld || triesLeft === 0) throw error;
    pause(renamePauseMs);
    renameFile(from, to, triesLeft - 1);
  }
}

export const flushToDisk = (handle: number): Promise<void> =>
  new Promise((done, fail) => fs.fsync(handle, (error) => (error ? fail(error) : done())));
