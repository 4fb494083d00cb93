import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { files } from './files.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'telctl-files-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('makes a private folder with its parents, and leaves one that is there', () => {
  const path = join(folder(), 'a/b/c');
  for (const _ of [1, 2]) files.makePrivateFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('says why a folder cannot be made, also where no folder can be made at all', () => {
  const path = join(folder(), 'file');
  writeFileSync(path, '');
  expect(() => files.makePrivateFolder(join(path, 'below'))).toThrow(/EEXIST|ENOTDIR/);
  // There Node.js alone would go on for ever.
  expect(() => files.makePrivateFolder('/proc/telctl/state')).toThrow();
});
