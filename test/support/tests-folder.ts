import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folder of Linux whose files are in memory. */
const memory = '/dev/shm';
/** Bytes that have to be free there: the tests write a few hundred megabytes. */
const needed = 4 * 1024 ** 3;

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

const { TMPDIR: before, NODE_COMPILE_CACHE: codeBefore } = process.env;
let folder: string | undefined;

/**
 * Gives the tests a folder for their temporary files, in memory where the machine has enough of it: nothing of them has
 * to survive, and on a disk each worker waits for what the other one syncs. Vitest calls it before its workers start.
 */
export function setup(): void {
  const isInMemory = before === undefined && freeBytes(memory) >= needed;
  folder = mkdtempSync(join(isInMemory ? memory : tmpdir(), 'telctl-tests-'));
  // The PostgreSQL server of the tests has a user of its own.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  // Programs that tests start find the code that those before them compiled, which each would do anew in a home of its own.
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'code');
}

/** Removes what the tests left there. */
export function teardown(): void {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  if (codeBefore === undefined) delete process.env.NODE_COMPILE_CACHE;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
