import { expect, test } from 'vitest';
import { type CallWorld, openCallWorld } from '../../../../test/support/call-world.ts';
import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import { clusterId } from '../ids-and-secrets.ts';

const outside = '+15551230009';
const ours = '+15555550199';

const subscribe = (world: CallWorld, hook: string, more: JsonObject = {}) =>
  world.make('webhooks', { name: hook, uri: 'http://127.0.0.1:9/', hook, ...more });

test('an SMS from outside is published in the account that owns the number', async () => {
  const world = await openCallWorld();
  await subscribe(world, 'sms');
  const sent = await world.simulate('sms', { from: outside, to: '555 555 0199', body: 'Hello' });
  expect(await world.told()).toEqual([
    {
      hook_event: 'sms',
      id: sent.id,
      account_id: world.sandbox.seed.accountId,
      type: 'sms',
      from: outside,
      to: ours,
      body: 'Hello',
      origin: 'offnet',
      cluster_id: clusterId,
    },
  ]);
  const own = await world.simulate('sms', { from: 'admin', to: outside, body: 'Hello' });
  expect(valueAt(own, 'events.0.payload.origin')).toBe('onnet');
  await expect(world.simulate('sms', { from: outside, to: '+15551239999', body: 'x' })).rejects.toMatchObject(
    {
      status: 404,
    },
  );
  await expect(world.simulate('sms', { from: outside, to: ours })).rejects.toMatchObject({ status: 400 });
});

test('a fax arrives in the inbox and fires three hooks', async () => {
  const world = await openCallWorld();
  await subscribe(world, 'fax');
  await subscribe(world, 'notifications', { custom_data: { type: 'inbound_fax' } });
  await subscribe(world, 'object', { custom_data: { type: 'fax', action: 'doc_created' } });
  const fax = await world.simulate('fax', { from: outside, to: ours, pages: 3, from_name: 'Carol' });
  const { data } = await world.service('GET', `faxes/inbox/${fax.fax_id}`);
  expect(data).toMatchObject({ status: 'received', from: outside, to: ours, rx_result: { pages_sent: 3 } });
  const told = await world.told();
  const facts = { event_name: 'inbound_fax', fax_id: fax.fax_id, caller_id_name: 'Carol' };
  const byHook = (hook: string) => told.filter(({ hook_event: each = 'other' }) => each === hook);
  expect(byHook('fax')).toMatchObject([{ ...facts, status: 'received' }]);
  expect(byHook('other')).toMatchObject([
    { type: 'fax', action: 'doc_created', id: fax.fax_id },
    { ...facts, event_category: 'notification' },
  ]);
  await expect(world.simulate('fax', { from: outside, to: '+15551239999' })).rejects.toMatchObject({
    status: 404,
  });
  await expect(world.simulate('fax', { from: outside, to: ours, pages: 0 })).rejects.toMatchObject({
    status: 400,
  });
});

test('a message is left in a mailbox by number, name or id', async () => {
  const world = await openCallWorld();
  await subscribe(world, 'notifications', { custom_data: { type: 'voicemail_new' } });
  const box = await world.make('vmboxes', { mailbox: '100', name: 'Front desk' });
  for (const named of ['100', 'Front desk', box]) {
    const left = await world.simulate('voicemail', {
      box: named,
      from: outside,
      seconds: 7,
      text: 'Call me',
    });
    expect(left).toMatchObject({ vmbox_id: box, box: 'Front desk', seconds: 7 });
  }
  const { data } = await world.service('GET', `vmboxes/${box}/messages`);
  const message = { folder: 'new', length: 7000, transcription: { result: 'success', text: 'Call me' } };
  expect(data).toMatchObject([message, message, message]);
  const { data: listed } = await world.service('GET', 'vmboxes');
  expect(listed).toMatchObject([{ folders: { new: 3 } }]);
  expect(await world.told()).toHaveLength(3);
  await expect(world.simulate('voicemail', { box: '999', from: outside })).rejects.toMatchObject({
    status: 404,
    message: 'acme has no voicemail box "999".',
  });
});

