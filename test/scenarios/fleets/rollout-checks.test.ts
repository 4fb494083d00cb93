import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { startNotificationReceiver } from '../../support/notification-receiver.ts';
import { openWorld, type World } from '../../support/world.ts';

const names = ['north', 'south', 'west', 'quay'];
const files = {
  'branch.yaml': 'set: branch\nmenus:\n  main: { name: Main menu }\n',
  'list.csv': 'account,region\nnorth,eu\nsouth,eu\nwest,us\nquay,eu\n',
};
const line = ['rollout', 'start', '-f', 'branch.yaml', '--accounts', 'list.csv', '--yes'];

async function openBranches(): Promise<World> {
  const world = await openWorld();
  for (const name of names) await world.service('PUT', '', { name, realm: `${name}.acme.example` });
  return world;
}

const countMenus = async ({ sandbox }: World): Promise<number> =>
  (await sandbox.store.allOfKind('menus')).filter(({ body }) => body.name === 'Main menu').length;

/** Writes a program that prints its environment and fails in these waves. */
const checkCommand = (...failing: readonly number[]): string =>
  `'${process.execPath}' --eval 'const e = process.env; console.log("of", e.TELCTL_ROLLOUT, e.TELCTL_ROLLOUT_WAVE, e.TELCTL_API_KEY ?? "no key"); process.exit([${failing}].includes(Number(e.TELCTL_ROLLOUT_WAVE)) ? 3 : 0)'`;

test('a failed check between waves stops a rollout with code 8, reverts the wave, and runs again on resume', async () => {
  const world = await openBranches();
  const { news, url } = await startNotificationReceiver();
  const waves = ['--waves', '1,2,100%', '--undo-on-failure', '-o', 'json'];
  const run = await world.telctl([...line, ...waves, '--check', checkCommand(2)], {
    ...{ files, env: { TELCTL_NOTIFY_URL: url } },
  });
  expect([run.code, run.stderr]).toEqual([
    8,
    expect.stringContaining('check after wave 2 failed with exit code 3'),
  ]);
  expect(run.stderr).toContain('check: of 1 2 no key');
  expect(run.stderr).toContain('rollout 2 reversed wave 2');
  expect(run.stderr).toContain('telctl rollout resume 1 --check COMMAND');
  const states = JSON.parse(run.stdout).accounts.map(({ state, runs }: JsonObject) => [state, runs]);
  expect(states).toEqual([
    ['done', ['1']],
    ['waiting', []],
    ['waiting', []],
    ['waiting', []],
  ]);
  expect(await countMenus(world)).toBe(1);
  expect(news).toEqual([
    {
      ...{ version: 1, event: 'rollout.stopped', rollout: '1', set: 'branch', wave: 2, waves: 3, failed: [] },
      text: expect.stringMatching(
        /^Rollout 1 \(branch\) stopped in wave 2 of 3: the check after wave 2 failed/,
      ),
      why: expect.any(String),
      counts: { waiting: 3, running: 0, done: 1, unchanged: 0, failed: 0 },
    },
  ]);
  const kept = JSON.stringify(await world.telctl('rollout show 1 -o json'));
  expect(kept).not.toContain('process.exit');
  const without = await world.telctl('rollout resume 1 --yes');
  expect([without.code, without.requests]).toEqual([2, []]);
  const resumed = await world.telctl(['rollout', 'resume', '1', '--yes', '--check', checkCommand()]);
  expect([resumed.code, await countMenus(world)], resumed.stderr).toEqual([0, 4]);
  const undone = await world.telctl('rollout undo 1 --yes');
  expect([undone.code, await countMenus(world)], undone.stderr).toEqual([0, 0]);
});

test('too many failures revert the wave in the successful accounts', async () => {
  const world = await openBranches();
  const ids = new Map<string, string>();
  for (const { id, body } of await world.sandbox.store.allOfKind('accounts')) ids.set(String(body.name), id);
  const fault = {
    kind: 'answer',
    status: 400,
    body: '{"status":"error","error":"400","message":"no","data":{}}',
  } as const;
  const run = await world.telctl([...line, '--waves', '2,100%', '--undo-on-failure'], {
    ...{ files, faults: [{ method: 'PUT', path: new RegExp(`${ids.get('south')}/menus`), fault }] },
  });
  expect([run.code, await countMenus(world)], run.stderr).toEqual([8, 0]);
  const shown = JSON.parse((await world.telctl('rollout show 1 -o json')).stdout);
  expect(shown.accounts.map(({ state }: JsonObject) => state)).toEqual([
    'waiting',
    'failed',
    'waiting',
    'waiting',
  ]);
});

