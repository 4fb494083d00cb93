import { isObject, type Json, type JsonObject, valueAt } from '../base/json.ts';
import { resourceByName } from './catalogue.ts';
import { fieldAt } from './schema.ts';
import { childOf, type SchemaNode } from './schema-node.ts';
import type { ResourceName } from './types.ts';

/** The part that a record has in a call. A setting matters if its record has that part in the call. */
export type Part =
  /** The call comes past it. */
  | 'passed'
  /** The user, or somebody of the account, places the call. */
  | 'calls'
  /** The user's phones, or any of the account, ring. */
  | 'rings'
  /** Somebody is talked to. */
  | 'talks'
  /** The call goes out to the public network. */
  | 'goes out'
  /** A message is left. */
  | 'message';

/** The simulator: a call in a sandbox, or the trace of a number. */
export type Simulator = 'call' | 'trace';

/** The cases in which a setting affects where a call goes, whom it rings, who may hear it and what is kept of it. */
export interface SettingFacts {
  /** Left out: never. What only sounds different, or is for people to read, is never. */
  readonly when?: Part;
  /** Simulators that heed it. */
  readonly heededBy: readonly Simulator[];
}

const never: SettingFacts = { heededBy: [] };
const at = (when: Part, ...heededBy: readonly Simulator[]): SettingFacts => ({ when, heededBy });
const heeded = at('passed', 'call', 'trace');

/**
 * Every writable field of the records that a call can come past, by dotted path; a path stands for what is below it
 * unless that has a line of its own. A field that is put into the contract has to be put in here.
 */
export const callSettings: Readonly<Partial<Record<ResourceName, Readonly<Record<string, SettingFacts>>>>> = {
  accounts: {
    name: never,
    realm: never,
    org: never,
    language: never,
    timezone: never,
    enabled: at('passed', 'call'),
    blacklists: at('passed', 'call'),
    call_recording: at('talks', 'call'),
    call_restriction: at('goes out', 'call'),
    call_waiting: at('rings'),
    caller_id: at('goes out', 'call'),
    'caller_id.asserted': at('goes out'),
    'caller_id.emergency': never,
    caller_id_options: at('goes out'),
    dial_plan: at('calls'),
    do_not_disturb: at('rings'),
    flags: never,
    formatters: at('passed'),
    metaflows: at('talks'),
    music_on_hold: never,
    notifications: never,
    preflow: heeded,
    ringtones: never,
    topup: never,
    voicemail: at('message'),
    zones: never,
  },
  users: {
    username: never,
    password: never,
    first_name: never,
    last_name: never,
    email: never,
    priv_level: never,
    enabled: at('rings', 'call'),
    timezone: never,
    language: never,
    presence_id: at('calls', 'call'),
    feature_level: never,
    require_password_update: never,
    verified: never,
    vm_to_email_enabled: never,
    call_forward: at('rings', 'call'),
    call_recording: at('talks', 'call'),
    call_restriction: at('goes out', 'call'),
    call_waiting: at('rings'),
    caller_id: at('goes out', 'call'),
    'caller_id.asserted': at('goes out'),
    'caller_id.emergency': never,
    caller_id_options: at('goes out'),
    contact_list: never,
    dial_plan: at('calls'),
    directories: never,
    do_not_disturb: at('rings', 'call'),
    flags: never,
    formatters: at('passed'),
    hotdesk: at('rings'),
    media: never,
    metaflows: at('talks'),
    music_on_hold: never,
    profile: never,
    queues: at('rings', 'call'),
    pronounced_name: never,
    ringtones: never,
    voicemail: at('message'),
  },
  devices: {
    name: never,
    device_type: never,
    owner_id: at('rings', 'call'),
    mac_address: never,
    enabled: at('rings', 'call'),
    sip: never,
    call_forward: at('rings', 'call'),
    call_recording: at('talks', 'call'),
    call_restriction: at('goes out'),
    call_waiting: at('rings'),
    caller_id: at('goes out'),
    caller_id_options: at('goes out'),
    contact_list: never,
    dial_plan: at('calls'),
    do_not_disturb: at('rings', 'call'),
    exclude_from_queues: never,
    flags: never,
    formatters: at('passed'),
    hotdesk: at('rings', 'call'),
    language: never,
    media: never,
    metaflows: at('talks'),
    mobile: never,
    music_on_hold: never,
    mwi_unsolicited_updates: never,
    outbound_flags: at('goes out'),
    presence_id: at('calls'),
    provision: never,
    register_overwrite_notify: never,
    ringtones: never,
    suppress_unregister_notifications: never,
    timezone: never,
  },
  callflows: {
    name: never,
    numbers: heeded,
    patterns: heeded,
    flow: heeded,
    featurecode: never,
    flags: never,
    metaflow: at('talks'),
    ringback: never,
    type: never,
    owner_id: never,
    group_id: never,
  },
  metaflows: {
    binding_digit: never,
    digit_timeout: never,
    listen_on: never,
    numbers: at('talks'),
    patterns: at('talks'),
  },
  menus: {
    name: never,
    allow_record_from_offnet: at('passed'),
    flags: never,
    hunt: heeded,
    hunt_allow: heeded,
    hunt_deny: heeded,
    interdigit_timeout: never,
    max_extension_length: at('passed'),
    media: never,
    record_pin: at('passed'),
    retries: at('passed'),
    suppress_media: never,
    timeout: never,
  },
  temporal_rules: {
    name: never,
    cycle: heeded,
    interval: heeded,
    start_date: heeded,
    time_window_start: heeded,
    time_window_stop: heeded,
    wdays: heeded,
    days: heeded,
    ordinal: heeded,
    month: heeded,
    enabled: heeded,
    type: never,
    flags: never,
  },
  queues: {
    name: never,
    strategy: heeded,
    agent_ring_timeout: heeded,
    agent_wrapup_time: heeded,
    announce: never,
    announcements: never,
    caller_exit_key: heeded,
    cdr_url: at('passed'),
    connection_timeout: heeded,
    enter_when_empty: heeded,
    max_priority: at('passed'),
    max_queue_size: at('passed'),
    moh: never,
    record_caller: at('passed'),
    recording_url: never,
    ring_simultaneously: heeded,
  },
  temporal_rules_sets: { name: never, temporal_rules: heeded, flags: never },
  conferences: {
    name: never,
    bridge_password: never,
    bridge_username: never,
    caller_controls: at('passed'),
    conference_numbers: never,
    controls: at('passed'),
    domain: never,
    flags: never,
    focus: never,
    language: never,
    max_members_media: never,
    max_participants: heeded,
    member: heeded,
    'member.numbers': never,
    moderator: heeded,
    'moderator.numbers': never,
    moderator_controls: at('passed'),
    owner_id: never,
    play_entry_tone: never,
    play_exit_tone: never,
    play_name: never,
    play_welcome: never,
    profile: at('passed'),
    profile_name: at('passed'),
    require_moderator: heeded,
    ui_flags: never,
    wait_for_moderator: heeded,
  },
  vmboxes: {
    mailbox: heeded,
    name: never,
    announcement_only: at('passed', 'call'),
    check_if_owner: heeded,
    delete_after_notify: at('message'),
    flags: never,
    include_message_on_notify: never,
    include_transcription_on_notify: never,
    is_setup: heeded,
    is_voicemail_ff_rw_enabled: never,
    media: never,
    media_extension: never,
    not_configurable: never,
    notify: at('message'),
    notify_email_addresses: at('message'),
    oldest_message_first: never,
    operator_number: at('passed'),
    owner_id: heeded,
    pin: heeded,
    require_pin: heeded,
    save_after_notify: at('message'),
    seek_duration_ms: never,
    skip_envelope: never,
    skip_greeting: never,
    skip_instructions: never,
    timezone: never,
    transcribe: at('message'),
  },
  faxboxes: {
    name: never,
    owner_id: never,
    caller_id: never,
    caller_name: never,
    fax_header: never,
    fax_identity: never,
    fax_timezone: never,
    retries: never,
    custom_smtp_email_address: never,
    smtp_permission_list: never,
    media: never,
    notifications: at('passed'),
    flags: never,
  },
  lists: { name: never, description: never, org: never, list_type: never },
  media: {
    name: never,
    description: never,
    language: never,
    media_source: never,
    tts: never,
    prompt_id: never,
    streamable: never,
    content_type: never,
    content_length: never,
    source_id: never,
    source_type: never,
  },
  groups: { name: never, endpoints: at('passed', 'call'), flags: never, music_on_hold: never },
  directories: {
    name: never,
    confirm_match: at('passed'),
    flags: never,
    max_dtmf: at('passed'),
    min_dtmf: at('passed'),
    search_fields: at('passed'),
    sort_by: at('passed'),
    users: at('passed'),
  },
};

