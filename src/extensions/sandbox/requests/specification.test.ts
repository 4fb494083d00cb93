import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { forgingProvider } from '../../../../test/support/forging-provider.ts';
import type { SandboxMode } from '../differences.ts';

// What the specification says in so many words, point by point; each test names the section. Where compatible services
// do otherwise, and it was recorded, the test says what `--like kazoo` does.

async function open(like?: SandboxMode) {
  const sandbox = await calledSandbox({ like });
  const token = await sandbox.adminToken();
  const account = `/v2/accounts/${sandbox.seed.accountId}`;
  return { ...sandbox, account, token };
}

/** Makes a plain user and an administrator beside those of the seed. */
async function withUsers(like?: SandboxMode) {
  const sandbox = await open(like);
  const { call, token, account, tokenOf } = sandbox;
  const make = async (username: string, level: string) => {
    const data = { username, password: 'first-sign-in', first_name: 'A', last_name: 'B', priv_level: level };
    return (await call('PUT', `${account}/users`, { token, data })).at('data.id');
  };
  const [plain, boss] = [await make('plain', 'user'), await make('boss', 'admin')];
  return { ...sandbox, plain, boss, plainToken: await tokenOf('plain', 'first-sign-in') };
}

const documented = ['specification', undefined] as const;

test.each(documented)(
  'Conventions, Success response envelope: start_key of providers is an array (%s)',
  async (like) => {
    const { call, token } = await open(like);
    const reply = await call('GET', '/v2/auth/providers', { token });
    expect(reply.body).toMatchObject({ page_size: 3, start_key: [] });
  },
);

test('like kazoo, lists of providers have no start_key', async () => {
  const { call, token } = await open('kazoo');
  expect((await call('GET', '/v2/auth/providers', { token })).body).not.toHaveProperty('start_key');
});

test.each(documented)(
  'Versioning, 1: every response has the version, with and without a token (%s)',
  async (like) => {
    const { call, account, token } = await open(like);
    const replies = [
      await call('GET', `${account}/limits`, { token }),
      await call('GET', `${account}/limits`),
      await call('PUT', '/v2/user_auth', { data: { credentials: 'x', account_name: 'acme' } }),
    ];
    expect(replies.map(({ status, body }) => [status, body.version])).toEqual([
      [200, '5.0.0'],
      [401, '5.0.0'],
      [401, '5.0.0'],
    ]);
  },
);

test('Authentication and tokens: apps are listed for the account in the query, the path or the token', async () => {
  const { call, seed, token, account, superToken } = await open();
  const superior = await superToken();
  const app = (client_id: string) => ({ client_id, provider: 'google', secret: 'app-secret' });
  await call('PUT', '/v2/auth/apps', { token, data: app('of-acme') });
  await call('PUT', '/v2/auth/apps', { token: superior, data: app('of-platform') });
  const ids = async (path: string) => {
    const reply = await call('GET', path, { token: superior });
    return (Array.isArray(reply.data) ? reply.data : []).map((each) => Object(each).id).toSorted();
  };
  expect(await ids('/v2/auth/apps')).toEqual(['of-platform']);
  expect(await ids(`${account}/auth/apps`)).toEqual(['of-acme', 'of-platform']);
  expect(await ids(`/v2/accounts/${seed.masterAccountId}/auth/apps?account_id=${seed.accountId}`)).toEqual(
    await ids(`${account}/auth/apps`),
  );
});

test('Authentication records, Token information: token information lists the apps', async () => {
  const { call, token } = await open();
  const information = async () => (await call('POST', '/v2/auth/tokeninfo', { token, data: { token } })).data;
  expect(await information()).toMatchObject({ apps: [] });
  const app = { client_id: 'crm', provider: 'google', secret: 'app-secret', name: 'CRM' };
  await call('PUT', '/v2/auth/apps', { token, data: app });
  expect(await information()).toMatchObject({ apps: [{ id: 'crm', provider: 'google', name: 'CRM' }] });
});

test('Authentication records, SSO provider list item: only multi-factor providers have more than a type', async () => {
  const { call, token } = await open();
  const { data } = await call('GET', '/v2/auth/providers', { token });
  expect(data).toEqual([
    { id: 'office365', provider_type: 'oauth' },
    { id: 'google', provider_type: 'oauth' },
    { id: 'duo', provider_type: 'multi_factor', enabled: false, name: 'Duo', provider_name: 'duo' },
  ]);
});

test('like kazoo, a provider can be changed without its id', async () => {
  const { call, superToken } = await open('kazoo');
  const path = '/v2/auth/providers/google';
  const reply = await call('POST', path, { token: await superToken(), data: { provider_type: 'oauth' } });
  expect(reply.status).toBe(200);
});

test('Authentication records, auth.provider: id is required', async () => {
  const { call, superToken } = await open();
  const token = await superToken();
  const path = '/v2/auth/providers/google';
  const without = await call('POST', path, { token, data: { name: 'G' } });
  expect([without.status, without.data]).toEqual([400, { id: { required: { message: 'is required' } } }]);
  expect((await call('POST', path, { token, data: { id: 'google', name: 'G' } })).status).toBe(200);
});

test.each([[undefined, true] as const, ['kazoo', undefined] as const])(
  'Resources and their fields, Conference: tones and welcome of a new one (%s: %s)',
  async (like, filled) => {
    const { call, account, token } = await open(like);
    const made = await call('PUT', `${account}/conferences`, { token, data: { name: 'Weekly' } });
    const { play_entry_tone: entry, play_exit_tone: exit, play_welcome: welcome } = Object(made.data);
    expect([made.status, entry, exit, welcome]).toEqual([201, filled, filled, filled]);
    const quiet = { name: 'Quiet', play_entry_tone: false, play_welcome: false };
    const kept = await call('PUT', `${account}/conferences`, { token, data: quiet });
    expect(kept.data).toMatchObject(quiet);
  },
);

