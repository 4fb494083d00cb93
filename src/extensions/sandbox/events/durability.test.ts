import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deliveringSandbox } from '../../../../test/support/delivering-sandbox.ts';
import { failingStore } from '../../../../test/support/failing-store.ts';
import { receiver } from '../../../../test/support/receiver.ts';
import type { JsonObject } from '../../../base/json.ts';
import { buildPut } from '../placement.ts';
import { openStore } from '../store/sqlite-store.ts';
import type { Store } from '../store/store.ts';

const user = (name: string) => ({ first_name: name, last_name: 'Test' });
const bodies = (received: readonly { readonly body: string }[]): readonly JsonObject[] =>
  received.map(({ body }) => JSON.parse(body));

function storeInFile(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'telctl-durability-'));
  const store = openStore(join(folder, 'db'));
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

describe('a full disk', () => {
  test('delays an event until there is space again', async () => {
    const { store, failOn } = failingStore(openStore(':memory:'));
    const [world, target] = await Promise.all([deliveringSandbox({ store }), receiver()]);
    await world.subscribe({ uri: target.url, format: 'json' });
    failOn((changes) => changes.some(({ change }) => change === 'unqueue'));
    const made = await world.service('PUT', 'users', user('Ann'));
    await world.idle();
    expect(target.received).toHaveLength(0);
    failOn(undefined);
    await target.arrived(1);
    expect(bodies(target.received)).toMatchObject([{ id: made.id, action: 'doc_created' }]);
  });

  test('fails a change completely, without a delivery', async () => {
    const { store, failOn } = failingStore(openStore(':memory:'));
    const [world, target] = await Promise.all([deliveringSandbox({ store }), receiver()]);
    await world.subscribe({ uri: target.url });
    failOn(() => true);
    await expect(world.service('PUT', 'users', user('Ann'))).rejects.toThrow('database or disk is full');
    failOn(undefined);
    await world.idle();
    expect(target.received).toHaveLength(0);
  });

  test('does not keep the sandbox from stopping while a webhook is disabled', async () => {
    const { store, failOn } = failingStore(openStore(':memory:'));
    const [world, target] = await Promise.all([deliveringSandbox({ store }), receiver({ answer: 500 })]);
    const id = await world.subscribe({ uri: target.url, retries: 0 });
    for (let round = 0; round < 5; round += 1) await world.service('PUT', 'users', user('Ann'));
    await world.idle();
    await world.service('PUT', 'users', user('Bob'));
    failOn((changes) => changes.some(({ change }) => change === 'attempt'));
    await target.arrived(6);
    await world.stop();
    expect(await world.service('GET', `webhooks/${id}`)).toMatchObject({ enabled: true });
    // What could not be noted is done once more.
    failOn(undefined);
    world.start();
    await target.arrived(7);
  });
});

describe('a webhook with waiting deliveries', () => {
  test('delivers them to its new address', async () => {
    const [world, old, next] = await Promise.all([
      deliveringSandbox(),
      receiver({ answer: 500 }),
      receiver(),
    ]);
    const id = await world.subscribe({ uri: old.url });
    await world.service('PUT', 'users', user('Ann'));
    await world.idle();
    await world.service('PATCH', `webhooks/${id}`, { uri: next.url });
    await world.turn(2000);
    expect([old.received.length, next.received.length]).toEqual([1, 1]);
    expect(next.received[0]?.body).toBe(old.received[0]?.body);
  });

  test('drops them when it is deleted', async () => {
    const [world, target] = await Promise.all([deliveringSandbox(), receiver({ answer: 500 })]);
    const id = await world.subscribe({ uri: target.url });
    await world.service('PUT', 'users', user('Ann'));
    await world.idle();
    await world.service('DELETE', `webhooks/${id}`);
    await world.turn(2000);
    expect(target.received).toHaveLength(1);
    expect(await world.services.store.queueHeads()).toEqual([]);
  });

  test('is deleted with its account, and ancestors are notified', async () => {
    const [world, target, above] = await Promise.all([
      deliveringSandbox(),
      receiver({ answer: 500 }),
      receiver(),
    ]);
    const { id } = await world.service('PUT', `/v2/accounts/${world.sandbox.seed.accountId}`, {
      name: 'below',
    });
    await world.subscribe({ uri: target.url }, String(id));
    const custom_data = { type: 'account', action: 'doc_deleted' };
    await world.subscribe({ uri: above.url, format: 'json', include_subaccounts: true, custom_data });
    await world.service('PUT', `/v2/accounts/${id}/users`, user('Ann'));
    await world.idle();
    await world.service('DELETE', `/v2/accounts/${id}`);
    await world.turn(2000);
    expect(target.received).toHaveLength(1);
    expect(bodies(above.received)).toMatchObject([{ id, action: 'doc_deleted', type: 'account' }]);
    expect(await world.services.store.queueHeads()).toEqual([]);
  });
});

test('the result of a delivery is not recorded for a later delivery with its sequence', async () => {
  const store = storeInFile();
  const queued = (webhookId: string, eventId: string) =>
    ({
      change: 'queue',
      entry: { kind: 'delivery', webhookId, accountId: 'a', eventId, hook: 'object', dueMs: 0, payload: {} },
    }) as const;
  await store.commit([queued('one', 'aaaaaaaaaa')]);
  const [first] = await store.dueDeliveries('one', 1, 1);
  await store.commit([{ change: 'forget-account', accountId: 'a' }]);
  await store.commit([queued('two', 'bbbbbbbbbb')]);
  const [second] = await store.dueDeliveries('two', 1, 1);
  expect(second?.sequence).toBe(first?.sequence);
  if (!first) throw new Error('nothing was queued');
  await store.commit([
    { change: 'postpone', delivery: first, webhookId: 'one', dueMs: 9, tries: 1 },
    { change: 'unqueue', entry: first },
  ]);
  expect(await store.dueDeliveries('two', 1, 1)).toEqual([second]);
});

test('hundreds of webhooks receive an event exactly once', async () => {
  const [world, target] = await Promise.all([deliveringSandbox({ timeoutMs: 10_000 }), receiver()]);
  const { store } = world.services;
  const first = await world.subscribe({ uri: target.url });
  const record = await store.get({ kind: 'webhooks', scope: world.sandbox.seed.accountId, id: first });
  if (!record) throw new Error('there is no webhook');
  const ids = Array.from({ length: 299 }, (_, index) => String(index).padStart(32, '0'));
  await store.commit(ids.map((id) => buildPut({ ...record, id, revision: 0 }, 'webhooks')));
  ids.push(first);
  await world.service('PUT', 'users', user('Ann'));
  await target.arrived(300, 15_000);
  await world.idle();
  expect(target.received.map(({ headers }) => headers['x-hook-id']).sort()).toEqual(ids.sort());
});
