import fs from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder, readText, remove } from './file-access.ts';
import { writeAll } from './write-file.ts';

/** Settings of the wait for a lock. */
export interface LockPatience {
  /** Ends the wait, with its reason. */
  readonly signal?: AbortSignal;
  /** Called once, before the first wait, with the holder's word if it left one. */
  readonly waiting?: (holder: string | undefined) => void;
  /** Tells whether the holder that left this word seems to be gone; then the wait is two seconds, not ten. */
  readonly isGone?: (holder: string) => boolean;
  /** Tells whether the holder that left this word has surely ended; then its lock is taken at once. */
  readonly hasEnded?: (holder: string) => boolean;
  /** Word that is left for processes that wait. */
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
export async function lock(path: string, patience: LockPatience = {}): Promise<() => Promise<void>> {
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
    path,
    () => lockfile.lock(path, options),
    patience,
    () => {
      options.stale = 2000;
    },
  );
  if (patience.word !== undefined) writeFleeting(path, patience.word);
  return async () => {
    if (lost) return;
    if (patience.word !== undefined) remove(path);
    await release();
  };
}

/** Tries for a lock until nobody holds it. The holder is told of first; `gone` hears that it seems gone. */
async function untilFree<T>(
  path: string,
  take: () => Promise<T>,
  { signal, waiting, isGone, hasEnded, forMs = patienceMs }: LockPatience,
  gone: () => void,
): Promise<T> {
  const { setTimeout: sleep } = process.getBuiltinModule('node:timers/promises');
  let waitedMs = 0;
  let isTold = waiting === undefined;
  // What is locked without a word may be a folder.
  const leavesWords = [waiting, isGone, hasEnded].some((each) => each !== undefined);
  for (let pauseMs = 15; ; pauseMs = Math.min(pauseMs * 1.2, longestPauseMs)) {
    signal?.throwIfAborted();
    try {
      return await take();
    } catch (error) {
      if (!isLocked(error)) throw error;
      const word = () => (isTold ? readText(path)?.text : wordIn(path));
      const holder = leavesWords ? await word() : undefined;
      if (holder !== undefined && hasEnded?.(holder) === true && takeFromDead(path, holder)) continue;
      if (holder !== undefined && isGone?.(holder) === true) gone();
      if (!isTold) waiting?.(holder);
      isTold = true;
      if (waitedMs >= forMs) throw error;
    }
    // Spread, so that those who wait do not come all at once.
    const nextMs = pauseMs * (1 + Math.random());
    await sleep(nextMs, undefined, { ...(signal ? { signal } : {}) });
    waitedMs += nextMs;
  }
}

/**
 * Removes the lock of a process that has ended. Its word goes first, under a lock of this function's own: whoever has the
 * lock by then has left another word, or none yet. False where somebody else does the same.
 */
function takeFromDead(path: string, word: string): boolean {
  const taking = `${path}.taking`;
  try {
    fs.mkdirSync(taking, { mode: 0o700 });
  } catch {
    // Who was killed in here leaves the lock to its age.
    return false;
  }
  try {
    if (readText(path)?.text !== word) return true;
    remove(path);
    remove(`${path}.lock`);
    return true;
  } finally {
    fs.rmdirSync(taking);
  }
}

/** What the holder of a lock says of itself, some tenths of a second after it has it; one that died may not. */
async function wordIn(path: string): Promise<string | undefined> {
  for (let looks = 0; looks < 100; looks += 1) {
    const word = readText(path)?.text;
    if (word !== undefined) return word;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return undefined;
}

/** Tells whether an error says that another holds a lock. */
export const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ELOCKED';

/** Runs `work` while this process alone holds the lock beside `path` (see `lock`). */
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

/** Writes a word that means nothing after a loss of power: in its place, and not waited for the disk with. */
function writeFleeting(path: string, text: string): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = fs.constants;
  const handle = fs.openSync(path, O_WRONLY | O_CREAT | O_TRUNC | (O_NOFOLLOW ?? 0), 0o600);
  try {
    writeAll(handle, text);
  } finally {
    fs.closeSync(handle);
  }
}
