import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isForeign, makeFolder } from './file-access.ts';

/** Time between two tries to write to a pipe that is full, in milliseconds. */
const fullPipeMs = 5;

/** The code of an error of the file system. This folder imports nothing, so it has a reader of its own. */
const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/**
 * Writes to an open file until the system has every byte. A full disk and a size limit (`ulimit -f`) take a part
 * without an error, and refuse only the next write. Throws the error of the system.
 */
export function writeAll(handle: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += fs.writeSync(handle, bytes, sent);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      pause(fullPipeMs);
    }
  }
}

interface Writing {
  /** Only this user may read the file (0600), and a folder that is made for it (0700). */
  readonly secret: boolean;
}

/**
 * Writes a file so that its name has the old content or the new one, never a part: a draft in the same folder, flushed,
 * then renamed. A symbolic link stays, and its target is replaced; a link of another user is replaced itself. An existing
 * file keeps its mode and owner, if it is not secret; its other hard links keep the old content. Devices and pipes are
 * written directly. Throws the error of the system, and then changed nothing.
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

/** Does the same as `replaceFile` without blocking this process while the disk works. */
export async function replaceFileLater(path: string, content: string, writing: Writing): Promise<void> {
  const draft = startDraft(path, writing);
  let isWhole = false;
  try {
    writeAll(draft.handle, content);
    if (draft.isFile) await synced(draft.handle);
    isWhole = true;
  } finally {
    draft.end(isWhole);
  }
}

interface Draft {
  readonly handle: number;
  /** False for a device or a pipe, which has no draft. */
  readonly isFile: boolean;
  /** Closes the draft, and gives it its name if it is whole. */
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
  // A rename could replace a file that must not be written.
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

/** Tells whether a path is an open file of a process, such as the one that `/dev/stdout` leads to. */
const isOfProcess = (path: string): boolean => path.startsWith('/proc/');

/** Most links that are followed one after the other, as on Linux. */
const linksAtMost = 40;

/** Returns the place that a path leads to. Links of other users are not followed. */
function followLinks(path: string): string {
  let place = path;
  for (let links = 0; ; links += 1) {
    const found = fs.lstatSync(place, { throwIfNoEntry: false });
    if (!found?.isSymbolicLink() || isForeign(found) || isOfProcess(place)) return place;
    // Throws ELOOP.
    if (links === linksAtMost) fs.statSync(path);
    place = resolve(fs.realpathSync(dirname(place)), fs.readlinkSync(place));
  }
}

/** Gives a draft the owner and the mode of the file that it replaces. */
function keepAccess(handle: number, { uid, gid, mode }: fs.Stats): void {
  const draft = fs.fstatSync(handle);
  if (draft.uid !== uid || draft.gid !== gid)
    try {
      fs.fchownSync(handle, uid, gid);
    } catch (error) {
      // Only an administrator may give a file away.
      if (codeOf(error) !== 'EPERM') throw error;
    }
  fs.fchmodSync(handle, mode & 0o7777);
}

/** Flushes the entries of a folder, so that a rename survives a loss of power. Some systems refuse that. */
function flushFolder(folder: string): void {
  try {
    const handle = fs.openSync(folder, 'r');
    try {
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    // Windows opens no folders, and some file systems flush none. The file is complete either way.
  }
}

/** Pause before a rename is tried again, in milliseconds. */
const renamePauseMs = 25;

/** Renames a file. On Windows a search for viruses may refuse that, so it is tried for half a second. */
export function renameFile(from: string, to: string, triesLeft = 20): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    const isHeld = process.platform === 'win32' && /^(?:EPERM|EACCES|EBUSY)$/.test(String(codeOf(error)));
    if (!isHeld || triesLeft === 0) throw error;
    pause(renamePauseMs);
    renameFile(from, to, triesLeft - 1);
  }
}

/** Resolves when the disk has what was written to an open file. */
export const synced = (handle: number): Promise<void> =>
  new Promise((done, fail) => fs.fsync(handle, (error) => (error ? fail(error) : done())));
