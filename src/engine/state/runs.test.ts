import { describe, expect, test } from 'vitest';
import type { EndLine, FinishLine, LoggedStep, LogLine, StartLine } from './log.ts';
import { countsOfRun, findRun, newestRuns, type Runs, readRun, resumableRun } from './runs.ts';
import type { Log, LogFilter, StoredRun } from './state.ts';

const account = { id: 'a'.repeat(32), name: 'acme', origin: 'https://api.example' };
const owner = { accountId: account.id, origin: account.origin };

const step = (key: string, more: Partial<LoggedStep> = {}): LoggedStep => ({
  ...{ key, kind: 'menus', action: 'create', label: `menu ${key}`, ...more },
});

const start = (more: Partial<StartLine> = {}): StartLine => ({
  ...{ line: 'start', version: 2, run: '1', what: 'apply', atMs: 1, pid: 7, account, machine: 'here' },
  ...{ part: 1, parts: 1, user: 'admin', set: 'office', salt: 's', inputs: [], options: {}, steps: [] },
  ...more,
});
const begin = (key: string): LogLine => ({ line: 'begin', key, action: 'create' });
const end = (key: string, kind?: NonNullable<EndLine['error']>['kind']): LogLine =>
  kind === undefined
    ? { line: 'end', key, ok: true, id: key }
    : { line: 'end', key, ok: false, error: { kind, message: kind } };
const finish = (more: Partial<FinishLine> = {}): LogLine => ({
  ...{ line: 'finish', atMs: 2, done: 1, failed: 0, skipped: 0, ...more },
});

/** A log of runs, newest last, on a machine on which processes 8 and 9 live, 9 as `nine`. */
function runsOf(stored: readonly StoredRun[]): Runs {
  const log: Pick<Log, 'read' | 'newest'> = {
    read: async (id) => stored.find((run) => run.id === id),
    async *newest(_: LogFilter = {}) {
      yield* stored.toReversed();
    },
  };
  return {
    // The functions that are asked for here need no more of it.
    log: log as Log,
    processes: {
      pid: 5,
      machine: () => 'here',
      isAlive: (pid) => pid === 8 || pid === 9,
      identityOf: (pid) => (pid === 9 ? 'nine' : undefined),
      hasEnded: (process) => process === 'gone',
    },
  };
}
const stored = (id: string, lines: readonly LogLine[], more: Partial<StoredRun> = {}): StoredRun => ({
  ...{ id, lines, damaged: 0, begun: lines.length > 0, ...more },
});

describe('the state of a run', () => {
  const one = start({ steps: [step('a')] });
  const rows: readonly (readonly [string, readonly LogLine[], Partial<StoredRun>])[] = [
    ['finished', [one, begin('a'), end('a'), finish()], {}],
    ['finished', [start({ what: 'command' }), begin('a'), end('a'), finish()], {}],
    ['partial', [one, begin('a'), end('a', 'failed'), finish({ failed: 1 })], {}],
    ['partial', [one, finish({ skipped: 1 })], {}],
    ['declined', [one, begin('a'), end('a', 'charges'), finish({ failed: 1 })], {}],
    ['refused', [one, begin('a'), end('a', 'invalid'), finish({ failed: 1 })], {}],
    ['refused', [one, begin('a'), end('a', 'conflict'), finish({ failed: 1 })], {}],
    [
      'partial',
      [
        start({ steps: [step('a'), step('b')] }),
        ...[begin('a'), end('a', 'charges'), begin('b'), end('b', 'invalid'), finish({ failed: 2 })],
      ],
      {},
    ],
    ['interrupted', [one, begin('a'), end('a'), finish({ interrupted: true })], {}],
    ['interrupted', [one, finish({ skipped: 1, interrupted: true })], {}],
    // A part for each account: all of them have to be there, and to have ended.
    ['partial', [start({ parts: 2, steps: [step('a')] }), begin('a'), end('a'), finish()], {}],
    ['unfinished', [one, begin('a'), end('a'), finish(), start({ part: 2, parts: 2 })], {}],
    ['finished', [start({ what: 'command', parts: 2 }), start({ what: 'command', part: 2 }), finish()], {}],
    // Who goes on: a process of this machine that lives, and every process of another one.
    ['unfinished', [one, begin('a')], {}],
    ['running', [start({ pid: 8 })], {}],
    ['unfinished', [start({ pid: 5 })], {}],
    ['running', [start({ machine: 'there' })], {}],
    ['unfinished', [start({ machine: 'there' })], { alive: false }],
    ['unfinished', [start({ machine: 'there', process: 'gone' })], { alive: true }],
    ['running', [start({ pid: 9, process: 'nine' })], {}],
    ['unfinished', [start({ pid: 9, process: 'another' })], {}],
    ['running', [start({ pid: 9, process: 'another' })], { alive: true }],
    ['unfinished', [start({ pid: 8 })], { alive: false }],
  ];
  test.each(rows)('is %s', async (state, lines, more) => {
    expect(await readRun(runsOf([stored('1', lines, more)]), '1')).toMatchObject({ run: '1', state });
  });
});

