import { describe, expect, test } from 'vitest';
import { callOffice, step } from '../../../../test/support/office-calls.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { moduleRows } from './modules/table.ts';
import type { Act, CallInput, PhoneBehaviour } from './types.ts';

/** How a key is tried: the call with it must differ from the call without it. */
interface Trial {
  /** Other data of the step. */
  readonly data?: JsonObject;
  readonly children?: JsonObject;
  /** The step before it. */
  readonly before?: readonly [module: string, data: JsonObject];
  /** What follows the pattern of the flow, and is captured by it. */
  readonly dials?: string;
  readonly input?: Partial<CallInput>;
  readonly people?: Readonly<Record<string, PhoneBehaviour>>;
  readonly record?: JsonObject;
  /** The step is reached by a second call, while Bob's phones ring for one from outside. */
  readonly isSecond?: boolean;
}
type Row = readonly [key: string, value: Json, trial?: Trial];

const outside = { number: '+13125550100' };
const answers: PhoneBehaviour = { does: 'answers', after: 2 };
const talking: Trial = { isSecond: true, people: { d2: answers } };
const ringing: Trial = { isSecond: true };
const bob = { endpoint_type: 'user', id: 'u2' };
const desk = { endpoint_type: 'device', id: 'd2' };
const two = [
  { ...desk, timeout: 5 },
  { endpoint_type: 'device', id: 'd4', timeout: 5, delay: 2 },
];
const next = (more: JsonObject = {}): JsonObject => step('tts', { text: 'next', ...more });
const then = (first: JsonObject): JsonObject => ({ _: first });
const rings = then(step('user', { id: 'u2' }));
const toCarrier = then(step('offnet', { to_did: '+13125550199' }));
const approvals = (base: JsonObject, trial: Trial, isRefused: boolean): readonly Row[] => [
  ['approved_device_id', isRefused ? 'd4' : 'd1', { ...trial, data: base }],
  ['approved_user_id', isRefused ? 'u3' : 'u1', { ...trial, data: base }],
  ['approved_group_id', isRefused ? 'g3' : 'g1', { ...trial, data: base }],
];
const targets = (trial: Trial, data: JsonObject = {}): readonly Row[] => [
  ['device_id', 'd2', { ...trial, data }],
  ['user_id', 'u2', { ...trial, data }],
  ['group_id', 'g2', { ...trial, data }],
];
const conference: readonly Row[] = [
  ['id', 'k1'],
  ['config', { name: 'Open' }],
  ['moderator', true, { data: { id: 'k1' } }],
  ['welcome_prompt', { play: false }, { data: { id: 'k1' } }],
  ...['play_entry_tone', 'play_exit_tone'].map(
    (key): Row => [
      key,
      false,
      {
        data: { id: 'k1' },
        input: { acts: [{ after: 5, does: 'calls', argument: '*7', from: { device: 'd4' } }] },
      },
    ],
  ),
];
const carrier: readonly Row[] = [
  ['to_did', '+13125550199'],
  ['bypass_e164', true, { dials: '5551234567', record: { dial_plan: { '^\\*7(\\d+)$': { prefix: '+1' } } } }],
  [
    'do_not_normalize',
    true,
    { dials: '5551234567', record: { dial_plan: { '^\\*7(\\d+)$': { prefix: '+1' } } } },
  ],
  ['outbound_flags', ['fax'], { data: { to_did: '+13125550199' } }],
  ['caller_id_type', 'emergency', { data: { to_did: '+13125550199' } }],
  ['custom_sip_headers', { 'X-Office': 'yes' }, { data: { to_did: '+13125550199' } }],
  ['ringback', 'tone', { data: { to_did: '+13125550199' } }],
  ['timeout', 7, { data: { to_did: '+13125550199' } }],
];
const ringed: readonly Row[] = [
  ['timeout', 7],
  ['strategy', 'single'],
  ['repeats', 2],
  ['ringback', 'tone'],
  ['ringtones', { internal: 'bell' }],
  ['fail_on_single_reject', true],
].map(
  ([key, value]): Row => [
    String(key),
    value ?? null,
    { data: { endpoints: two }, people: key === 'fail_on_single_reject' ? { d2: { does: 'busy' } } : {} },
  ],
);
const rung = (id: string, busy: Trial = {}): readonly Row[] => [
  ['id', id],
  ['timeout', 7, { data: { id } }],
  ['delay', 3, { data: { id } }],
  ['custom_sip_headers', { 'X-Office': 'yes' }, { data: { id } }],
  ['can_call_self', true, { data: { id: id.startsWith('u') ? 'u1' : 'd1' } }],
  ...(Object.keys(busy).length > 0 ? [['fail_on_single_reject', true, busy] as const] : []),
];

