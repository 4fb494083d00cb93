import type { ResourceName } from './types.ts';

/** A key of a step's `data` that names something else by its id. */
export interface ModuleReference {
  /** Path below `data`; `*` stands for any item of a list. */
  readonly path: string;
  /** Resource of the contract that it names; `undefined` for what the contract does not describe (devices, media). */
  readonly to: ResourceName | undefined;
  /** What it names, as a word: `user`, `device`. */
  readonly word: string;
  /** It names that only where this neighbour says so: `endpoint_type` is `user`. */
  readonly where?: { readonly key: string; readonly is: string };
}

/** Which keys the `children` of a step may have. */
export interface ModuleBranches {
  /** Keys that are words of their own, `_` (otherwise) among them. */
  readonly words: readonly string[];
  /** Keys that depend on data: digits, ids of rules, values. `undefined`: only the words. */
  readonly others?: { readonly pattern: string; readonly what: string };
}

/**
 * What becomes of a call when a step is done and has no `_` branch: `rings` nobody answered, and the caller hears
 * silence; `chooses` none of its branches fitted; `prepares` it only set something up for what should follow; `ends`
 * the call, or the step is all that there is to do.
 */
export type ModuleEnd = 'rings' | 'chooses' | 'prepares' | 'ends';

/** A module of callflows, as compatible services know it (Conventions, Callflow modules). */
export interface CallflowModule {
  readonly name: string;
  /** Keys of `data`; `undefined` where they are not written down. */
  readonly keys: readonly string[] | undefined;
  /** Keys without which the step does nothing. */
  readonly required: readonly string[];
  /** It needs none of them where this key has this value. */
  readonly requiredUnless?: { readonly key: string; readonly is: string };
  /** Keys that take one of a few words. */
  readonly words: Readonly<Record<string, readonly string[]>>;
  readonly refers: readonly ModuleReference[];
  readonly branches: ModuleBranches;
  readonly end: ModuleEnd;
  /** Seconds that it rings where `timeout` does not say. */
  readonly ringsSeconds?: number;
}

type Facts = Partial<Omit<CallflowModule, 'name' | 'keys'>> & { readonly keys?: string };

const none: ModuleBranches = { words: [] };
const next: ModuleBranches = { words: ['_'] };

const refers = (
  path: string,
  word: string,
  to: ResourceName | undefined,
  where?: ModuleReference['where'],
): ModuleReference => ({ path, word, to, ...(where ? { where } : {}) });

const user = (path: string) => refers(path, 'user', 'users');
const group = (path: string) => refers(path, 'group', 'groups');
const device = (path: string) => refers(path, 'device', undefined);
const media = (path: string) => refers(path, 'media', undefined);

const endpoints = [
  refers('endpoints.*.id', 'user', 'users', { key: 'endpoint_type', is: 'user' }),
  refers('endpoints.*.id', 'group', 'groups', { key: 'endpoint_type', is: 'group' }),
  refers('endpoints.*.id', 'device', undefined, { key: 'endpoint_type', is: 'device' }),
];
const targets = [user('user_id'), group('group_id'), device('device_id')];
const approved = [user('approved_user_id'), group('approved_group_id'), device('approved_device_id')];
const approvedKeys = 'approved_device_id approved_group_id approved_user_id device_id group_id user_id';

/** Every module may be passed over. */
const everywhere = 'skip_module';

const carrier =
  'bypass_e164 caller_id_type custom_sip_headers do_not_normalize dynamic_flags emit_account_id format_from_uri from_uri_realm hunt_account_id ignore_early_media outbound_flags resource_type ringback timeout to_did use_local_resources';
const causes = { pattern: '^[A-Za-z0-9_]+$', what: 'a hang-up cause such as USER_BUSY' };
const anyValue = (what: string) => ({ pattern: '^.+$', what });

