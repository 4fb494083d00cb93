import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import type { JsonObject } from '../../../base/json.ts';

/** A sandbox whose account has rules for tokens of plain users, and what such a token may do there. */
async function ruled(rules: JsonObject) {
  const sandbox = await calledSandbox();
  const token = await sandbox.adminToken();
  const account = `/v2/accounts/${sandbox.seed.accountId}`;
  const data = { username: 'reader', password: 'first-sign-in', first_name: 'A', last_name: 'B' };
  const made = await sandbox.call('PUT', `${account}/users`, { token, data });
  const reader = await sandbox.tokenOf('reader', data.password);
  const set = await sandbox.call('POST', `${account}/token_restrictions`, {
    token,
    data: { restrictions: { cb_user_auth: { user: rules } } },
  });
  expect(set.status).toBe(200);
  return {
    own: `/users/${made.at('data.id')}`,
    as: async (method: string, path: string) =>
      (
        await sandbox.call(method, `${account}${path}`, {
          token: reader,
          ...(method === 'GET' ? {} : { data: { name: 'x' } }),
        })
      ).status,
    admin: async () =>
      (await sandbox.call('PUT', `${account}/menus`, { token, data: { name: 'Main' } })).status,
  };
}

test('restrictions of plain users do not apply to administrators', async () => {
  const { as, own, admin } = await ruled({ _: [{ rules: { '#': ['GET'] } }] });
  for (const path of ['', '/users', own, '/menus', '/vmboxes', `${own}/devices`])
    expect([path, await as('GET', path)]).toEqual([path, 200]);
  for (const [method, path] of [
    ['PUT', '/menus'],
    ['PATCH', own],
    ['DELETE', own],
  ] as const)
    expect([method, await as(method, path)]).toEqual([method, 403]);
  expect(await admin()).toBe(201);
});

test('restrictions match the last endpoint of a path, its arguments and the account', async () => {
  const { as, own } = await ruled({
    users: [
      { allowed_accounts: ['{DESCENDANT_ACCOUNT_ID}'], rules: { '#': ['_'] } },
      { rules: { '/': ['GET'], '*': [] } },
    ],
    devices: [{ allowed_accounts: ['{AUTH_ACCOUNT_ID}'], rules: { '/': ['GET', 'PUT'] } }],
  });
  expect(await as('GET', '/users')).toBe(200);
  expect(await as('GET', own)).toBe(403);
  expect(await as('GET', '/devices')).toBe(200);
  expect(await as('PUT', '/devices')).toBe(201);
  expect(await as('GET', `${own}/devices`)).toBe(200);
  expect(await as('GET', '/menus')).toBe(403);
});
