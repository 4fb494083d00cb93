/** A small program written only with the published document. It runs in `telctl sandbox exec`. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/service.ts';

const { TELCTL_BASE_URL: origin = '', TELCTL_API_KEY: apiKey = '' } = process.env;
const client = createClient<paths>({ baseUrl: `${origin}/v2` });
const account: { params: { path: { account_id: string } } } = { params: { path: { account_id: '' } } };
const { path: inAccount } = account.params;

before(async () => {
  const { data, error } = await client.PUT('/api_auth', { body: { data: { api_key: apiKey } } });
  if (!data) throw new Error(`The sign-in was refused: ${error.message}`);
  inAccount.account_id = data.data.account_id ?? '';
  client.use({
    onRequest({ request }) {
      request.headers.set('x-auth-token', data.auth_token ?? '');
    },
  });
});

/** Returns the data of a response. Throws the error message of the service if the call was refused. */
function answered<T>({ data, error }: { data?: T; error?: { message: string } }): T {
  if (data === undefined) throw new Error(`The service refused: ${error?.message}`);
  return data;
}

const idOf = ({ id }: { id?: string }): string => id ?? assert.fail('The record has no id.');
const has = (records: readonly { id?: string }[], id: string): boolean =>
  records.some((each) => each.id === id);

test('users are created, listed, changed, replaced and deleted', async () => {
  const alice: components['schemas']['UserInput'] = { first_name: 'Alice', last_name: 'Archer' };
  const path = '/accounts/{account_id}/users/{user_id}';
  const created = answered(
    await client.PUT('/accounts/{account_id}/users', { ...account, body: { data: alice } }),
  );
  const params = { path: { ...inAccount, user_id: idOf(created.data) } };
  const listed = answered(await client.GET('/accounts/{account_id}/users', account));
  assert.ok(has(listed.data, params.path.user_id));
  const patched = answered(await client.PATCH(path, { params, body: { data: { language: 'de-DE' } } }));
  assert.equal(patched.data.language, 'de-DE');
  assert.equal(patched.data.first_name, 'Alice');
  const replaced = answered(
    await client.POST(path, { params, body: { data: { ...alice, timezone: 'Europe/Zurich' } } }),
  );
  assert.equal(replaced.data.language, undefined);
  answered(await client.DELETE(path, { params }));
  assert.equal((await client.GET(path, { params })).response.status, 404);
});

test('menus are created, listed, changed and deleted', async () => {
  const path = '/accounts/{account_id}/menus/{menu_id}';
  const body = { data: { name: 'Front desk', retries: 2 } };
  const created = answered(await client.PUT('/accounts/{account_id}/menus', { ...account, body }));
  const params = { path: { ...inAccount, menu_id: idOf(created.data) } };
  const listed = answered(await client.GET('/accounts/{account_id}/menus', account));
  assert.ok(has(listed.data, params.path.menu_id));
  const patched = answered(await client.PATCH(path, { params, body: { data: { hunt: false } } }));
  assert.equal(patched.data.hunt, false);
  assert.equal(patched.data.retries, 2);
  answered(await client.DELETE(path, { params }));
});

test('webhooks are created, listed, changed and deleted', async () => {
  const path = '/accounts/{account_id}/webhooks/{webhook_id}';
  const body = { data: { name: 'CRM', uri: 'https://crm.example/calls', hook: 'channel_create' } } as const;
  const created = answered(await client.PUT('/accounts/{account_id}/webhooks', { ...account, body }));
  const params = { path: { ...inAccount, webhook_id: idOf(created.data) } };
  assert.equal(created.data.http_verb, 'post');
  const listed = answered(await client.GET('/accounts/{account_id}/webhooks', account));
  assert.ok(has(listed.data, params.path.webhook_id));
  const patched = answered(await client.PATCH(path, { params, body: { data: { enabled: false } } }));
  assert.equal(patched.data.enabled, false);
  answered(await client.DELETE(path, { params }));
});

test('callflows are created, listed, changed and deleted', async () => {
  const path = '/accounts/{account_id}/callflows/{callflow_id}';
  const flow = { module: 'sleep', data: { duration: 1, unit: 's' }, children: {} };
  const body = { data: { name: 'Wait', numbers: ['2001'], flow } };
  const created = answered(await client.PUT('/accounts/{account_id}/callflows', { ...account, body }));
  const params = { path: { ...inAccount, callflow_id: idOf(created.data) } };
  assert.equal(created.data.flow?.module, 'sleep');
  const listed = answered(await client.GET('/accounts/{account_id}/callflows', account));
  assert.ok(has(listed.data, params.path.callflow_id));
  const patched = answered(
    await client.PATCH(path, { params, body: { data: { numbers: ['2001', '2002'] } } }),
  );
  assert.deepEqual(patched.data.numbers, ['2001', '2002']);
  answered(await client.DELETE(path, { params }));
});

test('a refused request returns its reasons', async () => {
  const { data, error, response } = await client.PATCH('/accounts/{account_id}/users/{user_id}', {
    params: { path: { ...inAccount, user_id: 'nobody' } },
    body: { data: { language: 'de-DE' } },
  });
  assert.equal(data, undefined);
  assert.equal(response.status, 404);
  assert.ok(error?.message);
});