test.each(documented)(
  'Endpoints, Account resources: DELETE of metaflows has an empty body (%s)',
  async (like) => {
    const { call, account, token } = await open(like);
    const reply = await call('DELETE', `${account}/metaflows`, { token });
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([200, '', undefined]);
  },
);

test('like kazoo, DELETE of metaflows returns an envelope with an empty object', async () => {
  const { call, account, token } = await open('kazoo');
  expect((await call('DELETE', `${account}/metaflows`, { token })).data).toEqual({});
});

test('a list as CSV has the columns of its records, and an empty list returns 204', async () => {
  const { call, account, token } = await open('kazoo');
  const sending = { token, headers: { accept: 'text/csv' } };
  const none = await call('GET', `${account}/menus`, sending);
  expect([none.status, none.text, none.headers['content-type']]).toEqual([204, '', undefined]);
  await call('PUT', `${account}/menus`, { token, data: { name: 'Main' } });
  const one = await call('GET', `${account}/menus`, sending);
  expect([one.status, one.headers['content-type']]).toEqual([200, 'text/csv']);
  expect(one.text).toMatch(/^"ID","name","flags"\r?\n"[0-9a-f]{32}","Main",""/);
});

test.each(documented)(
  'Endpoints: operations without a documented request accept a missing body (%s)',
  async (like) => {
    const { call, account, superToken } = await open(like);
    const token = await superToken();
    for (const path of ['services', 'services/overrides', 'services/basic', 'api_key']) {
      const reply = await call('POST', `${account}/${path}`, { token });
      expect(reply.status, `${path}: ${reply.text}`).toBe(200);
    }
  },
);

test.each([...documented, 'kazoo'] as const)(
  'Resources and their fields, Fax: retries are 1 (%s)',
  async (like) => {
    const { call, account, token } = await open(like);
    const data = {
      from_number: '+14155550100',
      to_number: '+14155550101',
      document: { url: 'https://files.example/a.pdf' },
    };
    expect((await call('PUT', `${account}/faxes`, { token, data })).data).toMatchObject({ retries: 1 });
  },
);

test('Authentication and tokens: authorize accepts a token with its application', async () => {
  const { call, token, superToken } = await open();
  const provider = await forgingProvider('acme-app');
  const set = { id: 'google', discovery: provider.discovery, issuer_domains: [provider.issuer] };
  await call('POST', '/v2/auth/providers/google', { token: await superToken(), data: set });
  for (const client_id of ['acme-app', 'other-app']) {
    const data = { client_id, provider: 'google', secret: 'app-secret' };
    await call('PUT', '/v2/auth/apps', { token, data });
  }
  const foreign = await provider.token({ sub: 'ann' });
  const status = async (app: string) =>
    (await call('PUT', '/v2/auth/authorize', { data: { token: foreign, app } })).status;
  expect([await status('acme-app'), await status('other-app'), await status('nobody')]).toEqual([
    201, 401, 401,
  ]);
});

test('Endpoints, Account resources: selector rules have the same format before and after a write', async () => {
  const { call, account, token } = await open();
  const path = `${account}/resource_selectors/rules`;
  const keys = async () => Object.keys(Object((await call('GET', path, { token })).data));
  const own = ['id', 'name', 'resource', 'selector', 'value', 'start_time', 'stop_time', 'rules'];
  expect(await keys()).toEqual(own);
  expect((await call('POST', path, { token, data: { name: 'Local' } })).data).toMatchObject({ rules: [] });
  expect((await keys()).toSorted()).toEqual(own.toSorted());
});

test('Authentication, 7: plain users cannot become or change administrators', async () => {
  const { call, account, plain, boss, plainToken: token } = await withUsers();
  const raise = { priv_level: 'admin' };
  const tried = [
    await call('PATCH', `${account}/users/${plain}`, { token, data: raise }),
    await call('PATCH', `${account}/users/${boss}`, { token, data: { first_name: 'Other' } }),
    await call('PATCH', `${account}/users/${boss}`, { token, data: { priv_level: 'user' } }),
    await call('PATCH', `${account}/users/${boss}`, { token, data: { password: 'second-sign-in' } }),
    await call('PUT', `${account}/users/${boss}/auth`, {
      token,
      body: { action: 'reset_signature_secret', data: {} },
    }),
  ];
  expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  const own = await call('PATCH', `${account}/users/${plain}`, { token, data: { first_name: 'Own' } });
  expect(own.data).toMatchObject({ first_name: 'Own', priv_level: 'user' });
});

test('plain users cannot create, replace or remove administrators', async () => {
  const { call, account, plain, boss, plainToken: token } = await withUsers();
  const data = { first_name: 'A', last_name: 'B', priv_level: 'admin' };
  const tried = [
    await call('PUT', `${account}/users`, { token, data }),
    await call('POST', `${account}/users/${plain}`, { token, data }),
    await call('POST', `${account}/users/${boss}`, { token, data: { ...data, priv_level: 'user' } }),
    await call('DELETE', `${account}/users/${boss}`, { token }),
  ];
  expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

test('like kazoo, a plain user can become an administrator', async () => {
  const { call, account, plain, plainToken: token } = await withUsers('kazoo');
  const reply = await call('PATCH', `${account}/users/${plain}`, { token, data: { priv_level: 'admin' } });
  expect([reply.status, Object(reply.data).priv_level]).toEqual([200, 'admin']);
});
