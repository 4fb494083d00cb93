import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FaultRule } from '../support/faults.ts';
import { openWorld, type Run, type RunOptions, testFolders, type World } from '../support/world.ts';

/** One of each section whose records can bring their id, and a user, whose name is unique. */
const office = `users:
  anna: { username: anna, first_name: Anna, last_name: Test, password: first-sign-in }
menus:
  main: { name: Main, retries: 2 }
groups:
  sales: { name: Sales, endpoints: { "\${users.anna}": { type: user } } }
devices:
  desk: { name: Desk, owner_id: "\${users.anna}" }
vmboxes:
  box: { name: Box, mailbox: "2001", owner_id: "\${users.anna}" }
temporal_rules:
  noon: { name: Noon, cycle: daily, time_window_start: 43200, time_window_stop: 46800 }
callflows:
  line: { name: Line, numbers: ["2002"], flow: { module: menu, data: { id: "\${menus.main}" }, children: {} } }
`;
const files = { 'office.yaml': office };
const sections = ['users', 'menus', 'groups', 'devices', 'vmboxes', 'temporal_rules', 'callflows'];

/** Notes in a profile what `conformance --write` finds out about a service that takes ids. */
function knowsOwnIds(home: string): void {
  const path = join(home, '.config/telctl/config.json');
  const stored = JSON.parse(readFileSync(path, 'utf8'));
  stored.profiles.test.learned = { takesOwnIds: true };
  writeFileSync(path, JSON.stringify(stored));
}

/** A world whose service takes ids, and a second machine that shares nothing with the first one. */
async function twoMachines(): Promise<{
  readonly world: World;
  readonly bob: (line: string, options?: RunOptions) => Promise<Run>;
}> {
  const world = await openWorld({ like: 'kazoo', answersLike: undefined });
  const bobs = testFolders();
  const bob = (line: string, options: RunOptions = {}): Promise<Run> =>
    world.telctl(line, { ...options, folders: bobs });
  const login = 'login --profile test --base-url http://127.0.0.1:8000 --api-key-stdin';
  const signedIn = await bob(login, { stdin: world.seed.apiKey });
  expect(signedIn.code, signedIn.stderr).toBe(0);
  for (const { home } of [world.folders, bobs]) knowsOwnIds(home);
  return { world, bob };
}

/** Count of the records of each section. */
async function counts({ telctl }: World): Promise<readonly (readonly [string, number])[]> {
  const found: (readonly [string, number])[] = [];
  for (const section of sections) {
    const listed = await telctl(`${section.replaceAll('_', '-')} list -o json`);
    expect(listed.code, listed.stderr).toBe(0);
    found.push([section, JSON.parse(listed.stdout).length]);
  }
  return found;
}

const once = sections.map((section) => [section, section === 'users' ? 2 : 1]);

test('two applies at once, from two machines that share nothing, make each object once and both end well', async () => {
  const { world, bob } = await twoMachines();
  // The first one has made its plan when the second one does everything.
  let other: Run | undefined;
  const first = await world.telctl('apply -f office.yaml --yes --concurrency 1', {
    files,
    faults: [
      {
        fault: {
          kind: 'meanwhile',
          does: async () => (other = await bob('apply -f office.yaml --yes', { files })),
        },
        method: 'PUT',
        times: 1,
      },
    ],
  });
  expect([other?.code, other?.stderr]).toEqual([0, expect.stringContaining('Created 7,')]);
  expect([first.code, first.stderr]).toEqual([
    0,
    expect.stringContaining('created menu Main (somebody else did'),
  ]);
  expect(await counts(world)).toEqual(once);
  // Both know it as theirs: either may prune it.
  for (const machine of [world.telctl, bob])
    expect((await machine('plan -f office.yaml --exit-code')).code).toBe(0);
});

