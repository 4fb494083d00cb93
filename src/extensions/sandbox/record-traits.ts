import type { JsonObject } from '../../base/json.ts';
import type { ResourceName } from '../../contract/types.ts';

export interface RecordTraits {
  /** Default values, in addition to those of the contract. */
  readonly extraDefaults?: JsonObject;
  /** List fields of the contract that items lack (including `id`), and additional fields. */
  readonly unlisted?: readonly string[];
  readonly alsoListed?: readonly string[];
  /** Response fields that can be empty or have another type. */
  readonly looseFields?: readonly string[];
  /** Fields that responses about one record lack (including `id`), and responses to its removal too. */
  readonly hiddenFields?: readonly string[];
  readonly hiddenAfterRemoval?: readonly string[];
  /** Default values in list items. */
  readonly listDefaults?: JsonObject;
  readonly optional?: readonly string[];
  /** Fields whose defaults are not set. */
  readonly omittedDefaults?: readonly string[];
  /** Prefixes of `path:rule` that are not checked, except for required fields. */
  readonly unchecked?: readonly string[];
  /** True if validation errors encode dots in field paths as `%2E`. */
  readonly escapesKeys?: true;
  /** Matches `path:rule` of problems that cause a server error (500). */
  readonly faultPattern?: RegExp;
  /** Matches values with alternative shapes. Any problem inside one is reported as a mismatch of all shapes. */
  readonly alternatives?: RegExp;
  /** True if errors about unique values do not include the value. */
  readonly hidesConflicts?: true;
  /** Derived fields that callers can also set. */
  readonly alsoAccepted?: readonly string[];
  readonly unrevisedLists?: true;
  readonly validatedFirst?: true;
  readonly ignoresSentIds?: true;
  /** True if patches are validated and completed like complete records. */
  readonly validatesWholePatches?: true;
  /** True if unknown ids return an empty record. */
  readonly anyId?: true;
  /** Which responses have derived fields (default: all). `on-write` includes lists. */
  readonly derived?: 'on-get' | 'on-write' | 'never';
  /** True if an update merges like a patch, and `null` has no effect in both. */
  readonly updatesMerge?: true;
  readonly hasNoCount?: true;
  readonly hasStartKey?: true;
  /** True if a change is stored although it is refused because a value is not unique. */
  readonly storesConflicts?: true;
  readonly sparse?: readonly string[];
}

const document = { validatedFirst: true, listDefaults: { flags: [] } } as const satisfies RecordTraits;

/** Traits of records in compatible services (as recorded). */
export const fieldTraits: Readonly<Partial<Record<ResourceName, RecordTraits>>> = {
  accounts: {
    extraDefaults: {
      call_restriction: {},
      music_on_hold: {},
      preflow: {},
      ringtones: {},
      timezone: 'America/Los_Angeles',
    },
    listDefaults: { flags: [] },
    unchecked: ['realm:pattern'],
    hiddenAfterRemoval: [
      'enabled',
      'created',
      'superduper_admin',
      'is_reseller',
      'wnm_allow_additions',
      'billing_mode',
      'reseller_id',
    ],
    updatesMerge: true,
    hasStartKey: true,
    storesConflicts: true,
    escapesKeys: true,
  },
  users: {
    extraDefaults: { call_restriction: {}, contact_list: {}, hotdesk: {}, music_on_hold: {}, ringtones: {} },
    unlisted: ['enabled'],
    listDefaults: { flags: [] },
    alternatives: /^formatters\.[^.]+/,
    escapesKeys: true,
    ignoresSentIds: true,
  },
  blacklists: document,
  cdrs: { hasNoCount: true },
  multi_factor: { hasStartKey: true },
  recordings: { hasStartKey: true },
  tasks: { hasStartKey: true },
  transactions: { hasStartKey: true },
  lists: { validatedFirst: true },
  faxboxes: {
    validatedFirst: true,
    ignoresSentIds: true,
    validatesWholePatches: true,
    derived: 'on-write',
    extraDefaults: { media: {}, smtp_permission_list: [] },
    alternatives: /^notifications\.\w+\.(?:email|sms)\.send_to/,
  },
  devices: {
    extraDefaults: { call_restriction: {}, contact_list: {}, music_on_hold: {}, ringtones: {}, sip: {} },
  },
  menus: { ...document, extraDefaults: { media: {} } },
  queues: { validatedFirst: true, alsoAccepted: ['agents'] },
  temporal_rules: document,
  temporal_rules_sets: document,
  directories: { ...document, extraDefaults: { users: [] }, derived: 'on-get' },
  groups: {
    ...document,
    extraDefaults: { endpoints: {}, music_on_hold: {} },
    listDefaults: { ...document.listDefaults, features: [] },
    unchecked: ['endpoints.'],
  },
  vmboxes: {
    ...document,
    extraDefaults: { media: {}, notify_email_addresses: [] },
    sparse: ['folders'],
    hidesConflicts: true,
  },
  conferences: {
    anyId: true,
    extraDefaults: {
      conference_numbers: [],
      member: { numbers: [], pins: [] },
      moderator: { numbers: [], pins: [] },
    },
    optional: ['name'],
    unchecked: ['max_participants'],
    listDefaults: document.listDefaults,
    alsoListed: ['_read_only'],
    derived: 'on-get',
  },
  webhooks: {
    omittedDefaults: ['include_subaccounts'],
    unchecked: ['uri', 'hook'],
    // Only lists contain the reason.
    hiddenFields: ['disable_reason'],
    hasStartKey: true,
  },
  fax_mails: { hasStartKey: true },
  mails: { hasStartKey: true },
  media: { extraDefaults: { tts: {} } },
  messages: {
    looseFields: ['failed'],
    unlisted: ['id'],
    hiddenFields: ['id'],
    hiddenAfterRemoval: ['_read_only'],
    hasStartKey: true,
  },
  numbers: { hiddenFields: ['assigned_to', 'create_with_state'], hiddenAfterRemoval: ['used_by'] },
  ports: {
    extraDefaults: { comments: [] },
    unrevisedLists: true,
    alternatives: /^notifications\.email\.send_to/,
    unchecked: ['numbers.'],
    looseFields: ['numbers'],
    hiddenFields: ['ported_numbers'],
    hiddenAfterRemoval: ['port_state', 'created', 'updated', 'sent', 'uploads'],
  },
  faxes: { unchecked: ['to_number'], alternatives: /^notifications\.email\.send_to/, hasStartKey: true },
  selectors: { validatedFirst: true },
  callflows: {
    validatedFirst: true,
    extraDefaults: { numbers: [], patterns: [] },
    faultPattern: /^flow\.module:type|^numbers\.\d+:(?:type|minLength)/,
    alsoAccepted: ['metadata'],
    listDefaults: { ...document.listDefaults, featurecode: false },
    derived: 'on-get',
  },
  metaflows: { faultPattern: /^numbers\.\d+\.module:required/ },
  providers: { optional: ['id'] },
};
