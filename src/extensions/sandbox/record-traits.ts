import type { JsonObject } from '../../base/json.ts';
import type { ResourceName } from '../../contract/types.ts';

export interface RecordTraits {
  /** Default values, in addition to those of the contract. */
  readonly filled?: JsonObject;
  /** List fields of the contract that items lack (including `id`), and additional ones. */
  readonly unlisted?: readonly string[];
  readonly alsoListed?: readonly string[];
  /** Response fields that can be empty or have another type. */
  readonly emptied?: readonly string[];
  /** Fields that responses about one record lack (including `id`), and that responses to its removal lack. */
  readonly unshown?: readonly string[];
  readonly unshownRemoved?: readonly string[];
  /** Default values in list items. */
  readonly listed?: JsonObject;
  /** Required fields that can be missing. */
  readonly optional?: readonly string[];
  /** Fields whose defaults are not set. */
  readonly unfilled?: readonly string[];
  /** Prefixes of `path:rule` that are not checked, except for required fields. */
  readonly unchecked?: readonly string[];
  /** True if validation errors write `%2E` for dots in field paths. */
  readonly escapesKeys?: true;
  /** Matches `path:rule` of problems that cause a server error (500). */
  readonly fatal?: RegExp;
  /** Matches values with alternative shapes. Any problem inside one is reported as a mismatch of all shapes. */
  readonly shapes?: RegExp;
  /** True if errors about unique values do not name the value. */
  readonly hidesClashes?: true;
  /** Derived fields that callers can also set. */
  readonly alsoTaken?: readonly string[];
  readonly unrevisedLists?: true;
  /** True if changes are validated before the record is looked up. */
  readonly checkedFirst?: true;
  /** True if ids that callers send are ignored. */
  readonly neverOwnId?: true;
  /** True if patches are validated and completed like whole records. */
  readonly partsAreWhole?: true;
  /** True if unknown ids return an empty record. */
  readonly anyId?: true;
  /** Responses with derived fields (default: all). `on-write` includes lists. */
  readonly derived?: 'on-get' | 'on-write' | 'never';
  /** True if an update merges like a patch, and `null` has no effect in both. */
  readonly keepsWhatIsLeftOut?: true;
  /** True if lists have no count. */
  readonly uncounted?: true;
  /** True if every page has a `start_key`. */
  readonly tellsStart?: true;
  /** True if a change is stored although it is refused for a value that is not unique. */
  readonly storesClashes?: true;
  /** List fields that are left out if empty. */
  readonly sparse?: readonly string[];
}

const document = { checkedFirst: true, listed: { flags: [] } } as const satisfies RecordTraits;

/** Traits of records in compatible services (as recorded). */
export const fieldTraits: Readonly<Partial<Record<ResourceName, RecordTraits>>> = {
  accounts: {
    filled: {
      call_restriction: {},
      music_on_hold: {},
      preflow: {},
      ringtones: {},
      timezone: 'America/Los_Angeles',
    },
    listed: { flags: [] },
    unchecked: ['realm:pattern'],
    unshownRemoved: [
      'enabled',
      'created',
      'superduper_admin',
      'is_reseller',
      'wnm_allow_additions',
      'billing_mode',
      'reseller_id',
    ],
    keepsWhatIsLeftOut: true,
    tellsStart: true,
    storesClashes: true,
    escapesKeys: true,
  },
  users: {
    filled: { call_restriction: {}, contact_list: {}, hotdesk: {}, music_on_hold: {}, ringtones: {} },
    unlisted: ['enabled'],
    listed: { flags: [] },
    shapes: /^formatters\.[^.]+/,
    escapesKeys: true,
    neverOwnId: true,
  },
  blacklists: document,
  cdrs: { uncounted: true },
  multi_factor: { tellsStart: true },
  recordings: { tellsStart: true },
  tasks: { tellsStart: true },
  transactions: { tellsStart: true },
  lists: { checkedFirst: true },
  faxboxes: {
    checkedFirst: true,
    neverOwnId: true,
    partsAreWhole: true,
    derived: 'on-write',
    filled: { media: {}, smtp_permission_list: [] },
    shapes: /^notifications\.\w+\.(?:email|sms)\.send_to/,
  },
  devices: { filled: { call_restriction: {}, contact_list: {}, music_on_hold: {}, ringtones: {}, sip: {} } },
  menus: { ...document, filled: { media: {} } },
  queues: { checkedFirst: true, alsoTaken: ['agents'] },
  temporal_rules: document,
  temporal_rules_sets: document,
  directories: { ...document, filled: { users: [] }, derived: 'on-get' },
  groups: {
    ...document,
    filled: { endpoints: {}, music_on_hold: {} },
    listed: { ...document.listed, features: [] },
    unchecked: ['endpoints.'],
  },
  vmboxes: {
    ...document,
    filled: { media: {}, notify_email_addresses: [] },
    sparse: ['folders'],
    hidesClashes: true,
  },
  conferences: {
    anyId: true,
    filled: {
      conference_numbers: [],
      member: { numbers: [], pins: [] },
      moderator: { numbers: [], pins: [] },
    },
    optional: ['name'],
    unchecked: ['max_participants'],
    listed: document.listed,
    alsoListed: ['_read_only'],
    derived: 'on-get',
  },
  webhooks: {
    unfilled: ['include_subaccounts'],
    unchecked: ['uri', 'hook'],
    // Only lists have the reason.
    unshown: ['disable_reason'],
    tellsStart: true,
  },
  fax_mails: { tellsStart: true },
  mails: { tellsStart: true },
  media: { filled: { tts: {} } },
  messages: {
    emptied: ['failed'],
    unlisted: ['id'],
    unshown: ['id'],
    unshownRemoved: ['_read_only'],
    tellsStart: true,
  },
  numbers: { unshown: ['assigned_to', 'create_with_state'], unshownRemoved: ['used_by'] },
  ports: {
    filled: { comments: [] },
    unrevisedLists: true,
    shapes: /^notifications\.email\.send_to/,
    unchecked: ['numbers.'],
    emptied: ['numbers'],
    unshown: ['ported_numbers'],
    unshownRemoved: ['port_state', 'created', 'updated', 'sent', 'uploads'],
  },
  faxes: { unchecked: ['to_number'], shapes: /^notifications\.email\.send_to/, tellsStart: true },
  selectors: { checkedFirst: true },
  callflows: {
    checkedFirst: true,
    filled: { numbers: [], patterns: [] },
    fatal: /^flow\.module:type|^numbers\.\d+:(?:type|minLength)/,
    alsoTaken: ['metadata'],
    listed: { ...document.listed, featurecode: false },
    derived: 'on-get',
  },
  metaflows: { fatal: /^numbers\.\d+\.module:required/ },
  providers: { optional: ['id'] },
};
