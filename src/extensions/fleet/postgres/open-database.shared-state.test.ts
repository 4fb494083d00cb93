import { expect, onTestFinished, test, vi } from 'vitest';
import { seededRandom, turnedClock } from '../../../../test/support/clock.ts';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { fakeHost } from '../../../../test/support/fake-host.ts';
import { postgresServer } from '../../../../test/support/postgres.ts';
import { stateSuite } from '../../../../test/support/state-suite.ts';
import { testFolders } from '../../../../test/support/world.ts';
import type { Processes } from '../../../base/host/processes.ts';
import { parseStateDatabase } from '../../../client/session/state-address.ts';
import type { LockWait, State } from '../../../engine/state/state.ts';
import { openDatabase } from './database.ts';
import { openDatabaseState } from './open-database.ts';

const server = await postgresServer();

interface Opened {
  readonly livesMs?: number;
  readonly password?: string;
  readonly seed?: number;
  readonly processes?: Partial<Processes>;
}

/** Opens a state as a process of its own does, on a machine of its own. */
async function opened(
  url: string,
  { livesMs, password = server.password, seed = 9, processes = {} }: Opened = {},
): Promise<State> {
  const { host } = fakeHost({
    ...{ folders: testFolders(), clock: turnedClock(), random: seededRandom(seed), processes },
  });
  const state = await openDatabaseState({
    host,
    folder: host.folders.state,
    knows: (kind) => kind === 'users',
    keepMs: 90 * 86_400_000,
    address: parseStateDatabase(url, 'url'),
    password: async () => password,
    ca: undefined,
    ...(livesMs === undefined ? {} : { livesMs }),
  });
  onTestFinished(() => state.close());
  return state;
}

stateSuite('PostgreSQL', async (processes) => {
  const url = await server.database();
  const loseLocks = async (): Promise<void> => {
    await server.query(url, 'DELETE FROM telctl.leases');
  };
  return {
    state: await opened(url, processes && { processes }),
    other: await opened(url, { seed: 10 }),
    planName: 'office.plan',
    loseLocks,
  };
});

const account = { origin: 'https://api.example', accountId: 'ab'.repeat(16) };
const wait: LockWait = {
  signal: new AbortController().signal,
  who: 'alice@laptop',
  forMs: 60_000,
  waiting: () => undefined,
};

test('the lease of a dead process expires, and a renewed one does not', async () => {
  const url = await server.database();
  const state = await opened(url, { livesMs: 600 });
  const other = await opened(url, { seed: 10 });
  const held = await state.lock(account, wait);
  // Twice its life.
  expect(await other.lock(account, { ...wait, forMs: 1200 })).toBeUndefined();
  await state.close();
  const taken = await other.lock(account, wait);
  expect(taken).toBeDefined();
  await taken?.release();
  expect(held).toBeDefined();
});

test('a run of a dead process is reported once as interrupted', async () => {
  const url = await server.database();
  const state = await opened(url, { livesMs: 300 });
  const other = await opened(url, { seed: 10 });
  const run = await state.log.begin();
  // Twice its life: it is renewed as long as its process lives.
  expect(await other.lock(account, wait)).toBeDefined();
  expect(await state.lock(account, { ...wait, forMs: 600 })).toBeUndefined();
  expect([(await other.log.read(run.id))?.alive, await other.log.open()]).toEqual([true, []]);
  await state.close();
  await expect.poll(async () => (await other.log.read(run.id))?.alive).toBe(false);
  expect(await other.log.open()).toEqual([run.id]);
  await other.log.settle(run.id);
  expect(await other.log.open()).toEqual([]);
});

test('waits for a restarting server, and loses no data', async () => {
  const url = await server.database();
  const state = await opened(url);
  const run = await state.log.begin();
  await run.write({ line: 'finish', atMs: 1, done: 1, failed: 0, skipped: 0 });
  await server.restart();
  await run.write({ line: 'finish', atMs: 2, done: 2, failed: 0, skipped: 0 });
  await run.close();
  expect((await state.log.read(run.id))?.lines).toHaveLength(2);
});

test('an older telctl refuses newer tables', async () => {
  const url = await server.database();
  await opened(url);
  await server.query(url, 'UPDATE telctl.version SET version = 99');
  const failure = await failureOf(opened(url));
  expect([failure.kind, failure.message]).toEqual([
    'refused',
    expect.stringContaining(
      'has tables of a newer telctl (version 99, this telctl supports 4). No changes were made.',
    ),
  ]);
});

test('concurrent migrations create the tables once', async () => {
  const url = await server.database();
  await Promise.all([1, 2, 3].map((seed) => opened(url, { seed })));
  expect(await server.query(url, 'SELECT version FROM telctl.version')).toEqual([{ version: 4 }]);
});

