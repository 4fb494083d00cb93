import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import type { FaultRule } from '../support/faults.ts';
import { officeWithWebhook } from '../support/small-office.ts';
import { openWorld, type World } from '../support/world.ts';
import { openFailingFiles, stateFolder } from './failing-state.ts';

/** `DRILL_POSITIONS=all` kills at every event. Otherwise `DRILL_SEED` selects some of each work. */
const { DRILL_POSITIONS, DRILL_SEED = '1' } = process.env;
const random = seededRandom(Number(DRILL_SEED));

/** Work that is killed, and the commands that undo it. */
interface RevertedWork {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly argv: string;
  readonly undo: readonly string[];
  /** Number of events at which it is killed. */
  readonly killCount: number;
}

const branches = ['north', 'south'];
const people = ['alice', 'bruno', 'carla'].map((username) => ({
  ...{ username, first_name: username, last_name: 'Archer', password: 'first-sign-in' },
}));

const works: readonly RevertedWork[] = [
  {
    name: 'create of many',
    files: { 'users.json': JSON.stringify(people) },
    argv: 'users create -f users.json --yes',
    undo: ['undo --yes'],
    killCount: 8,
  },
  {
    name: 'change',
    files: {},
    argv: 'menus patch Evening --set-json retries=5 --yes',
    undo: ['undo --yes'],
    killCount: Number.POSITIVE_INFINITY,
  },
  {
    name: 'delete',
    files: {},
    argv: 'menus delete Evening --yes',
    undo: ['undo --yes'],
    killCount: Number.POSITIVE_INFINITY,
  },
  {
    name: 'apply',
    files: { 'office.yaml': officeWithWebhook },
    argv: 'apply -f office.yaml --yes',
    undo: ['undo --yes'],
    killCount: 14,
  },
  {
    name: 'rollout',
    files: { 'office.yaml': officeWithWebhook, 'branches.txt': branches.join('\n') },
    argv: 'rollout start -f office.yaml --accounts branches.txt --waves 1,100% --max-change-percent 100 --yes',
    undo: ['rollout cancel 1 --yes', 'rollout undo 1 --yes'],
    killCount: 14,
  },
];

/** Returns all records of some kinds in all accounts, without ids, because restored records have new ones. */
async function readRecords({ sandbox: { store } }: World): Promise<readonly string[]> {
  const kinds = ['users', 'menus', 'callflows', 'webhooks'];
  const all = await Promise.all(kinds.map((kind) => store.allOfKind(kind)));
  return all
    .flat()
    .map(
      ({ kind, scope, body: { id: _, ...body } }) =>
        `${kind} ${scope} ${JSON.stringify(Object.entries(body).toSorted())}`,
    )
    .toSorted();
}

/**
 * Runs work whose process is killed at an event, which is a request or a disk access. Later requests and writes have
 * no effect. A request at which it is killed reaches the service, but its response is lost.
 */
async function runAndKill(
  { files, argv }: Pick<RevertedWork, 'files' | 'argv'>,
  at: number,
  also: readonly FaultRule[] = [],
) {
  const world = await openWorld();
  for (const name of branches) await world.service('PUT', '', { name, realm: `${name}.acme.example` });
  await world.service('PUT', 'menus', { name: 'Evening', retries: 3 });
  const before = await readRecords(world);
  const state = openFailingFiles(stateFolder(world), at);
  let isLast = false;
  const faults: readonly FaultRule[] = [
    {
      fault: { kind: 'lose-reply' },
      when() {
        const now = state.call();
        isLast = now === 'breaks';
        return isLast;
      },
    },
    { fault: { kind: 'cut', by: 'close' }, when: () => !isLast && state.calls() > at },
    ...also,
  ];
  const run = await world.telctl(argv, { ...state.options, files, faults });
  await state.restore();
  return { world, run, before, events: state.calls() };
}

test.each(works)('$name can be reverted completely after a kill at any moment', async (work) => {
  const whole = await runAndKill(work, Number.POSITIVE_INFINITY);
  expect(whole.run.code, whole.run.stderr).toBe(0);
  const { events } = whole;
  const all = Array.from({ length: events }, (_, at) => at);
  const some =
    DRILL_POSITIONS === 'all' ? all : all.filter(() => random.fraction() < work.killCount / events);
  let left = 0;
  for (const at of some) {
    const { world, run, before } = await runAndKill(work, at);
    const isChanged = JSON.stringify(await readRecords(world)) !== JSON.stringify(before);
    const ends = [];
    for (const line of work.undo) ends.push(await world.telctl(line));
    const said = `event ${at} of ${events}: ${run.stderr}\n${ends.map(({ stdout, stderr }) => stdout + stderr).join('')}`;
    expect(await readRecords(world), said).toEqual(before);
    if (isChanged) {
      left += 1;
      expect(ends.at(-1)?.code, said).toBe(0);
    }
  }
  expect(left).toBeGreaterThan(0);
});

test('a rollout killed while it reverts a wave says so, and the next run finishes that first', async () => {
  const body = '{"status":"error","error":"400","message":"no","data":{}}';
  // The change of the second account fails, so the changes of the first are reversed.
  const failing: FaultRule = {
    ...{ method: 'PUT', path: /callflows$/, fault: { kind: 'answer', status: 400, body } },
    when() {
      puts += 1;
      return puts > 1;
    },
  };
  let puts = 0;
  const work = {
    files: { 'office.yaml': officeWithWebhook, 'branches.txt': branches.join('\n') },
    argv: 'rollout start -f office.yaml --accounts branches.txt --waves 2 --undo-on-failure --yes --concurrency 1',
  };
  const runAndKillAt = (at: number) => {
    puts = 0;
    return runAndKill(work, at, [failing]);
  };
  const whole = await runAndKillAt(Number.POSITIVE_INFINITY);
  expect(whole.run.stderr).toContain('rollout 2 reversed wave 1');
  expect(await readRecords(whole.world)).toEqual(whole.before);
  let cutOff = 0;
  const second = Math.floor(whole.events / 2);
  const all = Array.from({ length: whole.events - second }, (_, at) => at + second);
  const some = DRILL_POSITIONS === 'all' ? all : all.filter((at) => at % Math.ceil(all.length / 8) === 0);
  for (const at of some) {
    const { world, run, before } = await runAndKillAt(at);
    const shown = JSON.parse((await world.telctl('rollout show 1 -o json')).stdout);
    if (shown.reversing) {
      cutOff += 1;
      const lines = (await world.telctl('rollout show 1')).stdout;
      expect(lines).toContain('telctl rollout resume 1 finishes it first');
    }
    if (shown.state === 'running') await world.telctl('rollout cancel 1 --yes');
    const resumed = await world.telctl('rollout resume 1 --yes -o json');
    const said = `event ${at} of ${whole.events}: ${run.stderr}\n${resumed.stderr}`;
    expect([resumed.code, JSON.parse(resumed.stdout)], said).toMatchObject([
      0,
      { state: 'finished', counts: { failed: 0, waiting: 0 } },
    ]);
    const undone = await world.telctl('rollout undo 1 --yes');
    expect([undone.code, await readRecords(world)], `${said}\n${undone.stderr}`).toEqual([0, before]);
  }
  expect(cutOff).toBeGreaterThan(0);
});
