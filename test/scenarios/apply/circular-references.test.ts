// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of manifests
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { openWorld, type Run, type World } from '../../support/world.ts';

const alice = `
users:
  alice:
    username: alice
    first_name: Alice
    last_name: Archer
    password: first-sign-in
    directories: { "\${directories.main}": "\${callflows.alice}" }
directories:
  main: { name: Main }
callflows:
  alice:
    name: Alice
    numbers: ["2001"]
    flow: { module: user, data: { id: "\${users.alice}" }, children: {} }
`;

/** A callflow whose second menu leads back to it. */
const menus = `
menus:
  day: { name: Day }
  night: { name: Night }
callflows:
  line:
    name: Line
    numbers: ["2000"]
    flow: { module: menu, data: { id: "\${menus.day}" }, children: { "1": { module: callflow, data: { id: "\${callflows.more}" }, children: {} } } }
  more:
    name: More
    numbers: ["2010"]
    flow: { module: menu, data: { id: "\${menus.night}" }, children: { "0": { module: callflow, data: { id: "\${callflows.line}" }, children: {} } } }
`;

const writes = ({ requests }: Run): readonly string[] =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

async function readRecord(world: World, noun: string, name: string): Promise<JsonObject> {
  return JSON.parse((await world.telctl([noun, 'get', name, '-o', 'json'])).stdout);
}

const apply = 'apply -f office.yaml --yes --concurrency 1';

test('creates a user, a directory and the callflow between them from one manifest', async () => {
  const world = await openWorld();
  const files = { 'office.yaml': alice };
  const plan = await world.telctl('plan -f office.yaml', { files });
  expect(plan.stdout).toContain('+ user alice\n    directories  set, once callflow Alice is there\n');
  expect(plan.stdout).toContain('3 to create, 0 to update, 0 unchanged, 0 to delete');
  const shown = JSON.parse((await world.telctl('plan -f office.yaml -o json')).stdout);
  expect(shown.accounts[0].counts).toMatchObject({ create: 3, update: 0 });
  expect(shown.accounts[0].steps.at(-1)).toMatchObject({
    key: 'users.alice:late',
    action: 'update',
    completes: 'users.alice',
    sends: ['directories'],
    after: expect.arrayContaining(['users.alice', 'callflows.alice', 'directories.main']),
  });
  expect((await world.telctl('plan -f office.yaml -o name')).stdout.trim().split('\n').sort()).toEqual([
    'callflows.alice',
    'directories.main',
    'users.alice',
  ]);

  const run = await world.telctl(apply);
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('completed user alice');
  expect(run.stderr).toContain('Created 3, updated 0, unchanged 0, failed 0, skipped 0');
  const [user, directory, callflow] = await Promise.all([
    readRecord(world, 'users', 'alice'),
    readRecord(world, 'directories', 'Main'),
    readRecord(world, 'callflows', 'Alice'),
  ]);
  expect(user.directories).toEqual({ [String(directory.id)]: callflow.id });
  expect(callflow).toMatchObject({ flow: { data: { id: user.id } } });

  const again = await world.telctl(apply);
  expect([again.code, writes(again)]).toEqual([0, []]);
  const kept = await world.telctl('plan -f office.yaml --exit-code');
  expect([kept.code, kept.stdout.includes('0 to create, 0 to update, 3 unchanged')]).toEqual([0, true]);

  const undo = await world.telctl('undo --yes');
  expect(undo.stderr).toContain('deleted 3');
  expect(undo.code, undo.stderr).toBe(0);
  const redo = await world.telctl('apply history -o json');
  const back = await world.telctl(['undo', JSON.parse(redo.stdout)[0].run, '--yes']);
  expect(back.stderr).toContain('Created 3');
  const [newUser, newFlow] = await Promise.all([
    readRecord(world, 'users', 'alice'),
    readRecord(world, 'callflows', 'Alice'),
  ]);
  expect(Object.values(newUser.directories ?? {})).toEqual([newFlow.id]);
});

test('creates callflows that refer to each other in two steps, and prunes them together', async () => {
  const world = await openWorld();
  const run = await world.telctl(apply, { files: { 'office.yaml': `set: office\n${menus}` } });
  expect(run.code, run.stderr).toBe(0);
  const line = await readRecord(world, 'callflows', 'Line');
  const more = await readRecord(world, 'callflows', 'More');
  expect(line).toMatchObject({ flow: { children: { 1: { data: { id: more.id } } } } });
  expect(more).toMatchObject({ flow: { children: { 0: { data: { id: line.id } } } } });
  expect(writes(await world.telctl(apply))).toEqual([]);

  const pruned = await world.telctl(`${apply} --prune --max-deletes 9 --max-change-percent 100`, {
    files: { 'office.yaml': 'set: office\nmenus: { day: { name: Day } }\n' },
  });
  expect(pruned.stderr).toContain('deleted 3');
  expect(pruned.code, pruned.stderr).toBe(0);
});

