import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { builtin } from './builtin.ts';
import {
  changedMs,
  isLink,
  isMissing,
  isWritable,
  kindOf,
  list,
  modeOf,
  readBytes,
  readKept,
  readPipe,
  readText,
  realPath,
  sizeOf,
} from './read-files.ts';

/** Makes a folder (0700) with its parents. */
const makePrivateFolder = (path: string): void => makeFolder(path, 0o700);

/**
 * Makes a folder with its parents, one by one: the recursive call of Node.js never returns where a file system, such
 * as /proc, says of a new folder that its parent is not there.
 */
function makeFolder(path: string, mode: number): void {
  if (kindOf(path) === 'folder') return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    fs.mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (kindOf(path) !== 'folder') throw error;
  }
}

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

/** A new file beside one, whose place it takes at its end where it is whole; else it is removed. */
function draftBeside(path: string): {
  readonly handle: number;
  readonly end: (isWhole: boolean) => void;
} {
  makePrivateFolder(dirname(path));
  const draft = join(dirname(path), `.${builtin('node:crypto').randomBytes(6).toString('hex')}.tmp`);
  const handle = fs.openSync(draft, 'wx', 0o600);
  return {
    handle,
    end(isWhole) {
      try {
        fs.closeSync(handle);
        if (isWhole) fs.renameSync(draft, path);
      } finally {
        fs.rmSync(draft, { force: true });
      }
    },
  };
}

/** Writes a word that means nothing after a loss of power: in its place, and not waited for the disk with. */
function writeFleeting(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = fs.constants;
  const handle = fs.openSync(path, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0), 0o600);
  try {
    fs.writeSync(handle, text);
  } finally {
    fs.closeSync(handle);
  }
}

const synced = (handle: number): Promise<void> =>
  new Promise((resolve, reject) => fs.fsync(handle, (error) => (error ? reject(error) : resolve())));

/** A file that is added to. Methods throw the system's error where that cannot be done. */
export interface GrowingFile {
  /** Adds text; the system has it when this returns, whatever becomes of this process. */
  add(text: string): void;
  /** Resolves when the disk has it. */
  flush(): Promise<void>;
  close(): void;
}

/**
 * Makes a private file (0600 in a 0700 folder) to be added to, and throws `EEXIST` where something is there already; or,
 * with `again`, opens one that was made before.
 */
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
  fs.renameSync(from, to);
}

/** Removes a file or folder; nothing happens where there is none. */
function remove(path: string): void {
  try {
    if (fs.lstatSync(path).isDirectory()) fs.rmSync(path, { force: true, recursive: true });
    // The error of rmSync has no code where the disk is read-only.
    else fs.unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Settings of the wait for a lock. */
export interface LockPatience {
  /** Ends the wait, with its reason. */
  readonly signal?: AbortSignal;
  /** Told once, before the first wait: the holder's word, where it left one. */
  readonly waiting?: (holder: string | undefined) => void;
  /** Tells whether the holder that left this word is known to be gone; then the wait is two seconds, not ten. */
  readonly isGone?: (holder: string) => boolean;
  /** Left for those who wait. */
  readonly word?: string;
  /** Longest wait, in milliseconds; a minute and a half where left out. */
  readonly forMs?: number;
  /** Called when another process took the lock, since this one was stopped for too long. */
  readonly onLost?: () => void;
}

/** Longest pause between two tries for a lock, and how long they go on in all, in milliseconds. */
const longestPauseMs = 250;
const patienceMs = 90_000;

/**
 * Locks what stands beside `path` for this process alone and gives what unlocks it. Waits for the holder as long as
 * was said, then throws an error with the code `ELOCKED`; a holder that died is noticed after ten seconds.
 * Whatever else the system has against it, such as a disk that is read-only or full, is final and thrown at once.
 */
async function lock(path: string, patience: LockPatience = {}): Promise<() => Promise<void>> {
  const { default: lockfile } = await import('proper-lockfile');
  makePrivateFolder(dirname(path));
  let lost = false;
  const options = {
    realpath: false,
    stale: 10_000,
    update: 1000,
    // A process that was stopped for longer has lost it to another.
    onCompromised: () => {
      lost = true;
      patience.onLost?.();
    },
  };
  const release = await untilFree(
    () => lockfile.lock(path, options),
    patience,
    async () => {
      if (!patience.waiting) return;
      const holder = await wordIn(path);
      patience.waiting(holder);
      if (holder !== undefined && patience.isGone?.(holder) === true) options.stale = 2000;
    },
  );
  if (patience.word !== undefined) writeFleeting(path, patience.word);
  return async () => {
    if (lost) return;
    if (patience.word !== undefined) remove(path);
    await release();
  };
}

/** Tries for a lock until nobody else holds it; `waiting` is called before the first pause. */
async function untilFree<T>(
  take: () => Promise<T>,
  { signal, forMs = patienceMs }: LockPatience,
  waiting: () => Promise<void>,
): Promise<T> {
  const { setTimeout: sleep } = builtin('node:timers/promises');
  let waitedMs = 0;
  for (let pauseMs = 15; ; pauseMs = Math.min(pauseMs * 1.2, longestPauseMs)) {
    signal?.throwIfAborted();
    try {
      return await take();
    } catch (error) {
      if (!isLocked(error) || waitedMs >= forMs) throw error;
    }
    if (waitedMs === 0) await waiting();
    // Spread, so that those who wait do not come all at once.
    const nextMs = pauseMs * (1 + Math.random());
    await sleep(nextMs, undefined, { ...(signal ? { signal } : {}) });
    waitedMs += nextMs;
  }
}

/**
 * Reads what the holder of a lock says of itself. It says so a moment after it has the lock; one that died may have
 * said nothing.
 */
async function wordIn(path: string): Promise<string | undefined> {
  for (let looks = 0; looks < 10; looks += 1) {
    const word = readText(path)?.text;
    if (word !== undefined) return word;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return undefined;
}

/** Tells whether an error says that another holds a lock. */
const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ELOCKED';

/** Runs `work` while this process alone holds the lock beside `path` (see `lock`). */
async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  patience: Pick<LockPatience, 'signal'> = {},
): Promise<T> {
  const release = await lock(path, patience);
  try {
    return await work();
  } finally {
    await release();
  }
}

/** The file system as the rest of telctl uses it. */
export const files = {
  readText,
  readKept,
  readBytes,
  readPipe,
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
