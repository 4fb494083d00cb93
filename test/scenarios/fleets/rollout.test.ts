import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Files } from '../../../src/base/host/files.ts';
import { isObject, type JsonObject } from '../../../src/base/json.ts';
import type { FaultRule } from '../../support/faults.ts';
import { openWorld, type World } from '../../support/world.ts';

const names = Array.from({ length: 10 }, (_, index) => `branch-${index + 1}`);
const manifest = `set: branch
menus:
  main: { name: Main menu, retries: 2 }
groups:
  all: { name: "Everybody in \${var.city}", endpoints: {} }
`;
const list = `account,city\n${names.map((name, index) => `${name},City ${index + 1}`).join('\n')}\n`;
const files = { 'branch.yaml': manifest, 'branches.csv': list };
const argv = ['rollout', 'start', '-f', 'branch.yaml', '--accounts', 'branches.csv'];
const isWrite = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method !== 'GET' && !path.endsWith('_auth');

/** Creates a world with ten accounts below the signed-in account. Returns their ids by name. */
async function openBranches(): Promise<{ readonly world: World; readonly ids: ReadonlyMap<string, string> }> {
  const world = await openWorld();
  const ids = new Map<string, string>();
  for (const name of names) {
    const { id } = await world.service('PUT', '', { name, realm: `${name}.acme.example` });
    ids.set(name, String(id));
  }
  return { world, ids };
}

async function readMenus({ sandbox }: World, id: string | undefined): Promise<readonly JsonObject[]> {
  const token = await sandbox.adminToken();
  const { data } = await sandbox.call('GET', `/v2/accounts/${id}/menus`, { token });
  return Array.isArray(data) ? data.filter(isObject) : [];
}

const failMenus = (id: string | undefined, times?: number): FaultRule => ({
  ...{ method: 'PUT', path: new RegExp(`${id}/menus`), ...(times === undefined ? {} : { times }) },
  fault: { kind: 'answer', status: 400, body: '{"status":"error","error":"400","message":"no","data":{}}' },
});

/** Returns the state of each account, in order. */
const accountStates = (stdout: string): string =>
  JSON.parse(stdout)
    .accounts.map(({ state }: JsonObject) => String(state)[0])
    .join('');

test('a rollout runs in waves, shows equal changes once, and sends nothing when repeated', async () => {
  const { world } = await openBranches();
  const waves = ['--waves', '1,30%,100%'];
  const run = await world.telctl([...argv, ...waves], {
    files,
    tty: true,
    answers: [{ to: 'Roll this out', type: 'y' }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout + run.stderr).toMatch(/10 accounts, \d+ kinds? of plan/);
  expect(run.stderr).toContain('in waves of 1, 3, 6');
  const writes = run.requests.filter(isWrite).map(({ path }) => path.split('/')[3]);
  expect(new Set(writes.slice(0, 2)).size).toBe(1);
  expect(writes).toHaveLength(20);
  const again = await world.telctl([...argv, '--yes', '-o', 'ndjson']);
  expect(again.code, again.stderr).toBe(0);
  expect(again.requests.filter(isWrite)).toEqual([]);
  const lines = again.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toMatchObject({
    summary: { state: 'finished', counts: { unchanged: 10, failed: 0 } },
  });
});

test('an account without changes costs only its plan', async () => {
  const { world } = await openBranches();
  const start = [...argv, '--yes', '--waves', '100%', '--max-change-percent', '100'];
  expect((await world.telctl(start, { files })).code).toBe(0);
  const plan = await world.telctl('plan -f branch.yaml --accounts branches.csv');
  const again = await world.telctl([...start, '-o', 'json']);
  expect([again.code, accountStates(again.stdout)], again.stderr).toEqual([0, 'uuuuuuuuuu']);
  expect(again.requests.length).toBeLessThanOrEqual(plan.requests.length + 2);
});

test('a wave with too many failures stops the rollout; resume retries and continues', async () => {
  const { world, ids } = await openBranches();
  const run = await world.telctl([...argv, '--waves', '2,100%', '--yes', '-o', 'json'], {
    files,
    faults: [failMenus(ids.get('branch-2'))],
  });
  const sentence = 'Rollout 1 is stopped: 1 of 2 accounts in wave 1 failed';
  expect([run.code, run.stderr]).toEqual([8, expect.stringContaining(sentence)]);
  expect(accountStates(run.stdout)).toBe('dfwwwwwwww');
  expect(await readMenus(world, ids.get('branch-3'))).toEqual([]);
  const shown = await world.telctl('rollout show 1');
  expect(shown.stdout).toMatch(/rollout 1 {2}stopped {2}10 accounts: 1 done, 1 failed, 8 waiting/);
  expect(shown.stdout).toMatch(/branch-2 .*menu/);
  const other = await world.telctl('rollout resume 1 --yes', { files: { 'branch.yaml': `${manifest}#` } });
  expect([other.code, other.stderr]).toEqual([6, expect.stringContaining('branch.yaml was changed')]);
  const dry = await world.telctl('rollout resume 1 --dry-run', { files });
  expect([dry.code, dry.requests.filter(isWrite)], dry.stderr).toEqual([0, []]);
  const resumed = await world.telctl('rollout resume 1 --yes -o json', { files });
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(accountStates(resumed.stdout)).toBe('dddddddddd');
  for (const name of names) expect(await readMenus(world, ids.get(name))).toHaveLength(1);
  const listed = await world.telctl('rollout list -o json');
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { rollout: '1', state: 'finished', counts: { done: 10 } },
  ]);
});