const rows: Readonly<Record<string, readonly Row[]>> = {
  acdc_agent: [['action', 'logout']],
  acdc_member: [['id', 'q1']],
  acdc_queue: [
    ['action', 'logout', { data: { id: 'q1' } }],
    ['id', 'q1'],
  ],
  acdc_wait_time: [
    [
      'id',
      'q1',
      { children: { 10: next(), _: step('hangup') }, input: { averageWait: new Map([['q1', 20]]) } },
    ],
  ],
  after_bridge: [
    [
      'action',
      'transfer',
      { data: { data: '1004' }, children: rings, people: { d2: answers }, input: hangsUp() },
    ],
    [
      'data',
      '1004',
      { data: { action: 'transfer' }, children: rings, people: { d2: answers }, input: hangsUp() },
    ],
  ],
  audio_macro: [
    ['macros', [{ macro: 'tts', text: 'good day' }]],
    [
      'terminators',
      ['9'],
      {
        data: { macros: [{ macro: 'tts', text: 'good day to all of you out there' }] },
        input: presses('1', 1),
      },
    ],
  ],
  branch_bnumber: [
    ['hunt', true, { dials: '1004' }],
    ['hunt_allow', '^2', { data: { hunt: true }, dials: '1004' }],
    ['hunt_deny', '^1', { data: { hunt: true }, dials: '1004' }],
  ],
  branch_variable: [
    ['variable', 'timezone', { data: { scope: 'account' }, children: { UTC: next(), _: step('hangup') } }],
    ['scope', 'account', { data: { variable: 'timezone' }, children: { UTC: next(), _: step('hangup') } }],
  ],
  call_forward: [['action', 'deactivate']],
  call_waiting: [
    ['action', 'activate'],
    ['scope', 'user'],
  ],
  callflow: [['id', 'f4']],
  check_cid: [
    ['regex', '^9', { children: { match: next(), nomatch: step('hangup') }, input: { from: outside } }],
    [
      'use_absolute_mode',
      true,
      { children: { match: next(), '+13125550100': step('hangup') }, input: { from: outside } },
    ],
    [
      'caller_id',
      { external: { number: '77', name: 'Seven' } },
      {
        data: { user_id: 'u3' },
        children: { match: step('device', { id: 'd2' }) },
        input: { from: outside },
      },
    ],
    [
      'user_id',
      'u3',
      {
        data: { caller_id: { external: { number: '77', name: 'Seven' } } },
        children: { match: step('device', { id: 'd2' }) },
        input: { from: outside },
      },
    ],
  ],
  cidlistmatch: [
    ['id', 'l1', { children: { match: next(), nomatch: step('hangup') }, input: { from: outside } }],
  ],
  collect_dtmf: [
    ['collection_name', 'mine', { input: { presses: ['12'] } }],
    ['max_digits', 4, { input: { presses: ['12'] } }],
    ['timeout', 9000, { input: { presses: [''] } }],
    ['interdigit_timeout', 500, { data: { max_digits: 4 }, input: { presses: ['12'] } }],
    ['terminator', '9', { data: { max_digits: 4 }, input: { presses: ['129'] } }],
    ['terminators', ['9'], { data: { max_digits: 4 }, input: { presses: ['129'] } }],
  ],
  conference,
  conference_feature: conference,
  device: rung('d2'),
  directory: [['id', 'i1']],
  disa: [
    ['pin', '1234'],
    ['retries', 1, { data: { pin: '1234' }, input: { presses: ['1', '2'] } }],
    ['max_digits', 2, { input: { presses: ['1004'] } }],
    ['interdigit', 900, { input: { presses: ['1004'] } }],
    ['preconnect_audio', 'ringing'],
    [
      'use_account_caller_id',
      false,
      { input: { presses: ['1004'] }, record: { caller_id: { external: { number: '+12125550100' } } } },
    ],
    [
      'enforce_call_restriction',
      true,
      {
        input: { presses: ['1004'], from: outside },
        record: { call_restriction: { unknown: { action: 'deny' } } },
      },
    ],
  ],
  do_not_disturb: [
    ['action', 'activate'],
    ['id', 'u2', { data: { action: 'activate' } }],
  ],
  dynamic_cid: [
    ['action', 'static', { data: { caller_id: { number: '77' } }, children: toCarrier }],
    ['caller_id', { number: '77' }, { data: { action: 'static' }, children: toCarrier }],
    ['max_digits', 12, { input: { presses: ['3125550177'] } }],
    ['min_digits', 3, { input: { presses: ['777'] }, children: toCarrier }],
    ['interdigit_timeout', 500, { input: { presses: ['777'] } }],
    ['media_id', 'question'],
    ['whitelist_regex', '^9', { input: { presses: ['3125550177'] }, children: toCarrier }],
    ['id', 'l1', { data: { action: 'list' }, dials: '015551234567' }],
    ['permit_custom_callflow', true, { data: { action: 'list', id: 'l1' }, dials: '011004' }],
    [
      'enforce_call_restriction',
      false,
      {
        data: { action: 'list', id: 'l1', permit_custom_callflow: true },
        dials: '011004',
        record: { call_restriction: { unknown: { action: 'deny' } } },
        input: { from: outside },
      },
    ],
  ],
  eavesdrop: [
    ...targets(talking, { approved_user_id: 'u1' }).slice(0, 2),
    ...approvals({ user_id: 'u2' }, talking, false),
  ],
  eavesdrop_feature: [
    ...approvals({}, { ...talking, dials: '1003' }, false),
    ['group_id', 'g2', { ...talking, dials: '1003' }],
  ],
  fax_detect: [['duration', 9, { children: { ON_VOICE: next() } }]],
  faxbox: [
    ['id', 'x1'],
    ['faxbox_id', 'x1'],
    ['media', { fax_option: true }],
  ],
  flush_dtmf: [['collection_name', 'mine', { before: ['collect_dtmf', { collection_name: 'mine' }] }]],
  group: [['id', 'g2', { people: { d2: answers } }], ['endpoints', [bob]], ...ringed],
  group_pickup: [...targets(ringing), ...approvals({ user_id: 'u2' }, ringing, true)],
  group_pickup_feature: [
    ['type', 'device', { ...ringing, dials: '1003' }],
    ...approvals({}, { ...ringing, dials: '1003' }, true),
  ],
  hotdesk: [
    ['action', 'login', { data: { id: 'u3' } }],
    ['id', 'u3', { data: { action: 'login' } }],
    ['interdigit_timeout', 500, { data: { action: 'login' }, input: { presses: ['7'] } }],
  ],
  intercept: [
    ...targets(talking, { approved_user_id: 'u1' }),
    ...approvals({ user_id: 'u2' }, talking, false),
  ],
  intercept_feature: [
    ['type', 'extension', { ...talking, data: { approved_user_id: 'u1', type: 'user' }, dials: '1003' }],
    ...approvals({ type: 'extension' }, { ...talking, dials: '1003' }, false),
  ],
  lookupcidname: [['lists', ['l1'], { children: rings, input: { from: outside } }]],
  manual_presence: [
    ['presence_id', 'door'],
    ['status', 'busy', { data: { presence_id: 'door' } }],
  ],
  menu: [
    ['id', 'm2'],
    ['interdigit_timeout', 500, { data: { id: 'm1' }, input: { presses: ['9'] } }],
  ],
  missed_call_alert: [['recipients', [{ type: 'user', id: 'u1' }], { input: { from: outside } }]],
  notification: [
    ['template_id', 't1'],
    ...(
      [
        ['recipients', [{ type: 'user', id: 'u1' }]],
        ['send_at', 'callflow_exec'],
        ['comments', 'urgent'],
        ['notification_media', ['email']],
      ] as const
    ).map(([key, value]): Row => [key, value, { data: { template_id: 't1' } }]),
  ],
  offnet: carrier,
  page_group: [
    ['endpoints', [bob]],
    ['audio', 'two-way', { data: { endpoints: [bob] } }],
    ['barge_calls', true, { data: { endpoints: [bob] }, people: { d2: { does: 'busy' } } }],
  ],
  park: [
    ['action', 'retrieve'],
    ['slot', '105', { data: { action: 'direct_park' } }],
    ['max_slot_number', 100, { data: { slot: '101' }, children: { MAX_SLOT_EXCEEDED: next() } }],
    ['slots', { 101: { ringback_timeout: 9000 } }, parked()],
    ['default_ringback_timeout', 9000, parked()],
    ['default_callback_timeout', 1000, parked()],
  ],
  pivot: [
    [
      'voice_url',
      'https://pivot.example/',
      { input: { pivots: new Map([['https://pivot.example/', next()]]) } },
    ],
  ],
  play: [
    ['id', 'welcome'],
    ['answer', false, { data: { id: 'welcome' } }],
    ['loop_count', 3, { data: { id: 'welcome' } }],
    ['endless_playback', true, { data: { id: 'welcome' } }],
    ['terminators', ['9'], { data: { id: 'welcome' }, input: presses('1', 1) }],
  ],
  prepend_cid: [
    ['caller_id_name_prefix', 'Sales ', { children: rings }],
    ['caller_id_number_prefix', '9', { children: rings }],
    ['action', 'reset', { data: { caller_id_name_prefix: 'Sales ' }, children: rings }],
    [
      'apply_to',
      'original',
      {
        data: { caller_id_name_prefix: 'B' },
        before: ['prepend_cid', { caller_id_name_prefix: 'A' }],
        children: rings,
      },
    ],
  ],
  privacy: [
    ['mode', 'name', { children: toCarrier }],
    [
      'endpoint_strategy',
      'merge',
      { data: { mode: 'name' }, children: toCarrier, input: { from: { device: 'd5' } } },
    ],
  ],
  receive_fax: [
    ['owner_id', 'u2'],
    ['media', { fax_option: true }],
  ],
  record_call: [
    ['action', 'stop'],
    ['format', 'wav'],
    ['label', 'tape'],
    ['origin', 'desk'],
    ['url', 'https://store.example/'],
    ['time_limit', 5, { children: rings, people: { d2: answers } }],
    ['record_min_sec', 900],
    ['record_on_answer', true, { children: rings, people: { d2: answers } }],
    ['record_on_bridge', true, { children: rings, people: { d2: answers } }],
  ],
  record_caller: [
    ['format', 'wav', { input: { leaves: 9 } }],
    ['url', 'https://store.example/', { input: { leaves: 9 } }],
    ['time_limit', 5, { input: { leaves: 9 } }],
  ],
  resources: [...carrier, ['use_local_resources', false, { data: { to_did: '+13125550199' } }]],
  response: [
    ['code', 404, { children: {} }],
    ['media', 'sorry'],
  ],
  ring_group: [['endpoints', [bob]], ...ringed],
  ring_group_toggle: [
    ['action', 'logout', { data: { callflow_id: 'fr' } }],
    ['callflow_id', 'fr', { data: { action: 'logout' } }],
  ],
  route_to_cid: [
    ['cid_types', ['external']],
    ['endpoint_types', ['device']],
    ['timeout', 7],
    ['delay', 3],
    ['can_call_self', true, { input: { from: { device: 'd5' } } }],
  ],
  send_dtmf: [
    ['digits', '123'],
    ['duration_ms', 500, { data: { digits: '123' } }],
  ],
  set_alert_info: [['alert_info', 'bell', { children: rings }]],
  set_cid: [
    ['caller_id_name', 'Office', { children: rings }],
    ['caller_id_number', '77', { children: rings }],
  ],
  set_variable: [
    ['variable', 'call_priority', { data: { value: '5' } }],
    ['value', '5', { data: { variable: 'call_priority' } }],
  ],
  set_variables: [
    ['custom_application_vars', { tier: 'gold' }],
    ['export', true, { data: { custom_application_vars: { tier: 'gold' } }, children: rings }],
  ],
  sleep: [
    ['duration', 9],
    ['unit', 'm', { data: { duration: 2 } }],
  ],
  temporal_route: [
    ['rules', ['r1']],
    ['rule_set', 's1', { children: { rule_set: next(), _: step('hangup') } }],
    ['timezone', 'Asia/Tokyo', { data: { rules: ['r2'] }, children: { r2: next(), _: step('hangup') } }],
    ['action', 'enable', { data: { rules: ['r2'] } }],
  ],
  transfer: [['target', '1004']],
  tts: [
    ['text', 'good day'],
    ['endless_playback', true, { data: { text: 'good day' } }],
    ['terminators', ['9'], { data: { text: 'good day to all of you out there' }, input: presses('1', 1) }],
  ],
  user: rung('u2', { data: { id: 'u2' }, people: { d2: { does: 'busy' } } }),
  voicemail: [
    ['id', 'v2'],
    ['action', 'check', { data: { id: 'v2' } }],
    ['max_message_length', 5, { data: { id: 'v2' }, input: { leaves: 20 } }],
    ['single_mailbox_login', true, { data: { action: 'check' } }],
    ['callerid_match_login', true, { data: { action: 'check' }, input: { from: { device: 'd5' } } }],
    ['interdigit_timeout', 500, { data: { id: 'v2', action: 'check' }, input: { presses: ['12'] } }],
  ],
  webhook: [
    ['uri', 'https://hooks.example/'],
    ['http_verb', 'post', { data: { uri: 'https://hooks.example/' } }],
    ['custom_data', { tier: 'gold' }, { data: { uri: 'https://hooks.example/' } }],
  ],
};

