import type { Json, JsonObject } from '../base/json.ts';
import type { Operation, ResourceName } from './types.ts';

/** Reserved names and numbers: the 555 exchange, and the domain `example`. */
export const sampleIds = {
  account: '0b3f7c1e9a2d4586b7e1c4a9d0f25e63',
  user: '91cc04e2a7b54d0f8e36c1b2f9d47a10',
  menu: '5d20f6b81c9e4a37a4d8e0c17b3f9264',
  device: '3e7a90d5c1b84f26a0d9e35f7c8b1264',
  queue: '9d41b6c02f7e4a85b3d0e7c61f2a4958',
  rule: '2c8e5f0b7a914d63b0f1c7e29d4a8563',
  group: '7e41a9c35b0d48f2916ad3e8c5f7b028',
  plan: 'basic_plan',
} as const;

export const anyId = 'c46a1f7be0d943528c0e9b57f2a6d381';

const sampleNumber = '+14155550123';

/** For examples and tests. */
export interface Sample {
  /** Data that creates the record. Ids are those of other samples. */
  readonly record: JsonObject;
  readonly change?: JsonObject;
  readonly options?: string;
  /** Name in command lines (default: NAME or ID). */
  readonly named?: string;
}

const template: Sample = {
  record: {
    id: 'new_user',
    from: 'phones@acme.example',
    subject: 'Your telephone, {{user.first_name}}',
    to: { type: 'original' },
  },
  named: 'new_user',
};

