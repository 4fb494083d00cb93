import { conferences } from '../resources/conferences.ts';
import { withConventions } from '../schema.ts';
import type { SchemaNode } from '../schema-node.ts';
import {
  anyObject,
  dataChoice,
  dataEither,
  dataFlag,
  dataInteger,
  dataList,
  dataObject,
  dataText,
  dataTexts,
  flags,
  terminators,
  wholes,
} from './shapes.ts';

const sipHeaderMap: SchemaNode = {
  type: 'object',
  patternProperties: { '^[a-zA-Z0-9_-]+$': dataText() },
  additionalProperties: false,
};
const sipHeaders: SchemaNode = {
  type: 'object',
  anyOf: [sipHeaderMap, dataObject({ in: sipHeaderMap, out: sipHeaderMap })],
};

/** A macro of `audio_macro`. Only text to speech has a required key. */
const macro: SchemaNode = {
  ...dataObject({ macro: {}, text: {} }),
  ...dataEither(
    dataObject({ macro: dataChoice(['play', 'prompt', 'say', 'tone']) }, ['macro']),
    dataObject({ macro: dataChoice(['tts']), text: dataText() }, ['macro', 'text']),
  ),
};

/** Users, groups and devices that may take over a call. */
const approvers = dataTexts('approved_device_id', 'approved_group_id', 'approved_user_id');

