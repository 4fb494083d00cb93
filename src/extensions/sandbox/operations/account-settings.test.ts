import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';

const charge = (item: string, quantity: number, rate: number) => ({
  category: 'limits',
  item,
  quantity,
  rate,
  single_discount: false,
  single_discount_rate: 0,
  cumulative_discount: 0,
  cumulative_discount_rate: 0,
});

test('an account without limits has the default limits', async () => {
  const { call, seed, adminToken } = await calledSandbox();
  const reply = await call('GET', `/v2/accounts/${seed.accountId}/limits`, { token: await adminToken() });
  expect(reply.data).toEqual({ id: 'limits', allow_prepay: true, authz_resource_types: [] });
});

test('adding trunks returns 402 until the charges are accepted', async () => {
  const { call, seed, adminToken } = await calledSandbox();
  const token = await adminToken();
  const path = `/v2/accounts/${seed.accountId}/limits`;
  const data = { twoway_trunks: 10, inbound_trunks: 2, calls: 5 };
  const refused = await call('POST', path, { token, data });
  expect(refused.status).toBe(402);
  expect(refused.body).toMatchObject({ status: 'error', error: '402', message: 'accept charges' });
  expect(refused.data).toEqual({
    limits: {
      twoway_trunks: charge('twoway_trunks', 10, 25),
      inbound_trunks: charge('inbound_trunks', 2, 10),
    },
  });
  expect((await call('GET', path, { token })).data).not.toHaveProperty('twoway_trunks');
  const accepted = await call('POST', path, { token, data: { ...data, accept_charges: true } });
  expect(accepted.status).toBe(200);
  expect(accepted.data).toMatchObject(data);
  expect(accepted.data).not.toHaveProperty('accept_charges');
  expect((await call('POST', path, { token, data: { twoway_trunks: 4 } })).status).toBe(200);
});

test('a 402 shows discounts in the fields of the specification', async () => {
  const { call, seed, adminToken } = await calledSandbox();
  const token = await adminToken();
  const path = `/v2/accounts/${seed.accountId}/limits`;
  const reply = await call('POST', path, { token, data: { outbound_trunks: 3 } });
  expect(reply.data).toMatchObject({
    limits: {
      outbound_trunks: {
        quantity: 3,
        single_discount: true,
        single_discount_rate: 5,
        cumulative_discount: 2,
        cumulative_discount_rate: 1.5,
      },
    },
  });
});