/** By resource with write operations. */
export const samples: Readonly<Partial<Record<ResourceName, Sample>>> = {
  accounts: {
    record: {
      name: 'Acme Dental',
      realm: 'acme-dental.sip.example',
      timezone: 'Europe/Zurich',
      language: 'en-us',
    },
    change: { language: 'de-ch' },
    named: 'acme',
  },
  users: {
    record: {
      username: 'alice',
      first_name: 'Alice',
      last_name: 'Archer',
      email: 'alice@acme.example',
      password: 'a-first-password',
      priv_level: 'user',
      caller_id: { external: { name: 'Acme Dental', number: sampleNumber } },
    },
    change: { caller_id: { external: { number: '+14155550142' } }, email: null },
    named: 'alice',
  },
  groups: {
    record: { name: 'Reception', endpoints: { [sampleIds.user]: { type: 'user', weight: 1 } } },
    options: '--name Sales --members alice,bob,"Front desk"',
    change: { name: 'Front desk' },
  },
  devices: {
    record: {
      name: 'Alice desk',
      device_type: 'sip_device',
      owner_id: sampleIds.user,
      mac_address: '0004f2ab7efd',
      sip: { username: 'alice_desk', password: 'a-first-password' },
      call_forward: { enabled: false, number: sampleNumber },
    },
    change: { call_forward: { enabled: true } },
    named: 'desk',
  },
  callflows: {
    options: '--name Sales --numbers 2970 --answers group:Sales',
    record: {
      name: 'Main line',
      numbers: [sampleNumber],
      flow: {
        module: 'menu',
        data: { id: sampleIds.menu },
        children: { 1: { module: 'user', data: { id: sampleIds.user }, children: {} } },
      },
    },
    change: { name: 'Main line, after hours' },
    named: '+15551230000',
  },
  lists: { record: { name: 'Regular customers' }, change: { description: 'Connect immediately' } },
  list_entries: { record: { number: '14155550177', name: 'Carla Diaz' }, change: { name: 'Carla' } },
  media: {
    options: '--name Closed',
    record: { name: 'Closed', description: 'closed.mp3', language: 'en-us' },
    change: { description: 'closed-2026.mp3' },
  },
  metaflows: { record: { binding_digit: '*', digit_timeout: 2000, listen_on: 'self' } },
  menus: { record: { name: 'Main menu', retries: 3, timeout: 10_000 }, change: { retries: 2 } },
  temporal_rules: {
    options: '--name "Office hours" --days mon-fri --hours 09:00-17:00',
    record: {
      name: 'Office hours',
      cycle: 'weekly',
      wdays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
      time_window_start: 32_400,
      time_window_stop: 61_200,
    },
    change: { time_window_stop: 64_800 },
    named: "'Office hours'",
  },
  temporal_rules_sets: {
    options: '--name Holidays --rules Christmas,"New Year"',
    record: { name: 'Holidays', temporal_rules: [sampleIds.rule] },
    change: { name: 'Public holidays' },
  },
  queues: {
    record: { name: 'Support', strategy: 'most_idle', agent_ring_timeout: 20 },
    change: { agent_wrapup_time: 10 },
  },
  directories: { record: { name: 'Staff', min_dtmf: 3 }, change: { min_dtmf: 2 } },
  conferences: {
    record: { name: 'Weekly', conference_numbers: ['5550100'], max_participants: 20 },
    change: { max_participants: 50 },
  },
  vmboxes: {
    record: { name: 'Alice', mailbox: '100', owner_id: sampleIds.user },
    change: { name: 'Alice at home' },
    named: '100',
  },
  blacklists: {
    record: { name: 'Nuisance callers', numbers: { '+14155550177': {} } },
    change: { should_block_anonymous: true },
  },
  faxboxes: {
    record: { name: 'Front office', caller_id: sampleNumber, retries: 2 },
    change: { retries: 3 },
    options: '--name Office --caller-id +14155550123',
  },
  faxes: {
    options:
      '--from-number +14155550123 --to-number +14155550199 --document https://files.acme.example/letter.pdf',
    record: {
      from_number: sampleNumber,
      to_number: '+14155550199',
      document: { url: 'https://files.acme.example/letter.pdf', method: 'get' },
    },
  },
  messages: { record: { caller_id_name: 'Bob', caller_id_number: sampleNumber, length: 4200 } },
  notifications: template,
  system_notifications: template,
  numbers: {
    record: { cnam: { display_name: 'Acme Dental' } },
    change: { cnam: { display_name: 'Acme' } },
    named: '+15551230000',
  },
  ports: {
    options: '--name "From the old carrier" --numbers +14155550100',
    record: {
      name: 'Numbers of the old office',
      numbers: { [sampleNumber]: {} },
      signee_name: 'Alice Archer',
    },
    change: { name: 'Both offices' },
  },
  selectors: { record: { name: 'Local calls', resource: 'carrier_one', selector: 'prefix', value: '+1415' } },
  services: { record: { add: [sampleIds.plan] } },
  limits: { record: { inbound_trunks: 4, outbound_trunks: 2, allow_prepay: true } },
  webhooks: {
    record: {
      name: 'CRM',
      uri: 'https://crm.acme.example/hook',
      hook: 'channel_create',
      http_verb: 'post',
      format: 'json',
    },
    change: { enabled: false },
    named: 'crm',
  },
  apps: {
    record: { client_id: 'telctl-demo', provider: 'acme-id', secret: 'not-a-secret', name: 'Acme portal' },
  },
  providers: {
    record: { id: 'acme-id', provider_type: 'oauth', name: 'Acme ID', discovery: 'https://id.acme.example' },
  },
  token_restrictions: {
    record: {
      restrictions: {
        _: { user: { devices: [{ rules: { '#': ['GET'] } }], _: [{ rules: { '#': ['_'] } }] } },
      },
    },
  },
  access_lists: { record: { order: 'allow,deny', cidrs: ['203.0.113.0/24'] } },
  device_access_lists: { record: { order: 'allow,deny', cidrs: ['203.0.113.7/32'] }, named: 'desk' },
  device_rate_limits: {
    record: { per_minute: { total_packets: 60 }, per_second: { total_packets: 5 } },
    named: 'desk',
  },
  alerts: {
    record: {
      title: 'Works on Sunday',
      message: 'Telephones rest from 02:00 to 03:00.',
      from: [{ type: 'account', value: sampleIds.account }],
      to: [{ type: 'all', value: 'all' }],
    },
    named: "'Works on Sunday'",
  },
  whitelabel: { record: { company_name: 'Acme Telecom', domain: 'portal.acme.example' } },
  allotments: { record: { outbound_did_us: { amount: 36_000, cycle: 'monthly' } } },
  carrier_jobs: { record: { name: 'New block', resource_id: anyId, numbers: ['+14155550188'] } },
  rate_limits: {
    record: {
      account: { per_minute: { total_packets: 600 }, per_second: { total_packets: 50 } },
      device: { per_minute: { total_packets: 60 }, per_second: { total_packets: 5 } },
    },
  },
  security: {
    record: { auth_modules: { cb_user_auth: { token_auth_expiry_s: 1800 } } },
    change: { auth_modules: { cb_user_auth: { log_failed_attempts: true } } },
  },
  multi_factor: {
    record: {
      name: 'Duo',
      enabled: true,
      provider_name: 'duo',
      settings: { api_hostname: 'api.duo.example' },
    },
    change: { enabled: false },
    named: 'Duo',
  },
  carriers: {
    record: {
      name: 'Acme Carrier',
      gateways: [{ server: 'sip.carrier.example', username: 'acme' }],
      rules: ['^\\+1(\\d{10})$'],
      weight_cost: 20,
    },
    change: { weight_cost: 30 },
    named: "'Acme Carrier'",
  },
  carrier_templates: {
    record: { name: 'Two gateways', template_name: 'two', gateways: [{ server: 'sip.carrier.example' }] },
    change: { template_name: 'pair' },
    named: "'Two gateways'",
  },
  rates: {
    record: { prefix: 44, rate_cost: 0.02, rate_name: 'uk', description: 'United Kingdom' },
    change: { rate_cost: 0.03 },
  },
  system_carriers: {
    record: { name: 'Main Carrier', gateways: [{ server: 'sip.carrier.example' }], emergency: true },
    change: { weight_cost: 10 },
    named: "'Main Carrier'",
  },
};