test('a mailbox with a hundred messages accepts none from callers, and publishes a notification', async () => {
  const world = await openCallWorld();
  await subscribe(world, 'notifications', { custom_data: { type: 'voicemail_full' } });
  const box = await world.make('vmboxes', { mailbox: '100', name: 'Front desk' });
  const leave = () => world.simulate('voicemail', { box: '100', from: outside });
  for (let many = 0; many < 99; many += 1) await world.service('PUT', `vmboxes/${box}/messages`, {});
  await leave();
  expect(await world.told()).toEqual([]);
  await expect(leave()).rejects.toMatchObject({
    status: 403,
    message: 'The voicemail box "Front desk" is full. It has at least 100 messages.',
  });
  await world.make('callflows', {
    numbers: [ours],
    flow: { module: 'voicemail', data: { id: box }, children: {} },
  });
  const call = await world.simulate('call', { from: outside, to: ours });
  expect(call).toMatchObject({ outcome: 'voicemail full', words: 'Voicemail box "100" is full' });
  const keys = { voicemail_box: box, message_count: 100, max_message_count: 100 };
  const told = { event_name: 'voicemail_full', account_id: world.sandbox.seed.accountId, ...keys };
  expect(await world.told()).toMatchObject([told, told]);
  const { data } = await world.service('GET', `vmboxes/${box}/messages?paginate=false`);
  expect(data).toHaveLength(100);
});

test('simulations find an account by id, name or realm', async () => {
  const world = await openCallWorld();
  const { seed, sandbox } = { ...world, seed: world.sandbox.seed };
  const token = await sandbox.adminToken();
  const made = await sandbox.call('PUT', `/v2/accounts/${seed.accountId}`, {
    token,
    data: { name: 'Branch Office', realm: 'branch.sandbox.example' },
  });
  const branch = made.at('data.id');
  const data = { name: 'Line', numbers: ['+15551230042'], flow: { module: 'hangup', data: {} } };
  await sandbox.call('PUT', `/v2/accounts/${branch}/callflows`, { token, data });
  const body = { from: outside, to: '+15551230042' };
  for (const account of [branch, 'branch office', 'branch.sandbox.example'])
    expect(await world.simulate('call', { ...body, account })).toMatchObject({ account_id: branch });
  await expect(world.simulate('call', { ...body, account: 'nobody' })).rejects.toMatchObject({ status: 404 });
  await expect(world.simulate('call', body)).rejects.toMatchObject({ status: 404 });
  const number = `/v2/accounts/${branch}/phone_numbers/+15551230042`;
  await sandbox.call('PUT', number, { token, data: { create_with_state: 'in_service' } });
  expect(await world.simulate('call', body)).toMatchObject({ account_name: 'Branch Office' });
});

/** Events that wait for their moment: seconds from now, hook, state or type. */
async function waiting({ sandbox: { store, clock } }: CallWorld): Promise<readonly string[]> {
  const due = await store.dueEvents(Number.MAX_SAFE_INTEGER, 100);
  const toCome = due.filter(({ dueMs }) => dueMs > clock.now());
  return toCome.map(({ dueMs, hook, payload }) => {
    const told = isObject(payload.payload) ? payload.payload : {};
    return `${(dueMs - clock.now()) / 1000} ${hook} ${told.status ?? told.event_name ?? told.action}`;
  });
}

test('each state of a fax job is published when the clock reaches it', async () => {
  const world = await openCallWorld();
  await subscribe(world, 'fax');
  const job = {
    from_number: ours,
    to_number: '+15551230007',
    document: { url: 'https://acme.example/a.pdf' },
  };
  const id = await world.make('faxes', job);
  expect(await world.told()).toMatchObject([{ status: 'attaching files', fax_id: id, fax_jobid: id }]);
  expect(await waiting(world)).toEqual([
    '5 fax pending',
    '15 fax locked',
    '17 fax processing',
    '47 fax completed',
    '47 notifications outbound_fax',
  ]);
  const due = await world.sandbox.store.dueEvents(Number.MAX_SAFE_INTEGER, 100);
  expect(new Set(due.map(({ payload }) => valueAt(payload, 'payload.call_id'))).size).toBe(1);
});