test('Ctrl-C stops a rollout between changes; resume continues with each object once', async () => {
  const { world, ids } = await openBranches();
  const stop = new AbortController();
  const faults: readonly FaultRule[] = [
    { method: 'PUT', path: /menus$/, fault: { kind: 'pass' }, times: 3 },
    { method: 'PUT', path: /menus$/, fault: { kind: 'pass' }, met: () => stop.abort(), times: 1 },
  ];
  const run = await world.telctl([...argv, '--waves', '100%', '--yes', '--concurrency', '2'], {
    ...{ files, faults, interrupted: stop.signal },
  });
  expect(run.code, run.stderr).toBe(130);
  expect((await world.telctl('rollout show 1')).stdout).toMatch(/stopped .* waiting/);
  const resumed = await world.telctl('rollout resume 1 --yes');
  expect(resumed.code, resumed.stderr).toBe(0);
  for (const name of names) expect(await readMenus(world, ids.get(name))).toHaveLength(1);
});

test('deletions are limited over all accounts', async () => {
  const { world, ids } = await openBranches();
  expect((await world.telctl([...argv, '--waves', '100%', '--yes'], { files })).code).toBe(0);
  const less = { ...files, 'branch.yaml': manifest.replace(/groups:.*/s, '') };
  const change = [...argv, '--waves', '100%', '--yes', '--prune', '--max-change-percent', '100'];
  const refused = await world.telctl([...change, '--max-deletes-total', '4'], { files: less });
  expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining('--max-deletes-total 10')]);
  expect(refused.requests.filter(isWrite)).toEqual([]);
  const done = await world.telctl([...change, '--max-deletes-total', '10', '-o', 'json'], { files: less });
  expect(done.code, done.stderr).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({ deletes: 10, counts: { done: 10 } });
  expect(await readMenus(world, ids.get('branch-1'))).toHaveLength(1);
});

test('the preview of an undo names referenced records', async () => {
  const world = await openWorld();
  const person = { first_name: 'A', last_name: 'B' };
  const { id } = await world.addUser({ username: 'alice', ...person });
  await world.addUser({ username: 'bob', ...person });
  await world.service('PUT', 'devices', { name: 'Desk', owner_id: String(id) });
  const desk = 'devices: { Desk: { name: Desk, owner_id: "$' + '{users.bob}" } }';
  const bob = 'users: { bob: { username: bob, first_name: A, last_name: B } }';
  const begun = await world.telctl('rollout start -f desk.yaml --accounts all.txt --yes', {
    files: { 'desk.yaml': `${desk}\n${bob}\n`, 'all.txt': 'acme\n' },
  });
  expect(begun.code, begun.stderr).toBe(0);
  expect((await world.telctl('rollout undo 1 --dry-run')).stdout).toMatch(/owner_id .* → alice\n/);
});

