import { expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';
import type { Json } from '../../../base/json.ts';
import type { SandboxMode } from '../differences.ts';

const plan = {
  users: { user: { rate: 5, activation_charge: 2 }, admin: { rate: 7 } },
  phone_numbers: { _all: { rate: 1 } },
};

/** A sandbox whose account has prices for users and numbers. */
async function priced(like?: SandboxMode) {
  const sandbox = await calledSandbox(like ? { like } : {});
  const token = await sandbox.superToken();
  const own = `/v2/accounts/${sandbox.seed.accountId}`;
  const send = (method: string, path: string, body: Json) =>
    sandbox.call(method, `${own}/${path}`, { token, body });
  await send('POST', 'services/overrides', { data: plan });
  return { sandbox, send };
}

const person = (username: string, more = {}) => ({
  ...{ username, password: 'secret-1', first_name: username, last_name: 'X' },
  ...more,
});

const usersOf = async ({ store, seed }: CalledSandbox) => store.count('users', seed.accountId);

test('creating a user with a price returns 402 until the charges are accepted', async () => {
  const { sandbox, send } = await priced();
  const refused = await send('PUT', 'users', { data: person('alice') });
  expect(refused.status).toBe(402);
  expect(refused.data).toMatchObject({
    users: { user: { category: 'users', item: 'user', quantity: 1, rate: 5 }, activation_charges: 2 },
    activation_charges: 2,
  });
  expect(await usersOf(sandbox)).toBe(1);
  const beside = await send('PUT', 'users', { data: person('alice'), accept_charges: true });
  expect(beside.status).toBe(402);
  const inside = await send('PUT', 'users', { data: person('alice', { accept_charges: true }) });
  expect(inside.status, inside.text).toBe(201);
  expect(inside.data).not.toHaveProperty('accept_charges');
});

test('like kazoo, charges can be accepted next to data, and acceptance inside data is stored', async () => {
  const { send } = await priced('kazoo');
  const beside = await send('PUT', 'users', { data: person('alice'), accept_charges: true });
  expect(beside.status, beside.text).toBe(201);
  expect(beside.data).not.toHaveProperty('accept_charges');
  const inside = await send('PUT', 'users', { data: person('bob', { accept_charges: true }) });
  expect(inside.data).toHaveProperty('accept_charges', true);
  const limits = await send('POST', 'limits', { data: { inbound_trunks: 1, accept_charges: true } });
  expect(limits.data).toMatchObject({ inbound_trunks: 1, accept_charges: true });
  const asQuery = await send('POST', 'limits?accept_charges=true', { data: { inbound_trunks: 2 } });
  expect(asQuery.status).toBe(200);
  expect(asQuery.data).not.toHaveProperty('accept_charges');
});

test('like kazoo, a 402 is an invoice of all priced items, with the difference of changed ones', async () => {
  const { send } = await priced('kazoo');
  const refused = await send('PUT', 'users', { data: person('alice') });
  expect(refused.status).toBe(402);
  const [invoice] = refused.data as Json[];
  expect(invoice).toMatchObject({
    activation_charges: [{ category: 'users', item: 'user', billable: 1, rate: 2, total: 2 }],
    summary: { today: 2, recurring: 13 },
    taxes: [],
  });
  const items = Object(invoice).items as Json[];
  expect(items).toContainEqual(
    expect.objectContaining({
      ...{ category: 'users', item: 'user', quantity: 1, billable: 1, rate: 5, total: 5 },
      changes: { type: 'modified', difference: { quantity: 1, billable: 1 } },
    }),
  );
  expect(items).toContainEqual(expect.objectContaining({ item: 'admin', quantity: 1, total: 7 }));
  expect(items).toContainEqual(expect.objectContaining({ item: 'twoway_trunks', quantity: 0 }));
});

test('a change is only charged if it raises the price', async () => {
  const { send } = await priced('kazoo');
  const made = await send('PUT', 'users', { data: person('alice'), accept_charges: true });
  const path = `users/${made.at('data.id')}`;
  expect((await send('PATCH', path, { data: { first_name: 'Zed' } })).status).toBe(200);
  const dearer = await send('PATCH', path, { data: { priv_level: 'admin' } });
  expect(dearer.status).toBe(402);
  const items = Object((dearer.data as Json[])[0]).items as Json[];
  const difference = (by: number) => ({ type: 'modified', difference: { quantity: by, billable: by } });
  expect(items).toContainEqual(expect.objectContaining({ item: 'user', changes: difference(-1) }));
  expect(items).toContainEqual(expect.objectContaining({ item: 'admin', changes: difference(1) }));
});

test('numbers are charged by class, and removing one is free', async () => {
  const { send } = await priced('kazoo');
  const path = 'phone_numbers/+15555550100';
  expect((await send('PUT', path, { data: {} })).status).toBe(402);
  expect((await send('PUT', path, { data: {}, accept_charges: true })).status).toBe(201);
  const more = await send('PUT', 'phone_numbers/+15555550101', { data: {} });
  const items = Object((more.data as Json[])[0]).items as Json[];
  expect(items).toContainEqual(expect.objectContaining({ category: 'phone_numbers', quantity: 3 }));
  expect((await send('DELETE', path, { data: {} })).status).toBe(200);
});
