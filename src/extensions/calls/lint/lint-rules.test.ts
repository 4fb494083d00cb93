import { expect, test } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { flowsOfAccount } from '../../../engine/callflows/flow-set.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import { lint } from './lint.ts';

const hangup = { module: 'hangup', data: {}, children: {} };
const step = (module: string, data: JsonObject, children: JsonObject = { _: hangup }): JsonObject => ({
  ...{ module, data, children },
});
const member = (id: string, more: JsonObject = {}) => ({ id, endpoint_type: 'user', ...more });
const weekly = { id: 'open', name: 'Open', cycle: 'weekly', wdays: ['monday'] };

/** What lint says of a callflow, beside one with the number 2001, and a temporal rule. */
function rulesOf(
  flow: JsonObject,
  { rule = weekly, patterns = [] }: { rule?: JsonObject; patterns?: readonly string[] } = {},
) {
  const other = { id: 'other', name: 'Other', numbers: ['2001'], flow: hangup };
  const own = { id: 'own', name: 'Own', numbers: ['2002'], patterns, flow };
  const sections = [
    { kind: kindByName('callflows'), records: [other, own] },
    { kind: kindByName('temporal_rules'), records: [rule] },
    { kind: kindByName('users'), records: ['u1', 'u2', 'u3'].map((id) => ({ id, username: id })) },
    {
      kind: kindByName('devices'),
      records: [
        { id: 'd1', name: 'Desk', owner_id: 'u1' },
        { id: 'd2', name: 'Wall', hotdesk: { users: { u2: {} } } },
        { id: 'd3', name: 'Off', enabled: false },
      ],
    },
    { kind: kindByName('menus'), records: [{ id: 'm', name: 'M', max_extension_length: 2 }] },
  ];
  return lint(flowsOfAccount(sections.map((section) => ({ ...section, missing: 'not all were read' })))).map(
    ({ rule: name }) => name,
  );
}

const user = (data: JsonObject) => step('user', { id: 'u1', ...data });
const group = (endpoints: readonly JsonObject[], more: JsonObject = {}) =>
  step('ring_group', { timeout: 20, endpoints, ...more });
const route = (data: JsonObject, children: JsonObject = { open: hangup, _: hangup }) =>
  step('temporal_route', data, children);