test('two applies that race each other end the same', async () => {
  const { world, bob } = await twoMachines();
  const runs = await Promise.all([
    world.telctl('apply -f office.yaml --yes', { files }),
    bob('apply -f office.yaml --yes', { files }),
  ]);
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, expect.anything()],
    [0, expect.anything()],
  ]);
  expect(await counts(world)).toEqual(once);
});

test.each<FaultRule['fault']>([{ kind: 'lose-reply' }, { kind: 'cut', by: 'reset' }, { kind: 'duplicate' }])(
  'a create whose request or reply is lost is sent again and makes one object: %j',
  async (fault) => {
    const { world } = await twoMachines();
    const run = await world.telctl('apply -f office.yaml --yes', {
      files,
      faults: ['menus', 'groups', 'callflows'].map((name) => ({
        ...{ fault, method: 'PUT', times: 1 },
        path: new RegExp(`/${name}$`),
      })),
    });
    expect(run.code, run.stderr).toBe(0);
    expect(await counts(world)).toEqual(once);
  },
);

test('a record of that id that is something else is not taken over', async () => {
  const { world, bob } = await twoMachines();
  const menu = (name: string) => ({ 'menu.yaml': `menus: { main: { name: ${name} } }\n` });
  const line = 'apply -f menu.yaml --yes';
  const run = await world.telctl(line, {
    files: menu('Main'),
    faults: [
      {
        fault: { kind: 'meanwhile', does: () => bob(line, { files: menu('Other') }) },
        method: 'PUT',
        times: 1,
      },
    ],
  });
  expect(run.code, run.stderr).toBe(6);
  expect(run.stderr).toContain('is that of another menu, which was left as it is');
  const names = async () => (await world.telctl('menus list -o name')).stdout.trim().split('\n');
  expect(await names()).toHaveLength(1);
  // Seen before anything is sent it stands in nobody's way, as where the service gives the ids.
  const again = await world.telctl(line, { files: menu('Main') });
  expect(again.code, again.stderr).toBe(0);
  expect(await names()).toHaveLength(2);
});

test('an id that a deleted record keeps is not waited for: the next one is taken', async () => {
  const { world } = await twoMachines();
  const run = await world.telctl('apply -f menu.yaml --yes', {
    files: { 'menu.yaml': 'menus: { main: { name: Main } }\n' },
    faults: [
      {
        fault: {
          kind: 'answer',
          status: 409,
          body: JSON.stringify({
            status: 'error',
            error: '409',
            message: 'datastore_conflict',
            data: { message: 'conflicting documents' },
          }),
        },
        method: 'PUT',
        times: 1,
      },
    ],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(await world.telctl('menus list -o name')).toMatchObject({ stdout: expect.stringContaining('Main') });
});

test('two bulk creates at once make each record once', async () => {
  const { world, bob } = await twoMachines();
  const records = JSON.stringify([{ name: 'One' }, { name: 'Two' }]);
  const line = 'menus create -f -';
  let other: Run | undefined;
  const run = await world.telctl(line, {
    stdin: records,
    faults: [
      {
        fault: {
          kind: 'meanwhile',
          does: async () => (other = await bob(line, { stdin: records })),
        },
        method: 'PUT',
        times: 1,
      },
    ],
  });
  expect([other?.code, run.code], run.stderr).toEqual([0, 0]);
  expect(JSON.parse((await world.telctl('menus list -o json')).stdout)).toHaveLength(2);
});

test('where the service gives the ids, none is sent', async () => {
  const world = await openWorld({ like: undefined });
  const run = await world.telctl('apply -f office.yaml --yes', { files });
  expect(run.code, run.stderr).toBe(0);
  const [menu] = JSON.parse((await world.telctl('menus list -o json')).stdout);
  const sent = run.requests.find(({ method, path }) => method === 'PUT' && path.endsWith('/menus'));
  expect(sent?.body).not.toContain(menu.id);
  expect(sent?.body).not.toContain('"id"');
});
