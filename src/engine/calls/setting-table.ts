import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { callSettings } from '../../contract/call-settings.ts';
import type { ResourceName } from '../../contract/types.ts';

/** What calls do with the settings of one kind of record. */
interface Heeded {
  /** Settings that have their effect, separated by blanks. */
  readonly simulated: string;
  /** Settings that are passed over, and why. */
  readonly named?: Readonly<Record<string, string>>;
}

const sound = 'it changes what is heard alone';
const sip = 'what stands in the messages of SIP is not simulated';
const metaflows = 'keys that are pressed while people talk have no effect in this release';

/** Settings of records that calls heed, and those that they pass over; all others have no effect on calls. */
const heeded: Readonly<Partial<Record<ResourceName, Heeded>>> = {
  accounts: {
    simulated:
      'enabled blacklists call_recording call_restriction call_waiting caller_id caller_id.emergency dial_plan do_not_disturb preflow timezone',
    named: {
      'caller_id.asserted': sip,
      caller_id_options: 'numbers are not written in other forms',
      formatters: sip,
      metaflows,
      voicemail: 'the settings of the box count',
    },
  },
  users: {
    simulated:
      'username first_name last_name enabled call_forward call_recording call_restriction call_waiting caller_id caller_id.emergency dial_plan directories do_not_disturb hotdesk presence_id queues',
    named: {
      'caller_id.asserted': sip,
      caller_id_options: 'numbers are not written in other forms',
      formatters: sip,
      metaflows,
      voicemail: 'the settings of the box count',
    },
  },
  devices: {
    simulated:
      'name owner_id enabled call_forward call_recording call_restriction call_waiting caller_id caller_id_options dial_plan do_not_disturb exclude_from_queues hotdesk outbound_flags presence_id sip',
    named: { formatters: sip, metaflows, mobile: 'calls to mobile phones go to the device' },
  },
  groups: { simulated: 'endpoints' },
  callflows: { simulated: 'name numbers patterns flow', named: { metaflow: metaflows } },
  metaflows: { simulated: '', named: { numbers: metaflows, patterns: metaflows } },
  menus: {
    simulated:
      'name allow_record_from_offnet hunt hunt_allow hunt_deny interdigit_timeout max_extension_length media record_pin retries timeout',
    named: { suppress_media: sound },
  },
  temporal_rules: {
    simulated:
      'name cycle interval start_date time_window_start time_window_stop wdays days ordinal month enabled',
  },
  temporal_rules_sets: { simulated: 'temporal_rules' },
  queues: {
    simulated:
      'name strategy agent_ring_timeout caller_exit_key connection_timeout enter_when_empty max_queue_size moh',
    named: {
      agent_wrapup_time: 'an agent takes one call in a simulation',
      cdr_url: 'nothing is sent anywhere',
      max_priority: 'callers of other calls do not wait in the same queue',
      record_caller: 'callers in queues are not recorded',
      ring_simultaneously: 'the service reads it and does not use it',
    },
  },
  conferences: {
    simulated:
      'name max_participants member moderator member.numbers moderator.numbers conference_numbers play_entry_tone play_exit_tone',
    named: {
      caller_controls: 'keys in a conference have no effect',
      controls: 'keys in a conference have no effect',
      moderator_controls: 'keys in a conference have no effect',
      profile: sound,
      profile_name: sound,
      require_moderator: 'the service reads it and does not use it',
      wait_for_moderator: 'the service reads it and does not use it',
    },
  },
  vmboxes: {
    simulated:
      'mailbox announcement_only check_if_owner delete_after_notify is_setup media owner_id pin require_pin save_after_notify skip_greeting skip_instructions',
    named: {
      notify: 'mails are not sent',
      notify_email_addresses: 'mails are not sent',
      operator_number: 'callers press no key while they hear the greeting',
      transcribe: 'messages are not transcribed',
    },
  },
  faxboxes: { simulated: 'name', named: { notifications: 'mails are not sent' } },
  media: { simulated: 'name' },
  directories: {
    simulated: 'confirm_match search_fields sort_by',
    named: {
      min_dtmf: 'the service reads it and does not use it',
      max_dtmf: 'the service reads it and does not use it',
    },
  },
};

/** Settings of a record that say something and are passed over, in words: `formatters: what stands in …`. */
export function passedSettings(kind: string, record: JsonObject): readonly string[] {
  const named = Object.entries(heededOf(kind)?.named ?? {});
  return named
    .filter(([path]) => saysSomething(valueAt(record, path)))
    .map(([path, why]) => `${path.replaceAll(/[._]/g, ' ')} of ${nameIn(kind, record)}: ${why}`);
}

const nameIn = (kind: string, record: JsonObject): string =>
  kind === 'accounts' ? 'the account' : String(record.name ?? record.username ?? record.id);

/** Tells whether a value says something: nothing empty, and nothing switched off. */
function saysSomething(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  if (!isObject(value)) return !Array.isArray(value) || value.length > 0;
  return value.enabled !== false && Object.values(value).some(saysSomething);
}

/** What calls do with one key: have its effect, pass it over and say so, or nothing, since it has none. */
export interface CoverageRow {
  /** The module or kind of record. */
  readonly of: string;
  readonly key: string;
  readonly how: 'simulated' | 'named' | 'none';
  readonly why?: string;
}

/** Returns a row for each setting of the records that a call can come past. */
export function settingRows(): readonly CoverageRow[] {
  return Object.entries(callSettings).flatMap(([kind, rows]) =>
    Object.entries(rows).map(([key]): CoverageRow => {
      const { simulated, named = {} } = heededOf(kind) ?? { simulated: '' };
      const why = Object.hasOwn(named, key) ? named[key] : undefined;
      if (why !== undefined) return { of: kind, key, how: 'named', why };
      return { of: kind, key, how: simulated.split(' ').includes(key) ? 'simulated' : 'none' };
    }),
  );
}

const heededOf = (kind: string): Heeded | undefined =>
  Object.entries(heeded).find(([each]) => each === kind)?.[1];

/** Settings that the table names and no record has: slips of the pen. */
export const unknownSettings = (): readonly string[] =>
  Object.entries(heeded).flatMap(([kind, { simulated, named = {} }]) => {
    const known = Object.keys(Object.entries(callSettings).find(([each]) => each === kind)?.[1] ?? {});
    return [...simulated.split(' '), ...Object.keys(named)]
      .filter((key) => key !== '' && !known.includes(key))
      .map((key) => `${kind}.${key}`);
  });
