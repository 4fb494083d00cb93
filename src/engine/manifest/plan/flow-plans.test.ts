import fc from 'fast-check';
import { expect, test } from 'vitest';
import { desiredAccount, desiredObject, ModelAccount } from '../../../../test/support/model-account.ts';
import type { JsonObject } from '../../../base/json.ts';
import { changeLines, changeText, pathText } from '../change-lines.ts';
import { referenceTo } from '../desired.ts';
import { makePlan } from '../make-plan.ts';
import type { Step } from '../plan.ts';

const user = (name: string, timeout = 20, children: JsonObject = {}): JsonObject => ({
  module: 'user',
  data: { id: referenceTo(`users.${name}`), timeout },
  children,
});
const box: JsonObject = { module: 'voicemail', data: { action: 'compose' }, children: {} };
const menu = (children: JsonObject, data: JsonObject = { id: 'menu-1' }): JsonObject => ({
  module: 'menu',
  data,
  children,
});

const people = ['alice', 'bob', 'carol'].map((name) => desiredObject('users', name, { username: name }));
const office = (flow: JsonObject) =>
  desiredAccount([...people, desiredObject('callflows', 'main', { name: 'Main', numbers: ['100'], flow })]);

/** The plan for a callflow after its live flow was made from one manifest and another one is wanted. */
function between(before: JsonObject, after: JsonObject, others?: JsonObject): Step {
  const account = new ModelAccount();
  const plan = (flow: JsonObject) =>
    makePlan({
      desired: office(flow),
      observed: account.observed(office(flow)),
      ledger: account.ledger(),
      set: 'office',
      prune: false,
      sendUnreadable: false,
    });
  account.apply(plan(before));
  if (others !== undefined) account.change('callflows.main', others);
  const wanted = plan(after);
  account.apply(wanted);
  expect(plan(after).steps.find(({ key }) => key === 'callflows.main')?.action).toBe('unchanged');
  const step = wanted.steps.find(({ key }) => key === 'callflows.main');
  if (step === undefined) throw new Error('no step');
  return step;
}

const lines = ({ changes }: Step): readonly string[] =>
  changes.map((change) => `${pathText(change.path)} ${changeText(change)}`);

test('reports a new branch with its target', () => {
  const step = between(
    menu({ 1: user('alice') }),
    menu({ 1: user('alice'), 2: user('carol', 20, { _: box }) }),
  );
  expect(lines(step)).toEqual(['flow/2 (new branch) user carol and 1 more step']);
  expect(step.send).toEqual({ flow: { children: { 2: expect.objectContaining({ module: 'user' }) } } });
});

test('removes a branch that the manifest does not contain', () => {
  const step = between(menu({ 1: user('alice', 20, { _: box }) }), menu({ 1: user('alice') }));
  expect(lines(step)).toEqual(['flow/1/_ (removed) voicemail compose']);
  expect(step.send).toEqual({ flow: { children: { 1: { children: { _: null } } } } });
});

test('reports a branch under another key as moved, with its old key', () => {
  const step = between(
    menu({ 1: user('alice'), 2: user('bob') }),
    menu({ 1: user('alice'), 5: user('bob') }),
  );
  expect(step.changes).toEqual([expect.objectContaining({ path: 'flow/5', how: 'moved', from: 'flow/2' })]);
});

test('reports swapped branches as two moves', () => {
  const step = between(
    menu({ 1: user('alice'), 2: user('bob') }),
    menu({ 1: user('bob'), 2: user('alice') }),
  );
  expect(lines(step)).toEqual([
    'flow/1 (moved from flow/2) user bob',
    'flow/2 (moved from flow/1) user alice',
  ]);
});

test('reports a step inserted before a flow as a move of the flow', () => {
  const step = between(user('alice', 20, { _: box }), menu({ 1: user('alice', 20, { _: box }) }));
  expect(lines(step)).toEqual([
    'flow (new branch) menu menu-1',
    'flow/1 (moved from flow) user alice and 1 more step',
  ]);
});