test('undo of a rollout reverts every account', async () => {
  const { world, ids } = await openBranches();
  expect((await world.telctl([...argv, '--yes'], { files })).code).toBe(0);
  const dry = await world.telctl('rollout undo 1 --dry-run');
  expect([dry.code, dry.requests.filter(isWrite)], dry.stderr).toEqual([0, []]);
  expect(dry.stdout).toMatch(/branch-1 at .*\n\n- menu "Main menu"/);
  const undone = await world.telctl('rollout undo 1 --yes -o json');
  expect(undone.code, undone.stderr).toBe(0);
  expect(JSON.parse(undone.stdout)).toMatchObject({ what: 'undo', undoes: '1', counts: { done: 10 } });
  for (const name of names) expect(await readMenus(world, ids.get(name))).toEqual([]);
});

test('a cancelled rollout starts nothing more; a newly failing webhook stops the next wave', async () => {
  const { world, ids } = await openBranches();
  const first = ids.get('branch-1');
  const token = await world.sandbox.adminToken();
  const hook = {
    name: 'CRM',
    uri: 'https://crm.example/hook',
    hook: 'sms',
    http_verb: 'post',
    enabled: true,
  };
  const made = await world.sandbox.call('PUT', `/v2/accounts/${first}/webhooks`, { token, data: hook });
  expect(made.status).toBeLessThan(300);
  const listed = { method: 'GET', path: new RegExp(`${first}/webhooks$`) };
  const broken = JSON.stringify({
    data: [{ ...hook, id: 'ab'.repeat(16), enabled: false, disable_reason: 'too many failures' }],
    status: 'success',
  });
  const faults: readonly FaultRule[] = [
    { ...listed, fault: { kind: 'pass' }, times: 1 },
    { ...listed, fault: { kind: 'answer', status: 200, body: broken } },
  ];
  const run = await world.telctl([...argv, '--waves', '1,100%', '--yes'], { files, faults });
  expect([run.code, run.stderr]).toEqual([
    8,
    expect.stringContaining('1 webhook fails since wave 1, in branch-1'),
  ]);
  expect(await readMenus(world, ids.get('branch-2'))).toEqual([]);
  const cancelled = await world.telctl('rollout cancel 1 --yes');
  expect([cancelled.code, cancelled.stderr]).toEqual([0, expect.stringContaining('Cancelled rollout ')]);
  expect((await world.telctl('rollout show 1')).stdout).toContain('cancelled');
});

test('incomplete or invalid waves are refused before any request', async () => {
  const { world } = await openBranches();
  for (const [waves, said] of [
    ['1,5%', 'leaves 8 accounts of 10 out'],
    ['1,many', '"many"'],
    ['0,100%', 'at least one account'],
  ] as const) {
    const run = await world.telctl([...argv, '--waves', waves, '--yes'], { files });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(said)]);
    expect(run.requests.filter(isWrite)).toEqual([]);
  }
  const none = await world.telctl('rollout show 7');
  expect(none.code).toBe(5);
});

test('unmanaged objects are reported for each account', async () => {
  const { world, ids } = await openBranches();
  for (const name of names.slice(0, 2)) {
    const token = await world.sandbox.adminToken();
    await world.sandbox.call('PUT', `/v2/accounts/${ids.get(name)}/menus`, {
      token,
      data: { name: 'Old menu' },
    });
  }
  const line = 'apply -f branch.yaml --accounts two.csv --yes';
  const two = { 'two.csv': 'account,city\nbranch-1,City 1\nbranch-2,City 2\n' };
  const old = manifest.replace('menus:', 'menus:\n  old: { name: Old menu }');
  expect((await world.telctl(line, { files: { ...two, 'branch.yaml': old } })).code).toBe(0);
  const run = await world.telctl(line, { files });
  expect([run.code, run.stdout]).toEqual([
    0,
    expect.stringContaining('branch-2: not deleted, never adopted: menu "Old menu"'),
  ]);
  const asJson = await world.telctl(`${line} -o json`);
  expect(JSON.parse(asJson.stdout).accounts[0].never_adopted).toEqual(['menu "Old menu"']);
});