function hangsUp(): Partial<CallInput> {
  return { acts: [{ after: 3, does: 'hangs up', argument: 'callee' }] };
}
function presses(keys: string, after: number): Partial<CallInput> {
  return { acts: [{ after, does: 'presses', argument: keys, since: 'begin' }] };
}
/** Bob answers a call from outside and parks it in the slot of the step. */
function parked(): Trial {
  const park: Act = { after: 5, does: 'transfer', argument: '*7101' };
  return {
    data: {},
    people: { d2: answers, d3: { does: 'not registered' } },
    isSecond: true,
    input: { acts: [park] },
  };
}

const kinds = {
  groups: [
    { id: 'g1', endpoints: { u1: { type: 'user' } } },
    { id: 'g2', endpoints: { u2: { type: 'user' }, d2: { type: 'device' } } },
    { id: 'g3', endpoints: { u3: { type: 'user' } } },
  ],
  users: [
    { id: 'u1', username: 'alice', first_name: 'Alice', call_forward: { enabled: true, number: '1004' } },
    { id: 'u2', username: 'bob', queues: ['q1'], directories: { i1: 'f4' } },
    { id: 'u3', username: 'carol' },
    {
      id: 'u5',
      username: 'erin',
      caller_id: { internal: { number: '*7' }, external: { number: '+12125550105' } },
    },
  ],
  devices: [
    { id: 'd1', name: 'Alice desk', owner_id: 'u1', caller_id: { emergency: { number: '+12125550911' } } },
    { id: 'd2', name: 'Bob desk', owner_id: 'u2' },
    { id: 'd3', name: 'Bob mobile', owner_id: 'u2' },
    { id: 'd4', name: 'Carol desk', owner_id: 'u3' },
    { id: 'd5', name: 'Erin desk', owner_id: 'u5', caller_id_options: { outbound_privacy: 'full' } },
  ],
  vmboxes: [
    { id: 'v1', mailbox: '1001', owner_id: 'u1' },
    { id: 'v2', mailbox: '1002', owner_id: 'u2', pin: '77' },
    { id: 'v5', mailbox: '*7', owner_id: 'u5' },
  ],
  carriers: [{ id: 'c5', name: 'own', rules: ['^\\+?\\d+$'], gateways: [{}] }],
  menus: [
    { id: 'm1', name: 'Main', retries: 2 },
    { id: 'm2', name: 'Night', retries: 1, media: { greeting: 'night' } },
  ],
  queues: [{ id: 'q1', name: 'Sales', connection_timeout: 60 }],
  conferences: [{ id: 'k1', name: 'Weekly' }],
  directories: [{ id: 'i1', name: 'All' }],
  faxboxes: [{ id: 'x1', name: 'Fax' }],
  lists: [{ id: 'l1', entries: { a: { number: '+1312555', key: '01', displayname: 'Harbour' } } }],
  temporal_rules: [
    { id: 'r1', name: 'Always', cycle: 'daily' },
    { id: 'r2', name: 'Morning', cycle: 'daily', time_window_start: 0, time_window_stop: 43_200 },
  ],
  temporal_rules_sets: [{ id: 's1', name: 'All', temporal_rules: ['r1'] }],
};

