import { expect, test } from 'vitest';
import { files as realFiles } from '../../../src/base/host/files.ts';
import type { FaultRule } from '../../support/faults.ts';
import type { Run, World } from '../../support/world.ts';
import { isSignIn, openWorld } from '../../support/world.ts';

const branches = ['north', 'south', 'west'];
const manifest = 'set: branch\nmenus:\n  day: { name: Day }\n  night: { name: Night }\n';
const files = { 'branch.yaml': manifest, 'branches.txt': branches.join('\n') };
const start = 'rollout start -f branch.yaml --accounts branches.txt --waves 100% --yes --concurrency 1';

const writes = ({ requests }: Run) => requests.filter((sent) => sent.method !== 'GET' && !isSignIn(sent));

async function openBranches(): Promise<World> {
  const world = await openWorld();
  for (const name of branches) await world.service('PUT', '', { name, realm: `${name}.acme.example` });
  return world;
}

const countMenus = async ({ sandbox }: World): Promise<number> =>
  (await sandbox.store.allOfKind('menus')).length;

/** Calls `does` before the n-th menu is created (from 1). */
const beforeMenu = (nth: number, does: () => Promise<unknown>): readonly FaultRule[] => [
  { method: 'PUT', path: /menus$/, fault: { kind: 'pass' }, times: nth - 1 },
  { method: 'PUT', path: /menus$/, fault: { kind: 'meanwhile', does }, times: 1 },
];

test('a rollout cancelled during a wave finishes the current account and starts no other', async () => {
  const world = await openBranches();
  const cancel = () => world.telctl('rollout cancel 1 --yes');
  const run = await world.telctl(`${start} -o json`, { files, faults: beforeMenu(3, cancel) });
  expect(run.code, run.stderr).toBe(8);
  const { state, counts } = JSON.parse(run.stdout);
  expect([state, counts.done, counts.waiting]).toEqual(['cancelled', 2, 1]);
  expect(await countMenus(world)).toBe(4);
});

test('a running rollout cannot be undone; undo of a cancelled one waits for the current account', async () => {
  const world = await openBranches();
  const ends: Promise<Run>[] = [];
  const meanwhile = async () => {
    const early = await world.telctl('rollout undo 1 --yes');
    expect([early.code, early.stderr, writes(early)]).toEqual([6, expect.stringContaining('cancel'), []]);
    await world.telctl('rollout cancel 1 --yes');
    ends.push(world.telctl('rollout undo 1 --yes'));
  };
  await world.telctl(start, { files, faults: beforeMenu(3, meanwhile) });
  const [undone] = await Promise.all(ends);
  expect(undone?.code, undone?.stderr).toBe(0);
  expect(await countMenus(world)).toBe(0);
});

test('an account with two runs is reverted by both, newest first', async () => {
  const world = await openBranches();
  const refused = {
    kind: 'answer',
    status: 400,
    body: '{"status":"error","error":"400","data":{}}',
  } as const;
  const faults: readonly FaultRule[] = [
    { method: 'PUT', path: /menus$/, fault: { kind: 'pass' }, times: 1 },
    { method: 'PUT', path: /menus$/, fault: refused, times: 1 },
  ];
  expect((await world.telctl(`${start} --max-failures 1`, { files, faults })).code).toBe(8);
  expect(await countMenus(world)).toBe(5);
  expect((await world.telctl('rollout resume 1 --yes')).code).toBe(0);
  const record = JSON.parse((await world.telctl('rollout show 1 -o json')).stdout);
  expect(record.accounts[0].runs).toHaveLength(2);
  const undone = await world.telctl('rollout undo 1 --yes');
  expect([undone.code, await countMenus(world)], undone.stderr).toEqual([0, 0]);
});

test('an account whose lock was lost gets no more changes; the others finish, and undo reverts all', async () => {
  const world = await openBranches();
  let loseLock = (): void => undefined;
  const disk = {
    lock(...[path, patience]: Parameters<typeof realFiles.lock>) {
      if (!path.includes('rollout')) loseLock = () => patience?.onLost?.();
      return realFiles.lock(path, patience);
    },
  };
  const faults = beforeMenu(3, async () => loseLock());
  const run = await world.telctl(`${start} --max-failures 1 -o json`, { files, faults, disk });
  expect(run.code, run.stderr).toBe(8);
  const { accounts } = JSON.parse(run.stdout);
  expect(accounts.map(({ state }: { readonly state: string }) => state)).toEqual(['done', 'failed', 'done']);
  expect(accounts[1].error.message).toContain('lock');
  expect(await countMenus(world)).toBe(5);
  // The run ended incompletely.
  expect((await world.telctl('log -o json')).stdout).not.toContain('unfinished');
  const undone = await world.telctl('rollout undo 1 --yes');
  expect([undone.code, await countMenus(world)], undone.stderr).toEqual([0, 0]);
});