test('counts done, failed and remaining objects without counting release steps', async () => {
  const late = step('a late', { completes: 'a', action: 'update' });
  const room = step('b room', { releases: 'b', action: 'update' });
  const steps = [step('a'), late, step('b'), room];
  const run = async (...lines: readonly LogLine[]) => {
    const found = await readRun(runsOf([stored('1', [start({ steps }), ...lines])]), '1');
    return found && Object.values(countsOfRun(found));
  };
  const all = ['a', 'a late', 'b room', 'b'].flatMap((key) => [begin(key), end(key)]);
  expect(await run(...all, finish())).toEqual([2, 0, 0]);
  expect(await run(begin('a'), end('a'))).toEqual([1, 0, 2]);
  expect(await run(begin('a'), end('a'), begin('a late'), end('a late', 'failed'))).toEqual([1, 1, 1]);
  expect(await run(begin('a'), end('a', 'failed'))).toEqual([0, 1, 1]);
  expect(await run()).toEqual([0, 0, 2]);
});

test('finds runs by number and reports unreadable ones', async () => {
  const runs = runsOf([stored('12', [start({ run: '12' })]), stored('13', [])]);
  expect((await findRun(runs, owner, '12')).run).toBe('12');
  await expect(findRun(runs, owner, '21')).rejects.toMatchObject({
    kind: 'not_found',
    message: expect.stringContaining('There is no run "21".'),
  });
  const unreadable: string[] = [];
  const read: string[] = [];
  const odd = runsOf([stored('1', [], { begun: true, damaged: 1 }), stored('2', []), stored('3', [start()])]);
  for await (const { run } of newestRuns(odd, {}, (id) => unreadable.push(id))) read.push(run);
  expect([read, unreadable]).toEqual([['3'], ['1']]);
});

describe('the run to resume', () => {
  const cut = (set = 'office') => [start({ set, steps: [step('a')] }), begin('a')];
  const whole = (set = 'office') => [...cut(set), end('a'), finish()];
  const undo = (undoes: string) => [start({ what: 'undo', undoes, set: '' }), finish()];
  const rows: readonly (readonly [string, string | undefined, readonly (readonly LogLine[])[]])[] = [
    ['the last unfinished run', '2', [whole(), cut()]],
    ['no run if the last one finished', undefined, [cut(), whole()]],
    ['an unfinished run of another set', '1', [cut('shop'), whole()]],
    ['no run if it was reversed', undefined, [cut(), undo('1')]],
    ['an earlier run if the last one was reversed', '1', [cut(), whole('shop'), undo('2')]],
    ['never the run of a command', undefined, [[start({ what: 'command' }), begin('a')]]],
  ];
  test.each(rows)('is %s', async (_, expected, each) => {
    const runs = runsOf(each.map((lines, index) => stored(String(index + 1), lines)));
    expect((await resumableRun(runs, owner))?.run).toBe(expected);
  });
});
