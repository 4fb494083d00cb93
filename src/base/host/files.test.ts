import fs, { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { files } from './files.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'telctl-files-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('creates a private folder with its parents and accepts an existing one', () => {
  const path = join(folder(), 'a/b/c');
  for (const _ of [1, 2]) files.makePrivateFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('fails if a folder cannot be created, even under /proc', () => {
  const path = join(folder(), 'file');
  writeFileSync(path, '');
  expect(() => files.makePrivateFolder(join(path, 'below'))).toThrow(/EEXIST|ENOTDIR/);
  // There Node.js alone would go on for ever.
  expect(() => files.makePrivateFolder('/proc/telctl/state')).toThrow();
});

test('fails immediately if the system refuses the lock', async () => {
  const start = performance.now();
  for (const path of ['/proc/telctl-lock', '/dev/null/telctl/lock'])
    await expect(files.withLock(path, async () => undefined)).rejects.toThrow();
  expect(performance.now() - start).toBeLessThan(30_000);
});

test('waits for a lock that is held, and an abort ends the wait', async () => {
  const path = join(folder(), 'lock');
  const release = await files.lock(path);
  const stop = new AbortController();
  const told: unknown[] = [];
  const waiting = files.lock(path, { signal: stop.signal, waiting: (holder) => told.push(holder) });
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
  const second = files.lock(path);
  await release();
  await (await second)();
});

test('reads only regular files, up to the given size', () => {
  const path = join(folder(), 'file');
  writeFileSync(path, 'x'.repeat(20));
  expect(files.readText(path, 20)).toMatchObject({ text: 'x'.repeat(20), isForeign: false });
  for (const [bad, most, code] of [
    [path, 19, 'EFBIG'],
    ['/dev/zero', 1000, 'EFTYPE'],
    ['/proc/kcore', 1000, 'EFBIG'],
    [tmpdir(), 1000, 'EISDIR'],
  ] as const)
    if (existsSync(bad)) expect(() => files.readText(bad, most)).toThrow(expect.objectContaining({ code }));
  // The system says of such a file that it is empty.
  expect(() => files.readBytes('/proc/self/maps', 100)).toThrow(expect.objectContaining({ code: 'EFBIG' }));
  expect(files.readBytes('/proc/self/maps', 1_000_000).length).toBeGreaterThan(100);
});

test('replaces a private file atomically: flushes, then renames over the old file', () => {
  const path = join(folder(), 'file');
  files.writePrivate(path, 'old text');
  const reader = fs.openSync(path, 'r');
  onTestFinished(() => fs.closeSync(reader));
  const [flushed, renamed] = [vi.spyOn(fs, 'fsyncSync'), vi.spyOn(fs, 'renameSync')];
  onTestFinished(() => void vi.restoreAllMocks());
  files.writePrivate(path, 'new');
  // The file, then its folder.
  expect(flushed).toHaveBeenCalledTimes(2);
  expect(renamed).toHaveBeenCalledOnce();
  expect(flushed).toHaveBeenCalledBefore(renamed);
  // Whoever has the old file open goes on reading the old text.
  expect(fs.readFileSync(reader, 'utf8')).toBe('old text');
  expect(fs.readFileSync(path, 'utf8')).toBe('new');
  expect(fs.readdirSync(dirname(path))).toEqual(['file']);
});

test('an append-only file contains each line immediately and reaches the disk on flush', async () => {
  const path = join(folder(), 'run');
  const flushed = vi.spyOn(fs, 'fsync');
  onTestFinished(() => flushed.mockRestore());
  const growing = files.openAppendOnly(path);
  growing.add('one\n');
  expect(fs.readFileSync(path, 'utf8')).toBe('one\n');
  expect(flushed).not.toHaveBeenCalled();
  await growing.flush();
  expect(flushed).toHaveBeenCalledOnce();
  growing.close();
});
