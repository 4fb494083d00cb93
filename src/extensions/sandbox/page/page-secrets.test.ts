import { expect, test, vi } from 'vitest';
import { lookedAt } from '../../../../test/support/looked-at.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { resources } from '../../../contract/catalogue.ts';
import { secretPaths } from '../../../contract/schema.ts';
import { resolveReference, type SchemaNode } from '../../../contract/schema-node.ts';
import type { Operation } from '../../../contract/types.ts';
import { logDelivery } from '../control/request-log.ts';
import type { SentDelivery } from '../events/deliverer.ts';
import { type Put, scopeBelow } from '../store/store.ts';
import { kindsOfAccounts } from './views/records.ts';

/** Stands where a secret is, and nowhere else. */
const canary = 'sesame';
const address = `http://${canary}:${canary}@127.0.0.1:9/shown?key=${canary}#${canary}`;
const numberOfMine = '+15550001111';

/** A value of a schema in which all that is or may carry a secret has the canary. A part is not entered within itself. */
function telling(root: SchemaNode): JsonObject {
  const inside = (node: SchemaNode): readonly (readonly [string, SchemaNode])[] => [
    ...Object.entries(node.properties ?? {}),
    ...[...Object.values(node.patternProperties ?? {}), node.additionalProperties].flatMap((child) =>
      typeof child === 'object' ? [['7', child] as const] : [],
    ),
  ];
  const visit = (reference: SchemaNode, above: readonly SchemaNode[]): Json | undefined => {
    const node = resolveReference(root, reference);
    if (node['x-secret-bearing']) return address;
    if (node['x-secret']) return node.type === 'object' ? { word: canary } : node.items ? [canary] : canary;
    if (above.includes(node)) return undefined;
    const within = [...above, node];
    const item = node.items && visit(node.items, within);
    if (item !== undefined) return [item];
    const parts = inside(node)
      .map(([key, child]) => [key, visit(child, within)] as const)
      .filter(([, value]) => value !== undefined);
    return parts.length > 0 ? Object.fromEntries(parts) : undefined;
  };
  const whole = visit(root, []);
  return isObject(whole) ? whole : {};
}

/** A record of each kind in the account, past what the service would check, with a secret wherever one can be. */
const records = (accountId: string): readonly Put[] =>
  resources
    .filter(({ name }) => name !== 'accounts')
    .map(({ name, schema }) => ({
      change: 'put',
      record: {
        kind: name,
        scope:
          name === 'numbers' ? '' : name === 'messages' ? scopeBelow(accountId, 'of-vmboxes') : accountId,
        id: name === 'numbers' ? numberOfMine : `of-${name}`,
        body: { name: `One of ${name}`, numbers: ['300'], ...telling(schema) },
        hidden: { account: accountId, secret: canary, md5: canary },
        createdAt: 63_900_000_000,
        modifiedAt: 63_900_000_001,
        revision: 0,
      },
      order: '',
      keys: name === 'numbers' ? [{ field: 'account', value: accountId }] : [],
      claims: [],
    }));

/** Secrets that an operation may be sent: its body, and its query. */
function secretsFor({ method, path, body, query = [] }: Operation, accountId: string, schema: SchemaNode) {
  const words = query.map(({ name, secret }) => `${name}=${secret ? canary : 'x'}`).join('&');
  const target = path.replace('{account_id}', accountId).replaceAll(/\{\w+\}/g, 'none');
  const data = body?.kind === 'value' ? telling(body.schema) : body ? telling(schema) : undefined;
  return { method, target: `/v2${target}${words && `?${words}`}`, data };
}

type Looked = Awaited<ReturnType<typeof lookedAt>>;

/** Asks for everything that carries a secret, in every way that a caller could say who it is. */
async function ask({ call, seed, token }: Looked): Promise<number> {
  let asked = 0;
  for (const { operations, schema } of resources)
    for (const operation of operations) {
      const { method, target, data } = secretsFor(operation, seed.accountId, schema);
      if (operation.verb === 'delete' || operation.verb.startsWith('reset')) continue;
      if (data !== undefined || target.includes(canary)) asked += 1;
      else continue;
      const body = data === undefined ? {} : { body: { data } };
      await call(method, target, { ...(operation.authenticated ? { token } : {}), ...body });
      await call(method, target, { token: canary, ...body });
      await call(method, target, { headers: { authorization: `Bearer ${canary}` }, ...body });
    }
  const users = `/v2/accounts/${seed.accountId}/users`;
  for (const name of [
    'auth_token',
    'token',
    '%74oken',
    'api_key',
    'filter_password',
    'filter_pin',
    'filter_pins',
  ])
    await call('GET', `${users}?${name}=${canary}`, { token });
  return asked;
}

