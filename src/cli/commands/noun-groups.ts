/** Groups of nouns on the help page, in its order. */
export const groups = [
  'Start here',
  'People and phones',
  'Calls',
  'Numbers',
  'Voice messages and fax',
  'Money',
  'Sign-in and security',
  'Events',
  'The operator of the service',
  'Configuration as code',
  'Look things up',
] as const;

export type Group = (typeof groups)[number];

/** Nouns that administer something, by the job that they are for, most used first. Each belongs to one. */
const jobs: Partial<Record<Group, string>> = {
  'People and phones':
    'users devices accounts groups registrations hotdesks directories contacts presence comments',
  Calls:
    'callflows menus temporal-rules temporal-rule-sets media conferences queues agents blacklists lists metaflows channels parked-calls cdrs recordings',
  Numbers: 'numbers ports',
  'Voice messages and fax': 'vmboxes faxes faxboxes',
  Money: 'limits services transactions ledgers allotments rates',
  'Sign-in and security': 'security multi-factor sso keys token-restrictions access-lists rate-limits',
  Events: 'webhooks notifications alerts tasks',
  'The operator of the service':
    'carriers carrier-templates system-carriers selectors acls whitelabel store-apps about',
};

const placed = new Map(
  Object.entries(jobs).flatMap(([group, words]) =>
    words.split(' ').map((word) => [word, groups.find((each) => each === group)] as const),
  ),
);

/** Returns the group of a noun that administers something; `undefined` for one that none names. */
export const groupOf = (word: string): Group | undefined => placed.get(word);

/** Returns the place of such a noun on the help page; the last for one that no group names. */
export function placeOnPage(word: string): number {
  const index = [...placed.keys()].indexOf(word);
  return index === -1 ? placed.size : index;
}
