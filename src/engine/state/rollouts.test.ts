import { expect, test } from 'vitest';
import {
  type AccountState,
  canReplaceAccount,
  countAccounts,
  matchesAccountFilter,
  type RolloutAccount,
  type RolloutProgress,
} from './rollouts.ts';

const account = (more: Partial<RolloutAccount> = {}): RolloutAccount => ({
  ...{ position: 1, wave: 1, accountId: 'a'.repeat(32), word: 'north', state: 'waiting', tries: 0, runs: [] },
  ...more,
});
const at = (state: AccountState, tries: number, worker: string, more: Partial<RolloutAccount> = {}) =>
  account({ state, tries, worker, ...more });

// What is known, what a process says, and whether it is kept while the rollout runs, and when it was cancelled.
const rows: readonly (readonly [string, RolloutAccount, RolloutAccount, boolean, boolean])[] = [
  ['the same state again', at('done', 1, 'a'), at('done', 1, 'a'), true, true],
  ['a first attempt', account(), at('running', 1, 'a'), true, false],
  ['a retry of an interrupted account', at('running', 1, 'a'), at('running', 2, 'b'), true, false],
  ['an attempt at a finished account', at('done', 1, 'a'), at('running', 2, 'b'), false, false],
  ['an attempt that skips a number', account(), at('running', 2, 'a'), false, false],
  ['an older attempt', at('running', 2, 'b'), at('done', 1, 'a'), false, false],
  ['the success of an attempt', at('running', 1, 'a'), at('done', 1, 'a'), true, true],
  ['the failure of an attempt', at('running', 1, 'a'), at('failed', 1, 'a'), true, true],
  ['a success reported by another process', at('running', 1, 'a'), at('done', 1, 'b'), false, false],
  ['a failure after a success', at('done', 1, 'a'), at('failed', 1, 'a'), false, false],
  ['a failed account reset to waiting', at('failed', 1, 'a'), at('waiting', 1, 'a'), true, true],
  ['a success after a failure', at('failed', 1, 'a'), at('done', 1, 'a'), false, false],
  ['a finished account reset to waiting', at('done', 1, 'a'), at('waiting', 1, 'a'), true, true],
  ['a finished account reset by another process', at('done', 1, 'a'), at('waiting', 1, 'b'), false, false],
  ['a failed account reset by another process', at('failed', 1, 'a'), at('waiting', 1, 'b'), false, false],
  [
    'a failed account whose run was reversed',
    at('failed', 1, 'a', { runs: ['7'] }),
    at('failed', 1, 'a', { tookMs: 3 }),
    true,
    true,
  ],
  ['the start of a run', at('running', 1, 'a'), at('running', 1, 'a', { runs: ['7'] }), true, false],
  [
    'a success after a recorded run',
    at('running', 1, 'a', { runs: ['7'] }),
    at('done', 1, 'a', { runs: ['7'] }),
    true,
    true,
  ],
  [
    'a success with an unrecorded run',
    at('running', 1, 'a'),
    at('done', 1, 'a', { runs: ['7'] }),
    true,
    true,
  ],
];

test.each(rows)(
  'decides whether a report replaces the known state: %s',
  (_, known, said, whileRunning, whenCancelled) => {
    const states: readonly RolloutProgress['state'][] = ['running', 'cancelled', 'stopped', 'finished'];
    expect(states.map((state) => canReplaceAccount(said, known, state))).toEqual([
      ...[whileRunning, whenCancelled, whenCancelled, whenCancelled],
    ]);
  },
);

test('counts accounts by wave and state, and filters by both', () => {
  const all = [account(), account({ wave: 2 }), at('done', 1, 'a'), at('done', 1, 'a')];
  expect(countAccounts(all)).toEqual([
    { wave: 1, state: 'waiting', count: 1 },
    { wave: 2, state: 'waiting', count: 1 },
    { wave: 1, state: 'done', count: 2 },
  ]);
  expect(all.filter((each) => matchesAccountFilter(each, { wave: 1 }))).toHaveLength(3);
  expect(all.filter((each) => matchesAccountFilter(each, { wave: 1, states: ['waiting'] }))).toHaveLength(1);
  expect(all.filter((each) => matchesAccountFilter(each, {}))).toHaveLength(4);
});
