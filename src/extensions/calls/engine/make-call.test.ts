import { describe, expect, test } from 'vitest';
import { callOffice, legsOf, type Setting, step } from '../../../../test/support/office-calls.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Call, CallInput, PhoneBehaviour } from './types.ts';

const answers = (after: number): PhoneBehaviour => ({ does: 'answers', after });
const busy: PhoneBehaviour = { does: 'busy' };
const absent: PhoneBehaviour = { does: 'not registered' };
const outside = { number: '+13125550100' };
const did = '+12125550140';

const heard = ({ events }: Call): readonly string[] =>
  events.flatMap((event) => (event.kind === 'hears' ? [event.what] : []));
const kinds = ({ events }: Call): readonly string[] => events.map(({ kind }) => kind);
const hooks = ({ events }: Call): readonly string[] =>
  events.flatMap((event) => (event.kind === 'hook' ? [event.hook] : []));
const left = ({ events }: Call): readonly string[] =>
  events.flatMap((event) => (event.kind === 'left' ? [`${event.what} ${event.seconds}`] : []));

const forwarding = (number: string, more: JsonObject = {}): JsonObject => ({
  call_forward: { enabled: true, number, require_keypress: false, ...more },
});
const bob = { id: 'u2', username: 'bob', caller_id: { external: { number: '+12125550102' } } };
const others = [
  { id: 'u1', username: 'alice', first_name: 'Alice' },
  { id: 'u3', username: 'carol' },
];
const withBob = (more: JsonObject): Setting => ({ kinds: { users: [...others, { ...bob, ...more }] } });
const phones = [
  { id: 'd1', name: 'Alice desk', owner_id: 'u1' },
  { id: 'd2', name: 'Bob desk', owner_id: 'u2' },
  { id: 'd3', name: 'Bob mobile', owner_id: 'u2' },
];
const withPhone = (id: string, more: JsonObject): Setting => ({
  kinds: { devices: phones.map((each) => (each.id === id ? { ...each, ...more } : each)) },
});
const flow = (number: string, first: JsonObject): readonly JsonObject[] => [
  { id: `f-${number}`, numbers: [number], flow: first },
];
const member = (id: string, more: JsonObject = {}): JsonObject => ({ endpoint_type: 'device', id, ...more });
const group = (endpoints: readonly JsonObject[], more: JsonObject = {}): Setting => ({
  flows: flow('1500', step('ring_group', { endpoints, timeout: 20, ...more })),
});

/** A call, and what must come of it. */
interface Row {
  readonly of: string;
  readonly to: string;
  readonly setting?: Setting;
  readonly input?: Partial<CallInput>;
  readonly legs?: readonly string[];
  readonly hears?: readonly string[];
  readonly end?: JsonObject;
  readonly hooks?: readonly string[];
  readonly left?: readonly string[];
}

const both = { d2: busy, d3: busy };
const gone = { d2: absent, d3: absent };
const vm = ['vm-person', 'vm-not_available', 'vm-record_message', 'tone'];
const busyOffice: Setting = { people: both };

