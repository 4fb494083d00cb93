import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callOffice, step } from '../../../../test/support/office-calls.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Act, Call, CallEvent, CallInput, PhoneBehaviour } from './types.ts';

const leaf = fc.constantFrom(
  step('user', { id: 'u2' }),
  step('user', { id: 'u3', timeout: 7 }),
  step('device', { id: 'd4' }),
  step('ring_group', {
    strategy: 'weighted_random',
    repeats: 2,
    endpoints: [
      { endpoint_type: 'user', id: 'u2', weight: 1, timeout: 4 },
      { endpoint_type: 'device', id: 'd4', weight: 99, delay: 3 },
    ],
  }),
  step('voicemail', { id: 'v2' }),
  step('callflow', { id: 'f2' }),
  step('callflow', { id: 'loop' }),
  step('transfer', { target: '1900' }),
  step('menu', { id: 'm1' }),
  step('offnet', { to_did: '+13125550199' }),
  step('resources', {}),
  step('tts', { text: 'good day' }),
  step('park', { action: 'auto', slot: '101' }),
  step('park', { action: 'direct_park', slot: '102', default_ringback_timeout: 5000 }),
  step('group_pickup', { user_id: 'u2' }),
  step('intercept', { user_id: 'u2', approved_user_id: 'u1' }),
  step('page_group', { endpoints: [{ endpoint_type: 'user', id: 'u2' }] }),
  step('conference', { id: 'k1' }),
  step('acdc_member', { id: 'q1' }),
  step('record_call', { action: 'start' }),
  step('disa', {}),
  step('response', { code: 486 }),
  step('faxbox', { id: 'x1' }),
  step('after_bridge', { action: 'transfer', data: '1002' }),
);

const tree: fc.Arbitrary<JsonObject> = fc
  .tuple(leaf, fc.option(leaf), fc.option(leaf), fc.option(leaf))
  .map(([first, second, third, fourth]) => ({
    ...first,
    children: {
      ...(second ? { _: { ...second, children: third ? { _: third } : {} } } : {}),
      ...(fourth ? { USER_BUSY: fourth, 1: fourth } : {}),
    },
  }));

const behaviour: fc.Arbitrary<PhoneBehaviour> = fc.oneof(
  fc.record({ does: fc.constant('answers' as const), after: fc.nat(30) }),
  fc.constantFrom<PhoneBehaviour>(
    { does: 'busy' },
    { does: 'declines' },
    { does: 'not registered' },
    { does: 'does not answer' },
  ),
);

const act: fc.Arbitrary<Act> = fc.record({
  after: fc.integer({ min: 0, max: 60 }),
  does: fc.constantFrom('transfer', 'attended transfer', 'park', 'presses', 'hangs up', 'hold', 'calls'),
  argument: fc.constantFrom('1002', '1900', '1004', '#', 'caller', 'callee', '101', ''),
  from: fc.constantFrom({ device: 'd4' }, { number: '+13125550111' }),
});

const forward = fc.constantFrom<JsonObject>(
  {},
  { call_forward: { enabled: true, number: '1900' } },
  { call_forward: { enabled: true, number: '1004', substitute: false, require_keypress: false } },
  { call_forward: { failover: true, number: '+13125550198' } },
);

const anyCall = fc.record({
  flow: tree,
  bob: forward,
  d2: behaviour,
  d3: behaviour,
  d4: behaviour,
  c1: behaviour,
  presses: fc.array(fc.constantFrom('1', '9', '1003', '', '+13125550199'), { maxLength: 4 }),
  acts: fc.array(act, { maxLength: 3 }),
  leaves: fc.option(fc.nat(30), { nil: undefined }),
  hangsUpAfter: fc.option(fc.nat(80), { nil: undefined }),
  isOutside: fc.boolean(),
  seed: fc.nat(),
});
type AnyCall = typeof anyCall extends fc.Arbitrary<infer Value> ? Value : never;

