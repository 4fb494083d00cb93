import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { operationById, operations } from '../../../src/contract/catalogue.ts';
import type { ReplyShape } from '../../../src/contract/types.ts';
import { credentialDigests } from '../../../src/extensions/sandbox/ids-and-secrets.ts';
import { calledSandbox } from '../../support/called-sandbox.ts';
import { damageEnvelope, unknownKey } from '../../support/damages.ts';
import { forgingProvider } from '../../support/forging-provider.ts';
import { collectReplies, findProblem } from '../../support/validating-proxy.ts';

const seen = collectReplies();

/** Damages that the published description allows. Records accept unknown keys, because clients store some. */
const undetected: readonly string[] = [
  // KAZOO omits empty data.
  ...['tokens.reset-system-secret', 'tokens.reset-user-secret', 'tokens.reset-account-secret']
    .concat(['services.update', 'services.override', 'services.assign', 'keys.reset'])
    .map((id) => `${id}: no data`),
  // KAZOO returns the changed settings.
  ...['update', 'override', 'assign'].map((verb) => `services.${verb}: an unknown key in data`),
  // KAZOO omits the id in some responses about these records.
  ...['faxes.create', 'keys.get', 'numbers.classify', 'numbers.locality'].map((id) => `${id}: no data.id`),
  // A sign-in without a linked user issues no token.
  ...['tokens.authorize', 'tokens.callback'].flatMap((id) => [`${id}: no auth_token`, `${id}: no version`]),
  // Limits exist once per account and have no id.
  ...['limits.get: no data.id', 'limits.set: no data.id'],
  // Results of lookups are keyed by number, or next to the fields of the number.
  ...['e164', 'friendly_name', 'name', 'number', 'pretty_print', 'regex'].map(
    (field) => `numbers.classify: data.${field} of another type`,
  ),
  'numbers.locality: data.+12125550100 of another type',
  'contacts.get: an unknown key in data',
];

/** Without these keys, a refusal of a reference operation still has one of the documented shapes. */
const otherRefusals = ['code', 'status', 'error', 'data'].map((key) => `no ${key}`);
/** Only callers with a valid token get the version and their token. */
const withoutToken = ['no version', 'no auth_token'];

/** Records of each kind that documented operations cannot create, by path parameter. */
const seedRecords = (
  clientId: string,
): readonly (readonly [parameter: string, path: string, data: JsonObject])[] => [
  ['group_id', 'groups', { name: 'Sales', endpoints: {} }],
  ['menu_id', 'menus', { name: 'Main' }],
  ['directory_id', 'directories', { name: 'All' }],
  ['conference_id', 'conferences', { name: 'Weekly' }],
  ['vm_box_id', 'vmboxes', { name: 'Alice', mailbox: '2001', accept_charges: true }],
  ['port_request_id', 'port_requests', { name: 'Move', numbers: { '+12125550143': {} } }],
  ['app_id', 'auth/apps', { client_id: clientId, provider: 'google', secret: 'app-secret-1' }],
];

/** The caller and input of a documented operation. */
interface Documented {
  readonly as?: 'super';
  readonly data?: JsonObject;
  readonly query?: string;
}

