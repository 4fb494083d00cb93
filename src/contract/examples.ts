import type { JsonObject } from '../base/json.ts';
import type { ResourceName } from './types.ts';

/** Ids, names and numbers of nobody: numbers of the 555 exchange, addresses of the domain `example`. */
const ids = {
  account: '0b3f7c1e9a2d4586b7e1c4a9d0f25e63',
  user: '91cc04e2a7b54d0f8e36c1b2f9d47a10',
  menu: '5d20f6b81c9e4a37a4d8e0c17b3f9264',
  group: '7e41a9c35b0d48f2916ad3e8c5f7b028',
  plan: 'basic_plan',
} as const;

/** The number of an example call. */
const number = '+14155550123';

/** A record of each resource, as one writes it to create one. */
export const recordExamples: Partial<Readonly<Record<ResourceName, JsonObject>>> = {
  accounts: {
    name: 'Acme Dental',
    realm: 'acme-dental.sip.example',
    timezone: 'Europe/Zurich',
    language: 'en-us',
  },
  users: {
    username: 'alice',
    first_name: 'Alice',
    last_name: 'Archer',
    email: 'alice@acme.example',
    password: 'a-first-password',
    priv_level: 'user',
    caller_id: { external: { name: 'Acme Dental', number } },
  },
  groups: { name: 'Reception', endpoints: { [ids.user]: { type: 'user', weight: 1 } } },
  callflows: {
    name: 'Main line',
    numbers: [number],
    flow: {
      module: 'menu',
      data: { id: ids.menu },
      children: { 1: { module: 'user', data: { id: ids.user }, children: {} } },
    },
  },
  metaflows: { binding_digit: '*', digit_timeout: 2000, listen_on: 'self' },
  menus: { name: 'Main menu', retries: 3, timeout: 10_000 },
  directories: { name: 'Staff', min_dtmf: 3 },
  conferences: { name: 'Weekly', conference_numbers: ['5550100'], max_participants: 20 },
  vmboxes: { name: 'Alice', mailbox: '100', owner_id: ids.user },
  faxes: {
    from_number: number,
    to_number: '+14155550199',
    document: { url: 'https://files.acme.example/letter.pdf', method: 'get' },
  },
  messages: { caller_id_name: 'Bob', caller_id_number: number, length: 4200 },
  numbers: { cnam: { display_name: 'Acme Dental' } },
  ports: { name: 'Numbers of the old office', numbers: { [number]: {} }, signee_name: 'Alice Archer' },
  selectors: { name: 'Local calls', resource: 'carrier_one', selector: 'prefix', value: '+1415' },
  services: { add: [ids.plan] },
  limits: { inbound_trunks: 4, outbound_trunks: 2, allow_prepay: true },
  webhooks: {
    name: 'CRM',
    uri: 'https://crm.acme.example/hook',
    hook: 'channel_create',
    http_verb: 'post',
    format: 'json',
  },
  apps: { client_id: 'telctl-demo', provider: 'acme-id', secret: 'not-a-secret', name: 'Acme portal' },
  providers: { id: 'acme-id', provider_type: 'oauth', name: 'Acme ID', discovery: 'https://id.acme.example' },
};

/** `data` of requests that are no whole record, by operation. */
export const bodyExamples: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['accounts.patch', { language: 'de-ch' }],
  ['users.patch', { caller_id: { external: { number: '+14155550142' } }, email: null }],
  ['groups.patch', { name: 'Front desk' }],
  ['callflows.patch', { name: 'Main line, after hours' }],
  ['menus.patch', { retries: 2 }],
  ['directories.patch', { min_dtmf: 2 }],
  ['conferences.patch', { max_participants: 50 }],
  ['vmboxes.patch', { name: 'Alice at home' }],
  ['numbers.patch', { cnam: { display_name: 'Acme' } }],
  ['ports.patch', { name: 'Numbers of both offices' }],
  ['ports.schedule', { transfer_date: 63_950_000_000 }],
  ['webhooks.patch', { enabled: true }],
  ['webhooks.re-enable', { 're-enable': true }],
  ['webhooks.re-enable-descendants', { 're-enable': true }],
  ['participants.update', { action: 'mute' }],
  ['numbers.locality', { numbers: [number] }],
  ['limits.set', { inbound_trunks: 6, accept_charges: true }],
  [
    'tokens.user-auth',
    { credentials: '7dc2f1f4c7a83f0a5c9b3c0d2b1e9f64', method: 'md5', account_name: 'Acme Dental' },
  ],
  ['tokens.info', { token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl' }],
  [
    'tokens.callback',
    {
      provider: 'acme-id',
      client_id: 'telctl-demo',
      code: 'code-from-the-provider',
      redirect_uri: 'https://portal.acme.example/back',
    },
  ],
  ['tokens.authorize', { provider: 'acme-id', token: 'token-of-the-provider' }],
  ['tokens.api-auth', { api_key: '0123456789abcdef'.repeat(4) }],
  ['messages.update', { folder: 'saved' }],
  ['messages.move-all', { messages: ['202511-c46a1f7be0d943528c0e9b57f2a6d381'], folder: 'deleted' }],
  ['ports.submit', { reason: 'All letters are there' }],
  ['ports.pend', { reason: 'Sent to the losing carrier' }],
  ['ports.complete', { reason: 'The numbers ring here' }],
  ['ports.reject', { reason: 'The account number is another' }],
  ['ports.cancel', { reason: 'The customer stays' }],
  ['ports.comment', { comments: [{ content: 'The bill is attached', is_private: false }] }],
  ['selectors.update-rules', { rules: [{ get_resources: {} }] }],
  ['services.assign', { overrides: {} }],
  ['services.override', { overrides: { users: { basic: { rate: 5 } } } }],
]);

/** Values of path parameters. */
export const pathExamples: ReadonlyMap<string, string> = new Map<string, string>([
  ['account_id', ids.account],
  ['user_id', ids.user],
  ['menu_id', ids.menu],
  ['group_id', ids.group],
  ['plan_id', ids.plan],
  ['phone_number', number],
  ['app_id', 'telctl-demo'],
  ['provider_id', 'acme-id'],
  ['participant_id', '3'],
]);

/** What stands in an example for an id without meaning. */
export const anyId = 'c46a1f7be0d943528c0e9b57f2a6d381';
