import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FaultRule } from '../../support/faults.ts';
import { openWorld, type Run, type RunOptions, testFolders, type World } from '../../support/world.ts';

/** One object of each section that supports own ids, and a user, whose name is unique. */
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

/** Stores the results of `conformance --write` for a service that accepts ids. */
function storeOwnIdSupport(home: string): void {
  const path = join(home, '.config/telctl/config.json');
  const stored = JSON.parse(readFileSync(path, 'utf8'));
  stored.profiles.test.learned = { takesOwnIds: true };
  writeFileSync(path, JSON.stringify(stored));
}

/**
 * Creates a world whose service accepts ids (`know`: both machines know this), and a second machine that shares
 * nothing with the first.
 */
async function openTwoMachines(know = true): Promise<{
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
  if (know) for (const { home } of [world.folders, bobs]) storeOwnIdSupport(home);
  return { world, bob };
}

/** Counts the records of each section. */
async function countRecords({ telctl }: World): Promise<readonly (readonly [string, number])[]> {
  const found: (readonly [string, number])[] = [];
  for (const section of sections) {
    const listed = await telctl(`${section.replaceAll('_', '-')} list -o json`);
    expect(listed.code, listed.stderr).toBe(0);
    found.push([section, JSON.parse(listed.stdout).length]);
  }
  return found;
}

const containsId = (body: unknown): boolean => /"id\\?":/.test(JSON.stringify(body));

const once = sections.map((section) => [section, section === 'users' ? 2 : 1]);

test('two concurrent applies on machines without shared state create each object once', async () => {
  const { world, bob } = await openTwoMachines();
  // The second machine applies everything after the first one has made its plan.
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
    expect.stringContaining('created menu Main (someone else did'),
  ]);
  expect(await countRecords(world)).toEqual(once);
  // Both machines own the object, so either may prune it.
  for (const machine of [world.telctl, bob])
    expect((await machine('plan -f office.yaml --exit-code')).code).toBe(0);
});

test('two racing applies have the same result', async () => {
  const { world, bob } = await openTwoMachines();
  const runs = await Promise.all([
    world.telctl('apply -f office.yaml --yes', { files }),
    bob('apply -f office.yaml --yes', { files }),
  ]);
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, expect.anything()],
    [0, expect.anything()],
  ]);
  expect(await countRecords(world)).toEqual(once);
});

test.each<FaultRule['fault']>([{ kind: 'lose-reply' }, { kind: 'cut', by: 'reset' }, { kind: 'duplicate' }])(
  'a create with a lost request or reply is retried and creates one object: %j',
  async (fault) => {
    const { world } = await openTwoMachines();
    const run = await world.telctl('apply -f office.yaml --yes', {
      files,
      faults: ['menus', 'groups', 'callflows'].map((name) => ({
        ...{ fault, method: 'PUT', times: 1 },
        path: new RegExp(`/${name}$`),
      })),
    });
    expect(run.code, run.stderr).toBe(0);
    expect(await countRecords(world)).toEqual(once);
  },
);

test('a different record with the same id is not adopted', async () => {
  const { world, bob } = await openTwoMachines();
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
  expect(run.stderr).toContain('because another menu has its id');
  const listNames = async () => (await world.telctl('menus list -o name')).stdout.trim().split('\n');
  expect(await listNames()).toHaveLength(1);
  // If the duplicate is found before the first request, it is no obstacle, as on services that assign ids.
  const again = await world.telctl(line, { files: menu('Main') });
  expect(again.code, again.stderr).toBe(0);
  expect(await listNames()).toHaveLength(2);
});

