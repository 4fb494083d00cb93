import { expect, test } from 'vitest';
import { type CallWorld, openCallWorld } from '../../../../test/support/call-world.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { clusterId } from '../ids-and-secrets.ts';

const outside = '+15551230009';
const mainNumber = '+15551230000';

const node = (module: string, data: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  module,
  data,
  children,
});

/** An office: alice at 2001 with a voicemail box, bob at 2002, and a menu that leads to them. */
async function office() {
  const world = await openCallWorld();
  const user = (first_name: string, last_name: string, presence_id: string) => {
    const username = first_name.toLowerCase();
    const names = { username, first_name, last_name, presence_id };
    return world.make('users', { ...names, password: `${username}-12345` });
  };
  const alice = await user('Alice', 'Archer', '2001');
  const bob = await user('Bob', 'Baker', '2002');
  const box = await world.make('vmboxes', { mailbox: '2001', name: 'Alice box' });
  const menu = await world.make('menus', { name: 'Main menu' });
  const toBox = { _: node('voicemail', { id: box }) };
  await world.make('callflows', {
    name: 'Alice',
    numbers: ['2001'],
    flow: node('user', { id: alice, timeout: 20 }, toBox),
  });
  await world.make('callflows', {
    name: 'Main line',
    numbers: [mainNumber],
    flow: node('menu', { id: menu }, { 1: node('user', { id: alice }, toBox), 2: node('user', { id: bob }) }),
  });
  const flow = (numbers: readonly string[], step: JsonObject, more: JsonObject = {}) =>
    world.make('callflows', { name: `Flow ${numbers.join()}`, numbers, flow: step, ...more });
  const call = (body: JsonObject = {}) => world.simulate('call', { from: outside, to: '2001', ...body });
  return { ...world, alice, bob, box, menu, flow, call };
}

const listAt = (value: JsonObject, path: string): readonly JsonObject[] => {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list.filter(isObject) : [];
};
const path = (call: JsonObject): readonly Json[] =>
  listAt(call, 'path').map(({ key, label, note }) => [key, label, note].filter(Boolean).join(' | '));
const legName = (call: JsonObject, id: Json | undefined): string =>
  'ABCDE'.charAt(listAt(call, 'legs').findIndex(({ call_id: each }) => each === id)) || '-';
/** The time of the sandbox, at which calls that were simulated are over. */
const now = Date.UTC(2025, 0, 15, 9, 0, 0) / 1000 + gregorianOffset;
const startOf = (call: JsonObject): number =>
  Math.floor(Date.parse(String(call.ends_at)) / 1000) - Number(call.duration_seconds) + gregorianOffset;
/** `3 A create B`: seconds, leg, what happened, the other leg. */
const events = (call: JsonObject): readonly string[] =>
  listAt(call, 'events')
    .filter(({ hook }) => String(hook).startsWith('channel_'))
    .map(({ hook, payload }) => {
      const told = isObject(payload) ? payload : {};
      const seconds = Number(told.timestamp) - startOf(call);
      const cause = told.hangup_cause === undefined ? '' : ` ${told.hangup_cause}`;
      return `${seconds} ${legName(call, told.call_id)} ${String(hook).slice(8)} ${legName(call, told.other_leg_call_id)}${cause}`;
    });

const subscribe = (world: Pick<CallWorld, 'make'>, hook: string, more: JsonObject = {}) =>
  world.make('webhooks', { name: hook, uri: 'http://127.0.0.1:9/', hook, ...more });