const rows: readonly Row[] = [
  {
    of: 'who is forwarded to a menu hears it',
    to: '1002',
    setting: withBob(forwarding(did)),
    input: { from: outside, presses: ['9'], hangsUpAfter: 12 },
    hears: ['menu-no_prompt', 'menu-invalid_entry', 'menu-no_prompt'],
  },
  {
    of: 'who is forwarded to a voicemail box hears its greeting',
    to: '1002',
    setting: withBob(forwarding('1001')),
    input: { from: outside, leaves: 5 },
    hears: vm,
    end: { in: 'voicemail', name: '1001' },
  },
  {
    of: 'a transfer that nobody takes ends at nobody',
    to: '1002',
    setting: { people: { d2: answers(4) } },
    input: { from: outside, acts: [{ after: 5, does: 'transfer', argument: '1004' }] },
    end: { in: 'nobody' },
  },
  {
    of: 'who is transferred by an attended transfer ends with the target',
    to: '1002',
    setting: { people: { d2: answers(4), d4: answers(5) } },
    input: { from: outside, acts: [{ after: 5, does: 'attended transfer', argument: '1004' }] },
    end: { in: 'person', name: 'carol' },
  },
  {
    of: 'a caller is parked once the talk is over',
    to: '1700',
    setting: {
      people: { d2: answers(3) },
      flows: flow('1700', step('after_bridge', { action: 'park' }, { _: step('user', { id: 'u2' }) })),
    },
    input: { from: outside, acts: [{ after: 5, does: 'hangs up', argument: 'callee' }] },
    legs: ['A 0-38 NORMAL_CLEARING', 'd2 0-8 NORMAL_CLEARING', 'd3 0-3 LOSE_RACE'],
    end: { in: 'parked' },
  },
  {
    of: 'a captured number is branched by as the service keeps numbers',
    to: '*83125550199',
    setting: {
      flows: [
        {
          id: 'branch',
          patterns: ['^\\*8(\\d+)$'],
          flow: step('branch_bnumber', {}, { '+13125550199': step('tts', { text: 'kept' }) }),
        },
      ],
    },
    hears: ['kept'],
  },
  {
    of: 'a phone whose service of audio is off may not call',
    to: '1002',
    setting: withPhone('d1', { services: { audio: { enabled: false } } }),
    legs: ['A 0-5 NORMAL_CLEARING'],
    hears: ['cf-unauthorized_call'],
  },
  {
    of: 'the first phone that answers has the call, the others stop ringing',
    to: '1002',
    setting: { people: { d2: answers(5) } },
    legs: ['A 0-35 NORMAL_CLEARING', 'd2 0-35 NORMAL_CLEARING', 'd3 0-5 LOSE_RACE'],
    end: { in: 'person', name: 'bob' },
  },
  {
    of: 'nobody answers, and voicemail takes the call',
    to: '1002',
    legs: ['A 0-30 NORMAL_CLEARING', 'd2 0-20 NO_ANSWER', 'd3 0-20 NO_ANSWER'],
    hears: vm,
    end: { in: 'voicemail', name: '1002', cause: 'NORMAL_CLEARING' },
  },
  {
    of: 'nobody answers, and nothing follows',
    to: '1003',
    legs: ['A 0-20 NORMAL_CLEARING', 'd2 0-20 NO_ANSWER', 'd3 0-20 NO_ANSWER'],
    end: { in: 'nobody' },
  },
  {
    of: 'the caller gives up while it rings',
    to: '1002',
    input: { hangsUpAfter: 8, leaves: 20 },
    legs: ['A 0-8 ORIGINATOR_CANCEL', 'd2 0-8 ORIGINATOR_CANCEL', 'd3 0-8 ORIGINATOR_CANCEL'],
    left: [],
    end: { in: 'nobody', cause: 'ORIGINATOR_CANCEL' },
  },
  {
    of: 'both phones are busy, so that voicemail follows at once',
    to: '1002',
    setting: busyOffice,
    legs: ['A 0-10 NORMAL_CLEARING', 'd2 0-0 USER_BUSY', 'd3 0-0 USER_BUSY'],
  },
  {
    of: 'a branch of the cause comes before the usual one',
    to: '1006',
    setting: {
      people: both,
      flows: flow(
        '1006',
        step('user', { id: 'u2' }, { USER_BUSY: step('tts', { text: 'busy' }), _: step('hangup') }),
      ),
    },
    hears: ['busy'],
  },
  {
    of: 'a branch of the SIP code is taken where there is none of the cause',
    to: '1006',
    setting: {
      people: both,
      flows: flow(
        '1006',
        step('user', { id: 'u2' }, { 'sip:486': step('tts', { text: 'code' }), _: step('hangup') }),
      ),
    },
    hears: ['code'],
  },
  {
    of: 'who calls himself listens to his box',
    to: '1001',
    input: { presses: ['#'] },
    legs: ['A 0-6 NORMAL_CLEARING'],
    hears: ['vm-main_menu', 'vm-goodbye'],
    end: { in: 'voicemail', name: '1001' },
  },
  {
    of: 'a user who wants no calls is not rung',
    to: '1002',
    setting: withBob({ do_not_disturb: { enabled: true } }),
    legs: ['A 0-10 NORMAL_CLEARING'],
  },
  {
    of: 'a phone of a user rings although the phone wants no calls',
    to: '1003',
    setting: withPhone('d2', { do_not_disturb: { enabled: true } }),
    legs: ['A 0-20 NORMAL_CLEARING', 'd2 0-20 NO_ANSWER', 'd3 0-20 NO_ANSWER'],
  },
  {
    of: 'a ring group leaves out the phone that wants no calls',
    to: '1500',
    setting: {
      ...withPhone('d2', { do_not_disturb: { enabled: true } }),
      ...group([{ endpoint_type: 'user', id: 'u2' }]),
    },
    legs: ['A 0-20 NORMAL_CLEARING', 'd3 0-20 NO_ANSWER'],
  },
  {
    of: 'phones that are not registered leave no leg',
    to: '1002',
    setting: { people: gone },
    legs: ['A 0-10 NORMAL_CLEARING'],
  },
  {
    of: 'a forward to an extension runs its flow, and the phones do not ring',
    to: '1002',
    setting: { ...withBob(forwarding('1004')), people: { d4: answers(4) } },
    legs: ['A 0-34 NORMAL_CLEARING', 'd4 0-34 NORMAL_CLEARING'],
    end: { in: 'person', name: 'carol' },
  },
  {
    of: 'phones and forward ring together',
    to: '1003',
    setting: withBob(forwarding('1004', { substitute: false })),
    legs: ['A 0-20 NORMAL_CLEARING', 'd2 0-20 NO_ANSWER', 'd3 0-20 NO_ANSWER', 'd4 0-20 NO_ANSWER'],
  },
  {
    of: 'a forward for those who do not answer rings after the phones, for as long',
    to: '1003',
    setting: withBob(forwarding('1004', { failover: true, enabled: false })),
    legs: ['A 0-40 NORMAL_CLEARING', 'd2 0-20 NO_ANSWER', 'd3 0-20 NO_ANSWER', 'd4 20-40 NO_ANSWER'],
  },
  {
    of: 'who answers a forward and presses no key does not have the call',
    to: '1002',
    setting: {
      ...withBob(forwarding('1004', { require_keypress: true })),
      people: { d4: { does: 'answers', after: 4, pressesNothing: true } },
    },
    legs: ['A 0-17 NORMAL_CLEARING', 'd4 0-7 NORMAL_CLEARING'],
    end: { in: 'voicemail' },
  },
  {
    of: 'the forward of a user does not count in a ring group',
    to: '1500',
    setting: { ...withBob(forwarding('1004')), ...group([{ endpoint_type: 'user', id: 'u2' }]) },
    legs: ['A 0-20 NORMAL_CLEARING', 'd2 0-20 NO_ANSWER', 'd3 0-20 NO_ANSWER'],
  },
  {
    of: 'a forward for direct calls alone does not count in a ring group',
    to: '1500',
    setting: {
      ...withPhone('d2', forwarding('1004', { direct_calls_only: true })),
      ...group([member('d2')]),
    },
    legs: ['A 0-20 NORMAL_CLEARING', 'd2 0-20 NO_ANSWER'],
  },
  {
    of: 'members ring after their delays',
    to: '1500',
    setting: group([member('d2'), member('d3', { delay: 10 })]),
    legs: ['A 0-20 NORMAL_CLEARING', 'd2 0-20 NO_ANSWER', 'd3 10-20 NO_ANSWER'],
  },
  {
    of: 'a delay beyond the time of the group never rings',
    to: '1500',
    setting: group([member('d2', { timeout: 0 }), member('d3', { delay: 25 })]),
    legs: ['A 0-20 NORMAL_CLEARING', 'd2 0-20 NO_ANSWER'],
  },
  {
    of: 'one after another, each for its own time',
    to: '1500',
    setting: group([member('d2', { timeout: 5 }), member('d3', { timeout: 10 })], { strategy: 'single' }),
    legs: ['A 0-15 NORMAL_CLEARING', 'd2 0-5 ALLOTTED_TIMEOUT', 'd3 5-15 ALLOTTED_TIMEOUT'],
  },
  {
    of: 'a group rings in rounds',
    to: '1500',
    setting: group([member('d2')], { repeats: 2, timeout: 10 }),
    legs: ['A 0-20 NORMAL_CLEARING', 'd2 0-10 NO_ANSWER', 'd2 10-20 NO_ANSWER'],
  },
  {
    of: 'a group of disabled members goes on at once',
    to: '1500',
    setting: group([member('d2', { disable_until: 66_269_664_000 })], { repeats: 3 }),
    legs: ['A 0-0 NORMAL_CLEARING'],
  },
  {
    of: 'a key in a menu leads on after the time between keys',
    to: did,
    setting: { people: { d2: answers(5) } },
    input: { from: outside, presses: ['1'] },
    legs: ['A 0-40 NORMAL_CLEARING', 'd2 5-40 NORMAL_CLEARING', 'd3 5-10 LOSE_RACE'],
  },
  {
    of: 'a menu in which nothing is pressed greets three times and says goodbye',
    to: did,
    input: { from: outside },
    legs: ['A 0-45 NORMAL_CLEARING'],
    hears: ['menu-no_prompt', 'menu-no_prompt', 'menu-no_prompt', 'menu-exit', 'vm-goodbye'],
    end: { in: 'nobody' },
  },
  {
    of: 'keys without a branch are refused three times',
    to: did,
    input: { from: outside, presses: ['9', '9', '9'] },
    hears: [
      ...['menu-no_prompt', 'menu-invalid_entry', 'menu-no_prompt', 'menu-invalid_entry'],
      ...['menu-no_prompt', 'menu-invalid_entry', 'menu-exit', 'vm-goodbye'],
    ],
  },
  {
    of: 'the branch for no key is taken after the first silence',
    to: '1600',
    setting: {
      flows: flow('1600', step('menu', { id: 'm1' }, { timeout: step('tts', { text: 'silence' }) })),
    },
    hears: ['menu-no_prompt', 'silence'],
  },
  {
    of: 'the branch for too many tries is taken after the last',
    to: '1600',
    setting: {
      flows: flow('1600', step('menu', { id: 'm1' }, { max_retries: step('tts', { text: 'enough' }) })),
    },
    hears: ['menu-no_prompt', 'menu-no_prompt', 'menu-no_prompt', 'menu-exit', 'enough'],
  },
  {
    of: 'an extension is dialled at a menu',
    to: did,
    setting: { people: { d2: answers(5) } },
    input: { from: outside, presses: ['1003'] },
    hears: ['menu-no_prompt', 'menu-transferring_call'],
    end: { in: 'person', name: 'bob' },
  },
  {
    of: 'what only the flow for all other numbers would take is no extension of a menu',
    to: did,
    input: { from: outside, presses: ['5551'] },
    hears: [
      'menu-no_prompt',
      'menu-invalid_entry',
      'menu-no_prompt',
      'menu-no_prompt',
      'menu-exit',
      'vm-goodbye',
    ],
  },
  {
    of: 'the flow behind another one goes on when the called one hangs up',
    to: '1700',
    setting: {
      people: { d2: answers(5) },
      flows: flow('1700', step('callflow', { id: 'f3' }, { _: step('tts', { text: 'after' }) })),
    },
    input: { acts: [{ after: 5, does: 'hangs up', argument: 'callee' }] },
    hears: ['after'],
  },
  {
    of: 'the flow behind another one does not go on when the caller hangs up',
    to: '1700',
    setting: {
      people: { d2: answers(5) },
      flows: flow('1700', step('callflow', { id: 'f3' }, { _: step('tts', { text: 'after' }) })),
    },
    input: { acts: [{ after: 5, does: 'hangs up', argument: 'caller' }] },
    hears: [],
  },
  {
    of: 'a number that a pattern takes is dialled whole by carriers, not what the pattern captured',
    to: '*75551234567',
    setting: {
      flows: [{ id: 'fp', patterns: ['^\\*7(\\d+)$'], flow: step('offnet') }],
      kinds: { system_carriers: [{ id: 'c1', name: 'first', rules: ['^\\*'] }] },
      people: { c1: answers(3) },
    },
    legs: ['A 0-33 NORMAL_CLEARING', 'first 0-33 NORMAL_CLEARING'],
  },
  {
    of: 'the pattern that takes the longest part wins',
    to: '1009',
    setting: {
      flows: [
        { id: 'p1', patterns: ['^1\\d+$'], flow: step('tts', { text: 'whole' }) },
        { id: 'p2', patterns: ['^1(00)\\d$'], flow: step('tts', { text: 'group' }) },
      ],
    },
    hears: ['whole'],
  },
  {
    of: 'a number of its own comes before patterns',
    to: '1009',
    setting: {
      flows: [
        { id: 'p1', patterns: ['^1\\d+$'], flow: step('tts', { text: 'pattern' }) },
        { id: 'p2', numbers: ['1009'], flow: step('tts', { text: 'number' }) },
      ],
    },
    hears: ['number'],
  },
  {
    of: 'a feature code that nothing takes is no number for carriers',
    to: '*99',
    legs: ['A 0-0 NO_ROUTE_DESTINATION'],
    end: { in: 'nobody', cause: 'NO_ROUTE_DESTINATION' },
  },
  {
    of: 'a call from outside does not reach the flow for all other numbers',
    to: '+12125550199',
    input: { from: outside },
    legs: ['A 0-0 NO_ROUTE_DESTINATION'],
  },
  {
    of: 'a class of numbers that the caller may not dial',
    to: '+442079460000',
    setting: { record: { call_restriction: { international: { action: 'deny' } } } },
    legs: ['A 0-5 NORMAL_CLEARING'],
    hears: ['cf-unauthorized_call'],
  },
  {
    of: 'the second carrier is tried where the first is busy, and its cause stands',
    to: '+13125550199',
    setting: { people: { c1: busy, c2: { does: 'declines' } } },
    legs: ['A 0-5 CALL_REJECTED', 'first 0-0 USER_BUSY', 'second 0-2 CALL_REJECTED'],
  },
  {
    of: 'carriers have no branch for all else',
    to: '1800',
    setting: {
      kinds: { system_carriers: [] },
      flows: flow('1800', step('offnet', { to_did: '+13125550199' }, { _: step('tts', { text: 'never' }) })),
    },
    legs: ['A 0-0 NO_ROUTE_DESTINATION'],
    hears: [],
  },
  {
    of: 'direct inward access with the right PIN',
    to: '1801',
    setting: {
      record: { caller_id: { external: { number: '+12125550100' } } },
      flows: flow('1801', step('disa', { pin: '1234' })),
      people: { c1: answers(3) },
    },
    input: { from: outside, presses: ['1234', '+13125550199'] },
    end: { in: 'carrier', name: 'first' },
  },
  {
    of: 'direct inward access with a wrong PIN',
    to: '1801',
    setting: { flows: flow('1801', step('disa', { pin: '1234' })) },
    input: { from: outside, presses: ['1', '2', '3'] },
    hears: [
      ...['disa-enter_pin', 'disa-invalid_pin', 'disa-enter_pin', 'disa-invalid_pin'],
      ...['disa-enter_pin', 'disa-invalid_pin', 'disa-retries_exceeded'],
    ],
  },
  {
    of: 'a call is parked and retrieved by another',
    to: did,
    setting: {
      people: { d2: answers(2) },
      flows: [
        ...flow(did, step('user', { id: 'u2' })),
        { id: 'pk', patterns: ['^\\*3([0-9]*)$'], flow: step('park', { action: 'auto' }) },
      ],
    },
    input: {
      from: outside,
      acts: [
        { after: 5, does: 'park' },
        { after: 20, does: 'calls', argument: '*3101', from: { device: 'd1' } },
      ],
    },
    legs: [
      ...['A 0-52 NORMAL_CLEARING', 'd2 0-7 NORMAL_CLEARING', 'd3 0-2 LOSE_RACE'],
      'A 22-52 NORMAL_CLEARING',
    ],
    end: { in: 'person', name: 'alice' },
  },
  {
    of: 'who parked a call is rung back',
    to: did,
    setting: {
      people: { d2: answers(2), d3: absent },
      flows: [
        ...flow(did, step('user', { id: 'u2' })),
        {
          id: 'pk',
          patterns: ['^\\*3([0-9]*)$'],
          flow: step('park', { action: 'park', default_ringback_timeout: 60_000 }),
        },
      ],
    },
    input: { from: outside, acts: [{ after: 5, does: 'park' }] },
    legs: ['A 0-99 NORMAL_CLEARING', 'd2 0-7 NORMAL_CLEARING', 'd2 67-99 NORMAL_CLEARING'],
  },
  {
    of: 'a parked caller gives up',
    to: did,
    setting: {
      people: { d2: answers(2), d3: absent },
      flows: [...flow(did, step('user', { id: 'u2' })), ...flow('*3', step('park', { action: 'park' }))],
    },
    input: {
      from: outside,
      acts: [
        { after: 5, does: 'park' },
        { after: 20, does: 'hangs up', argument: 'caller' },
      ],
    },
    legs: ['A 0-22 NORMAL_CLEARING', 'd2 0-7 NORMAL_CLEARING'],
    end: { in: 'parked', name: '101' },
  },
  {
    of: 'an empty slot has nobody to retrieve',
    to: '*5101',
    setting: {
      flows: [{ id: 'pk', patterns: ['^\\*5([0-9]*)$'], flow: step('park', { action: 'retrieve' }) }],
    },
    hears: ['park-no_caller'],
  },
  {
    of: 'a call that rings elsewhere is picked up',
    to: did,
    setting: {
      flows: [
        ...flow(did, step('user', { id: 'u2' })),
        ...flow('*8', step('group_pickup', { user_id: 'u2' })),
      ],
    },
    input: { from: outside, acts: [{ after: 5, does: 'calls', argument: '*8', from: { device: 'd1' } }] },
    legs: ['A 0-35 NORMAL_CLEARING', 'd2 0-5 LOSE_RACE', 'd3 0-5 LOSE_RACE', 'A 5-35 NORMAL_CLEARING'],
    end: { in: 'person', name: 'alice' },
  },
  {
    of: 'nobody listens to others without leave',
    to: '*9',
    setting: { flows: flow('*9', step('eavesdrop', { user_id: 'u2' })) },
    hears: ['eavesdrop-no_channels'],
  },
  {
    of: 'a page reaches all phones, muted, until the caller hangs up',
    to: '*6',
    setting: { flows: flow('*6', step('page_group', { endpoints: [{ endpoint_type: 'user', id: 'u2' }] })) },
    legs: ['A 0-30 NORMAL_CLEARING', 'd2 0-30 NORMAL_CLEARING', 'd3 0-30 NORMAL_CLEARING'],
  },
  {
    of: 'a conference throws out who does not know the PIN',
    to: '1900',
    setting: {
      kinds: { conferences: [{ id: 'k1', name: 'Weekly', member: { pins: ['77'] } }] },
      flows: flow('1900', step('conference', { id: 'k1' })),
    },
    input: { presses: ['1', '2', '3'] },
    hears: [
      ...['conf-welcome', 'conf-enter_conf_pin', 'conf-bad_pin', 'conf-enter_conf_pin', 'conf-bad_pin'],
      ...['conf-enter_conf_pin', 'conf-bad_pin', 'conf-too_many_attempts'],
    ],
  },
  {
    of: 'a queue without agents is not entered',
    to: '1901',
    setting: {
      kinds: { queues: [{ id: 'q1', name: 'Sales', enter_when_empty: false }] },
      flows: flow('1901', step('acdc_member', { id: 'q1' }, { _: step('tts', { text: 'nobody' }) })),
    },
    hears: ['nobody'],
  },
  {
    of: 'an agent who misses three calls is signed out',
    to: '1901',
    setting: {
      kinds: {
        queues: [{ id: 'q1', name: 'Sales', agent_ring_timeout: 15, enter_when_empty: false }],
        users: [...others, { ...bob, queues: ['q1'] }],
      },
      flows: flow('1901', step('acdc_member', { id: 'q1' }, { _: step('tts', { text: 'nobody' }) })),
      people: { d3: absent },
    },
    legs: ['A 0-46 NORMAL_CLEARING', 'd2 0-15 NO_ANSWER', 'd2 15-30 NO_ANSWER', 'd2 30-45 NO_ANSWER'],
    hooks: ['queue_entered', 'agent_missed', 'agent_missed', 'agent_missed', 'queue_abandoned'],
  },
  {
    of: 'a caller leaves a queue by a key',
    to: '1901',
    setting: {
      kinds: { queues: [{ id: 'q1', name: 'Sales' }] },
      flows: flow('1901', step('acdc_member', { id: 'q1' }, { _: step('tts', { text: 'left' }) })),
    },
    input: { acts: [{ after: 10, does: 'presses', argument: '#' }] },
    hears: ['music on hold', 'left'],
    legs: ['A 0-12 NORMAL_CLEARING'],
  },
  {
    of: 'a call from outside that ends in the greeting was missed',
    to: did,
    setting: {
      flows: flow(did, step('missed_call_alert', { recipients: [] }, { _: step('voicemail', { id: 'v2' }) })),
    },
    input: { from: outside, hangsUpAfter: 4 },
    hooks: ['missed_call'],
  },
  {
    of: 'a message that is too short is not kept, and the call was not missed',
    to: did,
    setting: {
      flows: flow(did, step('missed_call_alert', { recipients: [] }, { _: step('voicemail', { id: 'v2' }) })),
    },
    input: { from: outside, leaves: 0.3 },
    hooks: [],
    left: [],
  },
  {
    of: 'a call without trunks and money is refused at the carrier',
    to: '+13125550199',
    input: { money: { limits: {}, inUse: { inbound: 0, outbound: 0, calls: 0 }, balance: 0, rates: [] } },
    legs: ['A 0-3 OUTGOING_CALL_BARRED', 'first 0-0 OUTGOING_CALL_BARRED', 'second 0-0 OUTGOING_CALL_BARRED'],
  },
  {
    of: 'a message is left',
    to: '1002',
    setting: busyOffice,
    input: { leaves: 20 },
    hooks: ['voicemail_new'],
    left: ['message 20'],
  },
];

