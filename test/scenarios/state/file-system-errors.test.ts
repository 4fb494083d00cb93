import { chmodSync, existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { files } from '../../../src/base/host/files.ts';
import { openWorld } from '../../support/world.ts';

test('an invalid config file is named and not deleted', async () => {
  const world = await openWorld();
  const path = join(world.folders.home, '.config', 'telctl', 'config.json');
  expect(existsSync(path)).toBe(true);
  writeFileSync(path, '{ "profiles": ');
  const run = await world.telctl('users list');
  expect(run.code).toBe(1);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain(path);
  expect(run.stderr).not.toMatch(/\n\s+at /);
  expect(readFileSync(path, 'utf8')).toBe('{ "profiles": ');
});

test('an invalid token file is ignored if a key is stored', async () => {
  const world = await openWorld();
  const path = join(world.folders.home, '.config', 'telctl', 'tokens', `${world.profile}.json`);
  expect(existsSync(path)).toBe(true);
  writeFileSync(path, '{');
  const run = await world.telctl('users list -o name');
  expect(run.code).toBe(0);
});

test('secrets are stored in files of mode 0600 in folders of mode 0700', async () => {
  const world = await openWorld();
  for (const { path, mode, isFolder } of world.filesWritten()) {
    if (!path.includes('telctl')) continue;
    expect(`${path} ${mode.toString(8)}`).toBe(`${path} ${isFolder ? '700' : '600'}`);
  }
});

test('a key file that others can read is reported', async () => {
  const world = await openWorld();
  const path = join(world.folders.home, '.config', 'telctl', 'credentials', `${world.profile}.json`);
  chmodSync(path, 0o644);
  world.clock.turn(2 * 3_600_000);
  const run = await world.telctl('users list -o name');
  expect(run.stderr).toContain(path);
});

test('secrets owned by another user are not used', async () => {
  const world = await openWorld();
  const disk = {
    readText(path: string, most?: number) {
      const file = files.readText(path, most);
      return file && path.includes('credentials') ? { ...file, isForeign: true } : file;
    },
  };
  world.clock.turn(2 * 3_600_000);
  const run = await world.telctl('users list -o name', { disk });
  expect(run.stderr).toContain('belong to another user');
  expect(run.stderr).toContain(join('credentials', `${world.profile}.json`));
  expect(run.code).toBe(9);
  expect(run.requests).toEqual([]);
});

test('secrets behind a link, or readable by a group, are reported', async () => {
  const world = await openWorld();
  const path = join(world.folders.home, '.config', 'telctl', 'credentials', `${world.profile}.json`);
  const elsewhere = join(world.folders.cwd, 'key.json');
  renameSync(path, elsewhere);
  symlinkSync(elsewhere, path);
  chmodSync(elsewhere, 0o640);
  world.clock.turn(2 * 3_600_000);
  const run = await world.telctl('users list -o name');
  expect(run.code).toBe(0);
  expect(run.stderr).toContain(`is a link to ${elsewhere}`);
  expect(run.stderr).toContain('(mode 0640)');
});

test.each([0o640, 0o604, 0o620, 0o602, 0o610, 0o601])(
  'a key whose file has mode %i is reported',
  async (mode) => {
    const world = await openWorld();
    chmodSync(join(world.folders.home, '.config', 'telctl', 'credentials', `${world.profile}.json`), mode);
    world.clock.turn(2 * 3_600_000);
    const run = await world.telctl('users list -o name');
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(`(mode 0${mode.toString(8)})`)]);
  },
);

const refusals = ['EROFS', 'EACCES', 'ENOSPC', 'EDQUOT'] as const;

for (const code of refusals) {
  const refuse = (path: string): never => {
    throw Object.assign(new Error(`${code}: ${path}`), { code, path, syscall: 'open' });
  };
  const disk = {
    makePrivateFolder: refuse,
    writePrivate: refuse,
    writePrivateLater: async (path: string) => refuse(path),
    openAppendOnly: refuse,
    remove: refuse,
    lock: async (path: string) => refuse(path),
    withLock: async (path: string) => refuse(path),
    isWritable: () => false,
  };

  test(`a disk that refuses writes with ${code} stops only what must be stored`, async () => {
    const world = await openWorld();
    world.clock.turn(2 * 3_600_000);
    const office = {
      'office.yaml': 'users: { alice: { username: alice, first_name: A, last_name: B, password: x-9-y-8 } }',
    };
    for (const line of [
      'users list',
      'whoami',
      'users get admin',
      'diff -f office.yaml',
      'validate -f office.yaml',
      'config explain',
      'doctor',
      'profiles list',
      'sandbox status',
      'apply history',
      'callflows lint',
    ]) {
      const run = await world.telctl(line, { disk, files: office });
      expect(run.stderr, line).not.toMatch(/bug in telctl|\n\s+at /);
      if (!['doctor', 'sandbox status'].includes(line))
        expect([0], `${line}: ${run.stderr}`).toContain(run.code);
    }
    for (const line of [
      'apply -f office.yaml --yes',
      'login --base-url http://127.0.0.1:8000 --api-key-stdin --profile other',
      'profiles use test',
      'sandbox start',
      'plan -f office.yaml --out x.plan',
      'webhooks create --name X --uri https://x.example --hook channel_create --secret generate --secret-out secret',
      'logout',
    ]) {
      const run = await world.telctl(line, { disk, files: office, stdin: world.seed.apiKey });
      expect(run.stderr, line).not.toMatch(/bug in telctl|\n\s+at /);
      expect(run.slept).toEqual([]);
      if (run.code !== 0 && run.code !== 2) expect(run.stderr, line).toMatch(/cannot be|could not be/);
    }
    const users = await world.telctl('users list -o name');
    expect(users.stdout).not.toContain('alice');
  });
}
