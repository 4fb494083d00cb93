import { beforeEach, expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';

let sandbox: CalledSandbox;
let token: string;
let path: string;

beforeEach(async () => {
  sandbox = await calledSandbox();
  token = await sandbox.adminToken();
  path = `/v2/accounts/${sandbox.seed.accountId}/services`;
});

const get = async (part = '') => (await sandbox.call('GET', path + part, { token })).data;
const post = (part: string, data: Record<string, unknown>) =>
  sandbox.call('POST', path + part, { token, data: data as never });

test('an account without plans returns an empty list of plans', async () => {
  expect(await get()).toEqual({ plans: {} });
  expect(await get('/overrides')).toEqual({});
});

test('plans can be assigned and unassigned, and show their vendor', async () => {
  const reply = await post('/gold', { contract: { years: 1 } });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.data).toEqual({});
  const vendor = sandbox.seed.masterAccountId;
  expect(await get()).toEqual({ plans: { gold: { vendor_id: vendor, contract: { years: 1 } } } });
  const gone = await sandbox.call('DELETE', `${path}/gold`, { token });
  expect(gone.data).toEqual({ plans: {} });
  const again = await sandbox.call('DELETE', `${path}/gold`, { token });
  expect(again.status).toBe(404);
  expect(again.body).toMatchObject({ code: 'plan_is_not_assigned' });
});

test('one request can replace, add and remove plans', async () => {
  await post('', { plans: ['gold', { id: 'silver', vendor_id: 'v' }], billing_id: 'b' });
  expect(await get()).toMatchObject({ plans: { gold: {}, silver: { vendor_id: 'v' } }, billing_id: 'b' });
  expect((await post('', { add: ['bronze'], delete: ['gold'] })).data).toEqual({});
  expect(Object.keys(Object(await get()).plans)).toEqual(['silver', 'bronze']);
  await post('', { plans: ['gold'] });
  expect(Object.keys(Object(await get()).plans)).toEqual(['gold']);
});

test('new overrides replace existing ones and keep the plans', async () => {
  await post('/gold', {});
  expect((await post('/overrides', { devices: { sip_device: { rate: 2 } } })).data).toEqual({});
  await post('/overrides', { users: { _all: { rate: 1 } } });
  expect(await get('/overrides')).toEqual({ users: { _all: { rate: 1 } } });
  expect(await get()).toMatchObject({ plans: { gold: {} } });
});

test('an invalid plan is refused with its position', async () => {
  expect((await post('', { add: ['gold', 7] })).data).toHaveProperty(['add.1', 'type']);
  expect((await post('', { add: 'gold' })).data).toHaveProperty('add.type');
});

test('only the reseller can change the plans of an account', async () => {
  const below = await sandbox.call('PUT', `/v2/accounts/${sandbox.seed.accountId}`, {
    token,
    data: { name: 'branch' },
  });
  const theirs = `/v2/accounts/${below.at('data.id')}/services/gold`;
  expect((await sandbox.call('POST', theirs, { token, data: {} })).status).toBe(403);
  const superior = await sandbox.superToken();
  expect((await sandbox.call('POST', theirs, { token: superior, data: {} })).status).toBe(200);
});
