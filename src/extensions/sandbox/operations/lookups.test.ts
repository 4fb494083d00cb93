import { beforeEach, expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';

let sandbox: CalledSandbox;
let token: string;
let account: string;

beforeEach(async () => {
  sandbox = await calledSandbox();
  token = await sandbox.adminToken();
  account = `/v2/accounts/${sandbox.seed.accountId}`;
});

const callflow = (data: Record<string, unknown>) =>
  sandbox.call('PUT', `${account}/callflows`, { token, data: data as never });
const flow = (module: string, data = {}) => ({ module, data, children: {} });
const contacts = async () => (await sandbox.call('GET', `${account}/contact_list`, { token })).data;

test('the contact list is an empty object without contacts', async () => {
  expect(await contacts()).toEqual({});
  await callflow({ name: 'No number', patterns: ['^5'], flow: flow('menu') });
  expect(await contacts()).toEqual({});
});

test('callflows are contacts with the name of the user that they ring', async () => {
  const { adminUserId: id } = sandbox.seed;
  await callflow({ name: 'Desk', numbers: ['+12125550123', '100'], flow: flow('user', { id }) });
  await callflow({ name: 'Zoo', numbers: ['101'], flow: flow('menu') });
  await callflow({
    name: 'Hidden',
    numbers: ['102'],
    flow: flow('menu'),
    contact_list: { exclude: true },
  });
  const made = [
    { name: 'Acme Admin (user)', external_number: '+12125550123', internal_number: '100' },
    { name: 'Zoo (menu)', internal_number: '101' },
  ];
  const found = await contacts();
  expect(Array.isArray(found)).toBe(false);
  expect(Object.values(Object(found))).toEqual(made);
  const field = sandbox.answeringLike('kazoo');
  const url = `${account}/contact_list`;
  const reply = await field.inject({ method: 'GET', url, headers: { 'x-auth-token': token } });
  expect(reply.json().data).toEqual(made);
});

test('selector rules have the six fields of the specification, and are replaced completely', async () => {
  const path = `${account}/resource_selectors/rules`;
  const rules = [{ get_resources: {} }, { order: { value: 'weight', direction: 'ascend' } }];
  const id = 'resource_selector_rules';
  const blank = { name: '', resource: '', selector: '', value: '', start_time: 0, stop_time: 0 };
  expect((await sandbox.call('GET', path, { token })).data).toEqual({ id, ...blank, rules: [] });
  for (const data of [{ name: 'x', rules: [] }, { rules }]) {
    const reply = await sandbox.call('POST', path, { token, data });
    expect(reply.status, reply.text).toBe(200);
  }
  expect((await sandbox.call('GET', path, { token })).data).toEqual({ id, ...blank, rules });
  const wrong = await sandbox.call('POST', path, { token, data: { rules: [{ get_resources: {} }, {}] } });
  expect(wrong.data).toHaveProperty(['rules.1', 'enum']);
});

test('selectors can be listed, replaced and deleted', async () => {
  const path = `${account}/resource_selectors`;
  const list = await sandbox.call('GET', `${path}?filter_name=domestic`, { token });
  expect(list.data).toMatchObject([{ name: 'domestic', value: '+1' }]);
  const one = `${path}/${list.at('data.0.id')}`;
  const data = { name: 'domestic', resource: 'other', selector: 'prefix' };
  expect((await sandbox.call('POST', one, { token, data: { name: 'x' } })).data).toHaveProperty(
    'resource.required',
  );
  expect((await sandbox.call('POST', one, { token, data })).data).not.toHaveProperty('value');
  expect((await sandbox.call('DELETE', one, { token })).status).toBe(200);
  expect((await sandbox.call('GET', one, { token })).status).toBe(404);
});

test.each([
  [undefined, 404, 409, 'quickcall initiation failed'],
  ['kazoo', 500, 500, 'unspecified_fault'],
] as const)(
  'like %s, a number without a rate returns %i and a quickcall without a phone %i',
  async (like, noRate, noPhone, word) => {
    sandbox = await calledSandbox(like === undefined ? {} : { like });
    token = await sandbox.adminToken();
    account = `/v2/accounts/${sandbox.seed.accountId}`;
    const get = (path: string) => sandbox.call('GET', `${account}/${path}`, { token });
    expect((await get('rates/number/+12125550123')).status).toBe(noRate);
    const user = `users/${sandbox.seed.adminUserId}`;
    const phoneless = await get(`${user}/quickcall/+12125550123`);
    expect([phoneless.status, phoneless.text]).toEqual([noPhone, expect.stringContaining(word)]);
    const data = { name: 'desk', owner_id: sandbox.seed.adminUserId };
    const made = await sandbox.call('PUT', `${account}/devices`, { token, data });
    const unregistered = await sandbox.call(
      'POST',
      `${account}/devices/${made.at('data.id')}/quickcall/+12125550123`,
      { token, data: {} },
    );
    expect([unregistered.status, unregistered.text]).toEqual([
      noPhone,
      expect.stringContaining('quickcall initiation failed'),
    ]);
  },
);
