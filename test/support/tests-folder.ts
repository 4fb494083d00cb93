import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A memory file system on Linux. */
const memory = '/dev/shm';
/** Required free bytes: the tests write a few hundred megabytes. */
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
 * Creates the folder for temporary files of the tests, in memory if the machine has enough. On a disk, workers wait
 * for each other's syncs. Vitest calls this before its workers start.
 */
export function setup(): void {
  const isInMemory = before === undefined && freeBytes(memory) >= needed;
  folder = mkdtempSync(join(isInMemory ? memory : tmpdir(), 'telctl-tests-'));
  // The PostgreSQL server of the tests runs as another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  // Processes of tests share a compile cache. Each home folder would have its own.
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'code');
}

export function teardown(): void {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  if (codeBefore === undefined) delete process.env.NODE_COMPILE_CACHE;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
