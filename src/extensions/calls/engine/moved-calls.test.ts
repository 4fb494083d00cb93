import { expect, test } from 'vitest';
import { callOffice, legsOf, type Setting, step } from '../../../../test/support/office-calls.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Act, Call, CallMoney, PhoneBehaviour } from './types.ts';

const answers = (after: number): PhoneBehaviour => ({ does: 'answers', after });
const outside = { number: '+13125550100' };
const did = '+12125550140';
const toBob: readonly JsonObject[] = [{ id: 'fd', numbers: [did], flow: step('user', { id: 'u2' }) }];
const absent: PhoneBehaviour = { does: 'not registered' };

/** A call from outside that Bob answers after 2 s, and what is done in it. */
const withBob = (acts: readonly Act[], more: Setting = {}): Call =>
  callOffice(
    did,
    {
      ...more,
      flows: [...toBob, ...(more.flows ?? [])],
      people: { d2: answers(2), d3: absent, ...more.people },
    },
    { from: outside, acts },
  );
const steps = ({ events }: Call): readonly string[] =>
  events.flatMap((event) => (event.kind === 'step' ? [event.step.word] : []));

test('a transferred caller runs the flow of the new number, and the transferring leg ends', () => {
  const made = withBob([{ after: 10, does: 'transfer', argument: '1004' }], { people: { d4: answers(3) } });
  expect(legsOf(made)).toEqual([
    ...['A 0-45 NORMAL_CLEARING', 'd2 0-12 NORMAL_CLEARING', 'd4 12-45 NORMAL_CLEARING'],
  ]);
  expect(made.legs.at(-1)).toMatchObject({ to: '1004', callerId: { number: '+13125550100' } });
  expect(made.end).toMatchObject({ in: 'person', name: 'carol' });
});

test('a transfer to a user who does not answer ends in voicemail', () => {
  const made = withBob([{ after: 10, does: 'transfer', argument: '1002' }], { people: { d2: answers(2) } });
  expect(steps(made)).toEqual(['bob', 'bob']);
  const gone = withBob([{ after: 10, does: 'transfer', argument: '1001' }]);
  expect(gone.end).toMatchObject({ in: 'voicemail', name: '1001' });
});

test('an attended transfer connects the remaining legs', () => {
  const made = withBob([{ after: 10, does: 'attended transfer', argument: '1004' }], {
    people: { d4: answers(3) },
  });
  expect(legsOf(made)).toEqual([
    ...['A 0-46 NORMAL_CLEARING', 'd2 0-16 ATTENDED_TRANSFER', 'A 12-16 ATTENDED_TRANSFER'],
    'd4 12-46 NORMAL_CLEARING',
  ]);
});

test('a transferring step starts a new call, with a new match and captures', () => {
  const made = callOffice('*8222', {
    flows: [
      { id: 'g', patterns: ['^\\*8(\\d+)$'], flow: step('transfer', { target: '*9$1' }) },
      {
        id: 'h',
        patterns: ['^\\*9(\\d+)$'],
        flow: step('branch_bnumber', {}, { 222: step('tts', { text: 'anew' }) }),
      },
    ],
  });
  expect(made.events.filter(({ kind }) => kind === 'flow')).toMatchObject([
    { word: '^\\*8(\\d+)$' },
    { word: '^\\*9(\\d+)$' },
  ]);
  expect(steps(made)).toEqual(['transfer', 'branch_bnumber', 'tts']);
});

test('digits at a menu replace captures, but carriers dial the original number', () => {
  const made = callOffice(
    '+13125550177',
    {
      flows: [
        { id: 'fm2', numbers: ['+13125550177'], flow: step('menu', { id: 'm1' }) },
        { id: 'fo', patterns: ['^9(\\d+)$'], flow: step('offnet') },
      ],
    },
    { presses: ['9123'], others: answers(4) },
  );
  expect(made.legs.at(-1)).toMatchObject({ carrier: 'first', to: '+13125550177' });
});

test('a call to a number of another account uses no carrier', () => {
  const made = callOffice(
    '+14155550123',
    {
      owns: {
        '+14155550123': [
          { id: 'fx', numbers: ['+14155550123'], flow: step('tts', { text: 'other office' }) },
        ],
      },
    },
    {},
  );
  expect(made.legs).toHaveLength(1);
  expect(steps(made)).toEqual(['offnet', 'tts']);
  expect(made.legs[0]?.answered).toBe(0);
});

test('a circular forward ends', () => {
  const circle = { call_forward: { enabled: true, number: '1004' } };
  const made = callOffice('1002', {
    kinds: {
      users: [
        { id: 'u1', username: 'alice' },
        { id: 'u2', username: 'bob', ...circle },
        { id: 'u3', username: 'carol', call_forward: { enabled: true, number: '1002' } },
      ],
    },
  });
  expect(made.legs.every(({ ended }) => ended < 14_400)).toBe(true);
});

