import fs from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder, readText, remove } from './file-access.ts';
import { writeAll } from './write-file.ts';

export interface LockPatience {
  /** Aborts the wait with its reason. */
  readonly signal?: AbortSignal;
  /** Called once before the first wait, with the holder's note if it left one. */
  readonly waiting?: (holder: string | undefined) => void;
  /** Returns true if the holder with this note seems to be gone. Then the wait is two seconds instead of ten. */
  readonly isGone?: (holder: string) => boolean;
  /** Returns true if the holder with this note has certainly ended. Then its lock is taken immediately. */
  readonly hasEnded?: (holder: string) => boolean;
  readonly note?: string;
  /** Longest wait in milliseconds (default: 90 seconds). */
  readonly forMs?: number;
  /** Called if another process took the lock because this process was suspended for too long. */
  readonly onLost?: () => void;
}

/** Milliseconds between two tries for a lock, and in total. */
const longestPauseMs = 250;
const lockTimeoutMs = 90_000;

/**
 * Locks `path` with a lock file next to it, and returns a function that unlocks it. Waits for the holder, then throws
 * an error with code `ELOCKED`. Detects a dead holder after ten seconds. Other errors, such as a read-only or full
 * disk, are thrown immediately.
 */
export async function lock(path: string, patience: LockPatience = {}): Promise<() => Promise<void>> {
  const { default: lockfile } = await import('proper-lockfile');
  makePrivateFolder(dirname(path));
  let lost = false;
  const options = {
    realpath: false,
    stale: 10_000,
    update: 1000,
    // A process that was suspended for longer has lost the lock.
    onCompromised: () => {
      lost = true;
      patience.onLost?.();
    },
  };
  const release = await retryUntilFree(
    path,
    () => lockfile.lock(path, options),
    patience,
    () => {
      options.stale = 2000;
    },
  );
  if (patience.note !== undefined) writeNote(path, patience.note);
  return async () => {
    if (lost) return;
    if (patience.note !== undefined) remove(path);
    await release();
  };
}

/** Reports the holder before the first wait. Calls `gone` if the holder seems gone. */
async function retryUntilFree<T>(
  path: string,
  take: () => Promise<T>,
  { signal, waiting, isGone, hasEnded, forMs = lockTimeoutMs }: LockPatience,
  gone: () => void,
): Promise<T> {
  const { setTimeout: sleep } = process.getBuiltinModule('node:timers/promises');
  let waitedMs = 0;
  let isReported = waiting === undefined;
  // A locked path without a note may be a folder.
  const hasNotes = [waiting, isGone, hasEnded].some((each) => each !== undefined);
  for (let pauseMs = 15; ; pauseMs = Math.min(pauseMs * 1.2, longestPauseMs)) {
    signal?.throwIfAborted();
    try {
      return await take();
    } catch (error) {
      if (!isLocked(error)) throw error;
      const readHolderNote = () => (isReported ? readText(path)?.text : readNote(path));
      const holder = hasNotes ? await readHolderNote() : undefined;
      if (holder !== undefined && hasEnded?.(holder) === true && breakDeadLock(path, holder)) continue;
      if (holder !== undefined && isGone?.(holder) === true) gone();
      if (!isReported) waiting?.(holder);
      isReported = true;
      if (waitedMs >= forMs) throw error;
    }
    // Random pauses, so that waiting processes do not retry at the same time.
    const nextMs = pauseMs * (1 + Math.random());
    await sleep(nextMs, undefined, { ...(signal ? { signal } : {}) });
    waitedMs += nextMs;
  }
}

/**
 * Removes the lock of a process that has ended. Removes its note first, under a separate lock, because a new holder
 * would have another note or none yet. Returns false if another process is doing the same.
 */
function breakDeadLock(path: string, note: string): boolean {
  const taking = `${path}.taking`;
  try {
    fs.mkdirSync(taking, { mode: 0o700 });
  } catch {
    // If this process is killed here, the lock expires by age.
    return false;
  }
  try {
    if (readText(path)?.text !== note) return true;
    remove(path);
    remove(`${path}.lock`);
    return true;
  } finally {
    fs.rmdirSync(taking);
  }
}

/** Reads the note of a lock's holder. The note is written shortly after the lock, so a dead holder may have none. */
async function readNote(path: string): Promise<string | undefined> {
  for (let looks = 0; looks < 100; looks += 1) {
    const note = readText(path)?.text;
    if (note !== undefined) return note;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return undefined;
}

export const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ELOCKED';

/** Holds the lock of `path` while `work` runs. Throws like `lock`. */
export async function withLock<T>(
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

/** Writes in place without flushing, because a note is short-lived. */
function writeNote(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = fs.constants;
  const handle = fs.openSync(path, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0), 0o600);
  try {
    writeAll(handle, text);
  } finally {
    fs.closeSync(handle);
  }
}
