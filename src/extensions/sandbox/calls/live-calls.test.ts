import { expect, test } from 'vitest';
import { openCallWorld } from '../../../../test/support/call-world.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';

const step = (module: string, data: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  ...{ module, data, children },
});
const rows = (data: Json | undefined): readonly JsonObject[] =>
  Array.isArray(data) ? data.filter(isObject) : [];

/** An office with alice at 2001 and bob at 2002, recorded at 2003. */
async function office() {
  const world = await openCallWorld();
  const user = (username: string, presence_id: string) =>
    world.make('users', {
      ...{ username, first_name: username, last_name: 'Archer', presence_id },
      password: 'first-sign-in',
    });
  const alice = await user('alice', '2001');
  const bob = await user('bob', '2002');
  const flow = (numbers: readonly string[], first: JsonObject) =>
    world.make('callflows', { name: `Flow ${numbers.join()}`, numbers, flow: first });
  await flow(['2001'], step('user', { id: alice }));
  await flow(['2002'], step('user', { id: bob }));
  await flow(['2003'], step('record_call', { action: 'start' }, { _: step('user', { id: alice }) }));
  const list = async (path: string) => rows((await world.service('GET', path)).data);
  const { clock } = world.sandbox;
  return { ...world, alice, bob, flow, list, turn: (seconds: number) => clock.turn(seconds * 1000) };
}

test('a call is live until it ends, and leaves a record of each leg', async () => {
  const { simulate, list, service, turn, alice, bob } = await office();
  const made = await simulate('call', { from: 'alice', to: '2002', duration: 60, real_time: true });
  expect(await list('channels')).toMatchObject([
    { direction: 'inbound', answered: false, destination: '2002', owner_id: alice, elapsed_s: 0 },
    { direction: 'outbound', answered: false, owner_id: bob },
  ]);
  expect(await list('cdrs')).toEqual([]);
  turn(10);
  const [first, second] = await list('channels');
  expect(first).toMatchObject({ answered: true, other_leg: second?.uuid, elapsed_s: 10 });
  expect(await list(`users/${bob}/channels`)).toEqual([second]);
  const { data: single } = await service('GET', `channels/${first?.uuid}`);
  expect(single).toMatchObject({
    call_direction: 'inbound',
    other_leg_call_id: second?.uuid,
    call_id: first?.uuid,
  });
  turn(60);
  expect(await list('channels')).toEqual([]);
  const legs = await list('cdrs?ascending=true');
  expect(legs.map(({ id }) => String(id).slice(0, 7))).toEqual(['202501-', '202501-']);
  expect(legs.filter(({ direction }) => direction === 'inbound')).toMatchObject([
    {
      ...{ call_id: first?.uuid, direction: 'inbound', other_leg_call_id: second?.uuid, owner_id: alice },
      ...{ duration_seconds: 60, billing_seconds: 54, hangup_cause: 'NORMAL_CLEARING' },
      ...{ dialed_number: '2002', calling_from: '2001', interaction_id: made.interaction_id },
    },
  ]);
  expect(await list(`users/${bob}/cdrs`)).toMatchObject([{ call_id: second?.uuid }]);
  expect(await list('cdrs/interaction')).toMatchObject([{ call_id: first?.uuid }]);
  expect(await list(`cdrs/legs/${made.interaction_id}`)).toMatchObject([
    { call_direction: 'inbound', hangup_code: 'sip:200' },
    { call_direction: 'outbound' },
  ]);
  expect(await list(`cdrs/legs/${legs[0]?.id}`)).toHaveLength(2);
});

test('the summary counts seconds from and to carriers by class of number', async () => {
  const { simulate, service, turn } = await office();
  await simulate('call', { from: 'alice', to: '+14155550199', duration: 36 });
  turn(60);
  const { data } = await service('GET', 'cdrs/summary');
  expect(data).toEqual({ inbound: {}, outbound: { 'acme.sandbox.example': { did_us: { total: 30 } } } });
});

test('hanging up ends a call immediately, and replaces its future events', async () => {
  const { simulate, list, service, turn, told, make } = await office();
  await make('webhooks', {
    name: 'Ends',
    uri: 'https://crm.example/',
    hook: 'channel_destroy',
    http_verb: 'post',
  });
  await simulate('call', { from: 'bob', to: '2003', duration: 600, real_time: true });
  turn(30);
  const [leg] = await list('channels');
  expect((await service('POST', `channels/${leg?.uuid}`, { action: 'hangup' })).data).toBe(
    'hangup initiated',
  );
  expect(await list('channels')).toEqual([]);
  turn(900);
  const legs = await list('cdrs');
  expect(legs.map(({ duration_seconds: seconds }) => seconds)).toEqual([30, 30]);
  expect(await told()).toMatchObject([
    { hook_event: 'channel_destroy', duration_seconds: 30, billing_seconds: 24 },
    { hook_event: 'channel_destroy', duration_seconds: 30 },
  ]);
  expect(await list('recordings')).toMatchObject([{ duration: 30, call_id: leg?.uuid }]);
});

test('a transfer ends the transferring leg, and the other leg continues in the same call', async () => {
  const { simulate, list, service, turn, alice, bob } = await office();
  const made = await simulate('call', { from: 'bob', to: '2001', duration: 120, real_time: true });
  turn(20);
  const [ofAlice] = await list(`users/${alice}/channels`);
  await service('POST', `channels/${ofAlice?.uuid}`, { action: 'transfer', target: '+14155550199' });
  turn(10);
  expect(await list(`users/${alice}/channels`)).toEqual([]);
  const live = await list('channels');
  expect(live).toMatchObject([
    { direction: 'inbound', owner_id: bob, answered: true },
    { direction: 'outbound', destination: '+14155550199', answered: true },
  ]);
  turn(600);
  const legs = await list(`cdrs/legs/${made.interaction_id}`);
  expect(legs.map(({ duration_seconds: seconds }) => seconds)).toEqual([120, 20, 100]);
});