const rate = {
  prefix: '1',
  rate_cost: 0.02,
  rate_minimum: 60,
  rate_increment: 6,
  rate_surcharge: 0.01,
  rate_nocharge_time: 5,
};
const money = (limits: JsonObject, balance = 0): CallMoney => ({
  limits,
  inUse: { inbound: 0, outbound: 0, calls: 0 },
  balance,
  rates: [
    { ...rate, rate_name: 'usual' },
    { ...rate, prefix: '44', rate_name: 'abroad' },
  ],
});

test.each([
  [5, 0],
  [40, 300],
  [61, 320],
])('%s seconds cost %s units', (seconds, units) => {
  const made = callOffice(
    '+13125550199',
    {},
    { others: answers(2), hangsUpAfter: 2 + seconds, money: money({}, 10) },
  );
  expect(made.legs[1]?.facts).toMatchObject({
    account_billing: 'per_minute',
    rate_name: 'usual',
    cost: units,
  });
});

test.each<readonly [string, CallMoney, JsonObject]>([
  ['a trunk for calls out', money({ outbound_trunks: 1 }), { account_billing: 'flat_rate' }],
  ['trunks both ways', money({ twoway_trunks: -1 }), { account_billing: 'flat_rate' }],
  ['burst trunks', money({ burst_trunks: 1 }), { account_billing: 'flat_rate_burst' }],
  ['a balance', money({}, 5), { account_billing: 'per_minute' }],
  ['credit', money({ allow_postpay: true, max_postpay_amount: 5 }), { account_billing: 'per_minute' }],
  ['limits that are off', money({ enabled: false }), { account_billing: 'limits_disabled' }],
  ['no call at once', money({ calls: 0 }, 5), { account_billing: 'hard_limit' }],
])('%s determines the billing of an outgoing call', (_name, given, facts) => {
  const made = callOffice('+13125550199', {}, { others: answers(2), money: given });
  expect(made.legs[1]?.facts).toMatchObject(facts);
});

test('a call from outside beyond the limits is refused as busy', () => {
  const made = callOffice(did, { flows: toBob }, { from: outside, money: money({}) });
  expect(legsOf(made)).toEqual(['A 0-0 USER_BUSY']);
});

test('a user rings on hotdesk phones, but not on a phone that another user is signed in on', () => {
  const made = callOffice('1003', {
    kinds: {
      devices: [
        { id: 'd2', owner_id: 'u2', hotdesk: { users: { u3: {} } } },
        { id: 'd9', owner_id: 'u9', hotdesk: { users: { u2: {} } } },
      ],
    },
  });
  expect(made.legs.slice(1).map(({ device }) => device)).toEqual(['d9']);
});

test('a weighted draw favors the heavier member, but not always', () => {
  const endpoints = [
    { endpoint_type: 'device', id: 'd2', weight: 1 },
    { endpoint_type: 'device', id: 'd4', weight: 99 },
  ];
  const flows = [
    { id: 'w', numbers: ['1500'], flow: step('ring_group', { endpoints, strategy: 'weighted_random' }) },
  ];
  const first = (chance: number) =>
    callOffice('1500', { flows }, { others: answers(1), random: () => chance }).legs[1]?.device;
  expect([first(0.005), first(0.5), first(0.99)]).toEqual(['d2', 'd4', 'd4']);
});

const hours = {
  id: 'r1',
  name: 'Office hours',
  cycle: 'weekly',
  wdays: ['monday'],
  time_window_start: 32_400,
  time_window_stop: 61_200,
};

test('a temporal route reports the deciding rule, its reason and its place', () => {
  const made = callOffice(
    '1500',
    {
      record: { timezone: 'Europe/Zurich' },
      kinds: { temporal_rules: [{ ...hours, id: 'r0', name: 'Holiday', wdays: ['friday'] }, hours] },
      flows: [
        {
          id: 't',
          numbers: ['1500'],
          flow: step('temporal_route', { rules: ['r0', 'r1'] }, { r1: step('hangup') }),
        },
      ],
      placeOf: (kind, id) => `${kind}/${id}.yaml:1`,
    },
    { at: Date.UTC(2026, 10, 23, 9) },
  );
  const [first] = made.events.flatMap((event) => (event.kind === 'step' ? [event.step] : []));
  expect(first).toMatchObject({
    left: 'r1',
    word: 'Office hours: open',
    words: ['Holiday: closed', 'Office hours: open'],
  });
  expect(first?.why).toBe(
    'On 2026-11-23 10:00 +01:00 (Monday) rule "Holiday" does not match: wdays lacks monday (temporal_rules/r0.yaml:1); rule "Office hours" matches: wdays has monday, the time is from 09:00 to 17:00 (temporal_rules/r1.yaml:1).',
  );
});

test('a step whose record could not be read is skipped and reported', () => {
  const made = callOffice('1500', {
    unknown: ['media'],
    flows: [{ id: 't', numbers: ['1500'], flow: step('play', { id: '0123456789abcdef0123456789abcdef' }) }],
  });
  expect(made.events).toContainEqual(
    expect.objectContaining({ kind: 'gap', what: expect.stringContaining('could not be read') }),
  );
});
