import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../../test/support/world.ts';
import { files as disk } from './host/files.ts';
import { readOrFail } from './read-errors.ts';

const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });

test('explains permission errors and rethrows errors that are not from the system', () => {
  const refuse = (error: Error) => (): never => {
    throw error;
  };
  expect(() => readOrFail('office', refuse(denied))).toThrow('office cannot be read (not allowed).');
  const odd = Object.assign(new Error('EPROTO'), { code: 'EPROTO' });
  expect(() => readOrFail('office', refuse(odd))).toThrow('office cannot be read (EPROTO).');
  expect(() => readOrFail('office', refuse(new RangeError('a bug')))).toThrow(RangeError);
});

const files = { 'office/main.yaml': 'menus: { main: { name: Main } }\n' };

test.each(['validate -f loop.yaml', 'apply loop.yaml --yes', 'plan -f office --out loop.yaml'])(
  'exits with code 2 for an unreadable file: %s',
  async (line) => {
    const world = await openWorld();
    symlinkSync('loop.yaml', join(world.folders.cwd, 'loop.yaml'));
    const run = await world.telctl(line, { files });
    expect(run.stderr).toContain('loop.yaml cannot be read (it contains circular links).');
    expect(run.code).toBe(2);
  },
);

test.each([
  ['validate -f .', 'office'],
  ['undo --yes', 'log'],
  ['apply history', 'log'],
  ['apply -f office --yes', 'log'],
])('names a folder that cannot be listed: %s', async (line, folder) => {
  const world = await openWorld();
  const list = (path: string): readonly string[] => {
    if (path.includes(folder)) throw denied;
    return disk.list(path);
  };
  const run = await world.telctl(line, { files, disk: { list } });
  expect(run.stderr).toContain(folder);
  expect(run.stderr).toContain('cannot be read (not allowed).');
  expect(run.code).toBe(2);
});