/** A row for each fault: the rule that finds it, a callflow with it and one without. */
test.each<readonly [string, string, JsonObject, JsonObject]>([
  ['a negative timeout', 'bad-value', user({ timeout: -5 }), user({ timeout: 5 })],
  ['a timeout of nothing', 'odd-time', user({ timeout: 0 }), user({ timeout: 1 })],
  ['a negative delay', 'bad-value', user({ delay: -1 }), user({ delay: 0 })],
  [
    'a delay beyond the group',
    'never-rings',
    group([member('u1', { delay: 25 })]),
    group([member('u1', { delay: 5 })]),
  ],
  [
    'a doubled endpoint',
    'endpoint-twice',
    group([member('u1'), member('u1')]),
    group([member('u1'), member('u2')]),
  ],
  [
    'an unknown zone',
    'bad-value',
    route({ rules: ['open'], timezone: 'Europe/Zurch' }),
    route({ rules: ['open'], timezone: 'Europe/Zurich' }),
  ],
  [
    'a broken expression',
    'bad-pattern',
    step('check_cid', { regex: '(' }, { match: hangup, nomatch: hangup }),
    step('check_cid', { regex: '^1' }, { match: hangup, nomatch: hangup }),
  ],
  [
    'an impossible code',
    'bad-value',
    step('response', { code: 200 }, {}),
    step('response', { code: 486 }, {}),
  ],
  ['a negative figure', 'bad-value', step('disa', { retries: -1 }, {}), step('disa', { retries: 1 }, {})],
  [
    'a negative time of a member',
    'bad-value',
    group([member('u1', { timeout: -1 })]),
    group([member('u1', { timeout: 9 })]),
  ],
  ['a phone that rings too late', 'never-rings', user({ delay: 20 }), user({ delay: 19 })],
  [
    'a turn that never comes',
    'never-rings',
    group([member('u1', { timeout: 20 }), member('u2')], { strategy: 'single' }),
    group([member('u1', { timeout: 10 }), member('u2')], { strategy: 'single' }),
  ],
  ['a user without a phone', 'not-reached', user({ id: 'u3' }), user({ id: 'u2' })],
  ['a disabled phone', 'not-reached', step('device', { id: 'd3' }), step('device', { id: 'd1' })],
  [
    'a key that is too long',
    'never-taken',
    step('menu', { id: 'm' }, { 123: hangup, _: hangup }),
    step('menu', { id: 'm' }, { 12: hangup, _: hangup }),
  ],
  [
    'a menu without a choice',
    'dead-end',
    step('menu', { id: 'm' }, { _: hangup }),
    step('menu', { id: 'm' }, { 1: hangup, _: hangup }),
  ],
  [
    'a branch that carriers never take',
    'never-taken',
    step('resources', {}),
    step('resources', {}, { USER_BUSY: hangup, 'sip:503': hangup, _: {} }),
  ],
  [
    'a mistyped cause',
    'no-such-branch',
    step('user', { id: 'u1' }, { USER_BUSSY: hangup, _: hangup }),
    step('user', { id: 'u1' }, { USER_BUSY: hangup, _: hangup }),
  ],
  [
    'a step after an end',
    'no-such-branch',
    step('transfer', { target: '2001' }),
    step('callflow', { id: 'other' }),
  ],
  [
    'a listener without leave',
    'missing-data',
    step('eavesdrop', { user_id: 'u1' }, {}),
    step('eavesdrop', { user_id: 'u1', approved_user_id: 'u2' }, {}),
  ],
  [
    'a rule without a branch',
    'never-taken',
    route({ rules: ['open'] }, { _: hangup }),
    route({ rules: ['open'] }, { open: hangup, _: hangup }),
  ],
  ['a time route without rules', 'missing-data', route({}, { _: hangup }), route({ rules: ['open'] })],
])('lint finds %s as %s, and only there', (_, rule, wrong, right) => {
  expect(rulesOf(wrong)).toContain(rule);
  expect(rulesOf(right)).toEqual([]);
});

test.each<readonly [string, JsonObject]>([
  ['a monthly rule without days', { ...weekly, cycle: 'monthly', wdays: [] }],
  ['a day that no month has', { ...weekly, cycle: 'yearly', month: 2, days: [30] }],
  ['a rule of every day', { ...weekly, wdays: [] }],
  ['a window over midnight', { ...weekly, time_window_start: 72_000, time_window_stop: 3600 }],
])('%s is an invalid rule', (_, rule) => {
  expect([...new Set(rulesOf(route({ rules: ['open'] }), { rule }))]).toEqual(['bad-rule']);
  expect(rulesOf(route({ rules: ['open'] }))).toEqual([]);
});

test('a pattern for a number of another callflow is unreachable', () => {
  expect(rulesOf(hangup, { patterns: ['^2001$'] })).toEqual(['shadowed-pattern']);
  expect(rulesOf(hangup, { patterns: ['^2003$', '^20(\\d\\d)$'] })).toEqual([]);
  expect(rulesOf(hangup, { patterns: ['20'] })).toEqual(['open-pattern']);
});

test('lint accepts the steps that can follow a parked call', () => {
  const after = { 101: hangup, MAX_SLOT_EXCEEDED: hangup, _: hangup };
  expect(rulesOf(step('park', { action: 'direct_park', slot: '101' }, after))).toEqual([]);
});

test('a sequential group can ring a member twice', () => {
  expect(rulesOf(group([member('u1'), member('u1')], { strategy: 'single' }))).toEqual([]);
});