const described: Readonly<Record<string, Facts>> = {
  user: {
    keys: 'can_call_self can_text_self custom_sip_headers delay fail_on_single_reject id static_invite strategy suppress_clid timeout',
    required: ['id'],
    words: { strategy: ['simultaneous', 'single'] },
    refers: [user('id')],
    end: 'rings',
    ringsSeconds: 20,
  },
  device: {
    keys: 'can_call_self can_text_self custom_sip_headers delay dial_strategy id static_invite suppress_clid timeout',
    required: ['id'],
    words: { dial_strategy: ['simultaneous', 'single'] },
    refers: [device('id')],
    end: 'rings',
  },
  group: {
    keys: 'endpoints fail_on_single_reject id ignore_forward repeats ringback ringtones strategy timeout',
    required: ['id'],
    words: { strategy: ['single', 'simultaneous'] },
    refers: [group('id')],
    end: 'rings',
    ringsSeconds: 20,
  },
  ring_group: {
    keys: 'endpoints fail_on_single_reject ignore_forward name repeats ringback ringtones strategy timeout',
    required: ['endpoints'],
    words: { strategy: ['simultaneous', 'single', 'weighted_random'] },
    refers: endpoints,
    end: 'rings',
    ringsSeconds: 20,
  },
  page_group: {
    keys: 'audio barge_calls endpoints name timeout',
    required: ['endpoints'],
    words: { audio: ['one-way', 'two-way'] },
    refers: endpoints,
    end: 'ends',
  },
  voicemail: {
    keys: 'action callerid_match_login id interdigit_timeout max_message_length single_mailbox_login',
    required: ['id'],
    requiredUnless: { key: 'action', is: 'check' },
    words: { action: ['check', 'compose'] },
    refers: [refers('id', 'vmbox', 'vmboxes')],
  },
  menu: {
    keys: 'id interdigit_timeout',
    required: ['id'],
    refers: [refers('id', 'menu', 'menus')],
    branches: {
      words: ['timeout', 'max_retries', '_'],
      others: { pattern: '^[0-9*#+]+$', what: 'digits that are dialled' },
    },
    end: 'chooses',
  },
  conference: {
    keys: 'config id moderator play_entry_tone play_exit_tone welcome_prompt',
    refers: [refers('id', 'conference', 'conferences'), media('welcome_prompt.media_id')],
    branches: none,
  },
  directory: {
    keys: 'id',
    required: ['id'],
    refers: [refers('id', 'directory', 'directories')],
  },
  callflow: {
    keys: 'id',
    required: ['id'],
    refers: [refers('id', 'callflow', 'callflows')],
    branches: none,
  },
  resources: { keys: carrier, branches: { words: ['_'], others: causes } },
  offnet: { keys: carrier, branches: { words: ['_'], others: causes } },
  play: {
    keys: 'answer endless_playback id loop_count terminators',
    required: ['id'],
    refers: [media('id')],
  },
  tts: {
    keys: 'endless_playback engine language terminators text voice',
    required: ['text'],
    words: { engine: ['flite', 'google', 'ispeech', 'voicefabric'] },
  },
  temporal_route: {
    keys: 'action interdigit_timeout rule_set rules timezone',
    words: { action: ['menu', 'enable', 'disable', 'reset'] },
    refers: [
      refers('rules.*', 'temporal rule', undefined),
      refers('rule_set', 'set of temporal rules', undefined),
    ],
    branches: { words: ['_'], others: anyValue('the id of a temporal rule') },
    end: 'chooses',
  },
  receive_fax: { keys: 'media owner_id', refers: [user('owner_id')] },
  faxbox: { keys: 'faxbox_id id media', refers: [refers('id', 'fax box', undefined)] },
  park: {
    keys: 'action custom_presence_id default_callback_timeout default_presence_type default_ringback_timeout max_slot_number presence_id slot slots',
    words: { action: ['direct_park', 'park', 'retrieve', 'auto'] },
    branches: none,
  },
  record_call: {
    keys: 'action format label media_name method origin record_min_sec record_on_answer record_on_bridge record_sample_rate should_follow_transfer time_limit url',
    required: ['action'],
    words: { action: ['start', 'stop'], format: ['mp3', 'wav'], method: ['put', 'post'] },
    end: 'prepares',
  },
  webhook: {
    keys: 'custom_data http_verb retries uri',
    required: ['uri'],
    words: { http_verb: ['post', 'get'] },
    end: 'prepares',
  },
  language: { keys: 'language', required: ['language'], end: 'prepares' },
  set_variable: {
    keys: 'channel value variable',
    required: ['variable'],
    words: { channel: ['a', 'both'] },
    end: 'prepares',
  },
  set_variables: {
    keys: 'custom_application_vars export',
    required: ['custom_application_vars'],
    end: 'prepares',
  },
  set_cid: { keys: 'caller_id_name caller_id_number', end: 'prepares' },
  prepend_cid: {
    keys: 'action apply_to caller_id_name_prefix caller_id_number_prefix',
    words: { action: ['reset', 'prepend'], apply_to: ['original', 'current'] },
    end: 'prepares',
  },
  sleep: { keys: 'duration unit', words: { unit: ['ms', 's', 'm', 'h'] }, end: 'prepares' },
  response: { keys: 'code media message', required: ['code'], refers: [media('media')], branches: none },
  pivot: {
    keys: 'cdr_url debug method req_body_format req_format req_timeout_ms voice_url',
    required: ['voice_url'],
    words: {
      method: ['get', 'post', 'GET', 'POST'],
      req_body_format: ['form', 'json'],
      req_format: ['kazoo', 'twiml'],
    },
  },
  group_pickup: { keys: approvedKeys, refers: [...targets, ...approved] },
  intercept: { keys: approvedKeys, refers: [...targets, ...approved] },
  eavesdrop: {
    keys: 'approved_device_id approved_group_id approved_user_id device_id user_id',
    refers: [user('user_id'), device('device_id'), ...approved],
  },
  call_forward: {
    keys: 'action',
    words: { action: ['activate', 'deactivate', 'update', 'toggle', 'menu'] },
  },
  call_waiting: {
    keys: 'action scope',
    words: { action: ['activate', 'deactivate', 'toggle'], scope: ['device', 'user'] },
  },
  hotdesk: {
    keys: 'action id interdigit_timeout',
    words: { action: ['logout', 'login', 'toggle', 'bridge'] },
    refers: [user('id')],
  },
  do_not_disturb: {
    keys: 'action id',
    words: { action: ['activate', 'deactivate', 'toggle'] },
  },
  cidlistmatch: {
    keys: 'id',
    required: ['id'],
    refers: [refers('id', 'list of callers', undefined)],
    branches: { words: ['match', 'nomatch'] },
    end: 'chooses',
  },
  check_cid: {
    keys: 'caller_id regex use_absolute_mode user_id',
    refers: [user('user_id')],
    branches: { words: ['match', 'nomatch'], others: anyValue('a caller id, in absolute mode') },
    end: 'chooses',
  },
  dynamic_cid: {
    keys: 'action caller_id enforce_call_restriction id idx_name interdigit_timeout max_digits media_id min_digits permit_custom_callflow whitelist_regex',
    words: { action: ['list', 'lists', 'manual', 'static'] },
    refers: [refers('id', 'list of caller ids', undefined), media('media_id')],
    end: 'prepares',
  },
  missed_call_alert: {
    keys: 'recipients',
    required: ['recipients'],
    refers: [refers('recipients.*.id', 'user', 'users', { key: 'type', is: 'user' })],
    end: 'prepares',
  },
  notification: {
    keys: 'comments notification_media recipients send_at template_id',
    required: ['recipients'],
    words: { send_at: ['callflow_exec', 'channel_destroy'] },
    refers: [refers('recipients.*.id', 'user', 'users', { key: 'type', is: 'user' })],
    end: 'prepares',
  },
  transfer: {
    keys: 'captures leg target transfer_type',
    required: ['target'],
    words: { leg: ['self', 'bleg'], transfer_type: ['attended', 'blind'] },
  },
  disa: {
    keys: 'enforce_call_restriction interdigit max_digits pin preconnect_audio retries ring_repeat_count use_account_caller_id',
    words: { preconnect_audio: ['dialtone', 'ringing'] },
  },
  collect_dtmf: {
    keys: 'collection_name interdigit_timeout max_digits terminator terminators timeout',
    branches: { words: ['_'], others: { pattern: '^[0-9*#]+$', what: 'digits that are dialled' } },
    end: 'prepares',
  },
  branch_variable: {
    keys: 'scope variable',
    required: ['variable'],
    words: { scope: ['account', 'custom_channel_vars', 'device', 'merged', 'user'] },
    branches: { words: ['_'], others: anyValue('a value of the variable') },
    end: 'chooses',
  },
  branch_bnumber: { branches: { words: ['_'], others: anyValue('a number') }, end: 'chooses' },
  privacy: {
    keys: 'endpoint_strategy mode',
    words: { endpoint_strategy: ['overwrite', 'merge'], mode: ['full', 'name', 'number', 'yes'] },
    end: 'prepares',
  },
  hangup: { keys: '', branches: none },
  acdc_member: { keys: 'id priority', required: ['id'], refers: [refers('id', 'queue', undefined)] },
  acdc_agent: {
    keys: 'action presence_id presence_state timeout',
    words: { action: ['login', 'logout', 'paused', 'resume'] },
  },
  acdc_queue: {
    keys: 'action id',
    words: { action: ['login', 'logout'] },
    refers: [refers('id', 'queue', undefined)],
  },
  fax_detect: { branches: { words: ['ON_FAX', 'ON_VOICE'] } },
};