test('an account whose plan differs from the reviewed fleet plan is skipped and reported', async () => {
  const { world, ids } = await openBranches();
  const plan = ['plan', '-f', 'branch.yaml', '--accounts', 'branches.csv', '--out', 'fleet.plan'];
  // The rollout keeps its plan: the list of accounts is read once, and a manifest that changes meanwhile is reported.
  const read: string[] = [];
  const recordReads = (changesAt: number): Partial<Files> => ({
    readBytes(path) {
      read.push(basename(path));
      const changed = read.filter((name) => name === 'branch.yaml').length >= changesAt;
      return Buffer.concat([readFileSync(path), Buffer.from(changed ? '#' : '')]);
    },
  });
  const changing = await world.telctl(plan, { files, disk: recordReads(15) });
  expect([changing.code, changing.stderr]).toEqual([8, expect.stringContaining('was changed while plans')]);
  read.length = 0;
  const made = await world.telctl(plan, { files, disk: recordReads(Number.POSITIVE_INFINITY) });
  expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('telctl rollout start fleet.plan')]);
  expect(read.filter((name) => name === 'branches.csv')).toHaveLength(1);
  const shown = await world.telctl('show fleet.plan');
  expect(shown.stdout).toContain('10 accounts, 10 kinds of plan: 20 to create');
  expect(JSON.parse((await world.telctl('show fleet.plan -o json')).stdout).accounts).toHaveLength(10);
  const alone = await world.telctl('apply fleet.plan --yes');
  expect([alone.code, alone.stderr]).toEqual([10, expect.stringContaining('rollout start fleet.plan')]);
  const token = await world.sandbox.adminToken();
  const data = { name: 'Main menu', retries: 9 };
  await world.sandbox.call('PUT', `/v2/accounts/${ids.get('branch-3')}/menus`, { token, data });
  const start = ['rollout', 'start', 'fleet.plan', '--waves', '100%', '--max-failures', '1', '-o', 'json'];
  const run = await world.telctl([...start, '--yes']);
  expect([run.code, run.stderr]).toEqual([
    8,
    expect.stringContaining('differs from the reviewed plan in fleet.plan'),
  ]);
  expect(accountStates(run.stdout)).toBe('ddfddddddd');
  expect(await readMenus(world, ids.get('branch-3'))).toMatchObject([{ name: 'Main menu' }]);
  const resumed = await world.telctl('rollout resume 1 --yes -o json');
  expect([resumed.code, accountStates(resumed.stdout)]).toEqual([8, 'ddfddddddd']);
  const other = await world.telctl([...start, '--yes'], { files: { 'branch.yaml': `${manifest}#` } });
  expect([other.code, other.stderr]).toEqual([6, expect.stringContaining('branch.yaml was changed')]);
});

test('an undo whose process was killed is marked interrupted and can be resumed', async () => {
  const { world } = await openBranches();
  expect((await world.telctl([...argv, '--yes'], { files })).code).toBe(0);
  const { cwd } = world.folders;
  const state = join(cwd, 'state');
  const killedState = join(cwd, 'killed');
  // Simulates a process that was killed at its third delete: its record says that it runs, but it holds no lock.
  const does = async () =>
    cpSync(state, killedState, { recursive: true, filter: (path) => !path.includes('locks') });
  cpSync(join(world.folders.home, '.local', 'state', 'telctl'), state, { recursive: true });
  const faults: readonly FaultRule[] = [
    { method: 'DELETE', path: /menus/, times: 2, fault: { kind: 'pass' } },
    { method: 'DELETE', path: /menus/, times: 1, fault: { kind: 'meanwhile', does } },
  ];
  const undo = await world.telctl(['rollout', 'undo', '1', '--yes', '--state', `file:${state}`], { faults });
  expect(undo.code, undo.stderr).toBe(0);
  const of = ['--state', `file:${killedState}`];
  const list = JSON.parse((await world.telctl(['rollout', 'list', '-o', 'json', ...of])).stdout);
  expect(list[0]).toMatchObject({ rollout: '2', what: 'undo', state: 'stopped', why: 'interrupted' });
  expect((await world.telctl(['rollout', 'show', '2', ...of])).stdout).toContain('interrupted');
  const resumed = await world.telctl(['rollout', 'resume', '2', '--yes', ...of]);
  expect(resumed.code, resumed.stderr).toBe(0);
});
