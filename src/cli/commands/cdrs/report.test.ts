import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callsIn } from '../../../../test/support/calls-in.ts';
import { openWorld } from '../../../../test/support/world.ts';
import type { JsonObject } from '../../../base/json.ts';
import { type CountedCall, callsOfLegs, type MessageLookup } from './calls-of-legs.ts';

const step = (module: string, data: JsonObject, children: JsonObject = {}) => ({ module, data, children });

/** An office with a user whose mailbox takes messages from number 2001, and not from number 2002. */
async function office() {
  const world = await openWorld();
  const { service, addUser } = world;
  const { id: alice = '' } = await addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const { id: box = '' } = await service('PUT', 'vmboxes', { name: 'Alice', mailbox: '2900' });
  await service('PUT', 'callflows', {
    name: 'Alice',
    numbers: ['2001'],
    flow: step('user', { id: alice, timeout: 25 }, { _: step('voicemail', { id: box }) }),
  });
  await service('PUT', 'callflows', { name: 'Bare', numbers: ['2002'], flow: step('user', { id: alice }) });
  const over = { realTime: false, isOver: true } as const;
  const made = callsIn(world);
  const call = (from: string, to: string, more: Parameters<typeof made>[2] = {}) =>
    made(from, to, { ...over, ...more });
  return { ...world, alice, call };
}

test('counts calls instead of legs in each grouping', async () => {
  const { alice, call, telctl } = await office();
  await call('+14155550101', '2001', { durationS: 40 });
  await call('+14155550102', '2001', { durationS: 100 });
  await call('+14155550101', '2001', { others: { does: 'does not answer' } });
  await call('+14155550104', '2002', { others: { does: 'does not answer' } });
  await call('alice', '+14155550103', { durationS: 66 });
  const report = async (line: string) => JSON.parse((await telctl(`cdrs report ${line} -o json`)).stdout);
  expect(await report('--by user')).toEqual([
    {
      ...{ key: 'alice', calls: 5, answered: 3, messages: 1, reached_service: 0, missed: 1, unknown: 0 },
      ...{ talk_seconds: 34 + 94 + 60, longest_ring_seconds: 25, cost: 0 },
    },
  ]);
  expect(await report('--by number')).toMatchObject([
    { key: '+14155550101', calls: 2, answered: 1, messages: 1, missed: 0 },
    { key: '+14155550102', calls: 1 },
    { key: '+14155550103', calls: 1 },
    { key: '+14155550104', calls: 1, missed: 1 },
  ]);
  expect(await report('--by number --top 1')).toHaveLength(1);
  expect(await report('--missed --by user')).toMatchObject([{ key: 'alice', calls: 1, missed: 1 }]);
  expect(await report('--unanswered-over 20s')).toMatchObject([{ calls: 1, messages: 1 }]);
  expect(await report('--unanswered-over 30s')).toEqual([]);
  expect(await report('--number 4155550101 --by destination')).toMatchObject([{ key: '2001', calls: 2 }]);
  expect(await report('--by weekday')).toMatchObject([{ key: 'Wednesday', calls: 5 }]);
  expect(await report('--by carrier')).toMatchObject([{ key: 'sandbox-carrier', calls: 5 }]);
  const table = await telctl('cdrs report --since 7d');
  expect(table.stdout).toMatch(
    /DAY +CALLS +ANSWERED +MESSAGES +SERVICE +MISSED +LONGEST RING +TALK *\n2025-01-15 +5 +3 +1 +0 +1 +25 s +0:03:08 *\n/,
  );
  const [, proposed = ''] = /1 missed: telctl (.*)\n/.exec(table.stderr) ?? [];
  expect(proposed).toBe('cdrs report --missed --since 7d');
  expect(await telctl(proposed)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('1 call in 1 day'),
  });
  const page = (await telctl('cdrs report --by user -o html')).stdout;
  expect(page).toContain('<h1>Calls by user</h1>');
  expect(page).toContain('alice: 5, 1 missed');
  await telctl('users delete alice --yes --force');
  for (const line of ['cdrs report --by user', 'cdrs summary --by user'])
    expect((await telctl(line)).stdout).toContain(`(missing: ${String(alice).slice(0, 8)}…)`);
  // A narrow screen has no room for the heads of a table: each figure says what it is.
  expect(page).toMatch(/<td class="figure" data-head="Missed">1<\/td>/);
  // One bar is as wide as one of many: the picture is not blown up to the width of the page.
  const [, width, height] = /<svg viewBox="0 0 \d+ \d+" width="(\d+)" height="(\d+)"/.exec(page) ?? [];
  expect([width, height]).toEqual(['320', '180']);
  expect(await telctl('cdrs report --by colour')).toMatchObject({ code: 2 });
});

test('limits, sorts and filters call records by number', async () => {
  const { call, telctl } = await office();
  await call('+14155550101', '2001', { durationS: 40 });
  await call('+14155550102', '2001', { durationS: 100 });
  const list = async (line: string): Promise<readonly JsonObject[]> =>
    JSON.parse((await telctl(`cdrs list ${line} -o json`)).stdout);
  expect(await list('')).toHaveLength(4);
  expect((await list('--sort duration_seconds:desc --limit 1')).map((each) => each.duration_seconds)).toEqual(
    [100],
  );
  expect(await list('--number +14155550102')).toHaveLength(2);
  expect((await telctl('cdrs list --limit 1')).stderr).toContain('all: --limit 0');
});

