import type { Json, JsonObject } from '../base/json.ts';
import { hooks, notificationKeys, notificationType } from './hooks.ts';

export interface SampleFacts {
  readonly accountId: string;
  /** Time in Gregorian seconds. */
  readonly timestamp: number;
  /** Returns 32 new hexadecimal digits. */
  readonly newId: () => string;
  /** The selected type of `object` and `notifications`. */
  readonly type?: string | undefined;
  readonly action?: string | undefined;
}

const caller = '+15551230001';
const callee = '+15551230002';

const parties = {
  caller_id_name: 'Alice Archer',
  caller_id_number: caller,
  callee_id_name: 'Bob Baker',
  callee_id_number: callee,
} as const;

/** The fields of a leg in every call event (Conventions, payloads). */
const sampleLeg = (id: string, otherId: string): JsonObject => ({
  call_id: id,
  other_leg_call_id: otherId,
  call_direction: 'inbound',
  call_forwarded: false,
  ...parties,
  from: `${caller}@acme.sip.example`,
  to: `${callee}@acme.sip.example`,
  request: `${callee}@acme.sip.example`,
  inception: callee,
  is_internal_leg: false,
  local_resource_used: false,
  emergency_resource_used: false,
  custom_channel_vars: {},
  custom_application_vars: {},
});

const bridged: JsonObject = { original_number: callee, other_leg_destination_number: callee };

/** Fields in addition to those of all call events. */
const more: ReadonlyMap<string, JsonObject> = new Map([
  ['channel_create', {}],
  ['channel_answer', {}],
  ['channel_bridge', bridged],
  [
    'channel_destroy',
    {
      hangup_cause: 'NORMAL_CLEARING',
      hangup_code: 'sip:200',
      duration_seconds: 42,
      ringing_seconds: 6,
      billing_seconds: 36,
    },
  ],
]);

/** Returns a known value, or one of the key's type. */
function sampleValue(key: string, { accountId, timestamp, newId }: SampleFacts): Json {
  if (key === 'account_id') return accountId;
  const known = values.get(key);
  if (known !== undefined) return known;
  switch (notificationType(key)) {
    case 'integer':
      return timestamp;
    case 'number':
      return 4.2;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    case 'string':
      return /(?:_id|^id)$/.test(key) ? newId() : `sample ${key.replaceAll('_', ' ')}`;
  }
}

const values: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['account_name', 'acme'],
  ['account_realm', 'acme.sip.example'],
  ['billing_address', { street_address: '1 Sample Street', locality: 'Springfield', postal_code: '00000' }],
  ...Object.entries(parties),
  ['cnam', { display_name: 'ACME', inbound_lookup: false }],
  ['comment', { author: 'Alice Archer', content: 'A sample comment', timestamp: 63_870_000_000 }],
  ['errors', ['sample error']],
  ['expires', 360],
  ['from_user', caller],
  ['from_realm', 'acme.sip.example'],
  ['items', [{ category: 'limits', item: 'twoway_trunks', quantity: 1, rate: 29.99 }]],
  ['network_port', 5060],
  ['notification_media', ['email']],
  ['port', { name: 'Sample port', port_state: 'pending', numbers: { [callee]: {} } }],
  ['to_user', callee],
  ['to_realm', 'acme.sip.example'],
  ['number', callee],
  ['local_number', true],
  ['voicemail_box', '100'],
  ['voicemail_length', 12_000],
  ['voicemail_transcription', { result: 'success', text: 'A sample message' }],
  ['message_count', 25],
  ['max_message_count', 25],
  ['current_balance', 4.2],
  ['email', 'alice@acme.example'],
  ['first_name', 'Alice'],
  ['last_name', 'Archer'],
  ['fax_info', { fax_result_code: '0', fax_result_text: 'OK', fax_transferred_pages: '1' }],
  ['network_ip', '192.0.2.10'],
  ['zones', { home: 'sample' }],
  ['success', true],
]);

/** See Conventions, notification types. */
const sampleNotification = (type: string, facts: SampleFacts): JsonObject => ({
  event_category: 'notification',
  event_name: type,
  app_name: 'sample',
  app_version: '5.0.0',
  msg_id: facts.newId(),
  node: 'sample@node.example',
  server_id: 'sample',
  system_log_id: facts.newId(),
  ...Object.fromEntries(
    (notificationKeys.get(type) ?? ['account_id']).map((key) => [key, sampleValue(key, facts)]),
  ),
});

const isChosen = (word: string | undefined): word is string => word !== undefined && word !== 'all';

/** Returns a payload before `custom_data` is merged. `all` is the start of a call. */
export const samplePayload = (hook: string, facts: SampleFacts): JsonObject => ({
  ...sampleEvent(hook === 'all' ? 'channel_create' : hook, facts),
  cluster_id: 'sample',
});

function sampleEvent(id: string, facts: SampleFacts): JsonObject {
  const { accountId, timestamp, newId, type, action } = facts;
  const call = more.get(id);
  if (call)
    return {
      hook_event: id,
      account_id: accountId,
      reseller_id: newId(),
      owner_id: newId(),
      authorizing_id: newId(),
      authorizing_type: 'device',
      ...sampleLeg(newId(), newId()),
      timestamp: String(timestamp),
      ...call,
    };
  switch (id) {
    case 'object':
      return {
        id: newId(),
        account_id: accountId,
        action: isChosen(action) ? action : 'doc_edited',
        type: isChosen(type) ? type : 'user',
      };
    case 'notifications':
      return sampleNotification(isChosen(type) ? type : 'voicemail_new', facts);
    case 'fax':
      return sampleNotification('outbound_fax', facts);
    case 'parking':
      return {
        event_name: 'PARK_PARKED',
        parking_slot: '101',
        account_id: accountId,
        call_id: newId(),
        ...parties,
      };
    case 'sms':
      return {
        id: newId(),
        account_id: accountId,
        type: 'sms',
        from: caller,
        to: callee,
        body: 'A sample message',
        origin: 'offnet',
      };
    default:
      return { hook_event: id, account_id: accountId, timestamp: String(timestamp) };
  }
}

/** Includes `parking`, which only compatible services have. */
export const shownSamples: readonly string[] = [...hooks.map(({ id }) => id), 'parking'];

export const sampledHooks: readonly string[] = [...shownSamples, 'all'];
