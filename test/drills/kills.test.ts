import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import type { FaultRule } from '../support/faults.ts';
import { officeWithWebhook } from '../support/small-office.ts';
import { openWorld, type World } from '../support/world.ts';
import { failingFiles, stateFolder } from './state-trouble.ts';

/** `DRILL_POSITIONS=all` kills at every event; otherwise `DRILL_SEED` chooses some of each work. */
const { DRILL_POSITIONS, DRILL_SEED = '1' } = process.env;
const random = seededRandom(Number(DRILL_SEED));

/** Work that is killed, and the commands of a person who takes it back. */
interface Work {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly argv: string;
  readonly undo: readonly string[];
  /** Number of moments at which it is killed. */
  readonly moments: number;
}

const branches = ['north', 'south'];
const people = ['alice', 'bruno', 'carla'].map((username) => ({
  ...{ username, first_name: username, last_name: 'Archer', password: 'first-sign-in' },
}));

const works: readonly Work[] = [
  {
    name: 'create of many',
    files: { 'users.json': JSON.stringify(people) },
    argv: 'users create -f users.json --yes',
    undo: ['undo --yes'],
    moments: 8,
  },
  {
    name: 'change',
    files: {},
    argv: 'menus patch Evening --set-json retries=5 --yes',
    undo: ['undo --yes'],
    moments: Number.POSITIVE_INFINITY,
  },
  {
    name: 'delete',
    files: {},
    argv: 'menus delete Evening --yes',
    undo: ['undo --yes'],
    moments: Number.POSITIVE_INFINITY,
  },
  {
    name: 'apply',
    files: { 'office.yaml': officeWithWebhook },
    argv: 'apply -f office.yaml --yes',
    undo: ['undo --yes'],
    moments: 14,
  },
  {
    name: 'rollout',
    files: { 'office.yaml': officeWithWebhook, 'branches.txt': branches.join('\n') },
    argv: 'rollout start -f office.yaml --accounts branches.txt --waves 1,100% --max-change-percent 100 --yes',
    undo: ['rollout cancel 1 --yes', 'rollout undo 1 --yes'],
    moments: 14,
  },
];

/** All records of some kinds, in all accounts, without their ids: what was deleted comes back under another one. */
async function recordsOf({ sandbox: { store } }: World): Promise<readonly string[]> {
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
 * Does work whose process is killed at an event, a request or a use of the disk: what comes after it reaches neither the
 * service nor the disk. A request at which it is killed reaches the service, and its reply nobody.
 */
async function killed(
  { files, argv }: Pick<Work, 'files' | 'argv'>,
  at: number,
  also: readonly FaultRule[] = [],
) {
  const world = await openWorld();
  for (const name of branches) await world.service('PUT', '', { name, realm: `${name}.acme.example` });
  await world.service('PUT', 'menus', { name: 'Evening', retries: 3 });
  const before = await recordsOf(world);
  const state = failingFiles(stateFolder(world), at);
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
  await state.heal();
  return { world, run, before, events: state.calls() };
}

test.each(works)('$name can be reverted completely after a kill at any moment', async (work) => {
  const whole = await killed(work, Number.POSITIVE_INFINITY);
  expect(whole.run.code, whole.run.stderr).toBe(0);
  const { events } = whole;
  const all = Array.from({ length: events }, (_, at) => at);
  const some = DRILL_POSITIONS === 'all' ? all : all.filter(() => random.fraction() < work.moments / events);
  let left = 0;
  for (const at of some) {
    const { world, run, before } = await killed(work, at);
    const isChanged = JSON.stringify(await recordsOf(world)) !== JSON.stringify(before);
    const ends = [];
    for (const line of work.undo) ends.push(await world.telctl(line));
    const said = `event ${at} of ${events}: ${run.stderr}\n${ends.map(({ stdout, stderr }) => stdout + stderr).join('')}`;
    expect(await recordsOf(world), said).toEqual(before);
    if (isChanged) {
      left += 1;
      expect(ends.at(-1)?.code, said).toBe(0);
    }
  }
  expect(left).toBeGreaterThan(0);
});

test('a rollout killed while it reverts a wave says so, and the next run finishes that first', async () => {
  const body = '{"status":"error","error":"400","message":"no","data":{}}';
  // The second account cannot be made as the manifest says, so that what was done in the first is reversed.
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
  const killedAt = (at: number) => {
    puts = 0;
    return killed(work, at, [failing]);
  };
  const whole = await killedAt(Number.POSITIVE_INFINITY);
  expect(whole.run.stderr).toContain('rollout 2 reversed wave 1');
  expect(await recordsOf(whole.world)).toEqual(whole.before);
  let cutOff = 0;
  const second = Math.floor(whole.events / 2);
  const all = Array.from({ length: whole.events - second }, (_, at) => at + second);
  const some = DRILL_POSITIONS === 'all' ? all : all.filter((at) => at % Math.ceil(all.length / 8) === 0);
  for (const at of some) {
    const { world, run, before } = await killedAt(at);
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
    expect([undone.code, await recordsOf(world)], `${said}\n${undone.stderr}`).toEqual([0, before]);
  }
  expect(cutOff).toBeGreaterThan(0);
});