/** Numbers that follow from a seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

function made(given: AnyCall, more: readonly Act[] = []): Call {
  const { flow, bob, d2, d3, d4, c1, presses, acts, leaves, hangsUpAfter, isOutside, seed } = given;
  const input: Partial<CallInput> = {
    from: isOutside ? { number: '+13125550100' } : { device: 'd1' },
    ...{ presses, acts: [...acts, ...more], random: seeded(seed) },
    ...(leaves === undefined ? {} : { leaves }),
    ...(hangsUpAfter === undefined ? {} : { hangsUpAfter }),
  };
  return callOffice(
    '1900',
    {
      people: { d2, d3, d4, c1 },
      kinds: {
        users: [
          { id: 'u1', username: 'alice' },
          { id: 'u2', username: 'bob', queues: ['q1'], ...bob },
          { id: 'u3', username: 'carol' },
        ],
        conferences: [{ id: 'k1', name: 'Weekly' }],
        queues: [{ id: 'q1', name: 'Sales', connection_timeout: 60 }],
        faxboxes: [{ id: 'x1', name: 'Fax' }],
      },
      flows: [
        { id: 'any', numbers: ['1900'], flow },
        { id: 'loop', numbers: ['1901'], flow: step('callflow', { id: 'loop' }) },
      ],
    },
    input,
  );
}

const runs = { numRuns: 300 };
const longest = 14_400;

test('every leg ends exactly once, with a cause, within four hours', () => {
  fc.assert(
    fc.property(anyCall, (given) => {
      const { events, legs, seconds } = made(given);
      const told = (kind: CallEvent['kind'], id: string) =>
        events
          .filter((event) => event.kind === kind && 'leg' in event && event.leg === id)
          .map(({ at }) => at);
      for (const { id, began, answered, ended, cause } of legs) {
        expect(told('leg', id)).toEqual([began]);
        expect(told('end', id)).toEqual([ended]);
        expect(told('answer', id)).toEqual(answered === undefined ? [] : [answered]);
        expect(cause).toMatch(/^[A-Z_]+$/);
        expect(ended).toBeGreaterThanOrEqual(answered ?? began);
        expect(ended).toBeLessThanOrEqual(longest);
      }
      expect(seconds).toBe(Math.max(...legs.map(({ ended }) => ended)));
    }),
    runs,
  );
});

test('events are in order of time, and only answered legs are connected', () => {
  fc.assert(
    fc.property(anyCall, (given) => {
      const { events, legs } = made(given);
      for (const [index, { at }] of events.entries())
        expect(at).toBeGreaterThanOrEqual(events[index - 1]?.at ?? 0);
      const open = new Set<string>();
      for (const event of events) {
        if (event.kind === 'bridge') {
          const both = [event.leg, event.other].map((id) => legs.find((leg) => leg.id === id));
          for (const leg of both) expect(leg?.answered).toBeLessThanOrEqual(event.at);
          for (const id of [event.leg, event.other]) expect(open.has(id), id).toBe(false);
          open.add(event.leg).add(event.other);
        }
        if (event.kind === 'unbridge') for (const id of [event.leg, event.other]) open.delete(id);
      }
      expect(open.size).toBe(0);
    }),
    runs,
  );
});

test('the same input gives the same call', () => {
  fc.assert(
    fc.property(anyCall, (given) => {
      expect(made(given)).toEqual(made(given));
    }),
    { numRuns: 100 },
  );
});

test('an additional act does not change earlier events', () => {
  fc.assert(
    fc.property(anyCall, act, fc.nat(100), (given, more, at) => {
      const without = made(given);
      const then = made(given, [{ ...more, after: at, since: 'begin' }]);
      const before = ({ events }: Call) => events.filter((event) => event.at < at).map(unfinished);
      if (at <= without.seconds) expect(before(then)).toEqual(before(without));
    }),
    runs,
  );
});

/** A step is left later than it is reached: what it says of that is no part of the event's time. */
function unfinished(event: CallEvent): unknown {
  return event.kind === 'step' ? { at: event.at, place: event.step.place, module: event.step.module } : event;
}