test('a check is a program with arguments, options after --, or a quoted command line', async () => {
  const world = await openBranches();
  const script = join(world.folders.cwd, 'check.mjs');
  const tells = { ...files, 'check.mjs': 'console.log("with", ...process.argv.slice(2));\n' };
  const start = [...line, '--waves', '1,100%', '--check', process.execPath, script];
  const words = await world.telctl([...start, 'eu', '--pause', '1s'], { files: tells });
  expect([words.code, words.stderr]).toEqual([0, expect.stringContaining('check: with eu\n')]);
  const behind = await world.telctl([...start, '--pause', '1s', '--', '--quick', 'a b']);
  expect([behind.code, behind.stderr]).toEqual([0, expect.stringContaining('check: with --quick a b\n')]);
  const unknown = await world.telctl([...start, '--quick']);
  expect([unknown.code, unknown.requests]).toEqual([2, []]);
});

test('accounts start only inside the window', async () => {
  const world = await openBranches();
  const pad = (at: number): string => String(at).padStart(2, '0');
  const hour = new Date(world.sandbox.clock.now()).getUTCHours();
  const shut = `${pad((hour + 2) % 24)}:00-${pad((hour + 3) % 24)}:00`;
  const begunMs = world.sandbox.clock.now();
  const run = await world.telctl([...line, '--window', shut], { files });
  expect([run.code, await countMenus(world)], run.stderr).toEqual([0, 4]);
  expect(run.stderr).toMatch(/Wave 1 starts in .* \(--window \d\d:00-\d\d:00 UTC\)/);
  expect(world.sandbox.clock.now() - begunMs).toBeGreaterThan(3_600_000);
  const open = `${pad((hour + 1) % 24)}:00-${pad((hour + 4) % 24)}:00`;
  const done = await world.telctl([...line, '--window', open, '--window-zone', 'UTC']);
  expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining('starts in')]);
});

test('rows of a list are selected by column in rollout, plan and any command', async () => {
  const world = await openBranches();
  const run = await world.telctl([...line, '--where', 'region=eu', '-o', 'json'], { files });
  expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('warning')]);
  expect(JSON.parse(run.stdout)).toMatchObject({ where: ['region=eu'], counts: { done: 3 } });
  const shown = await world.telctl('rollout show 1');
  expect(shown.stdout).toContain('finished  3 accounts with region=eu: 3 done');
  expect((await world.telctl('rollout show 1 -o markdown')).stdout).toContain('3 accounts with region=eu:');
  const sums = await world.telctl('plan -f branch.yaml --accounts list.csv --where region=eu');
  expect(sums.stdout).toContain('3 accounts with region=eu, 1 kind of plan');
  const round = 'reconcile -f branch.yaml --accounts list.csv --where region=eu --every 1s --rounds 1';
  expect((await world.telctl(round)).stderr).toContain('3 accounts with region=eu: no drift');
  const listed = await world.telctl('menus list --accounts list.csv --where region=us -o json');
  expect([listed.code, JSON.parse(listed.stdout)]).toEqual([0, []]);
  const planned = await world.telctl(
    'plan -f branch.yaml --accounts list.csv --where region=us --where account=west',
  );
  expect(planned.stdout).toMatch(/west at /);
});

test('invalid checks, windows, rows and addresses are refused before any request', async () => {
  const world = await openBranches();
  await Promise.all(
    [
      [['--check', 'smoke.sh | tee log'], 'without a shell'],
      [['--check', 'smoke.sh', '--waves', '100%'], 'has only one wave'],
      [['--check', 'smoke.sh', '--detach'], '--detach'],
      [['--window', '22-05'], 'two times of day'],
      [['--window', '05:00-05:00'], 'two times of day'],
      [['--window', '22:00-05:00', '--window-zone', 'Mars'], 'time zone'],
      [['--window-zone', 'UTC'], '--window'],
      [['--where', 'region'], 'COLUMN=VALUE'],
      [['--where', 'regio=eu'], 'Did you mean "region"?'],
      [['--notify-file', 'news.txt'], 'https'],
    ].map(async ([more, said]) => {
      const run = await world.telctl([...line, ...(more ?? [])], {
        files: { ...files, 'news.txt': 'http://hooks.example/secret\n' },
      });
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(String(said))]);
      expect(run.requests.filter(({ method }) => method !== 'GET' && method !== 'PUT')).toEqual([]);
      expect(run.stderr).not.toContain('hooks.example/secret');
    }),
  );
  const none = await world.telctl([...line, '--where', 'region=asia'], { files });
  expect(none.code).toBe(5);
  expect(await countMenus(world)).toBe(0);
});