export function bodyExample({ id, verb, resource, body }: Operation): Json | undefined {
  const known = bodyExamples.get(id);
  if (known || body?.kind === 'record') return known ?? samples[resource]?.record;
  return verb === 'patch' ? samples[resource]?.change : undefined;
}

const adjustment = (amount: number, description: string, id: string): JsonObject => ({
  amount,
  description,
  source: { service: 'adjustments', id },
  usage: { quantity: 1, type: 'adjustment', unit: 'piece' },
});
const sampleComment = { author: 'alice', content: 'On leave', timestamp: 63_900_000_000 };

/** `data` that is not a complete record, by operation. */
const bodyExamples: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...['check', 'create-many', 'update-many', 'patch-many', 'delete-many', 'buy'].map(
    (verb): readonly [string, Json] => [`numbers.${verb}`, { numbers: ['+12125550140'] }],
  ),
  ['services.topup', { amount: 25 }],
  ['tokens.recover', { username: 'alice', account_name: 'acme', ui_url: 'https://manager.acme.example/' }],
  ['tokens.recovered', { reset_id: '3f2a9c0d5b7e41868a1c2d3e4f5061723f2a9c0d' }],
  ['conferences.act', { action: 'lock', data: {} }],
  ['queues.set-roster', [sampleIds.user]],
  ['queues.eavesdrop', { id: sampleIds.device, mode: 'listen' }],
  ['queues.eavesdrop-call', { id: sampleIds.device, call_id: 'c-0009' }],
  ['agents.set-state', { status: 'login' }],
  ['ledgers.credit', adjustment(25, 'Goodwill', 'goodwill-1')],
  ['ledgers.debit', adjustment(10, 'Set-up', 'set-up-1')],
  ['transactions.sale', { amount: 25, description: 'Top-up' }],
  ['transactions.refund', { amount: 5, description: 'Paid twice' }],
  ['agents.set-queue', { action: 'login', queue_id: sampleIds.queue }],
  ['notifications.preview', { to: { type: 'specified', email_addresses: ['alice@acme.example'] } }],
  [
    'notifications.tell-customers',
    { subject: 'Works on Sunday', plain: 'Telephones rest from 02:00 to 03:00.' },
  ],
  ['ports.schedule', { transfer_date: 63_950_000_000 }],
  ['webhooks.re-enable', { 're-enable': true }],
  ['webhooks.re-enable-descendants', { 're-enable': true }],
  ['participants.update', { action: 'mute' }],
  ['devices.notify', { data: { event: 'check-sync' } }],
  ...['user', 'device'].flatMap((of): readonly (readonly [string, Json])[] => [
    [`comments.add-to-${of}`, { comments: [sampleComment] }],
    [`comments.update-of-${of}`, sampleComment],
  ]),
  ['presence.set-of-user', { action: 'set', state: 'confirmed' }],
  ['presence.set-of-device', { action: 'reset' }],
  ['channels.act', { action: 'transfer', target: '1002' }],
  ['channels.metaflow', { module: 'hold', data: {} }],
  ['numbers.locality', { numbers: [sampleNumber] }],
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
  ['tasks.submit', { records: [{ e164: sampleNumber }], file_name: 'numbers.csv' }],
  ['selectors.update-rules', { rules: [{ get_resources: {} }] }],
  ['services.assign', { overrides: {} }],
  ['services.override', { overrides: { users: { basic: { rate: 5 } } } }],
]);

export const pathExamples: ReadonlyMap<string, string> = new Map<string, string>([
  ['account_id', sampleIds.account],
  ['user_id', sampleIds.user],
  ['menu_id', sampleIds.menu],
  ['group_id', sampleIds.group],
  ['plan_id', sampleIds.plan],
  ['phone_number', sampleNumber],
  ['app_id', 'telctl-demo'],
  ['provider_id', 'acme-id'],
  ['participant_id', '3'],
  ['notification_id', 'new_user'],
  ['month', '202611'],
  ['domain', 'portal.acme.example'],
  ['comment_id', '0'],
  ['category', 'phone_numbers'],
  ['extension', '1001'],
  ['device_id', sampleIds.device],
]);
