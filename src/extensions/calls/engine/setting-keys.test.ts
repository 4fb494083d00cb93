import { describe, expect, test } from 'vitest';
import { callOffice, step } from '../../../../test/support/office-calls.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { settingRows } from './setting-table.ts';
import type { CallInput, PhoneBehaviour } from './types.ts';

/** How a setting is tried: the call with it must differ from the call without it. */
interface Trial {
  readonly to?: string;
  /** The first step of the flow that is called, where it is not that of the number. */
  readonly first?: JsonObject;
  readonly input?: Partial<CallInput>;
  readonly people?: Readonly<Record<string, PhoneBehaviour>>;
  /** Other settings of the record. */
  readonly beside?: JsonObject;
}
type Row = readonly [kind: ResourceName | 'accounts', id: string, key: string, value: Json, trial?: Trial];

const outside = { number: '+13125550100' };
const answers: PhoneBehaviour = { does: 'answers', after: 2 };
const deny = { unknown: { action: 'deny' } };
const recorded = { inbound: { any: { enabled: true } } };
const on = { enabled: true };
const carrier: Trial = { first: step('offnet', { to_did: '+13125550199' }) };
const menu: Trial = { first: step('menu', { id: 'm1' }, { 1: step('hangup') }) };
const box: Trial = { first: step('voicemail', { id: 'v2' }), input: { leaves: 20 } };
const checked: Trial = {
  first: step('voicemail', { id: 'v2', action: 'check' }),
  input: { presses: ['77'] },
};
const queue: Trial = { first: step('acdc_member', { id: 'q1' }, { _: step('tts', { text: 'next' }) }) };
const time: Trial = {
  first: step(
    'temporal_route',
    { rules: ['r1'] },
    { r1: step('hangup'), _: step('tts', { text: 'closed' }) },
  ),
};
const room: Trial = { first: step('conference', { id: 'k1' }) };
const rooms: Trial = { first: step('conference', {}), input: { presses: ['500'] } };
const list: Trial = { first: step('directory', { id: 'i1' }), input: { presses: ['226', '1'] } };
const group: Trial = { first: step('group', { id: 'g1' }) };
const together = {
  beside: { member: { numbers: ['500'] } },
  input: { acts: [{ after: 4, does: 'calls' as const, argument: '1500', from: { device: 'd4' } }] },
};
const pair: Trial = { ...room, input: { acts: [...together.input.acts] } };
const inTalk: Trial = { people: { d2: answers }, input: { inCalls: new Set(['d2', 'd3']) } };

const party = (kind: 'users' | 'devices', id: string, own: string): readonly Row[] => [
  [kind, id, 'enabled', false],
  [kind, id, 'call_forward', { enabled: true, number: '1004' }],
  [kind, own, 'call_restriction', deny],
  [kind, own, 'caller_id', { internal: { number: '77' } }],
  [kind, own, 'caller_id.emergency', { number: '+12125550911' }, { to: '911' }],
  [kind, own, 'dial_plan', { '^(\\d{7})$': { prefix: '+1312' } }, { to: '5550199' }],
  [kind, id, 'call_recording', recorded, { people: { d2: answers } }],
  [kind, id, 'call_waiting', { enabled: false }, inTalk],
  [kind, id, 'do_not_disturb', on, { first: step('device', { id: 'd2' }) }],
  [kind, own, 'presence_id', '77'],
];

