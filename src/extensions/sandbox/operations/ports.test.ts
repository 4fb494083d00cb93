import { beforeEach, describe, expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { type PortState, portStates } from '../telephony/port-states.ts';

let sandbox: CalledSandbox;
let token: string;
let superior: string;
let path: string;
let id: string;

const number = '+12125550123';
const numbers = { '(212) 555-0123': {} };

beforeEach(async () => {
  sandbox = await calledSandbox();
  [token, superior] = await Promise.all([sandbox.adminToken(), sandbox.superToken()]);
  path = `/v2/accounts/${sandbox.seed.accountId}/port_requests`;
  const made = await sandbox.call('PUT', path, { token, data: { name: 'Acme', numbers } });
  expect(made.data, made.text).toMatchObject({ port_state: 'unconfirmed', numbers: { [number]: {} } });
  id = made.at('data.id');
});

const move = (state: PortState, by = superior, data = {}) =>
  sandbox.call('PATCH', `${path}/${id}/${state}`, { token: by, data });

/** Moves that take a fresh request to a state. */
const ways: Readonly<Record<PortState, readonly PortState[]>> = {
  unconfirmed: [],
  submitted: ['submitted'],
  pending: ['submitted', 'pending'],
  scheduled: ['submitted', 'pending', 'scheduled'],
  completed: ['submitted', 'pending', 'completed'],
  rejected: ['submitted', 'rejected'],
  canceled: ['canceled'],
};

async function bring(state: PortState) {
  for (const step of ways[state]) expect((await move(step)).data).toMatchObject({ port_state: step });
}

const allowed: Readonly<Record<PortState, readonly PortState[]>> = {
  unconfirmed: ['submitted', 'canceled'],
  submitted: ['pending', 'rejected', 'canceled'],
  pending: ['scheduled', 'completed', 'rejected', 'canceled'],
  scheduled: ['completed', 'rejected', 'canceled'],
  completed: [],
  rejected: ['submitted', 'completed', 'canceled'],
  canceled: [],
};
const rows = portStates.flatMap((from) =>
  portStates
    .filter((to) => to !== 'unconfirmed')
    .map((to) => ({ from, to, goes: allowed[from].includes(to) })),
);
const goes = rows.filter((row) => row.goes);
const stays = rows.filter((row) => !row.goes);

describe('moves between states', () => {
  test.each(goes)('$from becomes $to', async ({ from, to }) => {
    await bring(from);
    const reply = await move(to);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.data).toMatchObject({ id, port_state: to });
  });

  test.each(stays)('$from cannot become $to', async ({ from, to }) => {
    await bring(from);
    const reply = await move(to);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ data: { port_state: { enum: { cause: to } } } });
    const read = await sandbox.call('GET', `${path}/${id}`, { token });
    expect(read.data).toMatchObject({ port_state: from });
  });

  const tree = ['unconfirmed submitted', 'rejected submitted', 'unconfirmed canceled'];

  test.each(goes)('only permitted callers can change $from to $to', async ({ from, to }) => {
    await bring(from);
    expect((await move(to, token)).status).toBe(tree.includes(`${from} ${to}`) ? 200 : 403);
  });
});

test('completing a port puts its numbers into service', async () => {
  await bring('completed');
  const reply = await sandbox.call(
    'GET',
    `/v2/accounts/${sandbox.seed.accountId}/phone_numbers/${encodeURIComponent(number)}`,
    { token },
  );
  expect(reply.data).toMatchObject({ state: 'in_service' });
});

test('the timeline lists transitions and comments in order, and private ones only for the authority', async () => {
  await move('submitted', token, { reason: 'ready' });
  sandbox.clock.turn(60_000);
  await sandbox.call('PUT', `${path}/${id}/comments`, { token, data: { comments: [{ content: 'hello' }] } });
  sandbox.clock.turn(60_000);
  const said = await sandbox.call('PUT', `${path}/${id}/comments`, {
    token: superior,
    data: { comments: [{ content: 'secret', is_private: true }] },
  });
  expect(said.data, said.text).toMatchObject({
    comments: [{ content: 'hello', author: 'Acme Admin' }, { content: 'secret' }],
  });
  const shown = await sandbox.call('GET', `${path}/${id}/timeline`, { token });
  expect(shown.data).toMatchObject({
    id,
    timeline: [
      {
        type: 'transition',
        transition: { previous: 'unconfirmed', new: 'submitted' },
        authorization: { user: { full_name: 'Acme Admin' } },
        reason: 'ready',
      },
      { content: 'hello', user_id: sandbox.seed.adminUserId },
    ],
  });
  expect(shown.text).not.toContain('secret');
  const whole = await sandbox.call('GET', `${path}/${id}/timeline`, { token: superior });
  expect(whole.text).toContain('secret');
});