test('a call from outside to a user is created, answered, bridged and destroyed, leg by leg', async () => {
  const world = await office();
  await subscribe(world, 'all');
  const call = await world.call({ duration: 42, from_name: 'Carol Carter' });
  expect(events(call)).toEqual([
    '0 A create -',
    '0 B create A',
    '6 B answer A',
    '6 A answer B',
    '6 A bridge B',
    '42 A destroy B NORMAL_CLEARING',
    '42 B destroy A NORMAL_CLEARING',
  ]);
  expect(call).toMatchObject({
    outcome: 'answered',
    words: 'Answered by alice',
    duration_seconds: 42,
    ringing_seconds: 6,
    billing_seconds: 36,
    ends_at: '2025-01-15T09:00:00.000Z',
    callflow: { name: 'Alice' },
    matched: { by: 'number', text: '2001' },
  });
  const told = await world.told();
  expect(told.map(({ hook_event: hook }) => hook)).toEqual(listAt(call, 'events').map(({ hook }) => hook));
  const [first, second] = told;
  const { accountId, masterAccountId } = world.sandbox.seed;
  const [caller, callee] = listAt(call, 'legs').map(({ call_id: id }) => id);
  expect(first).toEqual({
    hook_event: 'channel_create',
    account_id: accountId,
    reseller_id: masterAccountId,
    authorizing_id: 'sandbox-carrier',
    authorizing_type: 'resource',
    call_id: caller,
    call_direction: 'inbound',
    call_forwarded: false,
    caller_id_name: 'Carol Carter',
    caller_id_number: outside,
    callee_id_name: 'Alice',
    callee_id_number: '2001',
    from: `${outside}@acme.sandbox.example`,
    to: '2001@acme.sandbox.example',
    request: '2001@acme.sandbox.example',
    inception: '2001',
    is_internal_leg: false,
    local_resource_used: false,
    emergency_resource_used: false,
    timestamp: String(now - 42),
    custom_channel_vars: { account_id: accountId },
    custom_application_vars: {},
    cluster_id: clusterId,
  });
  expect(second).toMatchObject({
    owner_id: world.alice,
    authorizing_id: world.alice,
    authorizing_type: 'user',
    call_id: callee,
    other_leg_call_id: caller,
    call_direction: 'outbound',
    callee_id_name: 'Alice Archer',
    callee_id_number: '2001',
  });
  expect(told[4]).toMatchObject({ original_number: '2001', other_leg_destination_number: '2001' });
  expect(told.at(-1)).toMatchObject({
    call_id: callee,
    hangup_cause: 'NORMAL_CLEARING',
    hangup_code: 'sip:200',
    duration_seconds: 42,
    ringing_seconds: 6,
    billing_seconds: 36,
  });
});

test('an unanswered call rings for its timeout, and the caller leaves a message', async () => {
  const world = await office();
  await subscribe(world, 'notifications', { custom_data: { type: 'voicemail_new' } });
  await subscribe(world, 'object', { custom_data: { type: 'mailbox_message', action: 'all' } });
  const call = await world.call({ answering: 'no-answer', duration: 60 });
  expect(path(call)).toEqual([
    'user "alice" | not answered in 20 s',
    '_ | voicemail "Alice box" | a message of 30 s is left',
  ]);
  expect(events(call)).toEqual([
    '0 A create -',
    '0 B create A',
    '20 B destroy A NO_ANSWER',
    '20 A answer -',
    '60 A destroy - NORMAL_CLEARING',
  ]);
  expect(call.words).toBe('Message of 30 s in voicemail box "Alice box"');
  const { data } = await world.service('GET', `vmboxes/${world.box}/messages`);
  expect(data).toMatchObject([
    { id: call.message_id, folder: 'new', length: 30_000, caller_id_number: outside, call_id: call.call_id },
  ]);
  const told = await world.told();
  expect(told).toMatchObject([
    { id: call.message_id, type: 'mailbox_message', action: 'doc_created' },
    {
      event_name: 'voicemail_new',
      call_id: call.call_id,
      voicemail_box: world.box,
      voicemail_id: call.message_id,
      voicemail_length: 30_000,
      voicemail_timestamp: now - 60 + 30,
    },
  ]);
});

test('a busy phone ends the call immediately', async () => {
  const world = await office();
  const call = await world.call({ answering: 'busy' });
  expect(events(call).slice(0, 3)).toEqual(['0 A create -', '0 B create A', '0 B destroy A USER_BUSY']);
  expect(path(call)[0]).toBe('user "alice" | busy');
});

test.each([
  [{ enabled: false }, 'alice is disabled'],
  [{ do_not_disturb: { enabled: true } }, 'alice is set to do not disturb'],
])('a user who is %j does not ring', async (change, note) => {
  const world = await office();
  await world.service('PATCH', `users/${world.alice}`, change);
  const call = await world.call();
  expect(path(call)[0]).toBe(`user "alice" | ${note}`);
  expect(listAt(call, 'legs')).toHaveLength(1);
  expect(call.outcome).toBe('message');
});