test('a recorded call leaves a recording with sound, linked to its records', async () => {
  const { simulate, list, service, turn, told, make, sandbox } = await office();
  const custom_data = { type: 'call_recording', action: 'doc_created' };
  await make('webhooks', {
    name: 'R',
    uri: 'https://crm.example/',
    hook: 'object',
    http_verb: 'post',
    custom_data,
  });
  await simulate('call', { from: 'bob', to: '2003', duration: 42, real_time: true });
  expect(await list('recordings')).toEqual([]);
  turn(60);
  const [recording] = await list('recordings');
  expect(recording).toMatchObject({
    duration: 42,
    content_type: 'audio/mpeg',
    origin: 'callflow : Flow 2003',
  });
  const { data: leg } = await service('GET', `cdrs/${recording?.cdr_id}`);
  expect(leg).toMatchObject({ custom_channel_vars: { media_recordings: [recording?.id] } });
  expect(await told()).toMatchObject([{ type: 'call_recording', id: recording?.id }]);
  const token = await sandbox.adminToken();
  const url = `/v2/accounts/${sandbox.seed.accountId}/recordings/${recording?.id}?accept=audio/mpeg`;
  const sound = await sandbox.app.inject({ method: 'GET', url, headers: { 'x-auth-token': token } });
  expect([sound.headers['content-type'], sound.rawPayload.length]).toEqual(['audio/mpeg', 584 * 72]);
});

test('reports an invalid action', async () => {
  const { simulate, list, sandbox, turn } = await office();
  await simulate('call', { from: 'alice', to: '2002', duration: 60, real_time: true });
  const [leg] = await list('channels');
  const token = await sandbox.adminToken();
  const post = async (data: JsonObject) => {
    const url = `/v2/accounts/${sandbox.seed.accountId}/channels/${leg?.uuid}`;
    const { status, body } = await sandbox.call('POST', url, { token, data });
    return [status, isObject(body.data) ? Object.keys(body.data)[0] : body.data];
  };
  expect(await post({ action: 'transfer', target: '2001' })).toEqual([400, 'other_leg_call_id']);
  turn(10);
  expect(await post({ action: 'transfer' })).toEqual([400, 'target']);
  expect(await post({ action: 'intercept' })).toEqual([400, 'target_type']);
  expect((await post({ action: 'dance' }))[0]).toBe(400);
  expect(await post({ action: 'break' })).toEqual([200, 'break initiated']);
});

test('settings of users and of the account record calls by direction and network', async () => {
  const { simulate, list, service, turn, alice } = await office();
  const origins = async () => (await list('recordings')).map(({ origin }) => origin);
  const on = { enabled: true, time_limit: 10 };
  await service('PATCH', `users/${alice}`, { call_recording: { inbound: { offnet: on } } });
  await simulate('call', { from: 'bob', to: '2001', duration: 42 });
  turn(60);
  expect(await origins()).toEqual([]);
  await simulate('call', { from: '+15551230009', to: '2001', duration: 42 });
  turn(60);
  expect(await list('recordings')).toMatchObject([
    { origin: 'inbound from offnet to endpoint', duration: 10 },
  ]);
  const off = { enabled: false };
  await service('PATCH', `users/${alice}`, { call_recording: { inbound: { offnet: off, onnet: off } } });
  await service('PATCH', '', {
    call_recording: { endpoint: { any: { onnet: on } }, account: { any: { any: on } } },
  });
  await simulate('call', { from: 'bob', to: '2001', duration: 42 });
  await simulate('call', { from: '+15551230009', to: '2001', duration: 42 });
  turn(60);
  expect((await origins()).toSorted()).toEqual([
    'inbound from offnet to account',
    'inbound from offnet to endpoint',
    'inbound from onnet to account',
    'inbound from onnet to endpoint',
    'outbound to onnet from endpoint',
  ]);
});

test('a call that is not in real time has ended after the simulation, with its records', async () => {
  const { simulate, list, service } = await office();
  await service('POST', 'limits', { calls: 1 });
  const made = await simulate('call', { from: 'alice', to: '2002', duration: 42 });
  expect(await list('channels')).toEqual([]);
  const legs = await list('cdrs?ascending=true');
  expect(legs.map(({ duration_seconds: seconds }) => seconds)).toEqual([42, 42]);
  expect(made.ends_at).toBe('2025-01-15T09:00:00.000Z');
  await simulate('call', { from: 'alice', to: '2002', duration: 42 });
  expect(await list('cdrs?ascending=true')).toHaveLength(4);
});

test.each([
  { after: 3, seconds: [] },
  { after: 35, seconds: [5] },
])('a call that is hung up after $after s leaves a message of $seconds s', async ({ after, seconds }) => {
  const { simulate, make, flow, list, service, turn, alice } = await office();
  const box = await make('vmboxes', { name: 'Alice', mailbox: '100' });
  const voicemail = step('voicemail', { id: box });
  await flow(['2009'], step('user', { id: alice, timeout: 20 }, { _: voicemail }));
  await simulate('call', { from: 'bob', to: '2009', duration: 90, answering: 'no-answer', real_time: true });
  turn(after);
  const [leg] = await list('channels');
  await service('POST', `channels/${leg?.uuid}`, { action: 'hangup' });
  turn(120);
  const [cdr] = await list('cdrs');
  expect(cdr).toMatchObject({ duration_seconds: after });
  const messages = await list(`vmboxes/${box}/messages`);
  expect(messages.map(({ length }) => Number(length) / 1000)).toEqual(seconds);
});