/** Endpoints that ring together, with their delays. */
const endpoints = dataList(
  dataObject(
    {
      delay: dataInteger({ default: 0 }),
      endpoint_type: dataChoice(['device', 'user', 'group']),
      id: dataText({ minLength: 1, maxLength: 128 }),
      timeout: dataInteger({ default: 20 }),
      weight: dataInteger({ minimum: 1, maximum: 100 }),
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

const conference = dataObject({
  config: conferenceSettings,
  id: dataText({ minLength: 32, maxLength: 32 }),
  moderator: dataFlag(),
  play_entry_tone: dataEither(dataFlag(), dataText()),
  play_exit_tone: dataEither(dataFlag(), dataText()),
  welcome_prompt: dataObject({ media_id: dataText(), play: dataFlag({ default: true }) }),
});

const address = dataText({ format: 'email' });
const filled = dataText({ minLength: 1 });

/** Recipients of a mail: users by id, or addresses. */
const recipient: SchemaNode = {
  ...dataObject({ id: dataEither(filled, dataList(filled)), type: dataChoice(['user', 'email']) }, [
    'id',
    'type',
  ]),
  anyOf: [
    { properties: { type: { enum: ['user'] } } },
    { properties: { id: dataEither(address, dataList(address)) } },
  ],
};

const carrier = dataObject({
  ...flags('bypass_e164', 'do_not_normalize', 'emit_account_id', 'format_from_uri'),
  ...dataTexts('from_uri_realm', 'hunt_account_id', 'resource_type', 'ringback', 'to_did'),
  caller_id_type: dataText({ default: 'external' }),
  custom_sip_headers: sipHeaders,
  dynamic_flags: dataList(dataText()),
  ignore_early_media: dataFlag({ default: false }),
  outbound_flags: dataList(dataText(), { default: [] }),
  timeout: dataInteger(),
  use_local_resources: dataFlag({ default: true }),
});

/** `data` by module name (Conventions, Callflow modules). */
export const callflowModuleData: Readonly<Record<string, SchemaNode>> = {
  acdc_agent: dataObject({
    action: dataChoice(['login', 'logout', 'paused', 'resume']),
    presence_id: dataText(),
    presence_state: dataChoice(['early', 'confirmed', 'terminated', 'red_flash', 'red_solid', 'green']),
    timeout: dataInteger(),
  }),
  acdc_member: dataObject({ id: dataText(), priority: dataInteger() }),
  acdc_queue: dataObject({ action: dataChoice(['login', 'logout']), id: dataText() }),
  acdc_wait_time: dataObject({ id: dataText(), window: dataInteger() }),
  after_bridge: dataObject({
    action: dataChoice(['park', 'transfer', 'hangup']),
    data: dataEither(dataFlag(), dataText()),
  }),
  answer: anyObject,
  audio_macro: dataObject({
    language: dataText(),
    macros: dataList(macro, { default: [], minItems: 1 }),
    terminators: terminators,
  }),
  'audio_macro.prompt': dataObject({ id: dataText(), language: dataText(), terminators: terminators }),
  'audio_macro.say': dataObject({
    gender: dataChoice(['masculine', 'feminine', 'neuter']),
    language: dataText(),
    method: dataChoice(['none', 'pronounced', 'iterated', 'counted']),
    terminators: terminators,
    text: dataText(),
    type: dataChoice([
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
  'audio_macro.tone': dataObject({
    ...wholes('duration_off', 'duration_on', 'repeat'),
    frequencies: dataList(dataInteger()),
    volume: dataInteger({ minimum: 0, maximum: 100 }),
  }),
  branch_bnumber: dataObject({
    hunt: dataFlag({ default: false }),
    hunt_allow: dataText(),
    hunt_deny: dataText(),
  }),
  branch_variable: dataObject({
    scope: dataChoice(['account', 'custom_channel_vars', 'device', 'merged', 'user'], 'custom_channel_vars'),
    variable: dataText({ default: '' }),
  }),
  call_forward: dataObject({ action: dataChoice(['activate', 'deactivate', 'update', 'toggle', 'menu']) }),
  call_waiting: dataObject({
    action: dataChoice(['activate', 'deactivate', 'toggle'], 'toggle'),
    scope: dataChoice(['device', 'user'], 'device'),
  }),
  callflow: dataObject({ id: dataText() }),
  camping_feature: anyObject,
  check_cid: dataObject({
    caller_id: dataObject({ external: dataObject({ name: dataText(), number: dataText() }) }),
    regex: dataText({ default: '.*' }),
    use_absolute_mode: dataFlag({ default: false }),
    user_id: dataText(),
  }),
  cidlistmatch: dataObject({ id: dataText() }),
  collect_dtmf: dataObject({
    collection_name: dataText(),
    interdigit_timeout: dataInteger({ minimum: 1 }),
    max_digits: dataInteger({ minimum: 1, default: 1 }),
    terminator: dataChoice(['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '#', '*'], '#'),
    terminators: dataList(dataChoice(['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '#', '*']), {
      uniqueItems: true,
    }),
    timeout: dataInteger({ minimum: 1, default: 5000 }),
  }),
  conference: conference,
  conference_feature: conference,
  dead_air: anyObject,
  device: dataObject({
    ...flags('can_call_self', 'can_text_self', 'suppress_clid'),
    custom_sip_headers: anyObject,
    delay: dataInteger({ default: 0 }),
    dial_strategy: dataChoice(['simultaneous', 'single'], 'simultaneous'),
    id: dataText(),
    static_invite: dataText(),
    timeout: dataInteger({ default: 0 }),
  }),
  directory: dataObject({ id: dataText() }),
  disa: dataObject({
    enforce_call_restriction: dataFlag({ default: false }),
    interdigit: dataInteger(),
    max_digits: dataInteger({ default: 15 }),
    pin: dataText({ default: '' }),
    preconnect_audio: dataChoice(['dialtone', 'ringing'], 'dialtone'),
    retries: dataInteger({ default: 3 }),
    ring_repeat_count: dataInteger({ default: 1 }),
    use_account_caller_id: dataFlag(),
  }),
  do_not_disturb: dataObject({ action: dataChoice(['activate', 'deactivate', 'toggle']), id: dataText() }),
  dynamic_cid: dataObject({
    ...dataTexts('id', 'idx_name', 'media_id', 'whitelist_regex'),
    ...wholes('interdigit_timeout', 'max_digits', 'min_digits'),
    action: dataChoice(['list', 'lists', 'manual', 'static']),
    caller_id: dataObject({ name: dataText(), number: dataText() }),
    enforce_call_restriction: dataFlag({ default: true }),
    permit_custom_callflow: dataFlag({ default: false }),
  }),
  eavesdrop: dataObject({ ...approvers, ...dataTexts('device_id', 'user_id') }),
  eavesdrop_feature: dataObject({ ...approvers, group_id: dataText() }),
  edr: anyObject,
  fax_detect: dataObject({ duration: dataInteger() }),
  faxbox: dataObject({
    faxbox_id: dataText(),
    id: dataText(),
    media: dataObject({ fax_option: dataEither(dataFlag(), dataChoice(['auto', 'true', 'false'])) }),
  }),
  flush_dtmf: dataObject({ collection_name: dataText({ default: 'default' }) }),
  function: dataObject({ id: dataText() }),
  group: dataObject({
    endpoints: dataList(dataText(), { default: [] }),
    fail_on_single_reject: dataFlag(),
    id: dataText(),
    ignore_forward: dataFlag({ default: true }),
    repeats: dataInteger({ default: 1 }),
    ringback: dataText(),
    ringtones: dataObject({ external: dataText(), internal: dataText() }),
    strategy: dataChoice(['single', 'simultaneous'], 'simultaneous'),
    timeout: dataInteger({ default: 20 }),
  }),
  group_pickup: dataObject({ ...approvers, ...dataTexts('device_id', 'group_id', 'user_id') }),
  group_pickup_feature: dataObject({
    ...approvers,
    ...dataTexts('device_id', 'group_id', 'user_id'),
    type: dataChoice(['group', 'user', 'device', 'extension'], 'extension'),
  }),
  hangup: anyObject,
  hotdesk: dataObject({
    action: dataChoice(['logout', 'login', 'toggle', 'bridge']),
    id: dataText(),
    interdigit_timeout: dataInteger(),
  }),
  intercept: dataObject({ ...approvers, ...dataTexts('device_id', 'group_id', 'user_id') }),
  intercept_feature: dataObject({ ...approvers, type: dataChoice(['user', 'device', 'extension']) }),
  intercom: dataObject({ barge_calls: dataFlag() }),
  language: dataObject({ language: dataText({ pattern: '^[A-Za-z]{2}(-[A-Za-z]{2})?$' }) }, ['language']),
  lookupcidname: dataObject({ lists: dataList(dataText(), { default: [] }) }),
  manual_presence: dataObject(
    { presence_id: dataText(), status: dataChoice(['idle', 'ringing', 'busy'], 'idle') },
    ['presence_id'],
  ),
  menu: dataObject({ id: dataText(), interdigit_timeout: dataInteger() }),
  missed_call_alert: dataObject({ recipients: dataList(recipient) }, ['recipients']),
  move: anyObject,
  nomorobo: dataObject(
    {
      password: dataText({ minLength: 1, maxLength: 1000 }),
      username: dataText({ minLength: 1, maxLength: 1000 }),
    },
    ['username'],
  ),
  noop: anyObject,
  notification: dataObject({
    comments: dataText(),
    notification_media: dataList(dataChoice(['email', 'sms'])),
    recipients: dataList(recipient, { default: [] }),
    send_at: dataChoice(['callflow_exec', 'channel_destroy'], 'channel_destroy'),
    template_id: dataText(),
  }),
  offnet: carrier,
  page_group: dataObject(
    {
      audio: dataChoice(['one-way', 'two-way'], 'one-way'),
      barge_calls: dataFlag(),
      endpoints,
      timeout: dataInteger({ default: 5 }),
    },
    ['endpoints'],
  ),
  park: dataObject({
    ...wholes('default_callback_timeout', 'default_ringback_timeout', 'max_slot_number'),
    action: dataChoice(['direct_park', 'park', 'retrieve', 'auto'], 'park'),
    custom_presence_id: dataFlag({ default: false }),
    default_presence_type: dataChoice(['early', 'terminated', 'confirmed']),
    presence_id: dataText(),
    slot: dataText(),
    slots: { ...anyObject, default: {} },
  }),
  pivot: dataObject(
    {
      cdr_url: dataText({ pattern: '^https?://' }),
      debug: dataFlag({ default: false }),
      method: dataChoice(['get', 'post', 'GET', 'POST'], 'get'),
      req_body_format: dataChoice(['form', 'json'], 'form'),
      req_format: dataChoice(['kazoo', 'twiml'], 'kazoo'),
      req_timeout_ms: dataInteger({ maximum: 5000 }),
      voice_url: dataText({ pattern: '^https?://' }),
    },
    ['voice_url'],
  ),
  play: dataObject({
    answer: dataFlag(),
    endless_playback: dataFlag({ default: false }),
    id: dataText(),
    loop_count: dataInteger({ minimum: 1 }),
    terminators: terminators,
  }),
  prepend_cid: dataObject({
    action: dataChoice(['reset', 'prepend'], 'prepend'),
    apply_to: dataChoice(['original', 'current'], 'current'),
    caller_id_name_prefix: dataText({ default: '' }),
    caller_id_number_prefix: dataText({ default: '' }),
  }),
  privacy: dataObject({
    endpoint_strategy: dataChoice(['overwrite', 'merge'], 'overwrite'),
    mode: dataChoice(['full', 'name', 'number', 'yes'], 'full'),
  }),
  receive_fax: dataObject({
    media: dataObject({ fax_option: dataEither(dataChoice(['auto', 'false', 'true']), dataFlag()) }),
    owner_id: dataText(),
  }),
  record_call: dataObject({
    ...dataTexts('label', 'media_name', 'origin'),
    action: dataChoice(['start', 'stop'], 'start'),
    format: dataChoice(['mp3', 'wav']),
    method: dataChoice(['put', 'post'], 'put'),
    record_min_sec: dataInteger(),
    record_on_answer: dataFlag({ default: false }),
    record_on_bridge: dataFlag({ default: false }),
    record_sample_rate: dataInteger(),
    should_follow_transfer: dataFlag({ default: true }),
    time_limit: dataInteger({ minimum: 5, maximum: 10800, default: 3600 }),
    url: dataText({ format: 'uri' }),
  }),
  record_caller: dataObject({
    format: dataChoice(['mp3', 'wav']),
    method: dataChoice(['put', 'post'], 'put'),
    time_limit: dataInteger({ minimum: 5, maximum: 10800, default: 3600 }),
    url: dataText({ format: 'uri' }),
  }),
  resources: carrier,
  response: dataObject({
    code: dataInteger({ default: 486 }),
    media: dataText({ maxLength: 2048 }),
    message: dataText(),
  }),
  ring_group: dataObject(
    {
      endpoints,
      fail_on_single_reject: dataFlag(),
      ignore_forward: dataFlag({ default: true }),
      repeats: dataInteger({ minimum: 1, default: 1 }),
      ringback: dataText(),
      ringtones: dataObject({ external: dataText(), internal: dataText() }),
      strategy: dataChoice(['simultaneous', 'single', 'weighted_random'], 'simultaneous'),
      timeout: dataInteger({ default: 20 }),
    },
    ['endpoints'],
  ),
  ring_group_toggle: dataObject({ action: dataChoice(['login', 'logout']), callflow_id: dataText() }, [
    'action',
    'callflow_id',
  ]),
  route_to_cid: dataObject({
    ...flags('can_call_self', 'can_text_self', 'suppress_clid'),
    cid_types: dataList(dataText(), { default: ['internal'], minItems: 1 }),
    delay: dataInteger({ default: 0 }),
    endpoint_types: dataList(dataText(), { default: [] }),
    static_invite: dataText(),
    timeout: dataInteger({ default: 0 }),
  }),
  send_dtmf: dataObject({ digits: dataText(), duration_ms: dataEither(dataInteger(), dataText()) }, [
    'digits',
  ]),
  // Keys are variables of the user.
  set: { ...anyObject, additionalProperties: {} },
  set_alert_info: dataObject({ alert_info: dataText() }, ['alert_info']),
  set_cid: dataObject({
    caller_id_name: dataText({ default: '' }),
    caller_id_number: dataText({ default: '' }),
  }),
  set_variable: dataObject({
    channel: dataChoice(['a', 'both'], 'a'),
    value: dataText(),
    variable: dataText(),
  }),
  set_variables: dataObject({ custom_application_vars: { ...anyObject, default: {} }, export: dataFlag() }),
  skel: anyObject,
  sleep: dataObject({
    duration: dataInteger({ minimum: 0, maximum: 86400000, default: 0 }),
    unit: dataChoice(['ms', 's', 'm', 'h'], 's'),
  }),
  temporal_route: dataObject({
    action: dataChoice(['menu', 'enable', 'disable', 'reset']),
    interdigit_timeout: dataInteger(),
    rule_set: dataText(),
    rules: dataList(dataText(), { default: [] }),
    timezone: dataText(),
  }),
  transfer: dataObject({
    captures: dataList(dataText(), { default: ['no_match'] }),
    leg: dataChoice(['self', 'bleg']),
    target: dataText(),
    transfer_type: dataChoice(['attended', 'blind'], 'blind'),
  }),
  tts: dataObject(
    {
      endless_playback: dataFlag(),
      engine: dataChoice(['flite', 'google', 'ispeech', 'voicefabric']),
      language: dataText(),
      terminators: terminators,
      text: dataText({ minLength: 1, maxLength: 1000 }),
      voice: dataText({ default: 'female' }),
    },
    ['text'],
  ),
  user: dataObject({
    ...flags('can_call_self', 'can_text_self', 'fail_on_single_reject', 'suppress_clid'),
    custom_sip_headers: anyObject,
    delay: dataInteger({ default: 0 }),
    id: dataText(),
    static_invite: dataText(),
    strategy: dataChoice(['simultaneous', 'single'], 'simultaneous'),
    timeout: dataInteger({ default: 20 }),
  }),
  voicemail: dataObject({
    action: dataChoice(['check', 'compose'], 'compose'),
    callerid_match_login: dataFlag({ default: false }),
    id: dataText({ minLength: 32, maxLength: 32 }),
    interdigit_timeout: dataInteger({ default: 2000 }),
    max_message_length: dataInteger({ default: 500 }),
    single_mailbox_login: dataFlag({ default: false }),
  }),
  wait_for_hangup: anyObject,
  webhook: dataObject({
    custom_data: anyObject,
    http_verb: dataChoice(['post', 'get']),
    retries: dataInteger(),
    uri: dataText({ format: 'uri' }),
  }),
};
