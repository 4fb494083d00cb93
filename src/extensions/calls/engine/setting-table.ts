import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import type { ResourceName } from '../../../contract/types.ts';

interface SettingEffects {
  /** Simulated settings, separated by blanks. */
  readonly simulated?: string;
  readonly none?: string;
  readonly named?: Readonly<Record<string, string>>;
}

const sound = 'it only changes what callers hear';
const sip = 'SIP messages are not simulated';
const metaflows = 'keys during a conversation have no effect';

/** Settings of callers and called parties that are not simulated. */
const personal = {
  'caller_id.asserted': sip,
  caller_id_options: 'numbers are not reformatted',
  formatters: sip,
  metaflows,
  voicemail: 'the settings of the mailbox apply',
};
const controls = 'keys in a conference have no effect';
const unused = 'the service does not use it';
const mails = 'emails are not sent';

const settingEffects: Readonly<Partial<Record<ResourceName, SettingEffects>>> = {
  accounts: {
    none: 'name realm org language flags music_on_hold notifications ringtones topup zones',
    simulated:
      'enabled blacklists call_recording call_restriction call_waiting caller_id caller_id.emergency dial_plan do_not_disturb preflow timezone',
    named: personal,
  },
  users: {
    none:
      'password email priv_level timezone language feature_level require_password_update verified ' +
      'vm_to_email_enabled contact_list flags media music_on_hold profile pronounced_name ringtones',
    simulated:
      'username first_name last_name enabled call_forward call_recording call_restriction call_waiting caller_id caller_id.emergency dial_plan directories do_not_disturb hotdesk presence_id queues',
    named: personal,
  },
  devices: {
    none:
      'device_type mac_address contact_list flags language media music_on_hold mwi_unsolicited_updates ' +
      'provision register_overwrite_notify ringtones suppress_unregister_notifications timezone',
    simulated:
      'name owner_id enabled call_forward call_recording call_restriction call_waiting caller_id caller_id_options dial_plan do_not_disturb exclude_from_queues hotdesk outbound_flags presence_id sip',
    named: { formatters: sip, metaflows, mobile: 'calls to mobile phones ring the device' },
  },
  groups: { none: 'name flags music_on_hold', simulated: 'endpoints' },
  callflows: {
    none: 'featurecode flags ringback type owner_id group_id',
    simulated: 'name numbers patterns flow',
    named: { metaflow: metaflows },
  },
  metaflows: {
    none: 'binding_digit digit_timeout listen_on',
    named: { numbers: metaflows, patterns: metaflows },
  },
  menus: {
    none: 'flags',
    simulated:
      'name allow_record_from_offnet hunt hunt_allow hunt_deny interdigit_timeout max_extension_length media record_pin retries timeout',
    named: { suppress_media: sound },
  },
  temporal_rules: {
    none: 'type flags',
    simulated:
      'name cycle interval start_date time_window_start time_window_stop wdays days ordinal month enabled',
  },
  temporal_rules_sets: { none: 'name flags', simulated: 'temporal_rules' },
  queues: {
    none: 'announce announcements recording_url',
    simulated:
      'name strategy agent_ring_timeout caller_exit_key connection_timeout enter_when_empty max_queue_size moh',
    named: {
      agent_wrapup_time: 'an agent answers one call in a simulation',
      cdr_url: 'nothing is sent anywhere',
      max_priority: 'other calls are not in the same queue',
      record_caller: 'callers in queues are not recorded',
      ring_simultaneously: unused,
    },
  },
  conferences: {
    none:
      'bridge_password bridge_username domain flags focus language max_members_media owner_id ' +
      'play_name play_welcome ui_flags',
    simulated:
      'name max_participants member moderator member.numbers moderator.numbers conference_numbers play_entry_tone play_exit_tone',
    named: {
      caller_controls: controls,
      controls,
      moderator_controls: controls,
      profile: sound,
      profile_name: sound,
      require_moderator: unused,
      wait_for_moderator: unused,
    },
  },
  vmboxes: {
    none:
      'name flags include_message_on_notify include_transcription_on_notify is_voicemail_ff_rw_enabled ' +
      'media_extension not_configurable oldest_message_first seek_duration_ms skip_envelope timezone',
    simulated:
      'mailbox announcement_only check_if_owner delete_after_notify is_setup media owner_id pin require_pin save_after_notify skip_greeting skip_instructions',
    named: {
      notify: mails,
      notify_email_addresses: mails,
      operator_number: 'callers press no keys during the greeting',
      transcribe: 'messages are not transcribed',
    },
  },
  faxboxes: {
    none:
      'owner_id caller_id caller_name fax_header fax_identity fax_timezone retries ' +
      'custom_smtp_email_address smtp_permission_list media flags',
    simulated: 'name',
    named: { notifications: mails },
  },
  media: {
    none:
      'description language media_source tts prompt_id streamable content_type content_length ' +
      'source_id source_type',
    simulated: 'name',
  },
  directories: {
    none: 'name flags users',
    simulated: 'confirm_match search_fields sort_by',
    named: {
      min_dtmf: unused,
      max_dtmf: unused,
    },
  },
  lists: { simulated: '', none: 'name description org list_type' },
};

/** Describes settings of a record that have a value but are not simulated. */
export function unsimulatedSettings(kind: string, record: JsonObject): readonly string[] {
  const named = Object.entries(effectsOfKind(kind)?.named ?? {});
  return named
    .filter(([path]) => hasEffect(valueAt(record, path)))
    .map(([path, why]) => `${path.replaceAll(/[._]/g, ' ')} of ${recordLabel(kind, record)}: ${why}`);
}

const recordLabel = (kind: string, record: JsonObject): string =>
  kind === 'accounts' ? 'the account' : String(record.name ?? record.username ?? record.id);

/** Returns true if a value is neither empty nor switched off. */
export function hasEffect(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  if (!isObject(value)) return !Array.isArray(value) || value.length > 0;
  return value.enabled !== false && Object.values(value).some(hasEffect);
}

/** The effect of a key on calls: simulated, reported as not simulated, or none. */
export interface CoverageRow {
  /** The module or kind of record. */
  readonly of: string;
  readonly key: string;
  readonly how: 'simulated' | 'named' | 'none';
  readonly why?: string | undefined;
}

const splitWords = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

const effectsOfKind = (kind: string): SettingEffects | undefined =>
  Object.entries(settingEffects).find(([each]) => each === kind)?.[1];

/** Returns a row for each setting that can affect a call, sorted by name. */
export function settingRows(): readonly CoverageRow[] {
  return Object.entries(settingEffects).flatMap(([kind, { simulated = '', named = {}, none = '' }]) =>
    [
      ...splitWords(simulated).map((key): CoverageRow => ({ of: kind, key, how: 'simulated' })),
      ...Object.entries(named).map(([key, why]): CoverageRow => ({ of: kind, key, how: 'named', why })),
      ...splitWords(none).map((key): CoverageRow => ({ of: kind, key, how: 'none' })),
    ].toSorted((one, other) => one.key.localeCompare(other.key)),
  );
}