test('a forwarded call uses a loopback leg that ends when the call is answered', async () => {
  const world = await office();
  const forward = { enabled: true, number: '5551230007' };
  await world.service('PATCH', `users/${world.alice}`, { call_forward: forward });
  await subscribe(world, 'channel_create', { include_internal_legs: false });
  const call = await world.call();
  expect(events(call)).toEqual([
    '0 A create -',
    '0 - create A',
    '0 B create A',
    '6 B answer A',
    '6 - answer A',
    '6 - destroy A NORMAL_CLEARING',
    '6 A answer B',
    '6 A bridge B',
    '30 A destroy B NORMAL_CLEARING',
    '30 B destroy A NORMAL_CLEARING',
  ]);
  expect(path(call)).toEqual(['user "alice"', '_ | outside "+15551230007" | +15551230007 answers after 6 s']);
  const told = await world.told();
  expect(told.map(({ call_id: id }) => legName(call, id))).toEqual(['A', 'B']);
  expect(told[1]).toMatchObject({ call_forwarded: true, owner_id: world.alice, is_internal_leg: false });
});

test('a menu accepts a choice, an extension, no input and invalid input', async () => {
  const world = await office();
  const chosen = async (...digits: readonly string[]) => path(await world.call({ to: mainNumber, digits }));
  expect(await chosen('1')).toEqual([
    'menu "Main menu" | The caller presses 1',
    '1 | user "alice" | alice answers after 6 s',
  ]);
  expect(await chosen('2001')).toEqual([
    'menu "Main menu" | The caller presses 2001. 2001 is one of its numbers',
    '2001 | callflow "Alice"',
    '→ | user "alice" | alice answers after 6 s',
  ]);
  expect((await chosen()).at(-1)).toContain('menu "Main menu"');
  expect((await chosen('9', '9', '9')).at(-1)).toContain('menu "Main menu"');
  await world.service('PATCH', `menus/${world.menu}`, { hunt: false });
  expect(await chosen('2001')).not.toContain('→ | user "alice" | alice answers after 6 s');
});

test('a menu answers the call before it plays, and before any phone rings', async () => {
  const world = await office();
  const call = await world.call({ to: mainNumber, digits: ['2'], answering: 'no-answer' });
  expect(events(call)).toEqual([
    '0 A create -',
    '0 A answer -',
    '5 B create A',
    '25 B destroy A NO_ANSWER',
    '25 A destroy - NORMAL_CLEARING',
  ]);
  expect(call).toMatchObject({
    outcome: 'hung up',
    words: 'The callflow "Main line" ends',
    hangup_cause: 'NORMAL_CLEARING',
  });
});

test('circular callflows end', async () => {
  const world = await office();
  const one = await world.flow(['3001'], node('hangup'));
  const two = await world.flow(['3002'], node('callflow', { id: one }));
  await world.service('PATCH', `callflows/${one}`, { flow: node('callflow', { id: two }) });
  const call = await world.call({ to: '3001' });
  expect(path(call)).toHaveLength(3);
  expect(path(call).at(-1)).toContain('goes round');
  expect(call).toMatchObject({ words: 'The simulation stopped after entering other callflows 50 times' });
});

test('a ring group rings all members, and the second answer loses the race', async () => {
  const world = await office();
  const member = (id: string, more: JsonObject = {}) => ({ id, endpoint_type: 'user', ...more });
  await world.flow(['3001'], node('ring_group', { endpoints: [member(world.alice), member(world.bob)] }));
  const call = await world.call({ to: '3001' });
  expect(events(call)).toEqual([
    '0 A create -',
    '0 B create A',
    '0 C create A',
    '6 B answer A',
    '6 C destroy A LOSE_RACE',
    '6 A answer B',
    '6 A bridge B',
    '30 A destroy B NORMAL_CLEARING',
    '30 B destroy A NORMAL_CLEARING',
  ]);
  const endpoints = [member(world.alice), member(world.bob)];
  await world.flow(['3002'], node('ring_group', { endpoints, strategy: 'single', timeout: 10 }));
  const alone = await world.call({ to: '3002', answering: 'no-answer' });
  expect(events(alone)).toEqual([
    '0 A create -',
    '0 B create A',
    '10 B destroy A NO_ANSWER',
    '10 A destroy - NORMAL_CLEARING',
  ]);
});

test('groups ring their members, including nested groups', async () => {
  const world = await office();
  const inner = await world.make('groups', { name: 'Inner', endpoints: { [world.bob]: { type: 'user' } } });
  const endpoints = { [inner]: { type: 'group' }, [world.alice]: { type: 'user' } };
  const outer = await world.make('groups', { name: 'Outer', endpoints });
  await world.flow(['3001'], node('group', { id: outer }));
  const call = await world.call({ to: '3001' });
  expect(listAt(call, 'legs').map(({ owner_id: owner }) => owner)).toEqual(
    expect.arrayContaining([world.alice, world.bob]),
  );
});