function played(module: string, data: JsonObject, trial: Trial): unknown {
  const {
    children = then(next()),
    dials = '',
    input = {},
    people = {},
    record = {},
    isSecond = false,
    before,
  } = trial;
  const own = step(module, data, children);
  const first = before ? step(before[0], before[1], then(own)) : own;
  const second: Act = {
    after: 5,
    does: 'calls',
    argument: `*7${dials}`,
    from: { device: 'd1' },
    since: 'begin',
  };
  const made = callOffice(
    isSecond ? '1003' : `*7${dials}`,
    {
      kinds,
      people,
      record,
      flows: [
        { id: 'own', patterns: ['^\\*7(?P<ext>\\d*)$'], flow: first },
        { id: 'fr', numbers: ['1950'], flow: step('ring_group', { endpoints: [{ ...bob, id: 'u1' }] }) },
      ],
    },
    { ...(isSecond ? { from: outside, acts: [second] } : { presses: ['1'] }), ...input },
  );
  // What the steps say is left out: the call itself has to differ.
  const events = made.events.map((event) => {
    if (event.kind !== 'step') return event;
    const { place, module: name, left } = event.step;
    return { at: event.at, place, name, left };
  });
  return { events, legs: made.legs, end: made.end };
}

const all = Object.entries(rows).flatMap(([module, each]) =>
  each.map(([key, value, trial = {}]) => ({ module, key, value, trial })),
);

describe('each simulated key changes a call', () => {
  test.each(all)('$module: $key', ({ module, key, value, trial }) => {
    const { data = {} } = trial;
    expect(played(module, { ...data, [key]: value }, trial)).not.toEqual(played(module, data, trial));
  });
});

test('every simulated key is tested', () => {
  const tried = new Set(all.map(({ module, key }) => `${module}.${key}`));
  const wanted = moduleRows().filter(({ how }) => how === 'simulated');
  expect(wanted.map((row) => `${row.of}.${row.key}`).filter((key) => !tried.has(key))).toEqual([]);
});
