import { beforeEach, describe, expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';

let sandbox: CalledSandbox;
let token: string;
let superior: string;
let path: string;

const number = '+12125550123';
const one = (id = number, account = sandbox.seed.accountId) =>
  `/v2/accounts/${account}/phone_numbers/${encodeURIComponent(id)}`;

beforeEach(async () => {
  sandbox = await calledSandbox();
  [token, superior] = await Promise.all([sandbox.adminToken(), sandbox.superToken()]);
  path = `/v2/accounts/${sandbox.seed.accountId}/phone_numbers`;
});

/** Makes a number in a state, as one who may. */
const make = (state: string, data: Record<string, string> = {}) =>
  sandbox.call('PUT', one(), { token: superior, data: { ...data, create_with_state: state } });

const stateNow = async () => (await sandbox.call('GET', one(), { token })).data;

describe('moves between states', () => {
  test.each([
    ['activate', 'available', 'in_service'],
    ['activate', 'aging', 'in_service'],
    ['activate', 'reserved', 'in_service'],
    ['activate', 'port_in', 'in_service'],
    ['reserve', 'available', 'reserved'],
    ['reserve', 'in_service', 'reserved'],
  ])('%s changes a number from %s to %s', async (move, from, to) => {
    expect((await make(from)).status).toBe(201);
    const reply = await sandbox.call('PUT', `${one()}/${move}`, { token, data: {} });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.data).toMatchObject({ id: number, state: to, assigned_to: sandbox.seed.accountId });
  });

  test.each([
    ['activate', 'in_service', 'no_change_required'],
    ['reserve', 'reserved', 'no_change_required'],
    ['reserve', 'aging', 'invalid_state_transition'],
    ['reserve', 'port_in', 'invalid_state_transition'],
    ['port', 'in_service', 'invalid_state_transition'],
    ['port', 'reserved', 'invalid_state_transition'],
    ['port', 'port_in', 'no_change_required'],
  ])('%s refuses a number in the state %s: %s', async (move, from, code) => {
    await make(from);
    const reply = await sandbox.call('PUT', `${one()}/${move}`, { token, data: {} });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code, data: { code: 400, error: code } });
    expect(await stateNow()).toMatchObject({ state: from });
  });

  test.each(['reserved', 'port_in', 'in_service'])(
    'a number in the state %s can be released',
    async (from) => {
      await make(from);
      const reply = await sandbox.call('DELETE', one(), { token });
      expect(reply.data, reply.text).toMatchObject({ id: number, state: 'available' });
      expect((await sandbox.call('GET', one(), { token })).status).toBe(404);
      const again = await sandbox.call('PUT', one(), { token, data: { create_with_state: 'in_service' } });
      expect(again.data, again.text).toMatchObject({ state: 'in_service' });
    },
  );

  test.each(['aging', 'available'])('a number in the state %s cannot be released', async (from) => {
    await make(from);
    const reply = await sandbox.call('DELETE', one(), { token });
    expect(reply.body).toMatchObject({
      code: 'invalid_state_transition',
      data: { cause: `from ${from} to released` },
    });
  });

  test('releasing a local number in any state deletes it', async () => {
    await make('aging', { carrier_name: 'knm_local' });
    expect((await sandbox.call('DELETE', one(), { token })).data).toMatchObject({ state: 'deleted' });
    expect((await make('reserved')).status).toBe(201);
  });

  test('a released number returns to its former account', async () => {
    await make('in_service');
    const below = await sandbox.call('PUT', `/v2/accounts/${sandbox.seed.accountId}`, {
      token,
      data: { name: 'branch' },
    });
    const branch = below.at('data.id');
    const taken = await sandbox.call('PUT', `${one(number, branch)}/reserve`, { token, data: {} });
    expect(taken.data, taken.text).toMatchObject({ state: 'reserved', assigned_to: branch });
    expect((await sandbox.call('GET', one(), { token })).status).toBe(404);
    await sandbox.call('DELETE', one(number, branch), { token });
    expect(await stateNow()).toMatchObject({ state: 'reserved', assigned_to: sandbox.seed.accountId });
  });

  test('deleting an account releases its numbers', async () => {
    const above = `/v2/accounts/${sandbox.seed.accountId}`;
    const branch = (await sandbox.call('PUT', above, { token, data: { name: 'branch' } })).at('data.id');
    await sandbox.call('PUT', one(number, branch), { token, data: {} });
    expect((await sandbox.call('GET', path, { token })).data).toMatchObject({ cascade_quantity: 1 });
    await sandbox.call('DELETE', `/v2/accounts/${branch}`, { token });
    expect((await sandbox.call('GET', path, { token })).data).toMatchObject({ cascade_quantity: 0 });
    expect((await sandbox.call('PUT', one(), { token, data: {} })).status).toBe(201);
  });

  test('only the super administrator can delete a number permanently', async () => {
    await make('in_service');
    expect((await sandbox.call('DELETE', `${one()}?hard=true`, { token })).status).toBe(403);
    expect((await sandbox.call('DELETE', `${one()}?hard=true`, { token: superior })).status).toBe(200);
    expect((await make('in_service')).status).toBe(201);
  });
});

