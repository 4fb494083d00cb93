import type { ResourceName } from './types.ts';

/** Events with a webhook, as the specification lists them (Events). */
export const hooks = [
  { id: 'channel_create', name: 'Call leg started', description: 'A call leg starts' },
  { id: 'channel_answer', name: 'Call leg answered', description: 'A call leg answers' },
  { id: 'channel_destroy', name: 'Call leg ended', description: 'A call leg ends' },
  { id: 'channel_bridge', name: 'Call legs bridged', description: 'Two legs bridge' },
  { id: 'sms', name: 'SMS', description: 'An SMS is created (announced as coming soon)' },
  { id: 'notifications', name: 'Notification', description: 'A notification event is published' },
  { id: 'fax', name: 'Fax', description: 'A fax status or object changes' },
  { id: 'object', name: 'Object', description: 'An object document changes' },
] as const;

/** Resources of the hook `object`, with the types in its events. */
const objectKinds = [
  ['accounts', 'account'],
  ['callflows', 'callflow'],
  ['devices', 'device'],
  ['faxboxes', 'faxbox'],
  ['media', 'media'],
  ['users', 'user'],
  ['vmboxes', 'vmbox'],
  ['faxes', 'fax'],
  ['messages', 'mailbox_message'],
  ['recordings', 'call_recording'],
] as const satisfies readonly (readonly [ResourceName, string])[];

export const objectTypes: ReadonlyMap<string, (typeof objectKinds)[number][1]> = new Map(objectKinds);

/** Modifiers of the hook `object` in `custom_data`. `all` matches any type or action. */
export const objectModifiers = {
  action: ['doc_created', 'doc_edited', 'doc_deleted'],
  type: objectKinds.map(([, type]) => type),
} as const;

/** Additional keys of a notification by its type (`event_name`) (Conventions). */
export const notificationKeys: ReadonlyMap<string, readonly string[]> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries({
    account_zone_change: 'account_id zones',
    bill_reminder: 'account_id due_date items payment_token timestamp',
    cf_notification:
      'account_id call_bridged call_id caller_id_name caller_id_number comments from_realm from_user message_left notification_media notify template_id timestamp to to_realm to_user',
    cnam_request: 'account_id acquired_for cnam local_number number number_state',
    customer_update: 'account_id databag recipient_id template_id user_type',
    denied_emergency_bridge:
      'account_id call_id emergency_caller_id_name emergency_caller_id_number outbound_caller_id_name outbound_caller_id_number',
    deregister:
      'account_db account_id authorizing_id call_id contact event_timestamp expires freeswitch_hostname from_host from_user network_ip network_port presence_hosts profile_name realm rpid status suppress_unregister_notify to_host to_user user_agent username',
    first_occurrence: 'account_id occurrence',
    inbound_fax:
      'account_id call_id callee_id_name callee_id_number caller_id_name caller_id_number fax_id fax_info fax_notifications fax_timestamp faxbox_id from_realm from_user owner_id to_realm to_user',
    inbound_fax_error:
      'account_id call_id callee_id_name callee_id_number caller_id_name caller_id_number fax_id fax_info fax_notifications fax_timestamp faxbox_id from_realm from_user owner_id to_realm to_user fax_error fax_result_code',
    low_balance: 'account_id current_balance',
    missed_call:
      'account_id call_bridged call_id caller_id_name caller_id_number from_realm from_user message_left notify timestamp to to_realm to_user',
    new_account: 'account_api_key account_db account_id account_name account_realm',
    new_user: 'account_id password user_id',
    outbound_fax:
      'account_db account_id call_id callee_id_name callee_id_number caller_id_name caller_id_number fax_id fax_info fax_jobid fax_notifications fax_timestamp fax_timezone faxbox_id',
    outbound_fax_error:
      'account_db account_id call_id callee_id_name callee_id_number caller_id_name caller_id_number fax_id fax_info fax_jobid fax_notifications fax_timestamp fax_timezone faxbox_id fax_error',
    outbound_smtp_fax_error:
      'account_id errors fax_from_email fax_to_email faxbox_id faxbox_name faxbox_timezone number original_number owner_id timestamp',
    password_recovery:
      'account_db account_id email first_name last_name password_reset_link timezone user_id',
    port_cancel:
      'account_id authorized_by local_number number number_state port port_request_id reason version',
    port_comment:
      'account_id authorized_by local_number number number_state port port_request_id comment version',
    port_pending:
      'account_id authorized_by local_number number number_state port port_request_id reason version',
    port_rejected:
      'account_id authorized_by local_number number number_state port port_request_id reason version',
    port_request: 'account_id authorized_by local_number number number_state port port_request_id version',
    port_scheduled:
      'account_id authorized_by local_number number number_state port port_request_id reason version',
    port_unconfirmed:
      'account_id authorized_by local_number number number_state port port_request_id reason version',
    ported: 'account_id authorized_by local_number number number_state port port_request_id reason version',
    register:
      'account_db account_id authorizing_id authorizing_type call_id contact event_timestamp expires from_host from_user network_ip network_port owner_id realm suppress_unregister_notify to_host to_user user_agent username',
    service_added: 'account_id audit_log items timestamp',
    system_alert: 'account_id details message module pid request_id subject',
    topup:
      'account_id add_ons amount billing_address card_last_four currency_code date discounts id purchase_order response success tax_amount timestamp',
    transaction:
      'account_id add_ons amount billing_address card_last_four currency_code date discounts id purchase_order response success tax_amount timestamp service_plan',
    voicemail_full: 'account_id max_message_count message_count voicemail_box',
    voicemail_new:
      'account_id call_id caller_id_name caller_id_number from_realm from_user to_realm to_user voicemail_box voicemail_id voicemail_length voicemail_timestamp voicemail_transcription',
    voicemail_saved:
      'account_id call_id caller_id_name caller_id_number from_realm from_user to_realm to_user voicemail_box voicemail_id voicemail_length voicemail_timestamp',
    webhook: 'account_db account_id data hook timestamp',
    webhook_disabled: 'account_id hook_id',
  }).map(([type, keys]) => [type, keys.split(' ')]),
);