/** Every page that links lead to, from the first one on. */
async function crawl({ get }: Looked, ...more: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const waiting = ['/', ...more];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (pages.has(next)) continue;
    const { text } = await get(next.slice(1));
    pages.set(next, text);
    for (const [, link = ''] of text.matchAll(/href="(\?[^"#]*)"/g))
      waiting.push(`/${link.replaceAll('&amp;', '&')}`);
  }
  return pages;
}

/** Events of the live stream while something happens. */
async function streamed({ app }: Looked, during: () => Promise<unknown>): Promise<string> {
  const reply = await app.inject({ url: '/?live', payloadAsStream: true });
  const chunks: string[] = [];
  reply.stream().on('data', (chunk) => chunks.push(String(chunk)));
  await during();
  await vi.waitFor(() => expect(chunks.join('')).toContain('event: changed'), { timeout: 60_000 });
  reply.stream().destroy();
  return chunks.join('');
}

/** A delivery that is noted in the log and at its webhook. */
async function deliver({ store, clock, log, seed: { accountId } }: Looked, hookId: string): Promise<void> {
  const target = { uri: address, verb: 'post', format: 'json', hookId, accountId } as const;
  const customData = { word: canary };
  const delivery = {
    webhookId: hookId,
    accountId,
    eventId: 'e',
    hook: 'object',
    dueMs: 0,
    payload: customData,
  };
  const subscription = {
    target,
    hook: 'object',
    retries: 0,
    includesSubaccounts: false,
    includesInternalLegs: true,
  };
  const tried: SentDelivery = {
    delivery: { kind: 'delivery', ...delivery, sequence: 1, tries: 1 },
    subscription: { ...subscription, customData, modifiers: {} },
    method: 'post',
    sent: { status: 500, headers: { 'x-word': canary }, body: canary },
    ms: 1,
  };
  logDelivery({ clock, log }, tried);
  const body = {
    ...{ uri: address, req_headers: { authorization: canary }, req_body: canary, custom_data: customData },
    ...{ result: 'failure', reason: 'bad response code', resp_status_code: 500, resp_body: canary },
  };
  const attempt = { webhookId: hookId, accountId, timestamp: 63_900_000_000, body };
  await store.commit([{ change: 'attempt', attempt }]);
}

test('the test data marks every secret of the contract', () => {
  const marks = (resource: (typeof resources)[number]) =>
    JSON.stringify(telling(resource.schema)).split(canary).length - 1;
  for (const each of resources)
    expect(marks(each), each.name).toBeGreaterThanOrEqual(secretPaths(each).length);
  expect(resources.flatMap(secretPaths).length).toBeGreaterThan(10);
});

test('no linked page shows a secret of any record, request or delivery', async () => {
  const looked = await lookedAt();
  const { store, seed, faults, token } = looked;
  const { accountId, apiKey, adminPassword } = seed;
  await store.commit(records(accountId));
  const hook = await looked.put('webhooks', {
    name: 'CRM',
    uri: address,
    hook: 'channel_destroy',
    custom_data: { word: canary },
  });
  const live = await streamed(looked, async () => {
    await deliver(looked, hook);
    expect(await ask(looked)).toBeGreaterThan(30);
    await looked.clock.advance(1000);
  });
  faults.add({ match: 'GET /users*', status: 503, seed: 1 });

  const pages = await crawl(looked, `/?account=${accountId}&kind=users&find=One`);
  expect(pages.size).toBeGreaterThan(60);
  const whole = [...pages.values()].join('');
  // What is beside the secrets is there.
  for (const name of kindsOfAccounts.map(({ name }) => name)) expect(whole).toContain(`One of ${name}`);
  expect(whole).toContain('127.0.0.1:9/shown');
  expect(whole).toContain('tokeninfo');
  for (const [place, text] of [...pages, ['the stream', live] as const])
    for (const secret of [canary, token, apiKey, adminPassword]) {
      const at = text.indexOf(secret);
      expect(at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 20), place).toBe('');
    }
});