describe('adding numbers', () => {
  test('a new number is reserved in E.164, and can be read, listed, patched and replaced', async () => {
    const made = await sandbox.call('PUT', one('(212) 555-0123'), {
      token,
      data: { cnam: { display_name: 'Acme' } },
    });
    expect(made.status, made.text).toBe(201);
    expect(made.data).toMatchObject({ id: number, state: 'reserved', features: ['outbound_cnam'] });
    const list = await sandbox.call('GET', path, { token });
    expect(list.data).toMatchObject({
      numbers: { [number]: { state: 'reserved' }, [sandbox.seed.phoneNumber]: { state: 'in_service' } },
      cascade_quantity: 0,
    });
    const some = await sandbox.call('GET', `${path}?filter_state=reserved`, { token });
    expect(Object.keys(Object(some.data).numbers)).toEqual([number]);
    const patched = await sandbox.call('PATCH', one(), {
      token,
      data: { carrier_name: 'x', state: 'aging' },
    });
    expect(patched.data).toMatchObject({
      cnam: { display_name: 'Acme' },
      carrier_name: 'x',
      state: 'reserved',
    });
    const replaced = await sandbox.call('POST', one(), { token, data: {} });
    expect(replaced.data).not.toHaveProperty('cnam');
    expect(replaced.data).toMatchObject({ state: 'reserved', assigned_to: sandbox.seed.accountId });
  });

  test('creating a number returns 409 if it exists, and 404 if it is not a number', async () => {
    await make('in_service');
    expect((await sandbox.call('PUT', one(), { token, data: {} })).body).toMatchObject({
      code: 'number_exists',
    });
    const wrong = await sandbox.call('PUT', one('1234'), { token, data: {} });
    expect(wrong.status).toBe(404);
    expect(wrong.body).toMatchObject({ code: 'not_reconcilable' });
    expect((await sandbox.call('GET', one('+12125550199'), { token })).body).toMatchObject({
      code: 'not_found',
    });
  });

  test('a number is only created in a state that the account can use', async () => {
    const reply = await sandbox.call('PUT', one(), { token, data: { create_with_state: 'aging' } });
    expect(reply.status).toBe(403);
    expect((await sandbox.call('PUT', `${one()}/port`, { token, data: {} })).status).toBe(403);
    expect((await sandbox.call('PUT', `${one()}/port`, { token: superior, data: {} })).data).toMatchObject({
      state: 'port_in',
    });
  });

  test('a number of another account cannot be read or moved', async () => {
    const { masterAccountId } = sandbox.seed;
    const theirs = one(number, masterAccountId);
    await sandbox.call('PUT', theirs, { token: superior, data: { create_with_state: 'reserved' } });
    expect((await sandbox.call('GET', one(), { token })).status).toBe(404);
    expect((await sandbox.call('PUT', `${one()}/activate`, { token, data: {} })).status).toBe(403);
    const looked = await sandbox.call('GET', `${path}/classifiers/${encodeURIComponent(number)}`, { token });
    expect(looked.data).not.toHaveProperty('state');
  });

  test('a number in service identifies its account at sign-in until it is released', async () => {
    const { seed } = sandbox;
    const sent = (phoneNumber: string) => ({ phone_number: phoneNumber, credentials: 'f'.repeat(32) });
    await sandbox.call('DELETE', one(seed.phoneNumber), { token });
    const reply = await sandbox.call('PUT', '/v2/user_auth', { data: sent(seed.phoneNumber) });
    expect(reply.status).toBe(401);
  });

  test('used_by names the callflow of a number', async () => {
    await make('in_service');
    await sandbox.call('PUT', `/v2/accounts/${sandbox.seed.accountId}/callflows`, {
      token,
      data: { numbers: [number], flow: { module: 'hangup', data: {}, children: {} } },
    });
    expect(await stateNow()).toMatchObject({ used_by: 'callflow' });
    const used = await sandbox.call('GET', `${path}?filter_used_by=callflow`, { token });
    expect(Object.keys(Object(used.data).numbers)).toEqual([number]);
  });
});

describe('looking numbers up', () => {
  test('the locality of a number is in its record and under the number', async () => {
    const data = { numbers: ['2125550123', '+442079460000', '+99912345678'] };
    const reply = await sandbox.call('POST', `${path}/locality`, { token, data });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.data).toMatchObject({
      id: number,
      e911: { locality: 'New York', region: 'NY' },
      '2125550123': { locality: 'New York', e164_number: number, status: 'success' },
      '+442079460000': { locality: 'London', country: 'GB' },
      '+99912345678': { status: 'error' },
    });
    expect((await sandbox.call('POST', `${path}/locality`, { token, data: {} })).data).toEqual({});
  });

  test.each([
    ['2125550123', 'did_us', 'US DID', '(212) 555 - 0123'],
    ['8005550100', 'tollfree_us', 'US TollFree', '(800) 555 - 0100'],
    ['19005550100', 'toll_us', 'US Toll', '(900) 555 - 0100'],
    ['+18765550100', 'caribbean', 'Caribbean', '(876) 555 - 0100'],
    ['911', 'emergency', 'Emergency Dispatcher', '911'],
    ['+442079460000', 'international', 'International', '+442079460000'],
    ['100', 'unknown', 'Unknown', '100'],
  ])('%s is classified as %s', async (typed, name, friendly, pretty) => {
    const reply = await sandbox.call('GET', `${path}/classifiers/${encodeURIComponent(typed)}`, { token });
    expect(reply.data, reply.text).toMatchObject({ name, friendly_name: friendly, pretty_print: pretty });
    expect(reply.data).toHaveProperty('id');
  });
});
