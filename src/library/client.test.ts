import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf } from '../../test/support/failure-of.ts';
import { type Sandbox, startSandbox } from '../extensions/sandbox/library.ts';
import { connect, Failure } from './client.ts';
import type { ClientOptions } from './client-types.ts';
import { plan } from './manifest.ts';
import { methodName, offeredOperations } from './methods.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const clientWith = (more: Partial<ClientOptions> = {}) =>
  connect({ baseUrl: sandbox.baseUrl, apiKey: sandbox.admin.apiKey, ...more });

/** A `fetch` that keeps the requests, and the client that sends by it. */
function counted(more: Partial<ClientOptions> = {}) {
  const sent: string[] = [];
  const client = clientWith({
    ...more,
    fetch: (url, init) => {
      const { pathname } = new URL(String(url));
      if (!pathname.includes('_auth')) sent.push(`${init?.method} ${pathname}`);
      return fetch(url, init);
    },
  });
  return { client, sent };
}

test('the standalone client has a method for every operation except sign-in', () => {
  const client = new Map(Object.entries(clientWith()));
  for (const operation of offeredOperations)
    expect(client.get(operation.resource), operation.id).toHaveProperty(methodName(operation));
});

test('reply() returns status, headers and request id with the data', async () => {
  const client = clientWith();
  const [user] = await client.users.list().all();
  const { data, status, headers, requestId } = await client.users.get(String(user?.id)).reply();
  expect([data.id, status, headers['content-type'], headers['x-request-id']]).toEqual([
    user?.id,
    200,
    expect.stringContaining('application/json'),
    requestId,
  ]);
  expect((await failureOf(client.users.get('gone').reply())).kind).toBe('not_found');
});

test('a signal aborts a call before and while it runs', async () => {
  const { client, sent } = counted();
  await client.accountId();
  const before = sent.length;
  const ended = failureOf(client.menus.create({ name: 'Never' }, { signal: AbortSignal.abort() }));
  expect(await ended).toMatchObject({ kind: 'interrupted', retryable: false });
  expect(sent).toHaveLength(before);
  await sandbox.faults.add({ match: 'GET /menus*', delayMs: 60_000 });
  const ending = new AbortController();
  const slow = failureOf(client.menus.list({ signal: ending.signal }).all());
  ending.abort();
  expect((await slow).kind).toBe('interrupted');
  await sandbox.faults.clear();
  expect(await client.menus.list().all()).toEqual([]);
});

test('a call can set its own time-out and number of retries', async () => {
  const { client, sent } = counted();
  await client.accountId();
  await sandbox.faults.add({ match: 'GET /menus*', delayMs: 60_000 });
  const late = await failureOf(client.menus.list({ timeout: 50, retries: 0 }).all());
  expect(late).toMatchObject({ kind: 'unavailable', retryable: true, message: /timed out/ });
  await sandbox.faults.clear();
  await sandbox.faults.add({ match: 'GET /menus*', status: 503 });
  sent.length = 0;
  expect(await failureOf(client.menus.list({ retries: 0 }).all())).toMatchObject({ retryable: true });
  expect(sent).toHaveLength(1);
  await sandbox.faults.clear();
});

test('rejects an invalid time-out or retry count before sending', async () => {
  const { client, sent } = counted();
  for (const odd of [{ timeout: -1 }, { timeout: Number.NaN }, { retries: 0.5 }, { timeout: 2 ** 31 }])
    expect(await failureOf(client.menus.list(odd).all())).toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(
        /^(?:timeout|retries) must be a whole number from 0 to 2147483647, not /,
      ),
    });
  expect(sent).toEqual([]);
  expect(() => clientWith({ timeoutMs: Number.POSITIVE_INFINITY })).toThrow(/^timeoutMs must be/);
});

test('a create with a lost response and a refused call are not retryable', async () => {
  const client = clientWith({ retries: 0 });
  await sandbox.faults.add({ match: 'PUT /menus*', drop: 'after', times: 1 });
  const lost = await failureOf(client.menus.create({ name: 'Once' }));
  expect(lost).toMatchObject({ inDoubt: true, retryable: false });
  expect((await failureOf(client.users.get('gone'))).retryable).toBe(false);
  const [menu] = await client.menus.list().all();
  await client.menus.delete(String(menu?.id));
});

test('charges are accepted per call or per client, and only by `true`', async () => {
  const heard: string[] = [];
  const client = clientWith({ onCharges: () => false });
  for (const accept of [undefined, () => false, async () => JSON.parse('"true"')]) {
    const options = accept === undefined ? {} : { accept };
    expect((await failureOf(client.limits.set({ inbound_trunks: 3 }, options))).kind).toBe('charges');
  }
  const accept = ({ text }: { readonly text: string }): boolean => heard.push(text) > 0;
  expect(await client.limits.set({ inbound_trunks: 3 }, { accept })).toMatchObject({ inbound_trunks: 3 });
  expect(heard).toEqual(['estimated 30.00 for 3 inbound_trunks']);
  expect((await failureOf(client.limits.set({ inbound_trunks: 4 }))).kind).toBe('charges');
});

test('a call can name another account, and deleting an account requires its name', async () => {
  const client = clientWith();
  const { id } = await client.accounts.create({ name: 'Branch' });
  await client.menus.create({ name: 'Main' }, { account: 'branch' });
  expect(await client.menus.list({ account: String(id) }).all()).toHaveLength(1);
  expect(await clientWith({ account: 'Branch' }).accountId()).toBe(id);
  expect((await failureOf(client.menus.list({ account: 'Brunch' }).all())).message).toContain('Branch');
  expect(await failureOf(client.accounts.delete(String(id)))).toMatchObject({ kind: 'refused' });
  await client.accounts.delete(String(id), { confirm: 'Branch' });
});

test('refuses plain http to other machines and does not follow redirects', async () => {
  const plain = { baseUrl: 'http://service.example', apiKey: 'any' };
  expect(() => connect(plain)).toThrow(/plain http/);
  const urls: string[] = [];
  const away = clientWith({
    retries: 0,
    fetch: async (url) => {
      urls.push(String(url));
      return new Response('', { status: 307, headers: { location: 'https://elsewhere.example/' } });
    },
  });
  expect(await failureOf(away.users.list().all())).toBeInstanceOf(Failure);
  expect(urls.filter((url) => !url.startsWith(sandbox.baseUrl))).toEqual([]);
  expect(urls).not.toEqual([]);
});

test('a read-only client can plan manifests but not write', async () => {
  const client = clientWith({ readOnly: true });
  expect((await failureOf(client.menus.create({ name: 'Never' }))).kind).toBe('refused');
  const { accounts } = await plan(client, { text: 'set: office\nmenus: { main: { name: Main } }\n' });
  expect(accounts[0]?.counts).toMatchObject({ create: 1 });
});

test('recognises a Failure of another bundle by instanceof', () => {
  const other = Object.create({ [Symbol.for('telctl.failure')]: true });
  expect([other instanceof Failure, new Error('x') instanceof Failure]).toEqual([true, false]);
});
