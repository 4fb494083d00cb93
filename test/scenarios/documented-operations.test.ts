import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { operationById, operations } from '../../src/contract/catalogue.ts';
import { credentialHashes } from '../../src/sandbox/made-values.ts';
import { throughValidatingProxy } from '../support/described.ts';
import { forgingProvider } from '../support/forging-provider.ts';
import { openWorld } from '../support/world.ts';

throughValidatingProxy();

/** What a seed file gives an account: a record of each kind that no documented call creates. */
const seedFile = (clientId: string): string =>
  JSON.stringify({
    groups: { sales: { name: 'Sales', endpoints: {} } },
    menus: { main: { name: 'Main' } },
    directories: { all: { name: 'All' } },
    conferences: { weekly: { name: 'Weekly' } },
    vmboxes: { alice: { name: 'Alice', mailbox: '2001' } },
    ports: { move: { name: 'Move', numbers: { '+12125550143': {} } } },
    apps: { crm: { client_id: clientId, provider: 'google', secret: 'app-secret-1' } },
  });

/** One documented call: who makes it and what it sends. */
interface Documented {
  readonly as?: 'super';
  readonly data?: JsonObject;
  readonly query?: string;
}

test('with a seed file and documented calls alone, each documented operation succeeds', async () => {
  const clientId = 'acme-client';
  const [world, provider] = await Promise.all([openWorld(), forgingProvider(clientId)]);
  const applied = await world.telctl('apply -f seed.yaml --yes --accept-charges', {
    files: { 'seed.yaml': seedFile(clientId) },
  });
  expect(applied.code, applied.stderr).toBe(0);
  const { sandbox, seed } = world;
  const token = await sandbox.adminToken();
  const idIn = async (path: string): Promise<string> => {
    const text = (await sandbox.call('GET', `/v2/accounts/${seed.accountId}/${path}`, { token })).text;
    return /"id":"([0-9a-f]{32})"/.exec(text)?.[1] ?? '';
  };
  const app = sandbox.answeringLike('specification');
  const ids: Record<string, string> = {
    account_id: seed.accountId,
    user_id: seed.adminUserId,
    group_id: await idIn('groups'),
    menu_id: await idIn('menus'),
    directory_id: await idIn('directories'),
    conference_id: await idIn('conferences'),
    participant_id: '1',
    vm_box_id: await idIn('vmboxes'),
    port_request_id: await idIn('port_requests'),
    phone_number: seed.phoneNumber,
    plan_id: 'gold',
    provider_id: 'google',
    link_id: 'google-ann',
  };
  const callback = { client_id: clientId, provider: 'google', redirect_uri: 'http://127.0.0.1:4000/in' };
  const { md5 } = credentialHashes(seed.adminUsername, seed.adminPassword);
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
    if (id === 'apps.list') ids.app_id = found[0].id;
    if (id === 'keys.list') ids.key_id = found[0];
  }
  expect(refused).toEqual([]);
});