/** The calls of some legs. */
async function callsOf(
  legs: readonly JsonObject[],
  isLeft: MessageLookup = () => false,
): Promise<readonly CountedCall[]> {
  async function* records(): AsyncGenerator<JsonObject> {
    yield* legs;
  }
  const calls: CountedCall[] = [];
  for await (const call of callsOfLegs(records(), isLeft)) calls.push(call);
  return calls;
}

test('counts each call once and keeps total talk time, for any order of legs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ ring: fc.nat(60), talk: fc.nat(600) }), { maxLength: 50 }),
      async (all) => {
        const legs = all.flatMap(({ ring, talk }, index): readonly JsonObject[] => {
          const common = {
            interaction_id: `i${index}`,
            bridge_id: `a${index}`,
            unix_timestamp: '1700000000',
            cost: '100',
          };
          const times = { duration_seconds: ring + talk, billing_seconds: talk };
          const other = talk > 0 ? { other_leg_call_id: 'x' } : {};
          return [
            { ...common, ...times, ...other, call_id: `a${index}`, direction: 'inbound' },
            { ...common, ...times, ...other, call_id: `b${index}`, direction: 'outbound', owner_id: 'u' },
          ];
        });
        const calls = await callsOf([
          ...legs.filter((_, index) => index % 2 === 0),
          ...legs.filter((_, index) => index % 2),
        ]);
        expect(calls).toHaveLength(all.length);
        expect(calls.reduce((sum, { talk }) => sum + talk, 0)).toBe(
          all.reduce((sum, { talk }) => sum + talk, 0),
        );
        expect(calls.filter(({ outcome }) => outcome === 'answered')).toHaveLength(
          all.filter(({ talk }) => talk > 0).length,
        );
        expect(calls.every(({ cost }) => cost === 0.02)).toBe(true);
      },
    ),
  );
});

// Legs as services list them: [call id, direction, billed seconds, other leg].
const legsOfCalls: readonly (readonly [
  title: string,
  legs: readonly (readonly [string, 'inbound' | 'outbound', number, string])[],
  outcome: string,
])[] = [
  [
    'a phone is answered',
    [
      ['a', 'inbound', 30, 'b'],
      ['b', 'outbound', 30, 'a'],
    ],
    'answered',
  ],
  [
    'one of two phones is answered',
    [
      ['a', 'inbound', 30, 'b'],
      ['c', 'outbound', 0, ''],
      ['b', 'outbound', 30, 'a'],
    ],
    'answered',
  ],
  [
    'the caller’s leg is connected, and the other leg has no record',
    [['a', 'inbound', 30, 'gone']],
    'answered',
  ],
  ['only the answered phone has a record', [['b', 'outbound', 30, 'a']], 'answered'],
  [
    'voicemail answers after phones rang',
    [
      ['a', 'inbound', 12, ''],
      ['b', 'outbound', 0, ''],
    ],
    'reached_service',
  ],
  [
    'a phone that did not answer is named as the other leg',
    [
      ['a', 'inbound', 12, 'b'],
      ['b', 'outbound', 0, 'a'],
    ],
    'reached_service',
  ],
  [
    'a forwarded call is answered but not accepted, and goes to voicemail',
    [
      ['a', 'inbound', 9, ''],
      ['b', 'outbound', 4, ''],
    ],
    'reached_service',
  ],
  [
    'a message is left',
    [
      ['m', 'inbound', 12, ''],
      ['b', 'outbound', 0, ''],
    ],
    'messages',
  ],
  [
    'a person talks and transfers the caller, who leaves a message',
    [
      ['m', 'inbound', 50, 'b'],
      ['b', 'outbound', 20, 'm'],
    ],
    'answered',
  ],
  [
    'phones ring without an answer',
    [
      ['a', 'inbound', 0, ''],
      ['b', 'outbound', 0, ''],
    ],
    'missed',
  ],
  ['the caller’s leg has no record', [['b', 'outbound', 0, '']], 'unknown'],
];

test.each(legsOfCalls)('derives the outcome of a call from its legs: %s', async (_, legs, outcome) => {
  const records = legs.map(([id, direction, billed, other]) => ({
    ...{ interaction_id: 'i', call_id: id, bridge_id: legs.some(([each]) => each === 'm') ? 'm' : 'a' },
    ...{ direction, duration_seconds: 60, billing_seconds: billed, other_leg_call_id: other },
  }));
  expect(await callsOf(records, (id) => id === 'm')).toMatchObject([{ outcome }]);
});

test('counts a call of a user as answered if another phone answers it', async () => {
  const { service, addUser, call, telctl, alice } = await office();
  const { id: bob = '' } = await addUser({ username: 'bob', first_name: 'Bob', last_name: 'Baker' });
  const endpoints = [alice, bob].map((id) => ({ id, endpoint_type: 'user' }));
  await service('PUT', 'callflows', {
    name: 'Both',
    numbers: ['2003'],
    flow: step('ring_group', { endpoints }),
  });
  await call('+14155550101', '2003', {
    people: [['alice', { does: 'does not answer' }]],
  });
  const of = async (user: string) => JSON.parse((await telctl(`cdrs report --user ${user} -o json`)).stdout);
  expect(await of('alice')).toMatchObject([{ calls: 1, answered: 1, missed: 0 }]);
  expect(await of('bob')).toEqual(await of('alice'));
});
