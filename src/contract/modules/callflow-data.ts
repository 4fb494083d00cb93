import { conferences } from '../resources/conferences.ts';
import { withConventions } from '../schema.ts';
import type { SchemaNode } from '../schema-node.ts';
import {
  anyObject,
  either,
  flag,
  flags,
  list,
  object,
  terminators,
  text,
  texts,
  whole,
  wholes,
  words,
} from './shapes.ts';

const sipHeaderMap: SchemaNode = {
  type: 'object',
  patternProperties: { '^[a-zA-Z0-9_-]+$': text() },
  additionalProperties: false,
};
const sipHeaders: SchemaNode = {
  type: 'object',
  anyOf: [sipHeaderMap, object({ in: sipHeaderMap, out: sipHeaderMap })],
};

/** One macro of `audio_macro`; only text to speech has a key that it needs. */
const macro: SchemaNode = {
  ...object({ macro: {}, text: {} }),
  ...either(
    object({ macro: words(['play', 'prompt', 'say', 'tone']) }, ['macro']),
    object({ macro: words(['tts']), text: text() }, ['macro', 'text']),
  ),
};

/** Those who may take over a call that is not theirs. */
const approvers = texts('approved_device_id', 'approved_group_id', 'approved_user_id');

/** Schema of the endpoints that ring together, and when. */
const endpoints = list(
  object(
    {
      delay: whole({ default: 0 }),
      endpoint_type: words(['device', 'user', 'group']),
      id: text({ minLength: 1, maxLength: 128 }),
      timeout: whole({ default: 20 }),
      weight: whole({ minimum: 1, maximum: 100 }),
    },
    ['endpoint_type', 'id'],
  ),
  { minItems: 1 },
);

/** Adds the empty lists and roles that services fill in. */
function filledSettings({ properties = {}, ...settings }: SchemaNode): SchemaNode {
  const filledRole = (role: SchemaNode = {}): SchemaNode => ({
    ...role,
    default: {},
    properties: {
      ...role.properties,
      numbers: { ...role.properties?.numbers, default: [] },
      pins: { ...role.properties?.pins, default: [] },
    },
  });
  return {
    ...settings,
    properties: {
      ...properties,
      conference_numbers: { ...properties.conference_numbers, default: [] },
      member: filledRole(properties.member),
      moderator: filledRole(properties.moderator),
    },
  };
}

const conferenceSettings = filledSettings(withConventions(conferences.schema));

const conference = object({
  config: conferenceSettings,
  id: text({ minLength: 32, maxLength: 32 }),
  moderator: flag(),
  play_entry_tone: either(flag(), text()),
  play_exit_tone: either(flag(), text()),
  welcome_prompt: object({ media_id: text(), play: flag({ default: true }) }),
});

const address = text({ format: 'email' });
const filled = text({ minLength: 1 });

/** Those who get a mail: users by id, or addresses. */
const recipient: SchemaNode = {
  ...object({ id: either(filled, list(filled)), type: words(['user', 'email']) }, ['id', 'type']),
  anyOf: [
    { properties: { type: { enum: ['user'] } } },
    { properties: { id: either(address, list(address)) } },
  ],
};

const carrier = object({
  ...flags('bypass_e164', 'do_not_normalize', 'emit_account_id', 'format_from_uri'),
  ...texts('from_uri_realm', 'hunt_account_id', 'resource_type', 'ringback', 'to_did'),
  caller_id_type: text({ default: 'external' }),
  custom_sip_headers: sipHeaders,
  dynamic_flags: list(text()),
  ignore_early_media: flag({ default: false }),
  outbound_flags: list(text(), { default: [] }),
  timeout: whole(),
  use_local_resources: flag({ default: true }),
});

