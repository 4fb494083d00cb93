import { beforeEach, describe, expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { gregorianOffset } from '../../../base/moment.ts';

let sandbox: CalledSandbox;
let token: string;
let users: string;

beforeEach(async () => {
  sandbox = await calledSandbox();
  token = await sandbox.adminToken();
  users = `/v2/accounts/${sandbox.seed.accountId}/users`;
});

const person = (name: string, more = {}) => ({
  username: name,
  password: 'secret-1',
  first_name: name,
  last_name: 'X',
  ...more,
});

async function create(name: string, more = {}): Promise<string> {
  const reply = await sandbox.call('PUT', users, { token, data: person(name, more) });
  expect(reply.text).toContain('"status":"success"');
  return reply.at('data.id');
}

describe('writing', () => {
  test('a created user has defaults, a lower-case name and no password', async () => {
    const reply = await sandbox.call('PUT', users, {
      token,
      data: person('Alice', { pvt_x: 1, _y: 2, extra: true }),
    });
    expect(reply.status).toBe(201);
    expect(reply.data).toMatchObject({ username: 'alice', enabled: true, priv_level: 'user', extra: true });
    for (const key of ['password', 'pvt_x', '_y', 'md5']) expect(reply.data).not.toHaveProperty(key);
    const path = `${users}/${reply.at('data.id')}`;
    expect((await sandbox.call('GET', path, { token })).data).toEqual(reply.data);
  });

  test('PATCH merges deeply and null removes a key', async () => {
    const id = await create('alice', { call_forward: { number: '+15551230000', enabled: true } });
    const reply = await sandbox.call('PATCH', `${users}/${id}`, {
      token,
      data: { call_forward: { enabled: false, number: null }, email: 'alice@acme.example' },
    });
    expect(reply.status).toBe(200);
    expect(reply.data).toMatchObject({ email: 'alice@acme.example', call_forward: { enabled: false } });
    expect(reply.data).not.toHaveProperty('call_forward.number');
  });

  test('POST replaces a record, without fields that are not sent', async () => {
    const id = await create('alice', { email: 'alice@acme.example' });
    const data = { username: 'alice', first_name: 'Alice', last_name: 'Y' };
    const reply = await sandbox.call('POST', `${users}/${id}`, { token, data });
    expect(reply.data).not.toHaveProperty('email');
    expect(reply.data).toMatchObject({ last_name: 'Y', enabled: true });
    expect(await sandbox.tokenOf('alice', 'secret-1')).toBeTruthy();
  });

  test('deleting a user returns the user, frees the name, and then returns 404', async () => {
    const id = await create('alice');
    const gone = await sandbox.call('DELETE', `${users}/${id}`, { token });
    expect(gone.status).toBe(200);
    expect(gone.data).toMatchObject({ id, username: 'alice', _read_only: { deleted: true } });
    const again = await sandbox.call('GET', `${users}/${id}`, { token });
    expect(again.status).toBe(404);
    expect(again.body).toMatchObject({ code: 'bad_identifier', data: { cause: id } });
    await create('alice');
  });

  test('a username is unique in its account, ignoring case', async () => {
    await create('alice');
    const reply = await sandbox.call('PUT', users, { token, data: person('ALICE') });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'validation_error', data: { username: { unique: {} } } });
  });

  test('a username requires a password', async () => {
    const reply = await sandbox.call('PUT', users, {
      token,
      data: { username: 'a', first_name: 'A', last_name: 'B' },
    });
    expect(reply.data).toHaveProperty('password.required');
  });

  test('a validation error lists all problems of a record', async () => {
    const data = { username: 'bad name', first_name: '', priv_level: 'king', enabled: 'perhaps' };
    const reply = await sandbox.call('PUT', users, { token, data });
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.data ?? {}).sort()).toEqual([
      'enabled',
      'first_name',
      'last_name',
      'priv_level',
      'username',
    ]);
  });

  test('callflow numbers are stored in E.164 and are unique across callflows', async () => {
    const flows = `/v2/accounts/${sandbox.seed.accountId}/callflows`;
    const first = await sandbox.call('PUT', flows, {
      token,
      data: { name: 'One', numbers: ['5555550100', '101'] },
    });
    expect(first.data).toMatchObject({ numbers: ['+15555550100', '101'] });
    const second = await sandbox.call('PUT', flows, {
      token,
      data: { name: 'Two', numbers: ['+15555550100'] },
    });
    expect(second.data).toHaveProperty('numbers.unique.cause', '+15555550100 (One)');
    const third = await sandbox.call('PUT', flows, { token, data: { name: 'Three', patterns: ['('] } });
    expect(third.data).toHaveProperty('patterns.error');
    const none = await sandbox.call('PUT', flows, { token, data: { name: 'None' } });
    expect(none.data).toHaveProperty('numbers.required');
  });
});

