import { expect, test } from 'vitest';
import { clientOf } from '../../../../test/support/contract-client.ts';
import { failureOf } from '../../../../test/support/failure-of.ts';
import type { FaultRule } from '../../../../test/support/faults.ts';
import { injectTransport, type SentRequest } from '../../../../test/support/inject-transport.ts';
import { logAttempt, minutesAgo } from '../../../../test/support/logged-attempts.ts';
import { openWorld } from '../../../../test/support/world.ts';
import { ApiReader } from './api-reader.ts';

const answer = (path: RegExp, status: number, more: Partial<FaultRule> = {}): FaultRule => ({
  path,
  fault: { kind: 'answer', status, body: `{"status":"error","error":"${status}","message":"no","data":{}}` },
  ...more,
});

/** A reader over the account of a new world; faults may be added and taken away while it is used. */
async function opened({ concurrency = 4, accountName }: { concurrency?: number; accountName?: string } = {}) {
  const world = await openWorld();
  const faults: FaultRule[] = [];
  const inner = injectTransport(world.sandbox.app, [{ fault: { kind: 'pass' }, when: () => false }]);
  let [under, most] = [0, 0];
  const requests: SentRequest[] = [];
  const token = await world.sandbox.adminToken();
  const api = clientOf(world.sandbox, async () => token, world.seed.accountId, {
    transport: {
      ...inner,
      async send(request) {
        const own = injectTransport(world.sandbox.app, faults);
        under += 1;
        most = Math.max(most, under);
        try {
          return await own.send(request);
        } finally {
          requests.push(...own.requests);
          under -= 1;
        }
      },
    },
  });
  const accountId = world.seed.accountId;
  const reader = new ApiReader(api, world.clock, concurrency, { id: accountId, name: accountName });
  return { world, reader, faults, requests, accountId, atOnce: () => most };
}

const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);

test('pages of a long list contain each record once', async () => {
  const { world, reader, accountId } = await opened();
  const made: string[] = [];
  for (let index = 0; index < 120; index += 1)
    made.push(String((await world.service('PUT', 'menus', { name: `Menu ${index}` })).id));
  expect(await reader.count(accountId, 'menus')).toEqual({ count: 100, isMore: true });
  const seen: string[] = [];
  let from: string | undefined;
  do {
    const part = await reader.list({ accountId, kind: 'menus', limit: 100, from });
    seen.push(...ids(part.records));
    from = part.next;
  } while (from !== undefined);
  expect(seen.toSorted()).toEqual(made.toSorted());
  expect((await reader.list({ accountId, kind: 'menus', limit: 7 })).records).toHaveLength(7);
  const wanted = await reader.list({
    ...{ accountId, kind: 'menus', limit: 500 },
    isWanted: ({ body }) => String(body.name).endsWith('9'),
  });
  expect([wanted.records.length, wanted.next]).toEqual([12, undefined]);
  const [first, last] = [seen[0], seen.at(-1)];
  for (const id of [first, last])
    expect(await reader.brief?.(accountId, 'menus', String(id))).toMatchObject({ id });
});

test('caches reads for 15 seconds, but not failures', async () => {
  const { world, reader, requests, accountId, faults } = await opened();
  const count = async () => (await reader.count(accountId, 'menus'))?.count;
  expect(await count()).toBe(0);
  await world.service('PUT', 'menus', { name: 'Main' });
  const before = requests.length;
  world.clock.turn(15_000);
  expect([await count(), requests.length]).toEqual([0, before]);
  world.clock.turn(1);
  expect([await count(), requests.length]).toEqual([1, before + 1]);
  world.clock.turn(20_000);
  faults.push(answer(/menus$/, 401));
  expect((await failureOf(count())).kind).toBe('auth');
  faults.pop();
  expect(await count()).toBe(1);
});

