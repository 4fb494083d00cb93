import { beforeEach, expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../test/support/called-sandbox.ts';

let sandbox: CalledSandbox;
let token: string;
let path: string;

beforeEach(async () => {
  sandbox = await calledSandbox();
  token = await sandbox.adminToken();
  path = `/v2/accounts/${sandbox.seed.accountId}/webhooks`;
});

const subscription = { name: 'CRM', uri: 'https://crm.example/hook', hook: 'channel_create' };

test('a subscription gets its defaults, is switched off and on, and has no attempts', async () => {
  const made = await sandbox.call('PUT', path, { token, data: subscription });
  expect(made.status).toBe(201);
  expect(made.data).toMatchObject({
    ...subscription,
    http_verb: 'post',
    format: 'form-data',
    retries: 2,
    enabled: true,
    include_subaccounts: false,
  });
  const one = `${path}/${made.at('data.id')}`;
  expect((await sandbox.call('PATCH', one, { token, data: { enabled: false } })).data).toMatchObject({
    enabled: false,
  });
  expect((await sandbox.call('PATCH', one, { token, data: { enabled: true } })).data).toMatchObject({
    enabled: true,
  });
  expect((await sandbox.call('GET', `${one}/attempts`, { token })).data).toEqual([]);
});

test('the hooks that can be subscribed to are listed with their modifiers', async () => {
  const { data } = await sandbox.call('GET', '/v2/webhooks', { token });
  const ids = Array.isArray(data) ? data.map((hook) => Object(hook).id) : [];
  expect(ids).toEqual([
    ...['channel_create', 'channel_answer', 'channel_destroy', 'channel_bridge'],
    ...['sms', 'notifications', 'fax', 'object'],
  ]);
});

test.each([
  ['an unknown hook', { hook: 'earthquake' }, 'hook.enum'],
  ['an address that is no web address', { uri: 'ftp://crm.example' }, 'uri.error'],
  ['too many retries', { retries: 9 }, 'retries.maximum'],
  ['object events without their modifiers', { hook: 'object' }, 'custom_data.action'],
  ['no name', { name: null }, 'name'],
])('%s is refused', async (_, change, problem) => {
  const reply = await sandbox.call('PUT', path, { token, data: { ...subscription, ...change } });
  expect(reply.status).toBe(400);
  const [field = '', rule] = problem === 'custom_data.action' ? [problem] : problem.split('.');
  expect(Object.keys(Object(reply.data))).toContain(field);
  if (rule) expect(Object(reply.data)[field]).toHaveProperty(rule);
});
