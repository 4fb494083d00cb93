import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';

async function family() {
  const sandbox = await calledSandbox();
  const { call, seed } = sandbox;
  const [token, superior] = [await sandbox.adminToken(), await sandbox.superToken()];
  const below = async (parent: string, name: string, asWhom = token) =>
    (await call('PUT', `/accounts/${parent}`, { token: asWhom, data: { name } })).at('data.id');
  const child = await below(seed.accountId, 'child');
  const grandchild = await below(child, 'grandchild');
  const sibling = await below(seed.masterAccountId, 'sibling', superior);
  return { ...sandbox, token, superior, child, grandchild, sibling };
}

test('an account can only read itself and its descendants', async () => {
  const { call, token, seed, child, grandchild, sibling } = await family();
  const seen = async (id: string) => (await call('GET', `/accounts/${id}/users`, { token })).status;
  expect(await seen(seed.accountId)).toBe(200);
  expect(await seen(child)).toBe(200);
  expect(await seen(grandchild)).toBe(200);
  expect(await seen(sibling)).toBe(403);
  expect(await seen(seed.masterAccountId)).toBe(403);
  expect(await seen('0'.repeat(31))).toBe(404);
});

test('a record of another account returns 404', async () => {
  const { call, token, seed, child } = await family();
  const reply = await call('GET', `/accounts/${child}/users/${seed.adminUserId}`, { token });
  expect(reply.status).toBe(404);
});

test('children and descendants are listed by name', async () => {
  const { call, superior, seed, child, grandchild } = await family();
  const names = async (what: string) => {
    const path = `/accounts/${seed.masterAccountId}/${what}?ascending=true`;
    const { data } = await call('GET', path, { token: superior });
    return Array.isArray(data) ? data.map((item) => Object(item).name) : [];
  };
  expect(await names('children')).toEqual(['acme', 'sibling']);
  expect(await names('descendants')).toEqual(['acme', 'child', 'grandchild', 'sibling']);
  const { data } = await call('GET', `/accounts/${seed.masterAccountId}/descendants`, { token: superior });
  expect(data).toContainEqual(
    expect.objectContaining({ id: grandchild, tree: [seed.masterAccountId, seed.accountId, child] }),
  );
});

test('names and realms are unique in the whole service', async () => {
  const { call, token, seed } = await family();
  const data = { name: 'A.C.M.E', realm: 'ACME.sandbox.example' };
  const reply = await call('PUT', `/accounts/${seed.accountId}`, { token, data });
  expect(reply.status).toBe(400);
  expect(reply.data).toMatchObject({ name: { unique: {} }, realm: { unique: {} } });
});

test('an account with descendants and the topmost account cannot be deleted', async () => {
  const { call, superior, seed, child, grandchild } = await family();
  const remove = async (id: string) => (await call('DELETE', `/accounts/${id}`, { token: superior })).status;
  expect(await remove(child)).toBe(500);
  expect(await remove(seed.masterAccountId)).toBe(405);
  expect(await remove(grandchild)).toBe(200);
  expect(await remove(child)).toBe(200);
  expect(await remove(child)).toBe(404);
});

test('deleting an account deletes its records from the database without events', async () => {
  const { call, token, seed, child, grandchild, store } = await family();
  await call('DELETE', `/accounts/${grandchild}`, { token });
  const box = await call('PUT', `/accounts/${child}/vmboxes`, { token, data: { name: 'Box', mailbox: '1' } });
  await call('PUT', `/accounts/${child}/vmboxes/${box.at('data.id')}/messages`, { token, data: {} });
  await call('PUT', `/accounts/${child}/users`, { token, data: { first_name: 'A', last_name: 'B' } });
  await call('PUT', `/accounts/${child}/phone_numbers/+14155550199`, { token, data: {} });
  const data = {
    name: 'Deaths',
    uri: 'https://hooks.example.com/',
    http_verb: 'post',
    hook: 'object',
    include_subaccounts: true,
    custom_data: { action: 'doc_deleted', type: 'all' },
  };
  expect((await call('PUT', `/v2/accounts/${seed.accountId}/webhooks`, { token, data })).status).toBe(201);
  expect((await store.namesInAccount(child)).length).toBeGreaterThan(2);
  const told: unknown[] = [];
  store.watch((changes) => {
    for (const change of changes) if (change.change === 'queue') told.push(change.entry.payload);
  });
  expect((await call('DELETE', `/accounts/${child}`, { token })).status).toBe(200);
  expect(await store.namesInAccount(child)).toEqual([]);
  expect(told).toMatchObject([{ payload: { type: 'account', id: child, action: 'doc_deleted' } }]);
  expect((await store.allOfKind('numbers')).filter(({ body }) => body.assigned_to === child)).toEqual([]);
  const other = await call('PUT', `/accounts/${seed.accountId}`, { token, data: { name: 'child' } });
  expect(other.status).toBe(201);
});

test('limits can be changed by the reseller, or by children of the topmost account', async () => {
  const { call, token, superior, child } = await family();
  const set = async (asWhom: string) =>
    (await call('POST', `/v2/accounts/${child}/limits`, { token: asWhom, data: { calls: 3 } })).status;
  expect(await set(token)).toBe(403);
  expect(await set(superior)).toBe(200);
});

test('metaflows can be read, replaced and removed', async () => {
  const { call, token, seed } = await family();
  const path = `/accounts/${seed.accountId}/metaflows`;
  expect((await call('GET', path, { token })).data).toEqual({});
  const data = { binding_digit: '*', numbers: { '2': { module: 'hold', data: {} } } };
  expect((await call('POST', path, { token, data })).data).toMatchObject(data);
  expect((await call('GET', path, { token })).data).toMatchObject(data);
  expect(await call('DELETE', path, { token })).toMatchObject({ status: 200, text: '' });
  expect((await call('GET', path, { token })).data).toEqual({});
});