test('every documented operation succeeds with seeded records and documented requests only', async () => {
  const clientId = 'acme-client';
  const [sandbox, provider] = await Promise.all([calledSandbox(), forgingProvider(clientId)]);
  const { seed } = sandbox;
  const token = await sandbox.adminToken();
  const app = sandbox.answeringLike('specification');
  const ids: Record<string, string> = {
    account_id: seed.accountId,
    user_id: seed.adminUserId,
    participant_id: '1',
    phone_number: seed.phoneNumber,
    plan_id: 'gold',
    provider_id: 'google',
    link_id: 'google-ann',
  };
  for (const [parameter, path, data] of seedRecords(clientId)) {
    const place = path === 'auth/apps' ? path : `accounts/${seed.accountId}/${path}`;
    const made = await sandbox.call('PUT', `/v2/${place}`, { token, data });
    expect(made.status, made.text).toBe(201);
    ids[parameter] = made.at('data.id');
  }
  const callback = { client_id: clientId, provider: 'google', redirect_uri: 'http://127.0.0.1:4000/in' };
  const { md5 } = credentialDigests(seed.adminUsername, seed.adminPassword);
  const known = { id: 'google', discovery: provider.discovery, issuer_domains: [provider.issuer] };
  const calls: readonly (readonly [id: string, call?: Documented])[] = [
    ['tokens.user-auth', { data: { credentials: md5, account_name: 'acme' } }],
    ['tokens.api-auth', { data: { api_key: seed.apiKey } }],
    ['tokens.info', { data: { token } }],
    ['tokens.info-by-query', { query: `token=${token}` }],
    ['tokens.refresh'],
    ['accounts.api-key'],
    ['accounts.update', { data: { name: 'acme' } }],
    ['users.patch', { data: {} }],
    ['users.vcard'],
    ['groups.get'],
    ['callflows.create', { data: { numbers: ['2001'], flow: { module: 'hangup', data: {}, children: {} } } }],
    ['contacts.get'],
    ['metaflows.get'],
    ['metaflows.delete'],
    ['menus.update', { data: { name: 'Main' } }],
    ['directories.patch', { data: {} }],
    ['conferences.patch', { data: {} }],
    ['participants.update', { data: {} }],
    ['vmboxes.update', { data: { name: 'Alice', mailbox: '2001' } }],
    ['faxes.create', { data: { from_number: '+12125550100', to_number: '+12125550199' } }],
    ['numbers.locality', { data: { numbers: ['+12125550100'] } }],
    ['numbers.classify'],
    ['ports.timeline'],
    ['ports.schedule', { data: {} }],
    ['selectors.rules'],
    ['services.update', { as: 'super', data: {} }],
    ['services.override', { as: 'super', data: {} }],
    ['services.assign', { as: 'super', data: {} }],
    ['limits.get'],
    ['limits.set', { as: 'super', data: { twoway_trunks: 2, accept_charges: true } }],
    ['webhooks.hooks'],
    ['webhooks.create', { data: { name: 'crm', uri: 'https://crm.example/in', hook: 'object' } }],
    ['webhooks.patch', { data: { enabled: true } }],
    ['webhooks.attempts'],
    ['providers.list'],
    ['providers.get'],
    ['providers.update', { as: 'super', data: known }],
    ['tokens.callback', { data: { ...callback, code: provider.code({ sub: 'ann' }) } }],
    ['tokens.authorize', { data: { token: await provider.token({ sub: 'ann' }) } }],
    ['links.link', { data: {} }],
    ['links.list'],
    ['links.get'],
    ['links.delete'],
    ['apps.list'],
    ['apps.get'],
    ['apps.update', { data: { client_id: clientId, provider: 'google', secret: 'app-secret-2' } }],
    ['apps.delete'],
    ['providers.delete', { as: 'super' }],
    ['keys.list', { as: 'super' }],
    ['keys.get', { as: 'super' }],
    ['keys.reset', { as: 'super' }],
    ['tokens.reset-user-secret'],
    ['tokens.reset-account-secret'],
    ['accounts.rotate-api-key', { data: {} }],
    ['tokens.reset-system-secret', { as: 'super' }],
  ];
  const documented = operations.filter(({ source }) => source === 'specification').map(({ id }) => id);
  expect(calls.map(([id]) => id).toSorted()).toEqual(documented.toSorted());

  const refused: string[] = [];
  for (const [id, { as, data, query } = {}] of calls) {
    const { method, path, body, authenticated } = operationById(id);
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown');
    const caller = as === 'super' ? await sandbox.superToken() : await sandbox.adminToken();
    const envelope = body?.kind === 'action' ? { action: body.action, data: {} } : { data };
    const reply = await app.inject({
      method: method as 'GET',
      url: `/v2${url}${query === undefined ? '' : `?${query}`}`,
      headers: authenticated ? { 'x-auth-token': caller } : {},
      ...(data === undefined && body?.kind !== 'action' ? {} : { payload: envelope }),
    });
    if (reply.statusCode >= 300) refused.push(`${id}: ${reply.statusCode} ${reply.body}`);
    const found = reply.body === '' ? undefined : reply.json().data;
    if (id === 'webhooks.create') ids.webhook_id = found.id;
    if (id === 'keys.list') ids.key_id = found[0];
  }
  expect(refused).toEqual([]);
});

test('the published descriptions match every documented response', () => {
  const replies = seen.filter(({ like }) => like === 'specification');
  expect(replies.length).toBeGreaterThan(50);
  const faults = replies.flatMap((reply) => [
    findProblem(reply, 'specification'),
    findProblem(reply, 'conventions'),
  ]);
  expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
});

/** Returns true for a reply with records, which may have keys of clients. */
const returnsRecords = (shape: ReplyShape): boolean =>
  shape.kind === 'record' || (shape.kind === 'list' && shape.items === undefined);

test('the published description detects every damaged response, except those with a reason', async () => {
  const successes = seen.filter(({ status, text }) => status < 300 && text !== '');
  const passed = successes.flatMap((reply) => {
    const { id, reply: shape } = reply.operation;
    return damageEnvelope(JSON.parse(reply.text))
      .filter(({ what }) => what !== unknownKey || !returnsRecords(shape))
      .filter(
        ({ body }) => findProblem({ ...reply, text: JSON.stringify(body) }, 'conventions') === undefined,
      )
      .map(({ what }) => `${id}: ${what}`);
  });
  expect([...new Set(passed)].toSorted()).toEqual(undetected.toSorted());
});

test('the published description detects every damaged error', async () => {
  const sandbox = await calledSandbox();
  const before = seen.length;
  const account = `/v2/accounts/${sandbox.seed.accountId}`;
  const token = await sandbox.adminToken();
  for (const path of ['groups/none', 'limits', 'menus/none']) {
    await sandbox.call('GET', `${account}/${path}`, { token: 'x.y.z' });
    await sandbox.call('GET', `${account}/${path}`, { token });
  }
  await sandbox.call('POST', `${account}/limits`, { token, data: { twoway_trunks: 'many' } });
  await sandbox.call('PUT', `${account}/webhooks`, { token, data: {} });
  const refusals = seen.slice(before).filter(({ status }) => status >= 400);
  expect(refusals.length).toBeGreaterThan(5);
  const passed = refusals.flatMap((reply) =>
    damageEnvelope(JSON.parse(reply.text))
      .filter(
        ({ body }) => findProblem({ ...reply, text: JSON.stringify(body) }, 'conventions') === undefined,
      )
      .map(({ what }) => what)
      .filter((what) => what !== unknownKey && !withoutToken.includes(what))
      .filter((what) => reply.operation.errors === 'legacy' || !otherRefusals.includes(what))
      .map((what) => `${reply.operation.id} ${reply.status}: ${what}`),
  );
  expect(passed).toEqual([]);
});
