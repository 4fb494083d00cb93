import type { JsonObject } from '../../base/json.ts';
import type { ResourceName } from '../../contract/types.ts';

export interface RecordTraits {
  /** Values that the service fills in where they are missing. */
  readonly filled?: JsonObject;
  /** Fields that list items lack (`id` among them), and that they have, other than the contract says. */
  readonly unlisted?: readonly string[];
  readonly alsoListed?: readonly string[];
  /** Fields of replies that may be empty or of another type, whatever the contract says. */
  readonly emptied?: readonly string[];
  /** Fields that replies about one record lack (`id` among them), and those that the reply to its removal lacks. */
  readonly unshown?: readonly string[];
  readonly unshownRemoved?: readonly string[];
  /** Values that list items show where the record has no such field. */
  readonly listed?: JsonObject;
  /** Fields that may be left out, whatever the contract says. */
  readonly optional?: readonly string[];
  /** Fields whose defaults are not filled in. */
  readonly unfilled?: readonly string[];
  /** Beginnings of `path:rule` at which nothing is checked, but that what is required is there. */
  readonly unchecked?: readonly string[];
  /** Keys of validation errors have `%2E` for the dots in the paths of fields. */
  readonly escapesKeys?: true;
  /** Pattern of `path:rule` that services in the field do not refuse but fail over (500). */
  readonly fatal?: RegExp;
  /** Values that can have several shapes: whatever is wrong inside one is that it has none of them. */
  readonly shapes?: RegExp;
  /** A value that another record holds is refused without being named. */
  readonly hidesClashes?: true;
  /** Fields that are worked out, and kept if a caller sends them. */
  readonly alsoTaken?: readonly string[];
  /** Lists have no revision. */
  readonly unrevisedLists?: true;
  /** The data of a change is checked before its record is looked for. */
  readonly checkedFirst?: true;
  /** A new record gets an id of the service's, whatever it brings. */
  readonly neverOwnId?: true;
  /** A part that is merged in is checked, and filled with defaults, as if it were the whole record. */
  readonly partsAreWhole?: true;
  /** Any id can be read: where there is no record, an empty one is answered. */
  readonly anyId?: true;
  /** Replies that hold derived fields: every reply unless said otherwise. `on-write`: lists, too. */
  readonly derived?: 'on-get' | 'on-write' | 'never';
  /** An update keeps what it leaves out, as a patch does, and `null` is without effect in both. */
  readonly keepsWhatIsLeftOut?: true;
  /** Lists do not say how many they show. */
  readonly uncounted?: true;
  /** Pages tell where they begin, the first one too. */
  readonly tellsStart?: true;
  /** A change that is refused since another record holds a value is stored all the same. */
  readonly storesClashes?: true;
  /** Fields of list items that are left out while there is nothing in them. */
  readonly sparse?: readonly string[];
}

/** Records that the service makes and checks like any other document. */
const document = { checkedFirst: true, listed: { flags: [] } } as const satisfies RecordTraits;

/** Traits of the records of compatible services, as found in the field. */
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
    // Lists alone say why one was turned off.
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