const rows: readonly Row[] = [
  ['accounts', '', 'enabled', false],
  ['accounts', '', 'blacklists', ['b1'], { to: '1003', input: { from: outside } }],
  ['accounts', '', 'call_recording', { account: recorded }, { people: { d2: answers } }],
  ['accounts', '', 'call_restriction', deny],
  ['accounts', '', 'call_waiting', { enabled: false }, inTalk],
  ['accounts', '', 'caller_id', { external: { number: '+12125550100' } }, carrier],
  ['accounts', '', 'caller_id.emergency', { number: '+12125550100' }, { to: '911' }],
  ['accounts', '', 'dial_plan', { '^(\\d{7})$': { prefix: '+1312' } }, { to: '5550199' }],
  ['accounts', '', 'do_not_disturb', on],
  ['accounts', '', 'preflow', { always: 'f4' }],
  ['accounts', '', 'timezone', 'Asia/Tokyo', time],
  ...party('users', 'u2', 'u1'),
  ['users', 'u2', 'username', 'robert', { people: { d2: answers } }],
  ['users', 'u1', 'first_name', 'Alicia'],
  ['users', 'u1', 'last_name', 'Example'],
  ['users', 'u3', 'directories', { i1: 'f4' }, { ...list, input: { presses: ['2276', '1'] } }],
  [
    'users',
    'u3',
    'hotdesk',
    { require_pin: true, pin: '12' },
    { first: step('hotdesk', { action: 'login', id: 'u3' }) },
  ],
  ['users', 'u2', 'queues', ['q1'], queue],
  ...party('devices', 'd2', 'd1'),
  [
    'devices',
    'd2',
    'name',
    'Desk two',
    { first: step('device', { id: 'd2' }), people: { d2: answers }, beside: { owner_id: '' } },
  ],
  ['devices', 'd2', 'owner_id', 'u3'],
  ['devices', 'd1', 'caller_id_options', { outbound_privacy: 'full' }, carrier],
  ['devices', 'd4', 'exclude_from_queues', true, queue],
  ['devices', 'd2', 'hotdesk', { users: { u3: {} } }],
  ['devices', 'd1', 'outbound_flags', ['fax'], carrier],
  ['devices', 'd1', 'sip', { username: 'alice-desk' }],
  ['groups', 'g1', 'endpoints', { d4: { type: 'device' } }, group],
  ['callflows', 'f3', 'name', 'Bob alone'],
  ['callflows', 'f3', 'numbers', ['2222']],
  ['callflows', 'f3', 'patterns', ['^1003$'], { beside: { numbers: [] } }],
  ['callflows', 'f3', 'flow', step('hangup')],
  ['menus', 'm1', 'retries', 1, menu],
  ['menus', 'm1', 'timeout', 3000, menu],
  ['menus', 'm1', 'max_extension_length', 1, { ...menu, input: { presses: ['1'] } }],
  ['menus', 'm1', 'interdigit_timeout', 500, { ...menu, input: { presses: ['1'] } }],
  ['menus', 'm1', 'name', 'Night', menu],
  ['menus', 'm1', 'hunt', true, { ...menu, input: { presses: ['1004'] }, beside: { hunt: false } }],
  ['menus', 'm1', 'hunt_allow', '^2', { ...menu, input: { presses: ['1004'] } }],
  ['menus', 'm1', 'hunt_deny', '^1', { ...menu, input: { presses: ['1004'] } }],
  ['menus', 'm1', 'record_pin', '77', { ...menu, input: { presses: ['77'] } }],
  [
    'menus',
    'm1',
    'allow_record_from_offnet',
    true,
    { ...menu, beside: { record_pin: '77' }, input: { presses: ['77'], from: outside } },
  ],
  ['menus', 'm1', 'media', { greeting: 'night' }, menu],
  ['temporal_rules', 'r1', 'name', 'Closed days', time],
  ['temporal_rules', 'r1', 'cycle', 'date', time],
  ['temporal_rules', 'r1', 'interval', 3, { ...time, beside: { start_date: 63_800_000_000 } }],
  ['temporal_rules', 'r1', 'start_date', 66_000_000_000, time],
  ['temporal_rules', 'r1', 'time_window_start', 80_000, time],
  ['temporal_rules', 'r1', 'time_window_stop', 60, time],
  ['temporal_rules', 'r1', 'wdays', ['sunday'], { ...time, beside: { cycle: 'weekly' } }],
  ['temporal_rules', 'r1', 'days', [23], { ...time, beside: { cycle: 'monthly' } }],
  ['temporal_rules', 'r1', 'ordinal', 'fourth', { ...time, beside: { cycle: 'monthly', wdays: ['monday'] } }],
  ['temporal_rules', 'r1', 'month', 11, { ...time, beside: { cycle: 'yearly', days: [23] } }],
  ['temporal_rules', 'r1', 'enabled', false, time],
  [
    'temporal_rules_sets',
    's1',
    'temporal_rules',
    ['r1'],
    {
      first: step(
        'temporal_route',
        { rule_set: 's1' },
        { rule_set: step('hangup'), _: step('tts', { text: 'closed' }) },
      ),
    },
  ],
  ['queues', 'q1', 'name', 'Service', queue],
  ['queues', 'q1', 'agent_ring_timeout', 9, queue],
  ['queues', 'q1', 'strategy', 'ring_all', queue],
  [
    'queues',
    'q1',
    'caller_exit_key',
    '9',
    { ...queue, input: { acts: [{ after: 3, does: 'presses', argument: '9' }] } },
  ],
  ['queues', 'q1', 'connection_timeout', 20, queue],
  [
    'queues',
    'q1',
    'enter_when_empty',
    false,
    {
      ...queue,
      input: {
        agents: new Map([
          ['u3', 'logged_out'],
          ['u5', 'logged_out'],
        ]),
      },
    },
  ],
  [
    'queues',
    'q1',
    'max_queue_size',
    1,
    { ...queue, input: { acts: [{ after: 4, does: 'calls', argument: '1500', from: { device: 'd4' } }] } },
  ],
  ['queues', 'q1', 'moh', 'jazz', queue],
  ['conferences', 'k1', 'name', 'Daily', room],
  ['conferences', 'k1', 'max_participants', 1, pair],
  ['conferences', 'k1', 'member', { pins: ['77'] }, room],
  ['conferences', 'k1', 'moderator', { pins: ['77'] }, room],
  ['conferences', 'k1', 'member.numbers', ['500'], rooms],
  ['conferences', 'k1', 'moderator.numbers', ['500'], rooms],
  ['conferences', 'k1', 'conference_numbers', ['500'], rooms],
  ['conferences', 'k1', 'play_entry_tone', false, pair],
  ['conferences', 'k1', 'play_exit_tone', false, pair],
  ['vmboxes', 'v2', 'mailbox', '2002', box],
  ['vmboxes', 'v2', 'announcement_only', true, box],
  ['vmboxes', 'v2', 'check_if_owner', false, { ...box, input: { from: { device: 'd2' }, leaves: 20 } }],
  ['vmboxes', 'v2', 'delete_after_notify', true, box],
  ['vmboxes', 'v2', 'save_after_notify', true, box],
  ['vmboxes', 'v2', 'is_setup', false, checked],
  ['vmboxes', 'v2', 'media', { unavailable: 'away' }, box],
  ['vmboxes', 'v2', 'owner_id', 'u1', { ...checked, beside: { owner_id: 'u3' } }],
  ['vmboxes', 'v2', 'pin', '78', checked],
  ['vmboxes', 'v2', 'require_pin', true, { ...checked, input: { from: { device: 'd2' } } }],
  ['vmboxes', 'v2', 'skip_greeting', true, box],
  ['vmboxes', 'v2', 'skip_instructions', true, box],
  ['faxboxes', 'x1', 'name', 'Papers', { first: step('faxbox', { id: 'x1' }) }],
  ['media', 'w1', 'name', 'Good day', { first: step('play', { id: 'w1' }) }],
  ['directories', 'i1', 'confirm_match', true, { ...list, input: { presses: ['227', '3'] } }],
  ['directories', 'i1', 'search_fields', 'first', { ...list, input: { presses: ['228', '1'] } }],
  ['directories', 'i1', 'sort_by', 'first_name', { ...list, input: { presses: ['2', '1'] } }],
];