/** Modules of which only the name is written down. */
const namedOnly = {
  prepares:
    'after_bridge answer edr flush_dtmf lookupcidname manual_presence nomorobo noop send_dtmf set set_alert_info skel',
  ends: 'acdc_wait_time audio_macro camping_feature conference_feature dead_air eavesdrop_feature function group_pickup_feature intercept_feature intercom move record_caller ring_group_toggle route_to_cid wait_for_hangup',
};

const anyBranch: ModuleBranches = { words: ['_'], others: anyValue('a key of the module') };

function moduleOf(name: string, { keys, ...facts }: Facts): CallflowModule {
  return {
    name,
    keys: keys === undefined ? undefined : [...keys.split(' ').filter(Boolean), everywhere],
    required: [],
    words: {},
    refers: [],
    branches: next,
    end: 'ends',
    ...facts,
  };
}

const unknown = { branches: anyBranch };

/** Every module that a callflow can be made of, by name. */
export const callflowModules: ReadonlyMap<string, CallflowModule> = new Map([
  ...Object.entries(described).map(([name, facts]) => [name, moduleOf(name, facts)] as const),
  ...namedOnly.prepares
    .split(' ')
    .map((name) => [name, moduleOf(name, { ...unknown, end: 'prepares' })] as const),
  ...namedOnly.ends.split(' ').map((name) => [name, moduleOf(name, unknown)] as const),
]);

/** Modules of metaflows, which act on a call that is under way, with the keys that they cannot do without. */
export const metaflowModules: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...'audio_level break callflow hangup hold hold_control intercept move play record_call resume say sound_touch transfer tts'
    .split(' ')
    .map((name) => [name, []] as const),
  ['pivot', ['voice_url']],
  ['relate', ['conference_id', 'other_participant', 'participant_id']],
]);
