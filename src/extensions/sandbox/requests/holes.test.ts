import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import type { SandboxMode } from '../differences.ts';

async function withMenu(like: SandboxMode | undefined) {
  const { app, call, seed, adminToken } = await calledSandbox({ like });
  const token = await adminToken();
  const menus = `/v2/accounts/${seed.accountId}/menus`;
  const id = (await call('PUT', menus, { token, data: { name: 'Welcome' } })).at('data.id');
  const get = async (url: string, remoteAddress = '127.0.0.1') =>
    (await app.inject({ method: 'GET', url, remoteAddress, headers: { 'x-auth-token': token } })).statusCode;
  return { call, get, menu: `${menus}/${id}`, menus, token, superAccount: seed.masterAccountId };
}

test('like kazoo, a request can name another verb, but a GET only from this machine', async () => {
  const { call, get, menu, menus, token } = await withMenu('kazoo');
  const tunnelled = { verb: 'patch', data: { name: 'Hello' } };
  expect((await call('POST', menu, { token, body: tunnelled })).data).toMatchObject({ name: 'Hello' });
  expect((await call('POST', `${menus}?verb=PUT`, { token, data: { name: 'Other' } })).status).toBe(201);
  expect(await get(`${menu}?verb=DELETE`, '192.0.2.1')).toBe(200);
  expect(await get(menu)).toBe(200);
  expect(await get(`${menu}?verb=DELETE`)).toBe(200);
  expect(await get(menu)).toBe(404);
});

test('the default sandbox ignores verbs in requests, and refuses carriers of other accounts', async () => {
  const { get, menu, superAccount } = await withMenu(undefined);
  expect(await get(`${menu}?verb=DELETE`)).toBe(200);
  expect(await get(menu)).toBe(200);
  expect(await get(`/v2/accounts/${superAccount}/resources/${'0'.repeat(32)}`)).toBe(403);
});

test('like kazoo, carriers of other accounts can be read from this machine', async () => {
  const { get, superAccount } = await withMenu('kazoo');
  const url = `/v2/accounts/${superAccount}/resources/${'0'.repeat(32)}`;
  expect([await get(url), await get(url, '192.0.2.1')]).toEqual([404, 403]);
});