const kinds: Readonly<Partial<Record<ResourceName, readonly JsonObject[]>>> = {
  users: [
    { id: 'u1', username: 'alice', first_name: 'Alice' },
    { id: 'u2', username: 'bob' },
    {
      id: 'u3',
      username: 'carol',
      first_name: 'Carol',
      last_name: 'Winter',
      queues: ['q1'],
      directories: {},
    },
    {
      id: 'u5',
      username: 'zoe',
      first_name: 'Bab',
      last_name: 'Cid',
      queues: ['q1'],
      directories: { i1: 'f4' },
    },
    { id: 'u6', username: 'yan', first_name: 'Cas', last_name: 'Abt', directories: { i1: 'f3' } },
  ],
  devices: [
    { id: 'd1', name: 'Alice desk', owner_id: 'u1' },
    { id: 'd2', name: 'Bob desk', owner_id: 'u2' },
    { id: 'd3', name: 'Bob mobile', owner_id: 'u2' },
    { id: 'd4', name: 'Carol desk', owner_id: 'u3' },
    { id: 'd5', name: 'Zoe desk', owner_id: 'u5' },
  ],
  groups: [{ id: 'g1', endpoints: { d2: { type: 'device' } } }],
  menus: [{ id: 'm1', name: 'Main', hunt: true }],
  vmboxes: [{ id: 'v2', mailbox: '1002', owner_id: 'u2', pin: '77' }],
  queues: [{ id: 'q1', name: 'Sales', connection_timeout: 60, agent_ring_timeout: 5 }],
  conferences: [{ id: 'k1', name: 'Weekly' }],
  directories: [{ id: 'i1', name: 'All' }],
  faxboxes: [{ id: 'x1', name: 'Fax' }],
  media: [{ id: 'w1', name: 'Welcome' }],
  blacklists: [{ id: 'b1', numbers: { '+13125550100': {} } }],
  temporal_rules: [{ id: 'r1', name: 'Always', cycle: 'daily', time_window_stop: 43_200 }],
  system_carriers: [
    { id: 'c1', name: 'first', rules: ['^\\+\\d+$'] },
    { id: 'c9', name: 'rescue', rules: ['^911$'], emergency: true },
  ],
  temporal_rules_sets: [{ id: 's1', name: 'Set' }],
};

