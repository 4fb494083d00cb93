import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import { fakeHost } from '../../../test/support/fake-host.ts';
import { testFolders } from '../../../test/support/world.ts';
import { launch } from './commands/run/launch.ts';
import { Authority } from './identity/authority.ts';
import { sandboxPathsOf } from './sandbox-paths.ts';
import { openSeeded, writeSeed } from './seed.ts';

const clock = turnedClock();
const random = seededRandom();

test('damaged records cause an error with a hint', async () => {
  const folders = testFolders();
  const { host } = fakeHost({ folders, clock, random });
  const folder = join(folders.home, 'records');
  const storage = { kind: 'folder', folder } as const;
  const { store } = await openSeeded(host, storage);
  await store.close();
  const path = join(folder, 'sandbox.db');
  const bytes = readFileSync(path);
  for (const damaged of [bytes.fill(0xa5, 4096), Buffer.from('no database')]) {
    writeFileSync(path, damaged);
    await expect(openSeeded(host, storage)).rejects.toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(
        /^\S+\/records\/sandbox\.db cannot be used: .*(malformed|not a database)/,
      ),
      hint: expect.stringContaining('--data'),
    });
  }
});

test('a damaged seed file causes an error with a hint', async () => {
  const { host } = fakeHost({ folders: testFolders(), clock, random });
  const folder = join(host.cwd, 'records');
  const storage = { kind: 'folder', folder } as const;
  const { store, seed } = await openSeeded(host, storage);
  writeSeed(host, storage, seed);
  await store.close();
  const path = join(folder, 'seed.json');
  const text = readFileSync(path, 'utf8');
  for (const damaged of [
    '',
    text.slice(0, 40),
    '{}',
    'null',
    text.replace('adminPassword', 'adminPasswor\u0000'),
  ]) {
    writeFileSync(path, damaged);
    await expect(openSeeded(host, storage)).rejects.toMatchObject({
      kind: 'failed',
      message: `${path} is damaged. It contains the passwords of the sandbox.`,
      hint: expect.stringContaining('telctl sandbox reset'),
    });
  }
});

test('a sandbox does not start without write permission', async () => {
  const { host } = fakeHost({ folders: testFolders(), clock, random });
  const writePrivate = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  const full = { ...host, files: { ...host.files, writePrivate } };
  await expect(launch(full, sandboxPathsOf(full), { kind: 'memory' }, { port: 0 })).rejects.toMatchObject({
    kind: 'failed',
    message: 'Cannot write to ~/.local/state/telctl/sandboxes/default: ENOSPC: no space left on device.',
  });
});

test('a new sandbox generates its key pair in the background, once for all sign-ins', async () => {
  const { host } = fakeHost({ folders: testFolders(), clock, random });
  const { store } = await openSeeded(host, { kind: 'memory' });
  expect(await store.setting('signing_key')).toBeUndefined();
  const authority = new Authority({ store, clock, random });
  const subject = { id: 'a', secret: 'b' };
  const claims = { account_id: 'a', method: 'cb_api_auth' };
  const tokens = await Promise.all([authority.issue(claims, subject), authority.issue(claims, subject)]);
  const { id } = await authority.key();
  expect(await store.setting('signing_key')).toContain(id);
  const again = new Authority({ store, clock, random });
  for (const token of tokens) expect(await again.read(token)).toMatchObject(claims);
  await store.close();
});