test('reports a step inserted before one of the same module as a move', () => {
  const say = (text: string, children: JsonObject = {}): JsonObject => ({
    module: 'tts',
    data: { text },
    children,
  });
  const greeting = say('Welcome', { _: say('Please wait', { _: user('alice') }) });
  const step = between(greeting, say('We moved', { _: greeting }));
  expect(lines(step)).toEqual([
    'flow (new branch) tts We moved',
    'flow/_ (moved from flow) tts Welcome and 2 more steps',
  ]);
});

test('reports the removal of the first step as a move back', () => {
  const step = between(menu({ 1: user('alice', 20, { _: box }) }), user('alice', 20, { _: box }));
  expect(lines(step)).toEqual([
    'flow (moved from flow/1) user alice and 1 more step',
    'flow (removed) menu menu-1',
  ]);
});

test('reports a changed step value as one change at its path', () => {
  const step = between(menu({ 2: user('bob', 20) }), menu({ 2: user('bob', 30) }));
  expect(lines(step)).toEqual(['flow/2 timeout 20 → 30']);
  expect(step.send).toEqual({ flow: { children: { 2: { data: { timeout: 30 } } } } });
});

test('shows another target by name', () => {
  const step = between(menu({ 2: user('bob') }), menu({ 2: user('carol') }));
  expect(lines(step)).toEqual([`flow/2 id \${users.bob} → \${users.carol}`]);
});

test('shows a ring group with its members', () => {
  const ring = (...names: readonly string[]): JsonObject => ({
    module: 'ring_group',
    data: { endpoints: names.map((name) => ({ id: `\${users.${name}}`, endpoint_type: 'user' })) },
    children: {},
  });
  const step = between(menu({ 2: user('bob') }), menu({ 2: ring('alice', 'bob') }));
  expect(lines(step)).toEqual(['flow/2 user bob → ring_group alice, bob']);
});

test('shows long texts completely, one above the other, with changed words marked', () => {
  const say = (text: string): JsonObject => ({ module: 'tts', data: { text }, children: {} });
  const closed = 'We are closed on public holidays. Please call again on the next';
  const step = between(menu({ 9: say(`${closed} working day.`) }), menu({ 9: say(`${closed} weekday.`) }));
  expect(step.changes.map(changeLines)).toEqual([
    {
      text: '',
      below: [
        { sign: '-', text: `${closed} [working day].` },
        { sign: '+', text: `${closed} [weekday].` },
      ],
    },
  ]);
});

test('reports another module as one change and removes the old data', () => {
  const step = between(
    menu({ 2: user('bob', 20, { _: box }) }),
    menu({ 2: { ...box, children: { _: box } } }),
  );
  expect(lines(step)).toEqual(['flow/2 user bob → voicemail compose']);
  expect(step.send).toEqual({
    flow: {
      children: {
        2: {
          module: 'voicemail',
          data: { id: null, timeout: null, delay: null, strategy: null, action: 'compose' },
        },
      },
    },
  });
});

test('ignores step defaults that the service adds', () => {
  const filled = {
    flow: { data: { retries: 3 }, children: { 1: { data: { can_call_self: false, timeout: '20' } } } },
  };
  const step = between(menu({ 1: user('alice') }), menu({ 1: user('alice') }), filled);
  expect(step.action).toBe('unchanged');
});

const flowOf = (depth: number): fc.Arbitrary<JsonObject> =>
  fc.record({
    module: fc.constantFrom('user', 'menu', 'hangup'),
    data: fc.dictionary(fc.constantFrom('id', 'timeout', 'text'), fc.constantFrom('a', 'b', 1, 2), {
      maxKeys: 2,
    }),
    children:
      depth === 0
        ? fc.constant({})
        : fc.dictionary(fc.constantFrom('1', '2', '_'), flowOf(depth - 1), { maxKeys: 3 }),
  });

test('the sent changes turn any flow into any other', () => {
  // `between` itself holds the account after the change against the manifest.
  fc.assert(
    fc.property(flowOf(2), flowOf(2), (before, after) => {
      const { action, changes } = between(before, after);
      expect(changes.length > 0).toBe(action === 'update');
    }),
  );
});
