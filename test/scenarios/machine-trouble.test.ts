import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

test('a malformed config file is named and never deleted', async () => {
  const world = await openWorld();
  const path = join(world.folders.home, '.config', 'telctl', 'config.json');
  expect(existsSync(path)).toBe(true);
  writeFileSync(path, '{ "profiles": ');
  const run = await world.telctl('users list');
  expect(run.code).not.toBe(0);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain(path);
  expect(run.stderr).not.toMatch(/\n\s+at /);
  expect(readFileSync(path, 'utf8')).toBe('{ "profiles": ');
});

test('a malformed token file is no reason to fail where a key is stored', async () => {
  const world = await openWorld();
  const path = join(world.folders.home, '.config', 'telctl', 'tokens', `${world.profile}.json`);
  expect(existsSync(path)).toBe(true);
  writeFileSync(path, '{');
  const run = await world.telctl('users list -o name');
  expect([0, 1]).toContain(run.code);
  if (run.code !== 0) expect(run.stderr).toContain(path);
});

test('secrets lie in files of mode 0600 in folders of mode 0700', async () => {
  const world = await openWorld();
  for (const { path, mode, isFolder } of world.filesWritten()) {
    if (!path.includes('telctl')) continue;
    expect(`${path} ${mode.toString(8)}`).toBe(`${path} ${isFolder ? '700' : '600'}`);
  }
});

test('a key file that others may read is pointed out', async () => {
  const world = await openWorld();
  const path = join(world.folders.home, '.config', 'telctl', 'credentials', `${world.profile}.json`);
  chmodSync(path, 0o644);
  world.clock.turn(2 * 3_600_000);
  const run = await world.telctl('users list -o name');
  expect(run.stderr).toContain(path);
});