test('the end of standard input is not consent to a rollout, its continuation or its undo', async () => {
  const world = await openBranches();
  const endInputAt = (to: string) => ({ files, tty: true, answers: [{ to, type: null }] });
  const unasked = await world.telctl(start.replace(' --yes', ''), endInputAt('Roll this out'));
  expect([unasked.code, writes(unasked)], unasked.stderr).toEqual([130, []]);
  const canary = 'apply -f branch.yaml --accounts branches.txt --canary 1';
  const asked = {
    files,
    tty: true,
    answers: [
      { to: 'Apply these', type: 'y' },
      { to: 'Continue with', type: null },
    ],
  };
  const first = await world.telctl(canary, asked);
  expect([first.code, writes(first).length], first.stderr).toEqual([130, 2]);
  for (const [line, question] of [
    ['rollout resume 1', 'Resume rollout'],
    ['rollout cancel 1', 'Cancel rollout'],
    ['rollout undo 1', 'Reverse rollout'],
  ] as const) {
    const run = await world.telctl(line, endInputAt(question));
    expect([line, run.code, writes(run)], run.stderr).toEqual([line, 130, []]);
  }
  expect(JSON.parse((await world.telctl('rollout show 1 -o json')).stdout).state).toBe('stopped');
  expect(await countMenus(world)).toBe(2);
});

test('a request to wait for a day is refused, in a rollout and elsewhere', async () => {
  const world = await openBranches();
  const day = { kind: 'answer', status: 429, headers: { 'retry-after': '86400' }, body: '{}' } as const;
  const faults: readonly FaultRule[] = [{ method: 'PUT', path: /menus$/, fault: day }];
  for (const line of [start, 'menus create --name Evening', 'apply -f branch.yaml --yes']) {
    const run = await world.telctl(line, { files, faults });
    expect([8, 75], run.stderr).toContain(run.code);
    expect(run.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(300_000);
    expect(run.stderr).toMatch(/asks to wait for 1 day/);
  }
});

test('a rollout and a saved plan are applied only to their own service', async () => {
  const world = await openBranches();
  const twin = await world.twinService();
  for (const name of branches) await twin.service('PUT', '', { name, realm: `${name}.acme.example` });
  const refused = {
    kind: 'answer',
    status: 400,
    body: '{"status":"error","error":"400","data":{}}',
  } as const;
  const faults: readonly FaultRule[] = [{ method: 'PUT', path: /menus$/, fault: refused, times: 1 }];
  await world.telctl(`${start} --max-failures 0`, { files, faults });
  expect((await world.telctl('plan -f branch.yaml --out own.plan')).code).toBe(0);
  expect((await world.telctl('plan -f branch.yaml --accounts branches.txt --out all.plan')).code).toBe(0);
  for (const line of [
    ...['rollout resume 1 --yes', 'rollout undo 1 --yes', 'rollout undo 1 --dry-run'],
    ...['apply own.plan --yes', 'rollout start all.plan --yes'],
  ]) {
    const run = await world.telctl(`${line} --profile ${twin.profile}`);
    expect([line, [2, 6].includes(run.code), writes(run)], run.stderr).toEqual([line, true, []]);
    expect(run.stderr).toContain(world.url);
  }
});

test('reconcile limits deletions over all accounts of a round', async () => {
  const world = await openBranches();
  expect((await world.telctl(start, { files })).code).toBe(0);
  const less = { 'branch.yaml': manifest.replace(/ {2}night.*/, '') };
  const round = 'reconcile -f branch.yaml --accounts branches.txt --every 1s --rounds 1 --concurrency 1';
  const limits = '--prune --max-change-percent 100 --correct --yes --max-deletes-total';
  const run = await world.telctl(`${round} ${limits} 2`, { files: less });
  expect([run.code, await countMenus(world)], run.stderr).toEqual([8, 4]);
  expect(run.stderr).toContain('would delete more than 2 objects');
  const more = await world.telctl(`${round} ${limits} 3`);
  expect([more.code, await countMenus(world)], more.stderr).toEqual([0, 3]);
});
