import type { Behaviour, RecordTraits } from './behaviour.ts';

/** Records that the service makes and checks like any other document. */
const document = { checkedFirst: true, listed: { flags: [] } } as const satisfies RecordTraits;

/** Traits of the records of compatible services, as found in the field. */
export const fieldTraits: Behaviour['records']['traits'] = {
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
  },
  menus: { ...document, filled: { media: {} } },
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
  webhooks: { unfilled: ['include_subaccounts'], unchecked: ['uri', 'hook'], tellsStart: true },
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
    filled: { numbers: [], patterns: [] },
    fatal: /^flow\.module:type|^numbers\.\d+:(?:type|minLength)/,
    alsoTaken: ['metadata'],
    listed: { ...document.listed, featurecode: false },
    derived: 'on-get',
  },
  metaflows: { fatal: /^numbers\.\d+\.module:required/ },
  providers: { optional: ['id'] },
};
