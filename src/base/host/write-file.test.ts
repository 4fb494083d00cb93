import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { files } from './files.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'telctl-write-'));
  path = join(folder, 'file');
  writeFileSync(path, 'old', { mode: 0o640 });
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true }));
});

const writers = { secret: files.writePrivate, public: files.writePublic };

test.each(Object.entries(writers))(
  'writing a %s file through a link replaces the target and keeps the link',
  (_, write) => {
    mkdirSync(join(folder, 'below'));
    symlinkSync('../file', join(folder, 'below', 'inner'));
    symlinkSync('below/inner', join(folder, 'outer'));
    symlinkSync('later', join(folder, 'dangling'));
    write(join(folder, 'outer'), 'new');
    write(join(folder, 'dangling'), 'made');
    expect(readlinkSync(join(folder, 'outer'))).toBe('below/inner');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(lstatSync(join(folder, 'dangling')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'later'), 'utf8')).toBe('made');
    symlinkSync('circle', join(folder, 'circle'));
    expect(() => write(join(folder, 'circle'), 'x')).toThrow(/ELOOP/);
  },
);

test('keeps the file mode, makes a secret file private, and leaves other hard links unchanged', () => {
  chmodSync(path, 0o751);
  linkSync(path, join(folder, 'other'));
  files.writePublic(path, 'new');
  expect(statSync(path).mode & 0o777).toBe(0o751);
  expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('old');
  files.writePrivate(path, 'secret');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('writes directly to devices and pipes', () => {
  expect(() => files.writePublic('/dev/full', 'x')).toThrow(/ENOSPC/);
  files.writePublic('/dev/null', 'x');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

/** Runs a write of 40,000 bytes in a process under a limit of the shell, as another user if this one is root. */
function writeUnder(limit: string, write: string): string {
  const script = `import { files } from '${import.meta.dirname}/files.ts';
    try { ${write}; console.error('written'); } catch (error) { console.error(error.code); }`;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  chmodSync(folder, limit === 'true' ? 0o555 : 0o777);
  const run = spawnSync(
    'bash',
    ['-c', `${limit}; exec "$0" --input-type=module -e "$1"`, process.execPath, script],
    {
      ...user,
      encoding: 'utf8',
    },
  );
  return run.stderr.trim();
}

test.each([
  ['a full disk', 'ulimit -f 8', 'EFBIG'],
  ['a folder that cannot be written', 'true', 'EACCES'],
])('%s leaves the old file intact and no partial file', (_, limit, code) => {
  chmodSync(path, 0o666);
  for (const place of [path, join(folder, 'new')])
    for (const name of ['writePublic', 'writePrivate'])
      expect(writeUnder(limit, `files.${name}('${place}', 'x'.repeat(40_000))`)).toBe(code);
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('a process killed during a write leaves the old file intact', () => {
  const script = `import fs from 'node:fs'; import { files } from '${import.meta.dirname}/files.ts';
    fs.fsyncSync = () => process.kill(process.pid, 'SIGKILL');
    files.writePublic('${path}', 'new');`;
  expect(() =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' }),
  ).toThrow();
  expect(readFileSync(path, 'utf8')).toBe('old');
});