describe('the events of a call', () => {
  test.each(rows)('$of', ({ to, setting, input, ...expected }) => {
    const made = callOffice(to, setting, input);
    const { legs, hears, end } = expected;
    if (legs) expect(legsOf(made)).toEqual(legs);
    if (hears) expect(heard(made)).toEqual(hears);
    if (end) expect(made.end).toMatchObject(end);
    if (expected.hooks) expect(hooks(made)).toEqual(expected.hooks);
    if (expected.left) expect(left(made)).toEqual(expected.left);
  });
});

test('facts of each leg agree with its events', () => {
  const made = callOffice('1002', { people: { d2: answers(5) } });
  expect(kinds(made)).toEqual([
    ...['leg', 'flow', 'step', 'leg', 'leg', 'answer', 'end', 'answer', 'bridge', 'unbridge', 'end', 'end'],
  ]);
});

test('a forward to an outside number shows the caller or the forwarding user', () => {
  const shown = (keeps: boolean): string | undefined =>
    callOffice('1002', withBob(forwarding('+13125550199', { keep_caller_id: keeps })), {
      from: outside,
      to: '1002',
      others: answers(3),
    }).legs.at(-1)?.callerId.number;
  expect([shown(true), shown(false)]).toEqual(['+13125550100', '+12125550102']);
});