test('creates a callflow that refers to itself, and lint reports it', async () => {
  const world = await openWorld();
  const own =
    'callflows: { a: { name: A, numbers: ["2000"], flow: { module: callflow, data: { id: "${callflows.a}" } } } }';
  const run = await world.telctl(apply, { files: { 'office.yaml': own } });
  expect(run.code, run.stderr).toBe(0);
  expect((await world.telctl('callflows lint -f office.yaml')).code).toBe(10);
});

test('does not defer updates of existing objects', async () => {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const run = await world.telctl(`${apply} --send-unreadable`, { files: { 'office.yaml': alice } });
  expect(run.stderr).toContain('Created 2, updated 1');
  expect(writes(run).filter((each) => each.includes('/users/'))).toHaveLength(1);
});

test('--resume completes a run that stopped between the two steps without a question', async () => {
  const world = await openWorld();
  const run = await world.telctl(apply, {
    files: { 'office.yaml': alice },
    faults: [{ fault: { kind: 'answer', status: 400, body: '{}' }, method: 'PATCH', path: /\/users\// }],
  });
  expect(run.stderr).toContain('Created 3, updated 0, unchanged 0, failed 1, skipped 0');
  expect(run.code).toBe(8);
  expect((await readRecord(world, 'users', 'alice')).directories).toBeUndefined();
  const history = JSON.parse((await world.telctl('apply history -o json')).stdout);
  expect(history[0]).toMatchObject({ state: 'partial', done: 3, failed: 1, skipped: 0 });

  const next = await world.telctl('apply --resume');
  expect(next.stderr).toContain('Created 0, updated 1, unchanged 2, failed 0, skipped 0');
  expect(next.code, next.stderr).toBe(0);
  expect(Object.keys((await readRecord(world, 'users', 'alice')).directories ?? {})).toHaveLength(1);
  expect(writes(await world.telctl(apply))).toEqual([]);
});

test('applies a saved plan unchanged', async () => {
  const world = await openWorld();
  const kept = await world.telctl('plan -f office.yaml --out office.plan', {
    files: { 'office.yaml': alice },
  });
  expect(kept.code, kept.stderr).toBe(0);
  const run = await world.telctl('apply office.plan');
  expect(run.stderr).toContain('Created 3');
  expect(run.code, run.stderr).toBe(0);
});

test('an export moves circular references to another account', async () => {
  const world = await openWorld();
  await world.telctl('accounts create --name branch --realm branch.example');
  const files = { 'office.yaml': alice, 'menus.yaml': menus };
  const made = await world.telctl('apply -f office.yaml -f menus.yaml --yes', { files });
  expect(made.code, made.stderr).toBe(0);
  const exported = await world.telctl('export --portable --out here.yaml');
  expect(exported.stderr).not.toContain('circle');
  const env = { USERS_ADMIN_PASSWORD: 'first-sign-in', USERS_ALICE_PASSWORD: 'first-sign-in' };
  const run = await world.telctl('apply --yes --account branch -f here.yaml', { env });
  expect(run.code, run.stderr).toBe(0);
  const user = JSON.parse((await world.telctl('users get alice --account branch -o json')).stdout);
  const callflow = JSON.parse((await world.telctl('callflows get Alice --account branch -o json')).stdout);
  const more = JSON.parse((await world.telctl('callflows get More --account branch -o json')).stdout);
  const line = JSON.parse((await world.telctl('callflows get Line --account branch -o json')).stdout);
  expect(Object.values(user.directories)).toEqual([callflow.id]);
  expect(more.flow.children[0].data.id).toBe(line.id);
});

test('counts each incomplete object once if one cannot be created', async () => {
  const world = await openWorld();
  const refuse = { fault: { kind: 'answer', status: 400, body: '{}' }, method: 'PUT' } as const;
  const applyWithFailure = async (path: RegExp): Promise<readonly [string | undefined, JsonObject]> => {
    const run = await world.telctl(apply, {
      files: { 'office.yaml': alice },
      faults: [{ ...refuse, path }],
    });
    const [last] = JSON.parse((await world.telctl('apply history -o json')).stdout);
    return [/Created.*skipped \d/.exec(run.stderr)?.[0], last];
  };
  const counts = { state: 'partial', failed: 1 };
  const noUser = await applyWithFailure(/\/users$/);
  expect(noUser[0]).toBe('Created 0, updated 0, unchanged 0, failed 1, skipped 2');
  expect(noUser[1]).toMatchObject({ ...counts, done: 0, skipped: 2 });
  const noCallflow = await applyWithFailure(/\/callflows$/);
  expect(noCallflow[0]).toBe('Created 2, updated 0, unchanged 0, failed 1, skipped 1');
  expect(noCallflow[1]).toMatchObject({ ...counts, done: 2, skipped: 1 });
});