/** A record that a call came past, and what it had to do with the call. */
export interface Met {
  readonly resource: ResourceName;
  /** Name that people use. */
  readonly name: string;
  readonly record: JsonObject;
  readonly parts: ReadonlySet<Part>;
}

/** A stored setting that has a say in a call and was not heeded. */
export interface Unheeded {
  /** `users.dial_plan`. */
  readonly setting: string;
  /** Name that people use for its record; the account's if it is the account's. */
  readonly of: string;
  readonly words: string;
}

/** Tells whether a value says something: nothing empty, nothing switched off, and not what holds anyway. */
function saysMore(root: SchemaNode, node: SchemaNode, value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value))
    return (
      value.enabled !== false &&
      Object.entries(value).some(([key, inner]) => saysMore(root, childOf(root, node, key) ?? {}, inner))
    );
  return value !== (node.default ?? node['x-convention']?.default ?? false);
}

function ownerWords({ resource, name }: Met): string {
  if (resource === 'accounts' || resource === 'metaflows') return 'the account';
  return resource === 'users' ? name : `${resourceByName(resource).singular} ${JSON.stringify(name)}`;
}

/** The settings of the records that a call came past which matter to it and which a simulator does not heed. */
export function unheeded(simulator: Simulator, all: readonly Met[]): readonly Unheeded[] {
  const found = all.flatMap((met) => {
    const { schema } = resourceByName(met.resource);
    const rows = callSettings[met.resource] ?? {};
    return Object.entries(rows).flatMap(([path, { when, heededBy }]) => {
      if (when === undefined || !met.parts.has(when) || heededBy.includes(simulator)) return [];
      if (!saysMore(schema, fieldAt(schema, path) ?? {}, valueAt(met.record, path))) return [];
      const words = path.replaceAll(/[._]/g, ' ');
      return [{ setting: `${met.resource}.${path}`, of: met.name, words: `${words} of ${ownerWords(met)}` }];
    });
  });
  return [...new Map(found.map((each) => [each.words, each])).values()];
}

/** `Not simulated here: metaflows of the account, dial plan of alice.`; nothing where there is nothing to name. */
export const unheededLines = (words: readonly string[]): readonly string[] =>
  words.length === 0 ? [] : [`Not simulated here: ${words.join(', ')}.`];