test('database errors have their own kinds, and messages without passwords', async () => {
  const url = await server.database();
  const wrong = await failureOf(opened(url, { password: 'wrong-Secret' }));
  expect([wrong.kind, wrong.message]).toEqual([
    'auth',
    expect.stringContaining('rejected the sign-in of owner'),
  ]);
  const missing = await failureOf(opened(url.replace(/d\d+$/, 'nowhere')));
  expect(missing.kind).toBe('not_found');
  const silent = await failureOf(opened('postgres://owner@127.0.0.1:1/d'));
  expect([silent.kind, silent.message]).toEqual([
    'unavailable',
    expect.stringContaining('cannot be reached (connection refused)'),
  ]);
  const unchecked = await failureOf(opened(`${url}?sslmode=verify-full`));
  expect([unchecked.kind, unchecked.message]).toEqual([
    'unavailable',
    expect.stringContaining('certificate'),
  ]);
  for (const { message, hint } of [wrong, missing, silent, unchecked])
    expect(`${message} ${hint}`).not.toMatch(/wrong-Secret|state-Secret/);
});

test('a new run deletes expired runs, but never the newest', async () => {
  const url = await server.database();
  const state = await opened(url);
  for (let index = 0; index < 3; index += 1) await (await state.log.begin()).close();
  await server.query(url, "UPDATE telctl.runs SET begun = now() - interval '91 days' WHERE id <> 2");
  await (await state.log.begin()).close();
  expect(await state.log.ids()).toEqual(['2', '4']);
});

test('releasing another lock of the same process does not stop a change', async () => {
  const url = await server.database();
  const state = await opened(url);
  const own = await state.lock({ ...account, accountId: 'own' }, wait);
  const other = await state.lock({ ...account, accountId: 'other' }, wait);
  const run = await state.log.begin();
  // The line is on its way, with the locks of then, while the other one goes.
  const held = server.query(url, 'LOCK TABLE telctl.lines IN SHARE MODE; SELECT pg_sleep(1)');
  const locks = (isGranted: boolean) =>
    server.query(
      url,
      `SELECT FROM pg_locks WHERE relation = 'telctl.lines'::regclass AND granted = ${isGranted}`,
    );
  await vi.waitFor(async () => expect(await locks(true)).toHaveLength(1), { interval: 10, timeout: 60_000 });
  const written = run.write({ line: 'begin', key: 'users.a', action: 'create' });
  await vi.waitFor(async () => expect(await locks(false)).toHaveLength(1), { interval: 10, timeout: 60_000 });
  await other?.release();
  await held;
  await written;
  expect((await state.log.read(run.id))?.lines).toHaveLength(1);
  await run.close();
  await own?.release();
});

test('concurrent runs share batches in order, and a lost lock stops changes but not their results', async () => {
  const url = await server.database();
  const state = await opened(url);
  const own = await state.lock(account, wait);
  const runs = await Promise.all([1, 2, 3].map(() => state.log.begin()));
  const begin = (key: string) => ({ line: 'begin', key, action: 'create' }) as const;
  const end = (key: string) => ({ line: 'end', key, ok: true, id: 'a' }) as const;
  await Promise.all(runs.map((run) => run.write(begin('users.a'))));
  const next = runs.map(async (run) => {
    await run.write(end('users.a'));
    await run.write(begin('users.b'));
  });
  await Promise.all(next);
  const commits = await server.query(url, 'SELECT count(DISTINCT xmin::text)::integer FROM telctl.lines');
  // The first of each round may have gone alone.
  expect(commits[0]?.count).toBeLessThanOrEqual(4);
  await server.query(url, 'DELETE FROM telctl.leases');
  for (const run of runs) await run.write(end('users.b'));
  for (const run of runs) expect((await failureOf(run.write(begin('users.c')))).kind).toBe('conflict');
  for (const run of runs) await run.flush();
  for (const { id } of runs)
    expect((await state.log.read(id))?.lines).toMatchObject([
      ...[begin('users.a'), end('users.a'), begin('users.b'), end('users.b')],
    ]);
  for (const run of runs) await run.close();
  await own?.release();
});

test('a transaction of a lost process is rolled back after 5 seconds', async () => {
  const url = await server.database();
  const { host } = fakeHost({ folders: testFolders(), clock: turnedClock(), random: seededRandom(9) });
  const address = parseStateDatabase(url, 'url');
  const database = openDatabase({
    ...{ address, password: async () => server.password, ca: undefined, timers: host.timers },
  });
  onTestFinished(() => database.close());
  const rows = await database.transaction((query) => query('SHOW idle_in_transaction_session_timeout'));
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
});