test('numbers match before patterns, and patterns before no_match', async () => {
  const world = await office();
  await world.make('callflows', { name: 'Two thousands', patterns: ['^2(\\d{3})$'], flow: node('hangup') });
  await world.flow(['no_match'], node('response', { code: 404 }));
  expect((await world.call({ to: '2001' })).matched).toEqual({ by: 'number', text: '2001' });
  expect((await world.call({ to: '2999' })).matched).toEqual({ by: 'pattern', text: '^2(\\d{3})$' });
  await expect(world.call({ to: '8888' })).rejects.toMatchObject({ status: 404 });
  const other = await world.call({ from: 'bob', to: '8888' });
  expect(other).toMatchObject({
    matched: { by: 'no_match' },
    hangup_cause: 'UNALLOCATED_NUMBER',
    hangup_code: 'sip:404',
  });
});

test('a number without a callflow is not found', async () => {
  const world = await office();
  await expect(world.call({ to: '7777' })).rejects.toMatchObject({
    status: 404,
    message: 'No callflow of acme matches "7777" by number, by pattern or as no_match.',
  });
  await expect(world.call({ from: '7777' })).rejects.toMatchObject({ status: 404 });
  await world.service('PATCH', `users/${world.bob}`, { enabled: false });
  await expect(world.call({ from: 'bob' })).rejects.toMatchObject({ status: 403 });
});

test('users call each other by username or extension', async () => {
  const world = await office();
  await subscribe(world, 'channel_create');
  const call = await world.call({ from: 'bob' });
  expect(call).toMatchObject({ from: '2002' });
  const [first] = await world.told();
  expect(first).toMatchObject({
    owner_id: world.bob,
    authorizing_id: world.bob,
    authorizing_type: 'user',
    caller_id_name: 'Bob Baker',
    caller_id_number: '2002',
  });
  expect(first).not.toHaveProperty('inception');
  expect((await world.call({ from: '2002' })).legs).toHaveLength(2);
  const self = await world.call({ from: 'alice' });
  expect(path(self)[0]).toBe('user "alice" | alice is the caller');
});

test('a call to an outside number is answered outside', async () => {
  const world = await office();
  const call = await world.call({ from: 'alice', to: '555 123 0005' });
  expect(path(call)).toEqual(['outside "+15551230005" | +15551230005 answers after 6 s']);
  expect(call).toMatchObject({ outcome: 'answered', legs: [{}, { billing: 'per_minute' }] });
  const busy = await world.call({ from: 'alice', to: '555 123 0005', answering: 'busy' });
  expect(busy).toMatchObject({ words: 'No carrier accepted the call: USER_BUSY', hangup_cause: 'USER_BUSY' });
  await world.service('PATCH', `users/${world.alice}`, { call_restriction: { did_us: { action: 'deny' } } });
  const denied = await world.call({ from: 'alice', to: '+12125550005' });
  expect(denied.words).toBe('The caller cannot call numbers of class did_us (+12125550005)');
});

test('outgoing calls show the external caller id of the user', async () => {
  const world = await office();
  const external = { name: 'Acme', number: '+15555550199' };
  await world.service('PATCH', `users/${world.alice}`, { caller_id: { external } });
  const call = await world.call({ from: 'alice', to: '+15551230005' });
  expect(listAt(call, 'events').map(({ payload }) => valueAt(payload, 'caller_id_number'))).toEqual([
    '2001',
    ...['+15555550199', '+15555550199'],
    ...['2001', '2001', '2001'],
    '+15555550199',
  ]);
});

test('events contain the variables that a callflow has set', async () => {
  const world = await office();
  await subscribe(world, 'channel_destroy');
  const custom = { custom_application_vars: { campaign: 'spring' } };
  await world.flow(['3001'], node('set_variables', custom, { _: node('user', { id: world.bob }) }));
  await world.call({ to: '3001' });
  expect((await world.told())[0]?.custom_application_vars).toEqual({ campaign: 'spring' });
});

test('in real time, events are sent when they happen', async () => {
  const world = await office();
  await subscribe(world, 'all');
  const call = await world.call({ real_time: true });
  expect(await world.told()).toHaveLength(2);
  const waiting = await world.sandbox.store.dueEvents(Number.MAX_SAFE_INTEGER, 100);
  expect(waiting.map(({ dueMs }) => (dueMs - world.sandbox.clock.now()) / 1000)).toEqual([6, 6, 6, 30, 30]);
  expect(waiting.map(({ eventId }) => eventId)).toEqual(
    listAt(call, 'events')
      .slice(2)
      .map(({ id }) => id),
  );
});