test('omits data of a failed read, and fails if every read fails', async () => {
  const { world, reader, accountId, faults } = await opened();
  const menu = String((await world.service('PUT', 'menus', { name: 'Main' })).id);
  const reads = {
    record: () => reader.record(accountId, 'menus', menu),
    messages: () => reader.messages(accountId, 'b'.repeat(32), 5),
    attempts: () => reader.attempts(accountId, 'c'.repeat(32), 5),
    count: () => reader.count(accountId, 'menus'),
    limits: () => reader.record(accountId, 'limits', ''),
  };
  const none = { record: undefined, messages: [], attempts: [], count: undefined, limits: undefined };
  for (const [name, read] of Object.entries(reads)) {
    for (const status of [403, 404, 405, 500]) {
      faults.splice(0, faults.length, answer(/./, status));
      expect(await read(), `${name} ${status}`).toEqual(Object(none)[name]);
      world.clock.turn(16_000);
    }
    for (const status of [401, 429]) {
      faults.splice(0, faults.length, answer(/./, status));
      await expect(read(), `${name} ${status}`).rejects.toMatchObject({ status });
    }
    faults.splice(0, faults.length, { fault: { kind: 'refuse' } });
    expect((await failureOf(read())).kind, name).toBe('unavailable');
    faults.length = 0;
  }
  const missing = async (status: number) => {
    faults.splice(0, faults.length, answer(/menus$/, status));
    world.clock.turn(16_000);
    return (await reader.list({ accountId, kind: 'menus', limit: 5 })).missing;
  };
  expect(await missing(404)).toBe('The service does not support this.');
  expect(await missing(405)).toBe('The service does not support this.');
  expect(await missing(403)).toMatch(/^The service refuses to show this: /);
  faults.length = 0;
  world.clock.turn(16_000);
  expect(await reader.record(accountId, 'menus', menu)).toMatchObject({ id: menu, body: { name: 'Main' } });
  expect(await reader.record(accountId, 'limits', '')).toMatchObject({ id: 'limits' });
  expect(await reader.count(accountId, 'limits')).toMatchObject({ count: 1 });
});

test('reads attempts from the account, or from the webhook if that is not supported, newest first', async () => {
  const { world, reader, accountId, faults } = await opened();
  const hook = { uri: 'http://hooks.example/in', hook: 'channel_create', http_verb: 'post' };
  const [one, other] = [
    String((await world.service('PUT', 'webhooks', { ...hook, name: 'one' })).id),
    String((await world.service('PUT', 'webhooks', { ...hook, name: 'other' })).id),
  ];
  for (const [id, ago] of [
    [one, 3],
    [other, 2],
    [one, 1],
  ] as const)
    await logAttempt(world, id, { timestamp: minutesAgo(world, ago) });
  const now = minutesAgo(world, 0);
  const times = async (limit = 5) =>
    (await reader.attempts(accountId, one, limit)).map(({ timestamp }) => (now - timestamp) / 60);
  expect(await times()).toEqual([1, 3]);
  expect(await times(1)).toEqual([1]);
  world.clock.turn(16_000);
  faults.push(answer(/webhooks\/attempts$/, 404));
  expect(await times()).toEqual([1, 3]);
});

test('orders accounts by their tree, as far as the service reports it', async () => {
  const { world, reader, accountId, faults } = await opened({ accountName: 'acme' });
  const below = String((await world.service('PUT', '', { name: 'branch', realm: 'branch.example' })).id);
  const accounts = async () => {
    world.clock.turn(16_000);
    return (await reader.accounts()).map(({ id, body, above }) => [id, body.name, above]);
  };
  const own = [accountId, 'acme', []];
  expect(await accounts()).toEqual([own, [below, 'branch', [accountId]]]);
  faults.push(answer(/descendants$/, 403));
  expect(await accounts()).toEqual([own]);
  faults.push(answer(new RegExp(`accounts/${accountId}$`), 404));
  expect(await accounts()).toEqual([own]);
  faults.push(answer(/users$/, 404));
  expect((await failureOf(accounts())).status).toBe(404);
});

test('limits concurrent requests', async () => {
  const { reader, accountId, atOnce } = await opened({ concurrency: 2 });
  const kinds = ['menus', 'users', 'devices', 'callflows', 'vmboxes', 'conferences', 'webhooks'] as const;
  const counts = await Promise.all(kinds.map((kind) => reader.count(accountId, kind)));
  expect(counts.every((each) => each !== undefined)).toBe(true);
  expect(atOnce()).toBe(2);
});
