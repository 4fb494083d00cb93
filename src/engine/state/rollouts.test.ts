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
  ['the same once more', at('done', 1, 'a'), at('done', 1, 'a'), true, true],
  ['a first attempt', account(), at('running', 1, 'a'), true, false],
  ['an attempt of one that was cut off', at('running', 1, 'a'), at('running', 2, 'b'), true, false],
  ['an attempt of one that is done', at('done', 1, 'a'), at('running', 2, 'b'), false, false],
  ['an attempt that leaves one out', account(), at('running', 2, 'a'), false, false],
  ['an older attempt', at('running', 2, 'b'), at('done', 1, 'a'), false, false],
  ['the end of the attempt', at('running', 1, 'a'), at('done', 1, 'a'), true, true],
  ['its failure', at('running', 1, 'a'), at('failed', 1, 'a'), true, true],
  ['the end that another process says', at('running', 1, 'a'), at('done', 1, 'b'), false, false],
  ['another end', at('done', 1, 'a'), at('failed', 1, 'a'), false, false],
  ['a failure that waits again', at('failed', 1, 'a'), at('waiting', 1, 'a'), true, true],
  ['a failure that is done', at('failed', 1, 'a'), at('done', 1, 'a'), false, false],
  ['what is done and waits again', at('done', 1, 'a'), at('waiting', 1, 'a'), true, true],
  ['another process that would have it wait', at('done', 1, 'a'), at('waiting', 1, 'b'), false, false],
  ['a failure that another one would have wait', at('failed', 1, 'a'), at('waiting', 1, 'b'), false, false],
  [
    'a failure whose run was reversed',
    at('failed', 1, 'a', { runs: ['7'] }),
    at('failed', 1, 'a', { tookMs: 3 }),
    true,
    true,
  ],
  ['a run that is begun', at('running', 1, 'a'), at('running', 1, 'a', { runs: ['7'] }), true, false],
  [
    'the end after a run',
    at('running', 1, 'a', { runs: ['7'] }),
    at('done', 1, 'a', { runs: ['7'] }),
    true,
    true,
  ],
  ['an end with a run nobody noted', at('running', 1, 'a'), at('done', 1, 'a', { runs: ['7'] }), true, true],
];

test.each(rows)('%s', (_, known, said, whileRunning, whenCancelled) => {
  const states: readonly RolloutProgress['state'][] = ['running', 'cancelled', 'stopped', 'finished'];
  expect(states.map((state) => canReplaceAccount(said, known, state))).toEqual([
    ...[whileRunning, whenCancelled, whenCancelled, whenCancelled],
  ]);
});

test('accounts are counted by wave and state, and chosen by both', () => {
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