type PayloadType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/** Keys whose values are not text. Times are Gregorian seconds, and lengths of messages are milliseconds. */
const typed: Readonly<Record<Exclude<PayloadType, 'string'>, string>> = {
  integer:
    'date due_date event_timestamp expires fax_timestamp max_message_count message_count network_port timestamp voicemail_length voicemail_timestamp',
  number: 'amount current_balance tax_amount',
  boolean: 'call_bridged local_number message_left success suppress_unregister_notify',
  array: 'add_ons discounts errors items notification_media',
  object:
    'audit_log billing_address cnam comment data databag details fax_info fax_notifications hook notify payment_token port response service_plan voicemail_transcription zones',
};

const typeByKey: ReadonlyMap<string, PayloadType> = new Map(
  (['integer', 'number', 'boolean', 'array', 'object'] as const).flatMap((type) =>
    typed[type].split(' ').map((key) => [key, type] as const),
  ),
);

/** Returns the type of a key in notifications (default: text) (Conventions, payloads). */
export const notificationType = (key: string): PayloadType => typeByKey.get(key) ?? 'string';

const callTypes: ReadonlyMap<string, PayloadType> = new Map([
  ...['duration_seconds', 'ringing_seconds', 'billing_seconds'].map((key) => [key, 'integer'] as const),
  ...['call_forwarded', 'is_internal_leg', 'local_resource_used', 'emergency_resource_used'].map(
    (key) => [key, 'boolean'] as const,
  ),
  ...['custom_channel_vars', 'custom_application_vars'].map((key) => [key, 'object'] as const),
]);

export const payloadType = (hook: string, key: string): PayloadType =>
  hook === 'notifications' || hook === 'fax' ? notificationType(key) : (callTypes.get(key) ?? 'string');