test('a refused fax is published as an error after all attempts', async () => {
  const world = await openCallWorld();
  const job = {
    from_number: ours,
    to_number: '+15551230000',
    retries: 2,
    document: { url: 'https://acme.example/a.pdf' },
  };
  await world.make('faxes', job);
  expect(await waiting(world)).toEqual([
    '5 fax pending',
    '15 fax locked',
    '17 fax processing',
    '47 fax pending',
    '347 fax locked',
    '349 fax processing',
    '379 fax failed',
    '379 notifications outbound_fax_error',
  ]);
});

test('a fax to a number of the sandbox arrives at the time it was sent, and not earlier', async () => {
  const world = await openCallWorld();
  const job = {
    from_number: '+15551230007',
    to_number: ours,
    document: { url: 'https://acme.example/a.pdf' },
  };
  await world.make('faxes', job);
  expect(await waiting(world)).toEqual(
    expect.arrayContaining(['47 fax received', '47 notifications inbound_fax', '47 object doc_created']),
  );
});

test('a caller is in a conference until the call ends', async () => {
  const world = await openCallWorld();
  const conference = await world.make('conferences', { name: 'Standup', conference_numbers: ['900'] });
  const flow = { module: 'conference', data: { id: conference } };
  await world.make('callflows', { name: 'Rooms', numbers: ['900'], flow });
  const join = (body: JsonObject = {}) =>
    world.simulate('call', { from: outside, to: '900', duration: 60, real_time: true, ...body });
  const list = async () => (await world.service('GET', `conferences/${conference}/participants`)).data;
  expect(await list()).toEqual([]);
  const first = await join();
  const second = await join({ duration: 120 });
  expect(first).toMatchObject({ outcome: 'conference', words: 'In conference "Standup" for 60 s' });
  world.sandbox.clock.turn(11_000);
  expect(await list()).toMatchObject([
    {
      participant_id: 1,
      call_id: first.call_id,
      conference_name: 'Standup',
      speak: false,
      hear: true,
      duration: 11,
    },
    { participant_id: 2, call_id: second.call_id },
  ]);
  const act = (id: number, action: string) =>
    world.service('PUT', `conferences/${conference}/participants/${id}`, { action });
  await act(1, 'unmute');
  await act(1, 'deaf');
  expect((await world.service('GET', `conferences/${conference}/participants/1`)).data).toMatchObject({
    speak: true,
    hear: false,
  });
  await act(2, 'kick');
  expect(await list()).toMatchObject([{ participant_id: 1 }]);
  const legs = async () => (await world.service('GET', 'channels')).data;
  expect(await legs()).toMatchObject([{ uuid: first.call_id }]);
  const { data: records } = await world.service('GET', 'cdrs');
  expect(records).toMatchObject([{ call_id: second.call_id, duration_seconds: 11 }]);
  world.sandbox.clock.turn(60_000);
  expect(await list()).toEqual([]);
});

test('a blacklist of the account refuses callers before any callflow runs', async () => {
  const world = await openCallWorld();
  const flow = { module: 'response', data: { code: 486 }, children: {} };
  await world.make('callflows', { name: 'All', numbers: ['100'], flow });
  const list = { name: 'Nuisance', numbers: { '5551230009': {} }, should_block_anonymous: true };
  const blacklist = await world.make('blacklists', list);
  const cause = async (from: string) =>
    valueAt(await world.simulate('call', { from, to: '100' }), 'hangup_cause');
  expect(await cause(outside)).toBe('USER_BUSY');
  await world.service('PATCH', '', { blacklists: ['gone', blacklist] });
  expect(await cause(outside)).toBe('CALL_REJECTED');
  expect(await cause('anonymous')).toBe('CALL_REJECTED');
  expect(await cause('+15551230008')).toBe('USER_BUSY');
});
