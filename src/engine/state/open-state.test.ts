import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import { fakeHost } from '../../../test/support/fake-host.ts';
import { stateSuite } from '../../../test/support/state-suite.ts';
import { testFolders } from '../../../test/support/world.ts';
import type { Host } from '../../base/host/host.ts';
import { openState } from './open-state.ts';
import type { State } from './state.ts';

const dayMs = 86_400_000;

const machine = (processes: Partial<Host['processes']> = {}): Host =>
  fakeHost({ folders: testFolders(), clock: turnedClock(), random: seededRandom(9), processes }).host;

const stateOn = (host: Host, keepMs = 90 * dayMs): State =>
  openState({ host, folder: host.folders.state, knows: (kind) => kind === 'users', keepMs });

stateSuite('files', async (processes) => {
  const own = machine(processes);
  let lose = (): void => undefined;
  const files: Host['files'] = {
    ...own.files,
    lock(path, patience = {}) {
      lose = () => patience.onLost?.();
      return own.files.lock(path, patience);
    },
  };
  const host = { ...own, files };
  return {
    state: stateOn(host),
    other: stateOn({ ...host, processes: machine().processes }),
    planName: 'office.plan',
    loseLocks: async () => lose(),
  };
});

test('deletes runs past the retention time except the newest, and never reuses a run number', async () => {
  const host = machine();
  const state = stateOn(host, 7 * dayMs);
  const folder = join(host.folders.state, 'log');
  const aged = async (days: number) => {
    const run = await state.log.begin();
    await run.close();
    const seconds = (host.clock.now() - days * dayMs) / 1000;
    utimesSync(join(folder, `${run.id.padStart(6, '0')}.ndjson`), seconds, seconds);
  };
  for (const days of [9, 8, 6, 30]) await aged(days);
  expect(await state.log.ids()).toEqual(['3', '4']);
  await (await state.log.begin()).close();
  expect(await state.log.ids()).toEqual(['3', '4', '5']);
});

test('names a damaged rollout, and leaves no marker file after the ledger has caught up', async () => {
  const host = machine();
  const state = stateOn(host);
  const folder = join(host.folders.state, 'rollouts', '000001');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'rollout.json'), '{"version": 1');
  await expect(state.rollouts.read('1')).rejects.toThrow(/rollouts\/000001\/rollout\.json is damaged/);
  const ledger = state.ledger({ origin: 'https://api.example', accountId: 'ab'.repeat(16) });
  await ledger.setBehind('7');
  await ledger.setBehind(undefined);
  expect(
    readdirSync(host.folders.state, { recursive: true }).filter((name) => /behind/.test(String(name))),
  ).toEqual([]);
});