/** A record with a value at a dotted path. */
const withValue = (record: JsonObject, path: string, value: Json): JsonObject => {
  const [key = '', ...rest] = path.split('.');
  const inner = record[key];
  const below = isObject(inner) ? inner : {};
  return { ...record, [key]: rest.length === 0 ? value : withValue(below, rest.join('.'), value) };
};

function played([kind, id, key, value, trial = {}]: Row, isSet: boolean): unknown {
  const { to = '1003', first, input = {}, people = {}, beside = {} } = trial;
  const changed = (record: JsonObject): JsonObject =>
    record.id === id
      ? isSet
        ? withValue({ ...record, ...beside }, key, value)
        : { ...record, ...beside }
      : record;
  const own: readonly JsonObject[] = first ? [{ id: 'own', numbers: ['1500'], flow: first }] : [];
  const made = callOffice(
    first ? '1500' : to,
    {
      kinds: kinds[kind] ? { ...kinds, [kind]: kinds[kind].map(changed) } : kinds,
      flows: own,
      record: kind === 'accounts' && isSet ? withValue({}, key, value) : {},
      people,
      ...(kind === 'callflows' ? { changeFlow: changed } : {}),
    },
    input,
  );
  return made;
}

describe('each simulated setting changes a call', () => {
  test.each(rows.map((row) => ({ name: `${row[0]}.${row[2]}`, row })))('$name', ({ row }) => {
    expect(played(row, true)).not.toEqual(played(row, false));
  });
});

test('every simulated setting is tested', () => {
  const tried = new Set(rows.map(([kind, , key]) => `${kind}.${key}`));
  const wanted = settingRows().filter(({ how }) => how === 'simulated');
  expect(wanted.map((row) => `${row.of}.${row.key}`).filter((key) => !tried.has(key))).toEqual([]);
});