/** Schema of the `data` of each module of callflows, by the module's name (Conventions, Callflow modules). */
export const callflowModuleData: Readonly<Record<string, SchemaNode>> = {
  acdc_agent: object({
    action: words(['login', 'logout', 'paused', 'resume']),
    presence_id: text(),
    presence_state: words(['early', 'confirmed', 'terminated', 'red_flash', 'red_solid', 'green']),
    timeout: whole(),
  }),
  acdc_member: object({ id: text(), priority: whole() }),
  acdc_queue: object({ action: words(['login', 'logout']), id: text() }),
  acdc_wait_time: object({ id: text(), window: whole() }),
  after_bridge: object({ action: words(['park', 'transfer', 'hangup']), data: either(flag(), text()) }),
  answer: anyObject,
  audio_macro: object({
    language: text(),
    macros: list(macro, { default: [], minItems: 1 }),
    terminators: terminators,
  }),
  'audio_macro.prompt': object({ id: text(), language: text(), terminators: terminators }),
  'audio_macro.say': object({
    gender: words(['masculine', 'feminine', 'neuter']),
    language: text(),
    method: words(['none', 'pronounced', 'iterated', 'counted']),
    terminators: terminators,
    text: text(),
    type: words([
      'number',
      'items',
      'persons',
      'messages',
      'currency',
      'time_measurement',
      'current_date',
      'current_time',
      'current_date_time',
      'telephone_number',
      'telephone_extension',
      'url',
      'ip_address',
      'e-mail_address',
      'postal_address',
      'account_number',
      'name_spelled',
      'name_phonetic',
      'short_date_time',
    ]),
  }),
  'audio_macro.tone': object({
    ...wholes('duration_off', 'duration_on', 'repeat'),
    frequencies: list(whole()),
    volume: whole({ minimum: 0, maximum: 100 }),
  }),
  branch_bnumber: object({ hunt: flag({ default: false }), hunt_allow: text(), hunt_deny: text() }),
  branch_variable: object({
    scope: words(['account', 'custom_channel_vars', 'device', 'merged', 'user'], 'custom_channel_vars'),
    variable: text({ default: '' }),
  }),
  call_forward: object({ action: words(['activate', 'deactivate', 'update', 'toggle', 'menu']) }),
  call_waiting: object({
    action: words(['activate', 'deactivate', 'toggle'], 'toggle'),
    scope: words(['device', 'user'], 'device'),
  }),
  callflow: object({ id: text() }),
  camping_feature: anyObject,
  check_cid: object({
    caller_id: object({ external: object({ name: text(), number: text() }) }),
    regex: text({ default: '.*' }),
    use_absolute_mode: flag({ default: false }),
    user_id: text(),
  }),
  cidlistmatch: object({ id: text() }),
  collect_dtmf: object({
    collection_name: text(),
    interdigit_timeout: whole({ minimum: 1 }),
    max_digits: whole({ minimum: 1, default: 1 }),
    terminator: words(['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '#', '*'], '#'),
    terminators: list(words(['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '#', '*']), {
      uniqueItems: true,
    }),
    timeout: whole({ minimum: 1, default: 5000 }),
  }),
  conference: conference,
  conference_feature: conference,
  dead_air: anyObject,
  device: object({
    ...flags('can_call_self', 'can_text_self', 'suppress_clid'),
    custom_sip_headers: anyObject,
    delay: whole({ default: 0 }),
    dial_strategy: words(['simultaneous', 'single'], 'simultaneous'),
    id: text(),
    static_invite: text(),
    timeout: whole({ default: 0 }),
  }),
  directory: object({ id: text() }),
  disa: object({
    enforce_call_restriction: flag({ default: false }),
    interdigit: whole(),
    max_digits: whole({ default: 15 }),
    pin: text({ default: '' }),
    preconnect_audio: words(['dialtone', 'ringing'], 'dialtone'),
    retries: whole({ default: 3 }),
    ring_repeat_count: whole({ default: 1 }),
    use_account_caller_id: flag(),
  }),
  do_not_disturb: object({ action: words(['activate', 'deactivate', 'toggle']), id: text() }),
  dynamic_cid: object({
    ...texts('id', 'idx_name', 'media_id', 'whitelist_regex'),
    ...wholes('interdigit_timeout', 'max_digits', 'min_digits'),
    action: words(['list', 'lists', 'manual', 'static']),
    caller_id: object({ name: text(), number: text() }),
    enforce_call_restriction: flag({ default: true }),
    permit_custom_callflow: flag({ default: false }),
  }),
  eavesdrop: object({ ...approvers, ...texts('device_id', 'user_id') }),
  eavesdrop_feature: object({ ...approvers, group_id: text() }),
  edr: anyObject,
  fax_detect: object({ duration: whole() }),
  faxbox: object({
    faxbox_id: text(),
    id: text(),
    media: object({ fax_option: either(flag(), words(['auto', 'true', 'false'])) }),
  }),
  flush_dtmf: object({ collection_name: text({ default: 'default' }) }),
  function: object({ id: text() }),
  group: object({
    endpoints: list(text(), { default: [] }),
    fail_on_single_reject: flag(),
    id: text(),
    ignore_forward: flag({ default: true }),
    repeats: whole({ default: 1 }),
    ringback: text(),
    ringtones: object({ external: text(), internal: text() }),
    strategy: words(['single', 'simultaneous'], 'simultaneous'),
    timeout: whole({ default: 20 }),
  }),
  group_pickup: object({ ...approvers, ...texts('device_id', 'group_id', 'user_id') }),
  group_pickup_feature: object({
    ...approvers,
    ...texts('device_id', 'group_id', 'user_id'),
    type: words(['group', 'user', 'device', 'extension'], 'extension'),
  }),
  hangup: anyObject,
  hotdesk: object({
    action: words(['logout', 'login', 'toggle', 'bridge']),
    id: text(),
    interdigit_timeout: whole(),
  }),
  intercept: object({ ...approvers, ...texts('device_id', 'group_id', 'user_id') }),
  intercept_feature: object({ ...approvers, type: words(['user', 'device', 'extension']) }),
  intercom: object({ barge_calls: flag() }),
  language: object({ language: text({ pattern: '^[A-Za-z]{2}(-[A-Za-z]{2})?$' }) }, ['language']),
  lookupcidname: object({ lists: list(text(), { default: [] }) }),
  manual_presence: object({ presence_id: text(), status: words(['idle', 'ringing', 'busy'], 'idle') }, [
    'presence_id',
  ]),
  menu: object({ id: text(), interdigit_timeout: whole() }),
  missed_call_alert: object({ recipients: list(recipient) }, ['recipients']),
  move: anyObject,
  nomorobo: object(
    { password: text({ minLength: 1, maxLength: 1000 }), username: text({ minLength: 1, maxLength: 1000 }) },
    ['username'],
  ),
  noop: anyObject,
  notification: object({
    comments: text(),
    notification_media: list(words(['email', 'sms'])),
    recipients: list(recipient, { default: [] }),
    send_at: words(['callflow_exec', 'channel_destroy'], 'channel_destroy'),
    template_id: text(),
  }),
  offnet: carrier,
  page_group: object(
    {
      audio: words(['one-way', 'two-way'], 'one-way'),
      barge_calls: flag(),
      endpoints,
      timeout: whole({ default: 5 }),
    },
    ['endpoints'],
  ),
  park: object({
    ...wholes('default_callback_timeout', 'default_ringback_timeout', 'max_slot_number'),
    action: words(['direct_park', 'park', 'retrieve', 'auto'], 'park'),
    custom_presence_id: flag({ default: false }),
    default_presence_type: words(['early', 'terminated', 'confirmed']),
    presence_id: text(),
    slot: text(),
    slots: { ...anyObject, default: {} },
  }),
  pivot: object(
    {
      cdr_url: text({ pattern: '^https?://' }),
      debug: flag({ default: false }),
      method: words(['get', 'post', 'GET', 'POST'], 'get'),
      req_body_format: words(['form', 'json'], 'form'),
      req_format: words(['kazoo', 'twiml'], 'kazoo'),
      req_timeout_ms: whole({ maximum: 5000 }),
      voice_url: text({ pattern: '^https?://' }),
    },
    ['voice_url'],
  ),
  play: object({
    answer: flag(),
    endless_playback: flag({ default: false }),
    id: text(),
    loop_count: whole({ minimum: 1 }),
    terminators: terminators,
  }),
  prepend_cid: object({
    action: words(['reset', 'prepend'], 'prepend'),
    apply_to: words(['original', 'current'], 'current'),
    caller_id_name_prefix: text({ default: '' }),
    caller_id_number_prefix: text({ default: '' }),
  }),
  privacy: object({
    endpoint_strategy: words(['overwrite', 'merge'], 'overwrite'),
    mode: words(['full', 'name', 'number', 'yes'], 'full'),
  }),
  receive_fax: object({
    media: object({ fax_option: either(words(['auto', 'false', 'true']), flag()) }),
    owner_id: text(),
  }),
  record_call: object({
    ...texts('label', 'media_name', 'origin'),
    action: words(['start', 'stop'], 'start'),
    format: words(['mp3', 'wav']),
    method: words(['put', 'post'], 'put'),
    record_min_sec: whole(),
    record_on_answer: flag({ default: false }),
    record_on_bridge: flag({ default: false }),
    record_sample_rate: whole(),
    should_follow_transfer: flag({ default: true }),
    time_limit: whole({ minimum: 5, maximum: 10800, default: 3600 }),
    url: text({ format: 'uri' }),
  }),
  record_caller: object({
    format: words(['mp3', 'wav']),
    method: words(['put', 'post'], 'put'),
    time_limit: whole({ minimum: 5, maximum: 10800, default: 3600 }),
    url: text({ format: 'uri' }),
  }),
  resources: carrier,
  response: object({ code: whole({ default: 486 }), media: text({ maxLength: 2048 }), message: text() }),
  ring_group: object(
    {
      endpoints,
      fail_on_single_reject: flag(),
      ignore_forward: flag({ default: true }),
      repeats: whole({ minimum: 1, default: 1 }),
      ringback: text(),
      ringtones: object({ external: text(), internal: text() }),
      strategy: words(['simultaneous', 'single', 'weighted_random'], 'simultaneous'),
      timeout: whole({ default: 20 }),
    },
    ['endpoints'],
  ),
  ring_group_toggle: object({ action: words(['login', 'logout']), callflow_id: text() }, [
    'action',
    'callflow_id',
  ]),
  route_to_cid: object({
    ...flags('can_call_self', 'can_text_self', 'suppress_clid'),
    cid_types: list(text(), { default: ['internal'], minItems: 1 }),
    delay: whole({ default: 0 }),
    endpoint_types: list(text(), { default: [] }),
    static_invite: text(),
    timeout: whole({ default: 0 }),
  }),
  send_dtmf: object({ digits: text(), duration_ms: either(whole(), text()) }, ['digits']),
  // Its keys are variables that the user names.
  set: { ...anyObject, additionalProperties: {} },
  set_alert_info: object({ alert_info: text() }, ['alert_info']),
  set_cid: object({ caller_id_name: text({ default: '' }), caller_id_number: text({ default: '' }) }),
  set_variable: object({ channel: words(['a', 'both'], 'a'), value: text(), variable: text() }),
  set_variables: object({ custom_application_vars: { ...anyObject, default: {} }, export: flag() }),
  skel: anyObject,
  sleep: object({
    duration: whole({ minimum: 0, maximum: 86400000, default: 0 }),
    unit: words(['ms', 's', 'm', 'h'], 's'),
  }),
  temporal_route: object({
    action: words(['menu', 'enable', 'disable', 'reset']),
    interdigit_timeout: whole(),
    rule_set: text(),
    rules: list(text(), { default: [] }),
    timezone: text(),
  }),
  transfer: object({
    captures: list(text(), { default: ['no_match'] }),
    leg: words(['self', 'bleg']),
    target: text(),
    transfer_type: words(['attended', 'blind'], 'blind'),
  }),
  tts: object(
    {
      endless_playback: flag(),
      engine: words(['flite', 'google', 'ispeech', 'voicefabric']),
      language: text(),
      terminators: terminators,
      text: text({ minLength: 1, maxLength: 1000 }),
      voice: text({ default: 'female' }),
    },
    ['text'],
  ),
  user: object({
    ...flags('can_call_self', 'can_text_self', 'fail_on_single_reject', 'suppress_clid'),
    custom_sip_headers: anyObject,
    delay: whole({ default: 0 }),
    id: text(),
    static_invite: text(),
    strategy: words(['simultaneous', 'single'], 'simultaneous'),
    timeout: whole({ default: 20 }),
  }),
  voicemail: object({
    action: words(['check', 'compose'], 'compose'),
    callerid_match_login: flag({ default: false }),
    id: text({ minLength: 32, maxLength: 32 }),
    interdigit_timeout: whole({ default: 2000 }),
    max_message_length: whole({ default: 500 }),
    single_mailbox_login: flag({ default: false }),
  }),
  wait_for_hangup: anyObject,
  webhook: object({
    custom_data: anyObject,
    http_verb: words(['post', 'get']),
    retries: whole(),
    uri: text({ format: 'uri' }),
  }),
};
