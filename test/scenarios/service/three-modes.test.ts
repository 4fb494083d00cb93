import { describe, expect, test } from 'vitest';
import { calledSandbox } from '../../support/called-sandbox.ts';
import { openWorld } from '../../support/world.ts';

/** Typical commands, and whether the specification documents their operations. */
const lines: readonly (readonly [line: string, documented: boolean])[] = [
  ['whoami', true],
  ['limits get', true],
  ['users create --first-name Alice --last-name Ashe --set email=alice@acme.example', false],
  ['users list', false],
  ['limits get -o json', false],
  ['menus create --set name=Main', false],
  ['menus patch Main --set-json retries=2', false],
  ['menus get Main', false],
  ['accounts get', false],
  ['accounts patch --set org=Acme', false],
  ['webhooks list', false],
  ['menus delete Main --yes', false],
  ['export', false],
];

test.each([undefined, 'kazoo', 'specification'] as const)('common tasks work, like %s', async (like) => {
  const world = await openWorld({ like });
  for (const [line, documented] of lines) {
    if (like === 'specification' && !documented) continue;
    const run = await world.telctl(line);
    expect(run.code, `${line}: ${run.stderr}`).toBe(0);
  }
});

describe.each([undefined, 'kazoo', 'specification'] as const)('like %s', (like) => {
  test.each([
    { what: 'a Bearer token', method: 'GET', by: 'authorization', status: 401 },
    { what: 'HEAD', method: 'HEAD', by: 'x-auth-token', status: 405 },
    { what: 'OPTIONS', method: 'OPTIONS', by: 'x-auth-token', status: 405 },
  ] as const)('$what is refused', async ({ method, by, status }) => {
    const { adminToken, call, seed } = await calledSandbox({ like });
    const token = await adminToken();
    const headers = { [by]: by === 'authorization' ? `Bearer ${token}` : token };
    const reply = await call(method, `/v2/accounts/${seed.accountId}/limits`, { headers });
    expect(reply.status).toBe(status);
    if (method === 'HEAD') expect(reply.text).toBe('');
    else expect(reply.body).toMatchObject({ status: 'error', error: String(status) });
    // KAZOO sends no content type with early errors.
    expect(reply.headers['content-type'] === undefined).toBe(like === 'kazoo');
  });

  test('only the permitted role sets limits of an account whose parent is not a reseller', async () => {
    const { adminToken, call, callUsually, seed, tokenOf } = await calledSandbox({ like });
    const token = await adminToken();
    const below = await callUsually('PUT', `/v2/accounts/${seed.accountId}`, {
      token,
      data: { name: 'Below' },
    });
    const path = `/v2/accounts/${below.at('data.id')}`;
    for (const priv_level of ['user', 'admin']) {
      const data = { first_name: 'Ann', last_name: 'A', username: priv_level, password: 'first-sign-in' };
      await callUsually('PUT', `${path}/users`, { token, data: { ...data, priv_level } });
      const own = await tokenOf(priv_level, data.password, 'Below');
      const reply = await call('POST', `${path}/limits`, { token: own, data: { calls: 1 } });
      expect(reply.status, `${priv_level}: ${reply.text}`).toBe(like === 'kazoo' ? 200 : 403);
    }
  });
});

test.each([undefined, 'kazoo'] as const)('names beyond ASCII are sorted by bytes, like %s', async (like) => {
  const { adminToken, call, seed } = await calledSandbox({ like });
  const token = await adminToken();
  const path = `/v2/accounts/${seed.accountId}/vmboxes`;
  const names = ['\u{1d400}dam', 'Émile', 'zac', '\uff03fax', 'Änne', 'Eve', 'bob'];
  for (const [index, name] of names.entries())
    await call('PUT', path, { token, data: { name, mailbox: `10${index}` } });
  const { data } = await call('GET', `${path}?ascending=true`, { token });
  const sorted = ['bob', 'Eve', 'zac', 'Änne', 'Émile', '\uff03fax', '\u{1d400}dam'];
  expect(data).toMatchObject(sorted.map((name) => ({ name })));
});

test('apply lists unsent values if the service does not return them', async () => {
  const world = await openWorld({ like: 'specification' });
  const files = { 'menus.yaml': 'menus: { main: { name: Main } }\n' };
  const run = await world.telctl('apply -f menus.yaml --yes', { files });
  expect([run.code, run.stderr]).toEqual([
    9,
    expect.stringContaining('1 object of the manifest was not sent'),
  ]);
  expect(run.stderr).not.toContain('Nothing to do');
  const both = 'limits: { calls: 3 }\nmenus: { main: { name: Main } }\n';
  const partly = await world.telctl('apply -f menus.yaml --yes', { files: { 'menus.yaml': both } });
  expect(partly.code, partly.stderr).toBe(8);
});