test('only the authority can mark comments, and a comment cannot be both private and ask for action', async () => {
  const say = (by: string, marks: object) =>
    sandbox.call('PUT', `${path}/${id}/comments`, {
      token: by,
      data: { comments: [{ content: 'x', ...marks }] },
    });
  const refused = await say(token, { is_private: true });
  expect(refused.status).toBe(403);
  expect(refused.data).toHaveProperty('comments.forbidden');
  const both = await say(superior, { is_private: true, action_required: true });
  expect(both.data).toHaveProperty('comments.rejected');
  expect((await say(superior, { action_required: true })).status).toBe(201);
});

test('comments in a patch are added after the existing ones', async () => {
  const one = `${path}/${id}`;
  for (const content of ['first', 'second']) {
    const reply = await sandbox.call('PATCH', one, { token, data: { comments: [{ content }] } });
    expect(reply.status, reply.text).toBe(200);
  }
  await sandbox.call('PATCH', one, { token, data: { comments: null } });
  const replaced = await sandbox.call('POST', one, { token, data: { name: 'New', numbers } });
  expect(replaced.data, replaced.text).toMatchObject({
    name: 'New',
    comments: [{ content: 'first' }, { content: 'second' }],
  });
});

test('a port can be scheduled with a moment, a local time or no date', async () => {
  await bring('pending');
  const scheduleOn = { timezone: 'America/New_York', date_time: '2030-07-01 09:00' };
  const wrong = await move('scheduled', superior, { schedule_on: { ...scheduleOn, timezone: 'Mars' } });
  expect(wrong.data).toHaveProperty('schedule_on.invalid');
  const reply = await move('scheduled', superior, { schedule_on: scheduleOn });
  expect(reply.data).toMatchObject({
    port_state: 'scheduled',
    scheduled_date: Date.UTC(2030, 6, 1, 13) / 1000 + 62_167_219_200,
  });
});

test('an account can only change and delete a port before it is submitted', async () => {
  const one = `${path}/${id}`;
  await move('submitted');
  expect((await sandbox.call('PATCH', one, { token, data: { name: 'X' } })).status).toBe(405);
  expect((await sandbox.call('PATCH', one, { token: superior, data: { name: 'X' } })).status).toBe(200);
  expect((await sandbox.call('DELETE', one, { token })).status).toBe(405);
  await move('rejected');
  expect((await sandbox.call('PATCH', one, { token, data: { name: 'Y' } })).data).toMatchObject({
    name: 'Y',
  });
  expect((await sandbox.call('DELETE', one, { token })).status).toBe(200);
});

test('a port refuses numbers in service or in another open port', async () => {
  const again = () => sandbox.call('PUT', path, { token, data: { name: 'Again', numbers } });
  expect((await again()).body).toMatchObject({ data: { [number]: { type: { cause: number } } } });
  await move('canceled', token);
  expect((await again()).status).toBe(201);
  const served = { [sandbox.seed.phoneNumber]: {} };
  const reply = await sandbox.call('PUT', path, { token, data: { name: 'Served', numbers: served } });
  expect(reply.status).toBe(400);
});

test('ports are grouped by account, and lists show active ports by default', async () => {
  const list = async (query = '') => (await sandbox.call('GET', path + query, { token })).data;
  expect(await list()).toMatchObject([{ account_name: 'acme', port_requests: [{ id }] }]);
  await move('canceled', token);
  expect(await list()).toEqual([]);
  expect(await list('?by_types=completed')).toMatchObject([{ port_requests: [{ id }] }]);
  expect(await list('?by_types=all&by_number=2125550123')).toMatchObject([{ port_requests: [{ id }] }]);
  expect(await list('?by_types=all&by_number=2125550124')).toEqual([]);
});
