import { expect, test } from 'vitest';
import { openCallWorld } from '../../../test/support/call-world.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';

const outside = '+15551230009';
const step = (module: string, data: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  ...{ module, data, children },
});

/** An office with alice, who has a box, and a way to lay a flow behind a number. */
async function office() {
  const world = await openCallWorld();
  const names = { username: 'alice', first_name: 'Alice', last_name: 'Archer', presence_id: '2001' };
  const alice = await world.make('users', { ...names, password: 'alice-12345' });
  const flow = (numbers: readonly string[], first: JsonObject) =>
    world.make('callflows', { name: `Flow ${numbers.join()}`, numbers, flow: first });
  const call = async (to: string, digits: readonly string[] = [], from: string = outside) => {
    const value = await world.simulate('call', { from, to, digits, real_time: true });
    const { path } = value;
    const notes = Array.isArray(path) ? path.filter(isObject).map(({ note }) => note) : [];
    return { value, note: String(notes.at(-1)), words: String(value.words) };
  };
  const settings = async (data: JsonObject) => {
    const { accountId } = world.sandbox.seed;
    const token = await world.sandbox.superToken();
    const reply = await world.sandbox.call('PATCH', `/v2/accounts/${accountId}`, { token, data });
    expect(reply.status, reply.text).toBe(200);
  };
  return { ...world, alice, flow, call, settings };
}

const labels = ({ path }: JsonObject): readonly Json[] =>
  (Array.isArray(path) ? path.filter(isObject) : []).map(({ key, label }) =>
    [key, label].filter(Boolean).join(' '),
  );

const named = ({ not_simulated: left }: JsonObject): readonly Json[] =>
  (Array.isArray(left) ? left.filter(isObject) : []).map(({ words }) => words ?? null);

test('a conference asks for its PINs, which say who is a moderator', async () => {
  const { make, flow, call } = await office();
  const room = { name: 'Board', member: { pins: ['1111'] }, moderator: { pins: ['9999'] } };
  const id = await make('conferences', room);
  await flow(['3001'], step('conference', { id }));
  await flow(['3002'], step('conference', { id, moderator: true }));
  expect((await call('3001')).note).toBe('the caller dials no PIN');
  expect((await call('3001', ['1', '22', '333'])).note).toBe('the caller dials a wrong PIN 3 times');
  expect((await call('3001')).words).toBe('Turned away');
  expect((await call('3001', ['0', '1111'])).value).toMatchObject({ is_moderator: false });
  const moderator = await call('3001', ['9999#']);
  expect(moderator.value).toMatchObject({ is_moderator: true, outcome: 'conference' });
  expect(moderator.note).toBe('the caller dials the PIN; the caller joins as a moderator');
  expect((await call('3002', ['1111'])).words).toBe('Turned away');
  expect(JSON.stringify(moderator.value.path)).not.toMatch(/1111|9999/);
});

test('a conference takes as many as it may, and holds members until a moderator is there', async () => {
  const { make, flow, call } = await office();
  const id = await make('conferences', {
    ...{ name: 'Board', max_participants: 2, wait_for_moderator: true, moderator: { pins: ['9999'] } },
  });
  await flow(['3001'], step('conference', { id }));
  const first = await call('3001');
  expect(first.value).toMatchObject({ outcome: 'conference', waits_for_moderator: true });
  expect(first.words).toContain('for a moderator of conference "Board"');
  expect((await call('3001', ['9999'])).words).toContain('In conference "Board"');
  const third = await call('3001');
  expect(third).toMatchObject({ note: 'is full: 2 are in it', words: 'Turned away' });
  const strict = await make('conferences', { name: 'Strict', require_moderator: true });
  await flow(['3002'], step('conference', { id: strict }));
  expect((await call('3002')).value).toMatchObject({ waits_for_moderator: true });
});

test('the owner of a box comes to its messages, by PIN where it asks for one', async () => {
  const { make, flow, call, service, alice } = await office();
  const id = await make('vmboxes', { name: 'Alice', mailbox: '2001', pin: '4321', owner_id: alice });
  await flow(['3001'], step('voicemail', { id }));
  await flow(['3002'], step('voicemail', { action: 'check', id }));
  await flow(['3003'], step('voicemail', { action: 'check' }));
  expect((await call('3001')).note).toBe('the caller leaves a message');
  expect((await call('3001', [], 'alice')).note).toBe('the owner hears messages');
  await service('PATCH', `vmboxes/${id}`, { require_pin: true, is_setup: true });
  expect((await call('3001', [], 'alice')).note).toBe('the caller dials no PIN');
  expect((await call('3001', ['4321'], 'alice')).note).toBe(
    'the caller dials the PIN; the owner hears messages',
  );
  await service('PATCH', `vmboxes/${id}`, { check_if_owner: false });
  expect((await call('3001', [], 'alice')).note).toBe('the caller leaves a message');
  expect((await call('3002', ['1234'])).words).toBe('Turned away');
  expect((await call('3002', ['4321'])).note).toContain('hears messages');
  expect((await call('3003', ['2001', '4321'])).note).toContain('hears messages');
  expect((await call('3003')).note).toBe('the caller dials no box');
  const { id: open } = { id: await make('vmboxes', { name: 'Open', mailbox: '2002' }) };
  await flow(['3004'], step('voicemail', { action: 'check', id: open }));
  expect((await call('3004', ['1'])).note).toBe('the box has no PIN and lets nobody in');
});