test('an emergency call shows the location of the caller and needs no credit', () => {
  const made = callOffice(
    '911',
    { kinds: { system_carriers: [{ id: 'c9', name: 'rescue', emergency: true, rules: ['^911$'] }] } },
    {
      others: answers(3),
      money: { limits: {}, inUse: { inbound: 0, outbound: 0, calls: 0 }, balance: 0, rates: [] },
    },
  );
  expect(made.legs.at(-1)).toMatchObject({
    callerId: { number: '+12125550911' },
    facts: { emergency_resource: true },
  });
  expect(hooks(made)).toEqual(['emergency_bridge']);
});

test.each([
  ['full', { number: 'anonymous', name: 'Anonymous' }],
  ['name', { number: '+12125550101', name: 'Anonymous' }],
  ['number', { number: 'anonymous', name: 'Alice' }],
])('a user who hides %s shows it to no carrier', (outbound_privacy, shown) => {
  const alice = {
    ...{ id: 'u1', first_name: 'Alice', caller_id: { external: { number: '+12125550101' } } },
    caller_id_options: { outbound_privacy },
  };
  const { legs } = callOffice('+13125550188', {
    people: { c1: answers(3) },
    kinds: { users: [alice] },
  });
  expect(legs[1]?.callerId).toEqual(shown);
});

test('keys that are pressed during a medium are collected first', () => {
  const made = callOffice(
    '1700',
    { flows: flow('1700', step('play', { id: 'hello' }, { _: step('collect_dtmf', { max_digits: 2 }) })) },
    { acts: [{ after: 1, does: 'presses', argument: '4' }], presses: ['7'] },
  );
  expect(made.legs[0]?.facts.collections).toEqual({ default: '47' });
});