test('an id of a deleted record is skipped and the next one is used', async () => {
  const { world } = await openTwoMachines();
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

test('two concurrent bulk creates create each record once', async () => {
  const { world, bob } = await openTwoMachines();
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

test.each<FaultRule['fault'] | undefined>([undefined, { kind: 'lose-reply' }, { kind: 'cut', by: 'reset' }])(
  'two new machines create each object once on an unknown service: %j',
  async (fault) => {
    const { world, bob } = await openTwoMachines(false);
    let other: Run | undefined;
    const meanwhile: FaultRule['fault'] = {
      kind: 'meanwhile',
      does: async () => (other = await bob('apply -f office.yaml --yes', { files })),
    };
    const lost = ['menus', 'groups', 'callflows'].map((name) => ({
      ...{ method: 'PUT', times: 1, path: new RegExp(`/${name}$`) },
      fault: fault ?? { kind: 'duplicate' as const },
    }));
    const first = await world.telctl('apply -f office.yaml --yes --concurrency 1', {
      files,
      faults: [{ fault: meanwhile, method: 'PUT', times: 1 }, ...lost],
    });
    expect([other?.code, first.code], first.stderr).toEqual([0, 0]);
    expect(await countRecords(world)).toEqual(once);
  },
);

test.each<FaultRule['fault']>([{ kind: 'lose-reply' }, { kind: 'cut', by: 'reset' }])(
  'the first create of a new machine is lost and still creates one object, whoever assigns ids: %j',
  async (fault) => {
    for (const like of ['kazoo', undefined] as const) {
      const world = await openWorld({ like, answersLike: undefined });
      const faults = ['menus', 'groups', 'callflows'].map((name) => ({
        ...{ fault, method: 'PUT', times: 1, path: new RegExp(`/${name}$`) },
      }));
      const run = await world.telctl('apply -f office.yaml --yes --concurrency 1', { files, faults });
      expect(run.code, run.stderr).toBe(0);
      expect(await countRecords(world)).toEqual(once);
    }
  },
);

test('two bulk creates of new machines create each record once', async () => {
  const { world, bob } = await openTwoMachines(false);
  const stdin = JSON.stringify([{ name: 'One' }, { name: 'Two' }]);
  let other: Run | undefined;
  const fault = {
    kind: 'meanwhile' as const,
    does: async () => (other = await bob('menus create -f -', { stdin })),
  };
  const run = await world.telctl('menus create -f -', {
    stdin,
    faults: [{ fault, method: 'PUT', times: 1 }],
  });
  expect([other?.code, run.code], run.stderr).toEqual([0, 0]);
  expect(JSON.parse((await world.telctl('menus list -o json')).stdout)).toHaveLength(2);
});

test('a service that refuses the id field is sent the create without it, and never again with it', async () => {
  const world = await openWorld({ like: undefined });
  const refusal = { status: 'error', error: '400', message: 'validation error' };
  const data = { id: { unknown: { message: 'id is no field of a menu' } } };
  const run = await world.telctl('apply -f menus.yaml --yes --concurrency 1', {
    files: { 'menus.yaml': 'menus: { one: { name: One }, two: { name: Two } }\n' },
    faults: [
      {
        fault: { kind: 'answer', status: 400, body: JSON.stringify({ ...refusal, data }) },
        ...{ method: 'PUT', times: 1 },
      },
    ],
  });
  expect(run.code, run.stderr).toBe(0);
  const sent = run.requests.filter(({ method }) => method === 'PUT');
  expect(sent.map(({ body }) => containsId(body))).toEqual([true, false, false]);
});

test('a service that assigns ids itself is recognized by its first reply', async () => {
  const world = await openWorld({ like: undefined });
  const first = await world.telctl('apply -f menu.yaml --yes', {
    files: { 'menu.yaml': 'menus: { main: { name: First } }\n' },
  });
  expect(first.code, first.stderr).toBe(0);
  const run = await world.telctl('apply -f office.yaml --yes', { files });
  expect(run.code, run.stderr).toBe(0);
  expect(await countRecords(world)).toEqual(
    once.map(([section, count]) => [section, section === 'menus' ? 2 : count]),
  );
  const sent = run.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/menus'));
  expect(sent.map(({ body }) => containsId(body))).toEqual([false]);
});