describe('lists', () => {
  test('pages have summaries and link to the next page', async () => {
    for (const name of ['bob', 'carl', 'dora', 'emil']) await create(name);
    const seen: string[] = [];
    let start = '';
    for (const size of [2, 2, 1]) {
      const reply = await sandbox.call('GET', `${users}?page_size=2&ascending=true${start}`, { token });
      expect(reply.body).toMatchObject({ page_size: size });
      const items = Array.isArray(reply.data) ? reply.data : [];
      seen.push(...items.map((item) => String(Object(item).username)));
      start = `&start_key=${reply.body.next_start_key}`;
    }
    expect(start).toBe('&start_key=undefined');
    expect(seen).toEqual(['admin', 'bob', 'carl', 'dora', 'emil']);
  });

  test.each([
    ['filter_username=bob', ['bob']],
    ['filter_not_username=bob', ['admin', 'carl']],
    ['filter_priv_level=admin', ['admin']],
    ['filter_username=["bob","carl"]', ['bob', 'carl']],
    ['filter_call_forward.number=7', ['carl']],
    ['has_key=call_forward', ['carl']],
    ['key_missing=call_forward', ['admin', 'bob']],
    ['has_value=email', ['admin']],
    ['value_missing=email', ['bob', 'carl']],
    ['created_from=99999999999', []],
    ['paginate=false&page_size=1', ['admin', 'bob', 'carl']],
  ])('%s lists the matching records', async (query, names) => {
    await create('bob');
    await create('carl', { call_forward: { number: '7' } });
    const reply = await sandbox.call('GET', `${users}?ascending=true&${encodeURI(query)}`, { token });
    const items = Array.isArray(reply.data) ? reply.data : [];
    expect(items.map((item) => Object(item).username)).toEqual(names);
  });

  test('ranges of modification times return each record once, page by page', async () => {
    const names = ['bob', 'carl', 'dave', 'eve', 'fay'];
    for (const name of names) {
      await create(name);
      sandbox.clock.turn(1000);
    }
    const second = Math.floor(sandbox.clock.now() / 1000) + gregorianOffset - names.length;
    const found = async (query: string, startKey?: string): Promise<readonly string[]> => {
      const start = startKey === undefined ? '' : `&start_key=${startKey}`;
      const { body } = await sandbox.call('GET', `${users}?page_size=2&${query}${start}`, { token });
      const page = Array.isArray(body.data) ? body.data.map(({ username }) => username) : [];
      const next = body.next_start_key;
      return typeof next === 'string' ? [...page, ...(await found(query, next))] : page;
    };
    expect(await found(`modified_from=${second + 1}&modified_to=${second + 3}`)).toEqual([
      'eve',
      'dave',
      'carl',
    ]);
    expect(await found(`modified_to=${second + 1}&modified_to=${second}&has_key=username`)).toContain('bob');
    expect(await found(`modified_to=${second}`)).not.toContain('carl');
    expect(await found(`modified_from=${second + 4}`)).toEqual(['fay']);
    expect(await found('modified_from=soon')).toEqual([]);
  });

  test('an invalid page size returns 404', async () => {
    const reply = await sandbox.call('GET', `${users}?page_size=none`, { token });
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ code: 'faulty_request' });
  });
});

test.each([undefined, 'kazoo'] as const)(
  'an invalid record is refused before its id is checked, like %s',
  async (like) => {
    const { adminToken, call, seed } = await calledSandbox({ like });
    const media = `/v2/accounts/${seed.accountId}/media`;
    const put = async (more: object) =>
      call('PUT', media, {
        token: await adminToken(),
        data: { name: 'Enter', prompt_id: 'vm-enter_pass', ...more },
      });
    expect((await put({})).status).toBe(201);
    const wrong = await put({ streamable: 'perhaps' });
    expect([wrong.status, JSON.stringify(wrong.data)]).toEqual([400, expect.stringContaining('streamable')]);
    expect((await put({})).status).toBe(409);
  },
);
