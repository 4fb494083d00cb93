import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import { fakeHost } from '../../../test/support/fake-host.ts';
import { stateSuite } from '../../../test/support/state-suite.ts';
import { testFolders } from '../../../test/support/world.ts';
import type { Host } from '../../base/host/host.ts';
import { openState } from './open-state.ts';
import { newestRuns } from './runs.ts';
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

test('runs older than the log is kept are forgotten, but never the newest, and no number comes again', async () => {
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

test('journals of a former telctl become runs of the log, in order of time, with their ledgers behind', async () => {
  const host = machine();
  const journals = join(host.folders.state, 'journals');
  const start = (run: string, id: string) =>
    `${JSON.stringify({ line: 'start', version: 1, run, what: 'apply', atMs: 1, pid: 1, account: { id, name: id, origin: 'https://api.example' }, part: 1, parts: 1, set: 's', salt: 'ab', inputs: [], options: {}, steps: [] })}\n`;
  const former = { north: ['20250115T090000Z', '20250115T090002Z'], south: ['20250115T090001Z'] };
  for (const [account, runs] of Object.entries(former)) {
    mkdirSync(join(journals, account), { recursive: true });
    for (const run of runs) writeFileSync(join(journals, account, `${run}.ndjson`), start(run, account));
  }
  const ledger = join(host.folders.state, 'ledgers', 'north.json');
  const pending = { owner: { origin: 'x', accountId: 'y' }, run: '20250115T090002Z', ledger };
  writeFileSync(join(journals, 'north', 'pending'), JSON.stringify(pending));
  const processes = { ...host.processes, pid: 1, machine: () => 'here', isAlive: () => false };
  const runs = { log: stateOn(host).log, processes };
  const found: string[] = [];
  for await (const { run, name, parts } of newestRuns(runs, {}))
    found.push(`${run} ${name} ${parts[0]?.start.account.name}`);
  expect(found).toEqual(['3 20250115T090002Z north', '2 20250115T090001Z south', '1 20250115T090000Z north']);
  expect(JSON.parse(readFileSync(join(host.folders.state, 'ledgers', 'north.behind'), 'utf8'))).toEqual({
    run: '3',
    ledger,
  });
  expect(readdirSync(host.folders.state)).not.toContain('journals');
});

test('a damaged rollout is named; a run that a ledger took in leaves no file', async () => {
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
