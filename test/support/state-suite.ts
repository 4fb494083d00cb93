import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { processes as others, type Processes } from '../../src/base/host/processes.ts';
import { recoverLedger } from '../../src/engine/state/keep-ledger.ts';
import type { Ledger, LedgerEntry } from '../../src/engine/state/ledger.ts';
import { type LogLine, loggedStep, type StartLine } from '../../src/engine/state/log.ts';
import type { RolloutAccount, RolloutStart } from '../../src/engine/state/rollouts.ts';
import { findRun, newestRuns, readRun, resumableRun } from '../../src/engine/state/runs.ts';
import type { Account, LockWait, State } from '../../src/engine/state/state.ts';
import { failureOf } from './failure-of.ts';

/** Two processes with one empty state, which is removed after the test. */
export interface OpenedState {
  readonly state: State;
  /** The same state in another process. */
  readonly other: State;
  /** A name for a saved plan. */
  readonly planName: string;
  /** Takes the locks from `state`, like a process that was suspended for too long. */
  loseLocks(): Promise<void>;
}

const account: Account = { origin: 'https://api.example:8443', accountId: 'ab'.repeat(16) };
const below: Account = { ...account, accountId: 'cd'.repeat(16) };
const elsewhere: Account = { ...account, origin: 'https://api.example:8444' };

const entry = (key: string, set = 'office.yaml', more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  set,
  key,
  kind: 'users',
  id: key.padEnd(32, '0'),
  natural: { username: key },
  origin: 'created',
  protect: false,
  fields: { username: '0'.repeat(20) },
  given: {},
  seen: 63_900_000_000,
  appliedMs: 1,
  ...more,
});

const startLine = (run: string, more: Partial<StartLine> = {}): StartLine => ({
  line: 'start',
  version: 1,
  run,
  what: 'apply',
  atMs: 1_700_000_000_000,
  pid: 1,
  account: { id: account.accountId, name: 'acme', origin: account.origin },
  owner: account.accountId,
  part: 1,
  parts: 1,
  user: 'admin',
  set: 'office.yaml',
  salt: '5a'.repeat(16),
  inputs: [],
  options: {},
  steps: [loggedStep({ key: 'users.a', kind: 'users', action: 'create', label: 'user a' })],
  ...more,
});

const done: readonly LogLine[] = [
  { line: 'begin', key: 'users.a', action: 'create' },
  { line: 'end', key: 'users.a', ok: true, id: 'a', requestId: 'r1' },
  { line: 'finish', atMs: 1_700_000_000_001, done: 1, failed: 0, skipped: 0 },
];

/** Writes a complete run and returns its number. */
async function writeRun(
  { log }: State,
  more: Partial<StartLine> = {},
  lines: readonly LogLine[] = done,
): Promise<string> {
  const run = await log.begin();
  for (const line of [startLine(run.id, more), ...lines]) await run.write(line);
  await run.flush();
  await run.close();
  return run.id;
}

/** Longer than any lock of these tests is held. */
const wait: LockWait = {
  signal: new AbortController().signal,
  who: 'alice@laptop',
  forMs: 60_000,
  waiting: () => undefined,
};

const rollout: RolloutStart & { readonly state: 'running' } = {
  ...{ version: 1, what: 'apply', atMs: 1_700_000_000_000, who: 'alice@laptop', state: 'running' },
  ...{ origin: account.origin, ownerId: account.accountId, set: 'office.yaml' },
  inputs: [{ name: 'office.yaml', sha256: 'ab' }],
  options: { file: ['office.yaml'] },
  waves: [1, 1199],
  ...{ pauseMs: 0, maxFailures: { percent: 1 }, maxDeletesTotal: 5, charges: 'none' },
};

/** More accounts than are read or written at once. */
const rolled: readonly RolloutAccount[] = Array.from({ length: 1200 }, (_, index) => ({
  ...{ position: index + 1, wave: index === 0 ? 1 : 2, accountId: String(index).padStart(32, '0') },
  ...{ word: `account ${index}`, state: 'waiting' as const, tries: 0, runs: [] },
}));

async function collect<T>(things: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const thing of things) found.push(thing);
  return found;
}

