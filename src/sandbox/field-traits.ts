import type { Behaviour, RecordTraits } from './behaviour.ts';

/** Records that the service makes and checks like any other document. */
const document = { checkedFirst: true, listed: { flags: [] } } as const satisfies RecordTraits;

/** What is particular to the records of compatible services, as found in the field. */
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
    keepsWhatIsLeftOut: true,
    tellsStart: true,
    storesClashes: true,
    escapesKeys: true,
  },
  users: {
    filled: { call_restriction: {}, contact_list: {}, hotdesk: {}, music_on_hold: {}, ringtones: {} },
    unlisted: ['enabled'],
    listed: { flags: [] },
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
  webhooks: { unfilled: ['include_subaccounts'], unchecked: ['uri', 'hook'] },
  numbers: { unshown: ['assigned_to', 'create_with_state'] },
  ports: {
    filled: { comments: [] },
    unchecked: ['numbers.'],
    unshown: ['ported_numbers'],
  },
  faxes: { unchecked: ['to_number'] },
  callflows: {
    filled: { numbers: [], patterns: [] },
    listed: { ...document.listed, featurecode: false },
    derived: 'on-get',
  },
  providers: { optional: ['id'] },
};
