import { expect, test } from 'vitest';
import { openCallWorld } from '../../../../test/support/call-world.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';

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

test('a conference asks for a PIN, which determines the role of the caller', async () => {
  const { make, flow, call } = await office();
  const room = { name: 'Board', member: { pins: ['1111'] }, moderator: { pins: ['9999'] } };
  const id = await make('conferences', room);
  await flow(['3001'], step('conference', { id }));
  await flow(['3002'], step('conference', { id, moderator: true }));
  expect((await call('3001')).words).not.toContain('In conference');
  expect((await call('3001', ['0', '1111'])).value).toMatchObject({ is_moderator: false });
  const moderator = await call('3001', ['9999#']);
  expect(moderator.value).toMatchObject({ is_moderator: true, outcome: 'conference' });
  expect(JSON.stringify(moderator.value.path)).not.toMatch(/1111|9999/);
});

test('a conference accepts callers up to its limit, counting those of other calls', async () => {
  const { make, flow, call } = await office();
  const id = await make('conferences', { name: 'Board', max_participants: 2 });
  await flow(['3001'], step('conference', { id }));
  expect((await call('3001')).words).toContain('In conference "Board"');
  expect((await call('3001')).words).toContain('In conference "Board"');
  expect((await call('3001')).words).not.toContain('In conference "Board"');
});

test('the owner of a mailbox checks messages, and other callers leave one', async () => {
  const { make, flow, call, service, alice } = await office();
  const id = await make('vmboxes', { name: 'Alice', mailbox: '2001', pin: '4321', owner_id: alice });
  await flow(['3001'], step('voicemail', { id }));
  expect((await call('3001')).note).toMatch(/^a message of \d+ s is left$/);
  expect((await call('3001', [], 'alice')).note).toBe('The caller checked the mailbox');
  await service('PATCH', `vmboxes/${id}`, { require_pin: true, is_setup: true });
  expect((await call('3001', [], 'alice')).note).toBe('The PIN was wrong');
  const heard = await call('3001', ['4321'], 'alice');
  expect(heard.note).toBe('The caller checked the mailbox');
  expect(JSON.stringify(heard.value.path)).not.toContain('4321');
});

test('disa asks for its PIN, then for a number', async () => {
  const { flow, call, alice } = await office();
  await flow(['2001'], step('user', { id: alice }));
  await flow(['3001'], step('disa', { pin: '7777', retries: 1 }));
  expect((await call('3001', ['1', '7777', '2001'])).words).toBe('The PIN was wrong too often');
  const reached = await call('3001', ['7777', '2001']);
  expect(reached.words).toBe('Answered by alice');
  expect(JSON.stringify(reached.value.path)).not.toContain('7777');
});

test('every call runs the preflow of the account, and continues unless the preflow ends it', async () => {
  const { flow, call, service, settings, alice } = await office();
  await flow(['2001'], step('user', { id: alice }));
  const preflow = await flow(['3000'], step('tts', { text: 'Recorded' }));
  await settings({ preflow: { always: preflow } });
  const passed = await call('2001');
  expect(labels(passed.value)).toEqual(['callflow "Flow 3000"', '→ tts "Recorded"', '_ user "alice"']);
  expect(passed.words).toBe('Answered by alice');
  expect((await call('3000')).value.path).toHaveLength(3);
  await service('PATCH', `callflows/${preflow}`, { flow: step('hangup') });
  expect(labels((await call('2001')).value)).toEqual(['callflow "Flow 3000"', '→ hangup "Recorded"']);
});

test('relevant settings that are not simulated are listed', async () => {
  const { flow, call, service, settings, make, alice } = await office();
  const box = await make('vmboxes', { name: 'Alice', mailbox: '2001', transcribe: true });
  await flow(['2001'], step('record_caller', {}, { _: step('user', { id: alice }) }));
  await flow(['2002'], step('voicemail', { id: box }));
  expect(named((await call('2002', [], outside)).value)).toEqual([
    'transcribe of Alice: messages are not transcribed',
  ]);
  await settings({ metaflows: { numbers: { 1: { module: 'hangup', data: {} } } } });
  await service('PATCH', `users/${alice}`, { formatters: { to: [{ regex: '.*' }] } });
  expect(named((await call('2001')).value)).toEqual([
    expect.stringContaining('metaflows of the account'),
    expect.stringContaining('formatters of alice'),
  ]);
});

test('a disabled account accepts no calls', async () => {
  const { flow, simulate, settings, alice } = await office();
  await flow(['2001'], step('user', { id: alice }));
  await settings({ enabled: false });
  await expect(simulate('call', { from: outside, to: '2001' })).rejects.toThrow('disabled');
});

test('phones show the caller id of the step', async () => {
  const { flow, simulate, alice } = await office();
  const caller_id = { name: 'Office', number: '15558880000' };
  await flow(
    ['201'],
    step('dynamic_cid', { action: 'static', caller_id }, { _: step('user', { id: alice }) }),
  );
  const { events } = await simulate('call', { from: outside, to: '201' });
  const rung = (Array.isArray(events) ? events.filter(isObject) : []).find(
    (event) => valueAt(event, 'payload.call_direction') === 'outbound',
  );
  expect(valueAt(rung, 'payload.caller_id_number')).toBe('15558880000');
});