/** Makes all other processes appear dead. */
const processes = {
  pid: 1,
  machine: () => 'here',
  isAlive: () => false,
  identityOf: () => undefined,
  hasEnded: () => false,
};

/** Tests for every kind of state. `openState` opens an empty one for each test. */
export function stateSuite(
  name: string,
  openState: (processes?: Partial<Processes>) => Promise<OpenedState>,
): void {
  describe(`ledgers in ${name}`, () => {
    test('are read unchanged and sorted by every process', async () => {
      const { state, other } = await openState();
      const ledger = state.ledger(account);
      expect(await ledger.read()).toBeUndefined();
      for (const key of ['users.c', 'users.a', 'users.b'])
        await ledger.update(() => ({ put: [entry(key), entry(key, 'other')] }));
      const read = await other.ledger(account).read();
      expect(read).toEqual(await ledger.read());
      expect(read).toMatchObject({ version: 1, ...account });
      expect(read?.entries.map(({ set, key }) => `${set} ${key}`)).toEqual([
        'office.yaml users.a',
        'office.yaml users.b',
        'office.yaml users.c',
        'other users.a',
        'other users.b',
        'other users.c',
      ]);
      expect(read?.entries[0]).toEqual(entry('users.a'));
    });

    test('have a separate salt for each account of each service', async () => {
      const { state } = await openState();
      const ledgers: Ledger[] = [];
      for (const each of [account, below, elsewhere])
        ledgers.push(await state.ledger(each).update(() => ({ put: [entry('users.a')] })));
      expect(new Set(ledgers.map(({ salt }) => salt)).size).toBe(3);
      for (const { salt } of ledgers) expect(salt).toMatch(/^[0-9a-f]{32}$/);
    });

    test('keep the entries of concurrent writers', async () => {
      const { state, other } = await openState();
      const names = Array.from({ length: 8 }, (_, index) => `users.u${index}`);
      await Promise.all(
        names.map((key, index) =>
          (index % 2 === 0 ? state : other)
            .ledger(account)
            .update(() => ({ put: [entry(key)], source: { set: key, path: '/m.yaml' } })),
        ),
      );
      const ledger = await state.ledger(account).read();
      expect(ledger?.entries.map(({ key }) => key)).toEqual(names);
      expect(Object.keys(ledger?.sources ?? {}).sort()).toEqual(names);
    });

    test('drop removed entries, keep the last five sources of a set, and record lists that ignore filters', async () => {
      const { state } = await openState();
      const ledger = state.ledger(account);
      await ledger.update(() => ({
        put: [entry('users.a'), entry('users.b')],
        unfiltered: new Set(['users']),
      }));
      for (let index = 0; index < 7; index += 1)
        await ledger.update(() => ({ put: [], source: { set: 's', path: `/m/${index}.yaml` } }));
      await ledger.update(() => ({ put: [], removed: [{ set: 'office.yaml', key: 'users.a' }] }));
      expect(await ledger.read()).toMatchObject({
        unfiltered: ['users'],
        sources: { s: [2, 3, 4, 5, 6].map((index) => `/m/${index}.yaml`) },
        entries: [{ key: 'users.b' }],
      });
    });

    test('are recovered once from the log of an interrupted run', async () => {
      const { state, other } = await openState();
      const ledger = state.ledger(account);
      const { salt } = await ledger.update(() => ({ put: [entry('users.gone')] }));
      const run = await writeRun(
        state,
        {
          salt,
          steps: [
            { key: 'users.a', kind: 'users', action: 'create', label: 'user a' },
            { key: 'users.gone', kind: 'users', action: 'delete', label: 'user gone' },
            { key: 'users.c', kind: 'users', action: 'create', label: 'user c' },
          ],
        },
        [
          { line: 'begin', key: 'users.a', action: 'create' },
          { line: 'end', key: 'users.a', ok: true, id: 'a', entry: entry('users.a') },
          { line: 'begin', key: 'users.gone', action: 'delete' },
          { line: 'end', key: 'users.gone', ok: true },
          { line: 'begin', key: 'users.c', action: 'create' },
        ],
      );
      await ledger.setBehind(run);
      expect(await other.ledger(account).behind()).toBe(run);
      expect(await other.ledger(below).behind()).toBeUndefined();
      await recoverLedger({ log: other.log, processes }, other.ledger(account));
      expect((await ledger.read())?.entries).toEqual([entry('users.a')]);
      expect(await ledger.behind()).toBeUndefined();
    });

    test('are recovered only from changes of their account, without hashes of another salt', async () => {
      const { state, other } = await openState();
      const ledger = state.ledger(account);
      const { salt } = await ledger.update(() => ({ put: [entry('users.kept')] }));
      const parts = [below, elsewhere, account].map(({ accountId, origin }, index) => ({
        ...{ account: { id: accountId, name: 'acme', origin }, salt: index === 2 ? '00' : salt },
        ...{ part: index + 1, parts: 3 },
      }));
      const [first, ...others] = parts;
      const endLine = (key: string): LogLine => ({ line: 'end', key, ok: true, id: 'a', entry: entry(key) });
      const steps: StartLine['steps'] = [
        { key: 'users.kept', kind: 'users', action: 'delete', label: 'user kept' },
        { key: 'users.a', kind: 'users', action: 'create', label: 'user a' },
      ];
      const deleted: LogLine = { line: 'end', key: 'users.kept', ok: true };
      const run = await writeRun(state, { ...first, steps }, [
        ...[deleted, endLine('users.a')],
        ...others.flatMap((more): readonly LogLine[] => [
          startLine('1', { ...more, steps: more === parts[2] ? steps.slice(1) : steps }),
          ...(more === parts[2] ? [] : [deleted]),
          endLine('users.a'),
        ]),
      ]);
      await ledger.setBehind(run);
      await recoverLedger({ log: other.log, processes }, other.ledger(account));
      expect((await ledger.read())?.entries).toEqual([
        entry('users.a', undefined, { fields: {}, seen: 0 }),
        entry('users.kept'),
      ]);
      await expect(
        recoverLedger({ log: other.log, processes }, other.ledger(below)),
      ).resolves.toBeUndefined();
      expect(await other.ledger(below).read()).toBeUndefined();
    });

    test('and runs are only imported if they do not exist', async () => {
      const { state, other } = await openState();
      const ledger = await state.ledger(account).update(() => ({ put: [entry('users.a')] }));
      await other.ledger(below).take({ ...ledger, ...below });
      expect((await state.ledger(below).read())?.entries).toEqual([entry('users.a')]);
      const id = await writeRun(state);
      const whole = { lines: [startLine(id), ...done], damaged: 0, begun: true };
      await other.log.take({ ...whole, id: '40' });
      for (const take of [
        () => other.ledger(account).take({ ...ledger, entries: [] }),
        () => other.log.take({ ...whole, id, lines: whole.lines.slice(0, 1) }),
        () => other.log.take({ ...whole, id: '40', lines: whole.lines.slice(0, 1) }),
      ])
        expect((await failureOf(take())).message).toMatch(/already/);
      expect((await state.ledger(account).read())?.entries).toEqual([entry('users.a')]);
      expect((await readRun({ log: state.log, processes }, id))?.parts[0]?.steps).toHaveLength(1);
      expect(Number(await writeRun(state))).toBe(41);
    });
  });

  describe(`locks in ${name}`, () => {
    test('exclude others until released, and report their holder', async () => {
      const { state, other } = await openState();
      const lease = await state.lock(account, wait);
      const apart = await other.lock(below, wait);
      const order: string[] = [];
      let told: (holder: string | undefined) => void = () => undefined;
      const waits = new Promise<string | undefined>((resolve) => {
        told = resolve;
      });
      const second = other.lock(account, { ...wait, waiting: told }).then((held) => {
        order.push('second');
        return held;
      });
      expect(await waits).toMatch(/alice@laptop .*process \d+.*since 20/);
      order.push('released');
      await lease?.release();
      await (await second)?.release();
      await apart?.release();
      expect(order).toEqual(['released', 'second']);
    });

    test('are waited for until the timeout or an interrupt', async () => {
      const { state, other } = await openState();
      const lease = await state.lock(account, wait);
      const stop = new AbortController();
      const waiting = other.lock(account, { ...wait, signal: stop.signal, waiting: () => stop.abort() });
      await expect(waiting).rejects.toThrow();
      expect(await other.lock(account, { ...wait, forMs: 20 })).toBeUndefined();
      await lease?.release();
      const next = await other.lock(account, { ...wait, forMs: 0 });
      expect(next).toBeDefined();
      await next?.release();
    });

    test.runIf(process.platform === 'linux')('of a killed process are available immediately', async () => {
      const child = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1000)']);
      const pid = child.pid ?? 0;
      const identity = others.identityOf(pid);
      const { state, other } = await openState({ pid, identityOf: () => identity });
      const lease = await state.lock(account, wait);
      expect(await other.lock(account, { ...wait, forMs: 0 })).toBeUndefined();
      child.kill('SIGKILL');
      await once(child, 'exit');
      const told = vi.fn();
      const taken = await other.lock(account, { ...wait, forMs: 0, waiting: told });
      expect([lease, taken]).toEqual([expect.anything(), expect.anything()]);
      expect(told).not.toHaveBeenCalled();
      expect(await other.lock(account, { ...wait, forMs: 0 })).toBeUndefined();
      await taken?.release();
    });

    test('that were lost prevent further changes, but results are still recorded', async () => {
      const { state, loseLocks } = await openState();
      const lease = await state.lock(account, wait);
      const run = await state.log.begin();
      await run.write(startLine(run.id));
      await run.write({ line: 'begin', key: 'users.a', action: 'create' });
      await loseLocks();
      const failure = await failureOf(run.write({ line: 'begin', key: 'users.b', action: 'create' }));
      expect([failure.kind, failure.message]).toEqual([
        'conflict',
        expect.stringMatching(
          new RegExp(`^The lock on account ${account.accountId} was lost: .* Nothing more was sent.$`),
        ),
      ]);
      await run.write({ line: 'end', key: 'users.a', ok: true, id: 'a' });
      await run.close();
      await lease?.release();
      expect(await readRun({ log: state.log, processes }, run.id)).toMatchObject({
        parts: [{ steps: [{ planned: { key: 'users.a' }, end: { ok: true } }] }],
      });
      // The new holder continues.
      await (await state.lock(account, wait))?.release();
      await writeRun(state);
    });
  });

  describe(`the log in ${name}`, () => {
    test('numbers runs in order, even if they begin concurrently', async () => {
      const { state, other } = await openState();
      const first = await writeRun(state);
      const more = await Promise.all([state, other, state, other].map((each) => writeRun(each)));
      const ids = [first, ...more].map(Number).toSorted((one, two) => one - two);
      expect(ids).toEqual([1, 2, 3, 4, 5]);
      expect(await other.log.ids()).toEqual(ids.map(String));
    });

    test('returns runs to every process, newest first', async () => {
      const { state, other } = await openState();
      await writeRun(state, { user: 'first' });
      const last = await writeRun(state, { user: 'last' });
      const users: (string | undefined)[] = [];
      for await (const { user } of newestRuns({ log: other.log, processes }, {})) users.push(user);
      expect(users).toEqual(['last', 'first']);
      expect(await readRun({ log: other.log, processes }, last)).toMatchObject({
        run: last,
        state: 'finished',
        parts: [{ steps: [{ planned: { key: 'users.a' }, end: { ok: true, requestId: 'r1' } }] }],
      });
      expect(await readRun({ log: other.log, processes }, '99')).toBeUndefined();
    });

    test('shows a running run, and marks it unfinished after its process ends', async () => {
      const { state, other } = await openState();
      const run = await state.log.begin();
      await run.write(startLine(run.id, { pid: 2 }));
      await run.write({ line: 'begin', key: 'users.a', action: 'create' });
      const seen = (isAlive: boolean) =>
        readRun({ log: other.log, processes: { ...processes, isAlive: () => isAlive } }, run.id);
      expect(await seen(true)).toMatchObject({ state: 'running', parts: [{ steps: [{ end: undefined }] }] });
      expect((await seen(false))?.state).toBe('unfinished');
      await run.close();
    });

    test('finds the runs that an account started or that changed it', async () => {
      const { state } = await openState();
      const runs = { log: state.log, processes };
      const of = (each: Account, owner?: string) => ({
        account: { id: each.accountId, name: 'x', origin: each.origin },
        ...(owner === undefined ? {} : { owner }),
      });
      const own = await writeRun(state, of(account));
      const inside = await writeRun(state, of(below, account.accountId));
      await writeRun(state, of(elsewhere));
      const found = async (each: Account) => {
        const ids: string[] = [];
        for await (const { run } of newestRuns(runs, { account: each })) ids.push(run);
        return ids;
      };
      expect(await found(account)).toEqual([inside, own]);
      expect(await found(below)).toEqual([inside]);
      expect(await findRun(runs, account, own)).toMatchObject({ run: own });
      const failure = await failureOf(findRun(runs, account, '77'));
      expect([failure.kind, failure.message]).toEqual(['not_found', 'There is no run "77".']);
    });

    test('finds the run to resume: the last unfinished run that was not replaced', async () => {
      const { state } = await openState();
      const runs = { log: state.log, processes };
      const cut = done.slice(0, 1);
      const first = await writeRun(state, { set: 'one' }, cut);
      expect(await resumableRun(runs, account)).toMatchObject({ run: first, state: 'unfinished' });
      await writeRun(state, { set: 'two' });
      expect(await resumableRun(runs, account)).toMatchObject({ run: first });
      await writeRun(state, { what: 'undo', undoes: first, set: 'one' });
      expect(await resumableRun(runs, account)).toBeUndefined();
    });

    test('reports unreadable runs, and ignores runs without a start', async () => {
      const { state } = await openState();
      const run = await state.log.begin();
      await run.write({ line: 'finish', atMs: 1, done: 0, failed: 0, skipped: 0 });
      await run.close();
      await (await state.log.begin()).close();
      const unreadable: string[] = [];
      expect(
        await collect(newestRuns({ log: state.log, processes }, {}, (id) => unreadable.push(id))),
      ).toEqual([]);
      expect(unreadable).toEqual([run.id]);
    });
  });

  describe(`plans in ${name}`, () => {
    test('are read unchanged, and can be replaced', async () => {
      const { state, other, planName } = await openState();
      expect(await state.plans.read(planName)).toBeUndefined();
      for (const text of ['{"a":1}\n', '{"b":2}\n']) {
        await state.plans.write(planName, text);
        expect(await other.plans.read(planName)).toBe(text);
      }
    });
  });

  const idsIn = async (
    { rollouts }: State,
    filter?: Parameters<State['rollouts']['newest']>[0],
  ): Promise<readonly string[]> => (await collect(rollouts.newest(filter))).map(({ id }) => id);

  describe(`rollouts in ${name}`, () => {
    test('are read unchanged by every process, and can be filtered by state and service', async () => {
      const { state, other } = await openState();
      const id = await state.rollouts.begin(rollout, rolled);
      expect(await idsIn(other)).toEqual([id]);
      expect(await other.rollouts.read(id)).toEqual({
        ...rollout,
        ...{ id, wave: 1, deletes: 0, charged: '0', writer: await other.user() },
      });
      expect(await collect(other.rollouts.accounts(id))).toEqual(rolled);
      expect(await other.rollouts.read('99')).toBeUndefined();
      const next = await other.rollouts.begin(rollout, rolled.slice(0, 1));
      expect(await idsIn(state)).toEqual([next, id]);
      await state.rollouts.change(id, () => ({ state: 'cancelled' }));
      expect(await idsIn(other, { state: 'running' })).toEqual([next]);
      expect(await idsIn(other, { state: 'cancelled' })).toEqual([id]);
      const far = 'https://far.example';
      const elsewhere = await state.rollouts.begin({ ...rollout, origin: far }, rolled.slice(0, 1));
      expect(await idsIn(other, { origin: far })).toEqual([elsewhere]);
      expect(await idsIn(other, { origin: rollout.origin })).toEqual([next, id]);
    });

    test('store the result of each account from any process', async () => {
      const { state, other } = await openState();
      const id = await state.rollouts.begin(rollout, rolled);
      const [first, second] = rolled;
      if (!first || !second) throw new Error('An account is missing.');
      await state.rollouts.put(id, { ...first, state: 'running', tries: 1, worker: 'alice@laptop' });
      await state.rollouts.close();
      await other.rollouts.put(id, { ...first, state: 'running', tries: 2, worker: 'bob@desk', runs: ['4'] });
      await other.rollouts.put(id, {
        ...first,
        ...{ state: 'done', tries: 2, worker: 'bob@desk', counts: { created: 3 }, runs: ['4'] },
      });
      expect(await state.rollouts.account(id, 1)).toMatchObject({ state: 'done', runs: ['4'] });
      expect(await state.rollouts.counts(id)).toEqual(
        expect.arrayContaining([
          { wave: 1, state: 'done', count: 1 },
          { wave: 2, state: 'waiting', count: rolled.length - 1 },
        ]),
      );
      const waiting = state.rollouts.accounts(id, { wave: 2, states: ['waiting', 'running'] });
      expect((await collect(waiting)).map(({ position }) => position)).toEqual(
        rolled.slice(1).map(({ position }) => position),
      );
    });

    test('ignore results of older attempts, and let only one process begin the next attempt', async () => {
      const { state, other } = await openState();
      const id = await state.rollouts.begin(rollout, rolled.slice(0, 2));
      const [first] = rolled;
      if (!first) throw new Error('An account is missing.');
      const begun = (tries: number, worker: string) => ({
        ...first,
        ...({ state: 'running', tries, worker } as const),
      });
      const slow = begun(1, 'slow');
      const put = (who: typeof state, account: RolloutAccount) => who.rollouts.put(id, account);
      expect(await put(state, slow)).toBe(true);
      expect(await put(other, begun(1, 'quick'))).toBe(false);
      // Another process restarts, logs and completes the interrupted work. Then the first process returns.
      const next = begun(2, 'quick');
      expect(await put(other, next)).toBe(true);
      expect(await put(other, { ...next, runs: ['7'] })).toBe(true);
      expect(await put(state, { ...slow, runs: ['5'] })).toBe(false);
      expect(await put(other, { ...next, runs: ['7'], state: 'done' })).toBe(true);
      for (const late of [{ ...slow, state: 'failed' as const }, begun(2, 'slow'), begun(3, 'slow'), slow])
        expect(await put(state, late)).toBe(false);
      for (const each of [state, other])
        expect(await each.rollouts.account(id, 1)).toMatchObject({ state: 'done', tries: 2, runs: ['7'] });
    });

    test('start no account after they are cancelled, but store results of running ones', async () => {
      const { state, other } = await openState();
      const id = await state.rollouts.begin(rollout, rolled.slice(0, 3));
      const [one, two, three] = rolled.map((each) => ({
        ...each,
        ...({ state: 'running', tries: 1, worker: 'alice@laptop' } as const),
      }));
      if (!one || !two || !three) throw new Error('An account is missing.');
      await state.rollouts.put(id, one);
      await state.rollouts.put(id, { ...one, runs: ['1'] });
      await state.rollouts.put(id, two);
      await other.rollouts.change(id, () => ({ state: 'cancelled' }));
      expect(await state.rollouts.put(id, { ...one, runs: ['1'], state: 'done' })).toBe(true);
      expect(await state.rollouts.put(id, { ...two, runs: ['2'] })).toBe(false);
      expect(await state.rollouts.put(id, { ...two, state: 'waiting' })).toBe(true);
      expect(await state.rollouts.put(id, three)).toBe(false);
      const found = await collect(other.rollouts.accounts(id));
      expect(found.map((each) => [each.state, each.runs])).toEqual([
        ['done', ['1']],
        ['waiting', []],
        ['waiting', []],
      ]);
    });

    test('are changed by one process at a time, so limits are not exceeded', async () => {
      const { state, other } = await openState();
      const id = await state.rollouts.begin(rollout, rolled);
      const takes = Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? state : other).rollouts.change(id, ({ deletes }) =>
          deletes < 5 ? { deletes: deletes + 1 } : undefined,
        ),
      );
      const taken = await Promise.all(takes);
      expect(taken.filter((each) => each !== undefined)).toHaveLength(5);
      expect(await other.rollouts.read(id)).toMatchObject({ deletes: 5, state: 'running' });
    });
  });
}