test('disa asks for its PIN, then for a number', async () => {
  const { flow, call, alice } = await office();
  await flow(['2001'], step('user', { id: alice }));
  await flow(['3001'], step('disa', { pin: '7777', retries: 1 }));
  expect((await call('3001', ['1', '7777', '2001'])).words).toBe('Turned away');
  expect((await call('3001', ['7777', '2001'])).words).toBe('Answered by alice');
  expect((await call('3001', ['7777', '12125550199'])).words).toContain('Answered by');
  expect((await call('3001', ['7777'])).note).toBe('the caller dials the PIN; the caller dials no number');
});

test('every call passes the preflow of the account, and goes on unless it ends there', async () => {
  const { flow, call, service, settings, alice } = await office();
  await flow(['2001'], step('user', { id: alice }));
  const preflow = await flow(['3000'], step('tts', { text: 'Recorded' }));
  await settings({ preflow: { always: preflow } });
  const passed = await call('2001');
  expect(labels(passed.value)).toEqual([
    'callflow "Flow 3000"',
    '→ tts "Recorded"',
    '→ callflow "Flow 2001"',
    '→ user "alice"',
  ]);
  expect(passed.words).toBe('Answered by alice');
  expect((await call('3000')).value.path).toHaveLength(4);
  await service('PATCH', `callflows/${preflow}`, { flow: step('hangup') });
  expect(labels((await call('2001')).value)).toEqual(['callflow "Flow 3000"', '→ hangup "Recorded"']);
});

test('what is stored, has a say in the call and is not simulated is named', async () => {
  const { flow, call, service, settings, make, alice } = await office();
  const box = await make('vmboxes', { name: 'Alice', mailbox: '2001', transcribe: true });
  await flow(['2001'], step('record_caller', {}, { _: step('user', { id: alice }) }));
  await flow(['2002'], step('voicemail', { id: box }));
  expect(named((await call('2002', [], outside)).value)).toEqual(['transcribe of vmbox "Alice"']);
  await settings({ metaflows: { numbers: { 1: { module: 'hangup', data: {} } } } });
  await service('PATCH', `users/${alice}`, { dial_plan: { '^(\\d{4})$': { prefix: '555' } } });
  const taken = named((await call('2001')).value);
  expect(taken).toEqual(['steps of the module record_caller', 'metaflows of the account']);
  const made = named((await call('2002', [], 'alice')).value);
  expect(made).toEqual(['dial plan of alice', 'transcribe of vmbox "Alice"']);
  expect(valueAt((await call('2001')).value, 'not_simulated.1.setting')).toBe('accounts.metaflows');
});

test('an account that is disabled takes no call', async () => {
  const { flow, simulate, settings, alice } = await office();
  await flow(['2001'], step('user', { id: alice }));
  await settings({ enabled: false });
  await expect(simulate('call', { from: outside, to: '2001' })).rejects.toThrow('disabled');
});

test('phones show the caller id of the step, of a list by its code, or the one that is dialled', async () => {
  const { flow, make, simulate, alice } = await office();
  const list = await make('lists', { name: 'Codes' });
  await make(`lists/${list}/entries`, { number: '15557770000', name: 'Sales', capture_group_key: '12' });
  const ringing = step('user', { id: alice });
  const caller_id = { name: 'Office', number: '15558880000' };
  await flow(['201'], step('dynamic_cid', { action: 'static', caller_id }, { _: ringing }));
  await flow(['202'], step('dynamic_cid', { action: 'list', id: list }, { _: ringing }));
  await flow(['203'], step('dynamic_cid', { action: 'manual', max_digits: 11 }, { _: ringing }));
  const shown = async (to: string, ...digits: readonly string[]) => {
    const { path, events } = await simulate('call', { from: outside, to, digits });
    const notes = Array.isArray(path) ? path.filter(isObject).map(({ note }) => String(note)) : [];
    const rung = (Array.isArray(events) ? events : []).find(
      (event: Json) => isObject(event) && valueAt(event, 'payload.call_direction') === 'outbound',
    );
    return [
      notes.find((note) => /caller|code/.test(note)),
      isObject(rung) ? valueAt(rung, 'payload.caller_id_number') : rung,
    ];
  };
  expect(await shown('201')).toEqual(['the caller id is 15558880000 (Office)', '15558880000']);
  expect(await shown('202', '12')).toEqual(['the caller id is 15557770000 (Sales)', '15557770000']);
  expect((await shown('202', '13'))[0]).toBe('no entry of the list has the code 13');
  expect((await shown('203', '15559990000'))[0]).toBe('the caller id is 15559990000');
  expect((await shown('203', '999'))[0]).toBe('999 cannot be a caller id here');
});
