import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../base/json.ts';
import type { PlannedChange } from '../../reader.ts';
import { flowSides } from './plan-flow.ts';

const step = (module: string, children: JsonObject = {}, data: JsonObject = {}): JsonObject => ({
  module,
  data,
  children,
});

/** Text by which a plan names an object of its manifest. */
const named = (key: string): string => `\${${key}}`;

/** Both flows in a line each: modules with their marks and what follows them. */
function drawn(flow: JsonObject, changes: readonly PlannedChange[]) {
  const live = { id: 'c', body: { name: 'Main', numbers: ['100'], flow } };
  const { before, after } = flowSides(
    {
      key: 'callflows.main',
      kind: 'callflows',
      label: 'Main',
      action: 'update',
      id: 'c',
      changes,
      notes: [],
    },
    live,
  );
  const lineOf = (side: typeof before): string => {
    const words = (each: JsonObject): string => {
      const mark = side?.marks.get(each);
      const children = Object.entries(Object(each.children)).map(
        ([key, child]) => `${key}: ${words(Object(child))}`,
      );
      return `${mark === undefined ? '' : `${mark} `}${String(each.module)}${children.length > 0 ? ` (${children.join(', ')})` : ''}`;
    };
    return side ? words(Object(side.callflow.body.flow)) : 'none';
  };
  return [lineOf(before), lineOf(after)];
}

test.each([
  [
    'a new branch',
    step('menu', { 1: step('user') }),
    [{ path: 'flow/2', how: 'added', after: step('user', { _: step('voicemail') }) }],
    ['menu (1: user)', 'menu (1: user, 2: new user (_: new voicemail))'],
  ],
  [
    'a branch that goes',
    step('menu', { 1: step('user', { _: step('voicemail') }), 2: step('user') }),
    [{ path: 'flow/1', how: 'removed', before: step('user') }],
    ['menu (1: gone user (_: gone voicemail), 2: user)', 'menu (2: user)'],
  ],
  [
    'branches that change places',
    step('menu', { 1: step('user'), 2: step('group') }),
    [
      { path: 'flow/1', how: 'moved', from: 'flow/2' },
      { path: 'flow/2', how: 'moved', from: 'flow/1' },
    ],
    ['menu (1: moved user, 2: moved group)', 'menu (1: moved group, 2: moved user)'],
  ],
  [
    'a step put before a flow',
    step('user', { _: step('voicemail') }),
    [
      { path: 'flow', how: 'added', after: step('menu') },
      { path: 'flow/1', how: 'moved', from: 'flow' },
    ],
    ['moved user (_: voicemail)', 'new menu (1: moved user (_: voicemail))'],
  ],
  [
    'a step taken away from before a flow',
    step('menu', { 1: step('user', { _: step('voicemail') }) }),
    [
      { path: 'flow', how: 'moved', from: 'flow/1' },
      { path: 'flow', how: 'removed', before: step('menu') },
    ],
    ['gone menu (1: moved user (_: voicemail))', 'moved user (_: voicemail)'],
  ],
  [
    'another value, and another module, of a step',
    step('menu', { 1: step('user'), 2: step('user', { _: step('hangup') }) }),
    [
      { path: 'flow/1.timeout', how: 'changed', before: 20, after: 30 },
      { path: 'flow/2', how: 'changed', before: { module: 'user' }, after: { module: 'voicemail' } },
    ],
    [
      'menu (1: changed user, 2: changed user (_: hangup))',
      'menu (1: changed user, 2: changed voicemail (_: hangup))',
    ],
  ],
] as const)('%s is drawn on both sides', (_, flow, changes, lines) => {
  expect(drawn(flow, changes)).toEqual(lines);
});

test('branches and targets of a planned flow have the ids of the live flow', () => {
  const [night, alice] = ['1'.repeat(32), '2'.repeat(32)];
  const flow = step('temporal_route', { [night]: step('user'), _: step('menu') });
  const changes = [
    { path: `flow/${named('temporal_rules.night')}.id`, how: 'changed', after: named('users.alice') },
    { path: `flow/${named('temporal_rules.new')}`, how: 'added', after: step('hangup') },
    { path: 'flow/_', how: 'removed' },
  ];
  const { after } = flowSides(
    { ...{ key: 'c', kind: 'callflows', label: 'c', action: 'update', notes: [] }, changes },
    { id: 'c', body: { numbers: ['100'], flow } },
    new Map([
      [named('temporal_rules.night'), night],
      [named('users.alice'), alice],
    ]),
  );
  expect(after?.callflow.body.flow).toMatchObject({
    children: {
      [night]: { module: 'user', data: { id: alice } },
      [named('temporal_rules.new')]: { module: 'hangup' },
    },
  });
  expect(Object.keys(Object(Object(after?.callflow.body.flow).children))).toHaveLength(2);
});

test('the planned callflow has added and removed numbers applied', () => {
  const live = { id: 'c', body: { numbers: ['100', '101'], flow: step('user') } };
  const { after } = flowSides(
    {
      ...{ key: 'c', kind: 'callflows', label: 'c', action: 'update', notes: [] },
      changes: [
        { path: 'numbers', how: 'added', after: '102' },
        { path: 'numbers', how: 'removed', before: '100' },
      ],
    },
    live,
  );
  expect(after?.callflow.body.numbers).toEqual(['101', '102']);
});
