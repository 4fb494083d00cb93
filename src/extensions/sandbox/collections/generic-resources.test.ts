import { beforeEach, expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { genericCollections } from '../../../../test/support/generic-collections.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { operationById, operations } from '../../../contract/catalogue.ts';
import { samples } from '../../../contract/samples.ts';
import { operationsWithoutHandler } from '../handlers.ts';

let sandbox: CalledSandbox;
let token: string;

beforeEach(async () => {
  sandbox = await calledSandbox();
  token = await sandbox.adminToken();
});

const records: readonly (readonly [name: string, data: JsonObject])[] = [
  ['users', { first_name: 'A', last_name: 'B', call_forward: { number: '7' } }],
  ...genericCollections.flatMap((name) => {
    const { record } = samples[name] ?? {};
    return record === undefined || name === 'users' ? [] : [[name, record] as const];
  }),
];

// Every reply is held against the contract by the sandbox of these tests.
test.each(records)('%s can be created, read, listed, patched, replaced and deleted', async (name, data) => {
  const path = `/v2/accounts/${sandbox.seed.accountId}/${name}`;
  const made = await sandbox.call('PUT', path, { token, data });
  expect(made.status, made.text).toBe(201);
  expect(made.data).toMatchObject(data);
  const one = `${path}/${made.at('data.id')}`;
  const read = await sandbox.call('GET', one, { token });
  expect(read.data).toMatchObject(data);
  const list = await sandbox.call('GET', path, { token });
  expect(list.status, list.text).toBe(200);
  const { listed } = operationById(`${name}.list`);
  const items = listed?.as === 'field' && isObject(list.data) ? list.data[listed.key] : list.data;
  expect(items).toContainEqual(expect.objectContaining({ id: made.at('data.id') }));
  const patched = await sandbox.call('PATCH', one, { token, data: { flags: ['blue'] } });
  expect(patched.data, patched.text).toMatchObject({ ...data, flags: ['blue'] });
  const replaced = await sandbox.call('POST', one, { token, data });
  expect(replaced.data).not.toHaveProperty('flags');
  expect((await sandbox.call('DELETE', one, { token })).status).toBe(200);
  expect((await sandbox.call('GET', one, { token })).status).toBe(404);
});

test('conference numbers are unique across their three lists', async () => {
  const path = `/v2/accounts/${sandbox.seed.accountId}/conferences`;
  const holding = (number: string) => [
    { member: { numbers: [number] } },
    { moderator: { numbers: [number] } },
    { conference_numbers: [number] },
  ];
  for (const [index, first] of holding('').entries())
    for (const [other, second] of holding('').entries()) {
      const number = `7${index}${other}`;
      const [one, two] = [holding(number)[index], holding(number)[other]];
      const made = await sandbox.call('PUT', path, { token, data: { name: `One ${number}`, ...one } });
      expect(made.status, made.text).toBe(201);
      const reply = await sandbox.call('PUT', path, { token, data: { name: `Two ${number}`, ...two } });
      expect(reply.data, JSON.stringify([first, second])).toHaveProperty('numbers.unique');
    }
});

test('a callflow includes the names of referenced records', async () => {
  const flows = `/v2/accounts/${sandbox.seed.accountId}/callflows`;
  const { adminUserId: id } = sandbox.seed;
  const data = {
    numbers: ['1'],
    flow: { module: 'menu', data: {}, children: { '1': { module: 'user', data: { id } } } },
  };
  const made = await sandbox.call('PUT', flows, { token, data });
  expect(made.data).toMatchObject({ metadata: { [id]: { name: 'Acme Admin', pvt_type: 'user' } } });
  const list = await sandbox.call('GET', flows, { token });
  expect(list.data).toMatchObject([{ modules: ['menu', 'user'] }]);
});

test('texts of numbers and booleans are converted', async () => {
  const path = `/v2/accounts/${sandbox.seed.accountId}/menus`;
  const reply = await sandbox.call('PUT', path, { token, data: { name: 'M', retries: '5', hunt: 'false' } });
  expect(reply.data).toMatchObject({ retries: 5, hunt: false });
});

test('every operation of the contract has a handler', async () => {
  expect(operationsWithoutHandler()).toEqual([]);
  const superior = await sandbox.superToken();
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'account_id' ? sandbox.seed.accountId : 'none',
    );
    const action = operation.body?.kind === 'action' ? { action: operation.body.action } : {};
    // These would end what the test stands on.
    if (['accounts.delete', 'tokens.reset-system-secret', 'keys.reset'].includes(operation.id)) continue;
    const needed = (operation.query ?? []).filter(({ required }) => required);
    const query = needed.map(({ name }) => `${name}=none`).join('&');
    const reply = await sandbox.call(operation.method, `/v2${path}${query && `?${query}`}`, {
      token: superior,
      ...(operation.body ? { body: { ...action, data: {} } } : {}),
    });
    expect([405, 500, 501], `${operation.id}: ${reply.text}`).not.toContain(reply.status);
  }
});
