import { beforeEach, expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { isObject } from '../../../base/json.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';

let sandbox: CalledSandbox;
let token: string;
let path: string;

beforeEach(async () => {
  sandbox = await calledSandbox();
  token = await sandbox.adminToken();
  path = `/v2/accounts/${sandbox.seed.accountId}/webhooks`;
});

const subscription = { name: 'CRM', uri: 'https://crm.example/hook', hook: 'channel_create' };

test('a new webhook has defaults and no attempts, and can be disabled and enabled', async () => {
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

test('the hooks are listed with their modifiers', async () => {
  const { data } = await sandbox.call('GET', '/v2/webhooks', { token });
  const ids = Array.isArray(data) ? data.map((hook) => Object(hook).id) : [];
  expect(ids).toEqual([
    ...['channel_create', 'channel_answer', 'channel_destroy', 'channel_bridge'],
    ...['sms', 'notifications', 'fax', 'object'],
  ]);
});

test('the hooks object and notifications have modifiers', async () => {
  const { data } = await sandbox.call('GET', '/v2/webhooks', { token });
  const of = (id: string) =>
    Array.isArray(data) ? data.map(Object).find((hook) => hook.id === id) : undefined;
  expect(of('object').modifiers.action.items).toEqual(['all', 'doc_created', 'doc_edited', 'doc_deleted']);
  expect(of('notifications').modifiers.type.items.voicemail_full).toMatchObject({
    friendly_name: 'Voicemail full',
    description: 'Contains account_id, max_message_count, message_count, voicemail_box',
  });
  expect(of('channel_create')).not.toHaveProperty('modifiers');
});

test('each hook has samples of its events, which can be filtered', async () => {
  const { data: names } = await sandbox.call('GET', '/v2/webhooks/samples', { token });
  const { data: hooks } = await sandbox.call('GET', '/v2/webhooks', { token });
  const offered = Array.isArray(hooks) ? hooks.map((hook) => String(Object(hook).id)) : [];
  expect(names).toEqual([...offered, 'parking'].map((id) => `webhooks_${id}`));
  const one = await sandbox.call('GET', '/v2/webhooks/samples/webhooks_channel_destroy', { token });
  expect(one.data).toMatchObject([{ hook_event: 'channel_destroy', hangup_cause: 'NORMAL_CLEARING' }]);
  const some = '/v2/webhooks/samples/webhooks_notifications?filter_event_name=voicemail_full';
  expect((await sandbox.call('GET', some, { token })).data).toMatchObject([
    { event_name: 'voicemail_full', account_id: sandbox.seed.accountId },
  ]);
});

test('custom_data accepts any values', async () => {
  const custom_data = { text: 'a', number: 1, flag: true, nothing: null, list: [1, 'b'], inner: { deep: 2 } };
  const made = await sandbox.call('PUT', path, { token, data: { ...subscription, custom_data } });
  expect([made.status, Object(made.data).custom_data]).toEqual([201, custom_data]);
});

test('custom_data is optional, except for modifiers in the field', async () => {
  const field = sandbox.answeringLike('kazoo');
  for (const hook of ['object', 'notifications', 'channel_create']) {
    const data = { ...subscription, uri: 'https://crm.example/in', hook };
    const made = await sandbox.call('PUT', path, { token, data });
    expect(made.status, made.text).toBe(201);
    const payload = { data };
    const headers = { 'x-auth-token': token };
    const refused = await field.inject({ method: 'PUT', url: path, payload, headers });
    expect([hook, refused.statusCode]).toEqual([hook, hook === 'channel_create' ? 201 : 400]);
  }
});

test.each([
  ['an unknown hook', { hook: 'earthquake' }, 'hook.enum'],
  ['an address that is no web address', { uri: 'ftp://crm.example' }, 'uri.error'],
  ['too many retries', { retries: 9 }, 'retries.maximum'],
  ['no name', { name: null }, 'name'],
  [
    'an unknown notification',
    { hook: 'notifications', custom_data: { type: 'voicemail_ful' } },
    'custom_data.type',
  ],
])('%s is refused', async (_, change, problem) => {
  const reply = await sandbox.call('PUT', path, { token, data: { ...subscription, ...change } });
  expect(reply.status).toBe(400);
  const [field = '', rule] = problem.startsWith('custom_data.') ? [problem] : problem.split('.');
  expect(Object.keys(Object(reply.data))).toContain(field);
  if (rule) expect(Object(reply.data)[field]).toHaveProperty(rule);
});

test.each([1, 7, 199, 200, 201, 300])(
  'pages of %i return each attempt once, with and without filters',
  async (size) => {
    const { data } = await sandbox.call('PUT', path, { token, data: subscription });
    const webhookId = isObject(data) ? String(data.id) : '';
    const { accountId } = sandbox.seed;
    const total = size === 1 ? 12 : 450;
    await sandbox.store.commit(
      Array.from({ length: total }, (_, index) => ({
        change: 'attempt' as const,
        attempt: {
          webhookId,
          accountId,
          timestamp: gregorianSeconds(sandbox.clock) - 60,
          body: { event_id: `e${index}`, kept: index % 2 === 0 },
        },
      })),
    );
    for (const [filter, expected] of [
      ['', total],
      ['&filter_kept=true', total / 2],
    ] as const)
      for (const from of [`${path}/${webhookId}/attempts`, `${path}/attempts`]) {
        const found: string[] = [];
        let next = '';
        for (let pages = 0; pages <= total; pages += 1) {
          const page = await sandbox.call('GET', `${from}?page_size=${size}${filter}${next}`, { token });
          expect(page.status, page.text).toBe(200);
          found.push(
            ...(Array.isArray(page.data)
              ? page.data.map((one) => (isObject(one) ? String(one.event_id) : ''))
              : []),
          );
          const start = page.body.next_start_key;
          if (typeof start !== 'string') break;
          next = `&start_key=${encodeURIComponent(start)}`;
        }
        expect([found.length, new Set(found).size], from).toEqual([expected, expected]);
      }
  },
);
