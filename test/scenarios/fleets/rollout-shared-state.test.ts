import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { postgresServer } from '../../support/postgres.ts';
import { openWorld, type World } from '../../support/world.ts';

const server = await postgresServer();

const names = ['north', 'south', 'west'];
const files = {
  'branch.yaml': 'set: branch\nmenus:\n  main: { name: Main menu }\n',
  'list.csv': `account,region\n${names.map((name) => `${name},eu\n`).join('')}`,
};
const line = ['rollout', 'start', '-f', 'branch.yaml', '--accounts', 'list.csv', '--yes'];

/** Creates a world with three branches and a shared state. */
async function openSharedWorld() {
  const [world, state] = await Promise.all([openWorld(), server.database()]);
  for (const name of names) await world.service('PUT', '', { name, realm: `${name}.acme.example` });
  return { world, env: { TELCTL_STATE: state, TELCTL_STATE_PASSWORD: server.password } };
}

const countMenus = async ({ sandbox }: World): Promise<number> =>
  (await sandbox.store.allOfKind('menus')).filter(({ body }) => body.name === 'Main menu').length;

/** Returns a one-hour `--window` that starts in `hours` hours. */
const windowAfter = (world: World, hours: number): string =>
  [hours, hours + 1]
    .map((after) => `${(new Date(world.clock.now()).getUTCHours() + after) % 24}:00`)
    .join('-');

/** Waits until the state contains a rollout. */
async function waitForRollout(world: World, env: Record<string, string>): Promise<void> {
  let shown = await world.telctl('rollout show 1', { env });
  while (shown.code !== 0) shown = await world.telctl('rollout show 1', { env });
}

test('processes with shared state start accounts only inside the window', async () => {
  const { world, env } = await openSharedWorld();
  const started = world.telctl([...line, '--waves', '1,100%', '--window', windowAfter(world, 2)], {
    ...{ files, env },
  });
  await waitForRollout(world, env);
  const worker = await world.telctl('rollout worker --idle 1s', { env });
  expect([worker.code, await countMenus(world)], worker.stderr).toEqual([0, 0]);
  world.clock.turn(2 * 3_600_000);
  const run = await started;
  expect([run.code, await countMenus(world)], run.stderr).toEqual([0, 3]);
  expect(run.stderr.match(/Wave 1 starts in .* \(--window \d+:00-\d+:00 UTC\)/g)).toHaveLength(1);
  expect(run.stderr).not.toContain('goes on where a worker runs');
});

test('workers join all rollouts, and leave those with a check to the machine that has it', async () => {
  const { world, env } = await openSharedWorld();
  const check = `'${process.execPath}' --eval 'process.exit(0)'`;
  const all = { ...files, 'night.yaml': 'set: night\ngroups: { all: { name: All, endpoints: {} } }\n' };
  const [checked, detached, worker] = await Promise.all([
    world.telctl([...line, '--waves', '1,100%', '--check', check, '-o', 'json'], { files: all, env }),
    world.telctl('rollout start -f night.yaml --accounts list.csv --yes --detach', { files: all, env }),
    waitForRollout(world, env).then(() => world.telctl('rollout worker --idle 4s', { env })),
  ]);
  for (const run of [checked, detached, worker]) expect(run.code, run.stderr).toBe(0);
  const states = JSON.parse(checked.stdout).accounts.map(({ state }: JsonObject) => state);
  expect([states, await countMenus(world)]).toEqual([['done', 'done', 'done'], 3]);
  const list = JSON.parse((await world.telctl('rollout list -o json', { env })).stdout);
  expect(list).toMatchObject([{ state: 'finished' }, { state: 'finished' }]);
});
