import { findNearest } from '../../base/nearest.ts';

/** Synonyms by the telctl words. Of several words, the first that exists is suggested. */
const meanings: Readonly<Record<string, string>> = {
  numbers: '112 911 did dids e911 phone-number phone-numbers did-number emergency-address address cnam',
  'get, list': 'show',
  'get, show, list': 'view',
  'get, show, explain': 'describe',
  'get, status, whoami': 'info',
  list: 'ls all count',
  'create, set': 'add',
  create: 'new make insert',
  delete: 'rm del destroy',
  'delete, clear': 'remove',
  update: 'put replace',
  'patch, set, update': 'modify change',
  patch: 'rename',
  'patch, update': 'set',
  'activate, create': 'buy order purchase',
  'find, list': 'search',
  login: 'signin auth',
  logout: 'signout',
  'profiles use': 'use switch context',
  '--version': 'version upgrade',
  help: 'man',
  log: 'history logs audit-log audit-trail changes',
  plan: 'diff',
  'start, sandbox start': 'up',
  'stop, sandbox stop': 'down',
  'page, console': 'ui open browse',
  console: 'dashboard',
  'webhooks listen': 'events tail listen',
  'webhooks samples': 'payload payloads',
  callflows: 'extensions dialplan short-code feature-code star-code pattern',
  vmboxes: 'mailboxes voicemail voicemails voicemail-pin vm voicemail-to-email voicemail-box mailbox',
  'devices, numbers': 'phones phone',
  'channels, callflows': 'calls',
  accounts:
    'customers tenants sub-accounts subaccount tenant customer realm company organisation organization',
  menus: 'ivr auto-attendant attendant autoattendant attendants',
  webhooks: 'hooks event',
  ports: 'porting port-in lnp another-provider',
  'limits, carriers': 'trunks trunk',
  'carriers, limits': 'sip-trunk trunking',
  'ledgers, services, limits, transactions': 'billing',
  'ledgers, transactions, services': 'balance',
  'ledgers, services': 'invoice',
  'rates, services': 'price',
  'transactions, ledgers': 'credit',
  'temporal-rules, callflows': 'hours opening-hours business-hours night night-mode closed lunch after-hours',
  'temporal-rules': 'schedule schedules time-of-day calendar shift',
  'temporal-rules, temporal-rule-sets': 'holiday holidays weekend',
  'groups, callflows': 'ring-group ring-groups ringgroup hunt-group huntgroup page-group simring call-blast',
  'callflows, users onboard': 'extension',
  'callflows, carriers': 'routing route',
  media: 'moh music-on-hold audio announcement announcements tts music sound sounds',
  'media, menus': 'greeting greetings welcome',
  'media prompts': 'prompts prompt',
  'multi-factor, security': 'mfa 2fa otp',
  sso: 'saml oauth oidc ldap',
  'users password': 'password passwd reset-password',
  'accounts api-key, login': 'api-key apikey',
  'lists, access-lists': 'whitelist',
  blacklists: 'blacklist block-list blocklist block blocked',
  'blacklists, lists': 'spam',
  export: 'backup dump pull',
  'export, sandbox snapshot save': 'snapshot',
  'apply, undo': 'restore',
  apply: 'push deploy',
  undo: 'rollback revert undelete recover',
  'users import, adopt, apply': 'import',
  'whoami, doctor, sandbox status': 'status',
  'callflows copy, export': 'copy clone',
  'callflows lint, validate': 'lint check',
  'users edit': 'edit',
  conferences: 'conference-room meeting meetings bridge',
  'channels hangup': 'hangup',
  'channels transfer': 'transfer',
  'channels, watch': 'live',
  'watch, reconcile': 'monitor',
  'cdrs, audit': 'report reports',
  'faxes, faxboxes': 'fax',
  'sandbox sms': 'sms text mms',
  'numbers, callflows': 'emergency origination',
  'users, numbers': 'caller-id callerid clid cid',
  'users, devices': 'call-forwarding forwarding dnd forward call-forward follow-me find-me',
  cdrs: 'call-history call-log call-records',
  'parked-calls': 'park',
  agents: 'agent',
  'queues, agents': 'call-center call-centre acd',
  'accounts, whitelabel': 'reseller',
  whitelabel: 'branding theme logo',
  carriers: 'gateway outbound-route outbound-routes peer pstn termination',
  'carriers, sso': 'provider',
  presence: 'blf',
  devices:
    'provisioning softphone codec codecs mac mac-address webrtc sip sip-password secret handset endpoint endpoints',
  'users import, apply': 'bulk',
  'users import, export': 'csv',
  'apply, reconcile': 'gitops',
  'plan, apply': 'terraform',
  'diff, reconcile': 'drift',
  'sandbox start': 'mock emulator',
  'vmboxes, conferences': 'pin',
  faxboxes: 'fax-number fax-numbers',
  'recordings, users': 'call-recording',
  'callflows, groups': 'intercom paging',
  'carriers, callflows': 'outbound',
  'callflows, numbers': 'inbound inbound-route inbound-routes',
  'numbers buy': 'buy-number order-number',
  users: 'admin role roles privileges impersonate person people staff',
  'users, access-lists': 'permission permissions',
  'callflows, users': 'operator',
  'menus, callflows': 'receptionist',
  directories: 'company-directory dial-by-name',
  'contacts, directories': 'phonebook',
  'contacts, users': 'speed-dial',
  'callflows, channels': 'pickup call-pickup',
  'watch, agents': 'wallboard',
  'users, security': 'unlock',
  'whitelabel domains': 'domain dns',
  'devices, registrations': 'nat',
  registrations: 'registered offline',
  'registrations, presence': 'online',
  'rates, ledgers': 'cost',
  'transactions, accounts': 'topup top-up',
  transactions: 'payment payments',
  'services, transactions': 'credit-card',
  rates: 'tariff tariffs ratedeck',
  'cdrs, queues': 'statistics stats',
  'cdrs, ledgers': 'usage',
  '--verbose': 'debug',
  'callflows trace': 'trace pcap goes go',
  'export, accounts copy': 'migrate migration',
  'devices provision': 'provision firmware autoprov autoprovisioning phone-config',
  'devices sync': 'reboot restart-phone restart sync',
  'media, users': 'language',
  'accounts, users': 'timezone time-zone',
  limits: 'quota channels-limit concurrent-calls postpaid',
  queues: 'call-queue call-queues',
  'media, parked-calls': 'hold',
  'users quickcall, sandbox call, callflows': 'dial',
  'users quickcall': 'click-to-call wake-up',
  'services, limits': 'license licence',
  'webhooks, services': 'subscription',
  'devices provision, notifications': 'template',
  'registrations, devices': 'register',
  'temporal-rules, users': 'vacation out-of-office',
  'blacklists, callflows': 'anonymous',
  'webhooks, queues': 'callback',
  'sandbox start, carriers': 'certificate',
  'sandbox start, devices': 'tls',
  'config, accounts': 'settings preferences',
  whoami: 'me',
  doctor: 'ping status-page',
  'accounts tree': 'tree hierarchy',
  'doctor, webhooks health': 'health',
  alerts: 'alarm',
  'numbers search': 'next free-number area-code',
  'vmboxes messages': 'messages voicemail-message voicemail-messages',
  hotdesks: 'hot-desk',
  'devices, hotdesks': 'desk',
  'users onboard': 'employee employees hire invite',
  'users offboard': 'leaver terminate leaves leaving',
  'carriers, rates': 'least-cost-routing lcr',
  'ledgers, limits': 'prepaid',
  'access-lists, acls': 'ip-address firewall',
  'acls, access-lists': 'acl',
  'rate-limits': 'throttle',
  'limits, blacklists, audit': 'fraud',
  'export, users offboard': 'gdpr',
  'sandbox call': 'sandbox-call',
  'sandbox call, callflows trace': 'test-call',
  'sandbox call, test': 'simulate',
  'tokens revoke-all, logout': 'sign-out',
  'queues stats': 'wait',
  'channels list, watch': 'right-now',
  'cdrs report, registrations count': 'how-many',
  'cdrs report': 'per-hour per-day missed minutes',
  'ports, numbers port-in': 'move-number',
  'devices provision, users onboard': 'set-up',
  'temporal-rules check': 'open-now',
  'conferences participants update': 'kick mute',
  'vmboxes messages list': 'unread',
  'users patch, numbers classifiers': 'international',
  'audit, doctor': 'wrong problem',
  'webhooks health, webhooks attempts': 'failing fail',
  'recordings download, media download': 'play',
};

const optionMeanings: Readonly<Record<string, string>> = {
  '--output': '--format',
  '--output json': '--json',
  '--output yaml': '--yaml',
  '--output csv': '--csv',
  '--output name': '--no-headers --noheaders',
  '--fields': '--wide --columns',
  '--query': '--jq',
  '--yes': '--force --assume-yes --auto-approve',
  '--dry-run': '--check',
  '--verbose': '--debug',
  '--quiet': '--silent',
  '--color never': '--no-color',
  '--base-url, --uri': '--url',
  '--base-url': '--host --endpoint',
  '--limit': '--page --page-size',
  '--filter': '--where',
  '--username': '--user',
  '--body, --set-json, --file': '--data',
  '--file': '--filename',
};

const invertTable = (table: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(table).flatMap(([ours, theirs]) =>
      theirs.split(' ').map((word) => [word, ours.split(', ')] as const),
    ),
  );

export const synonyms = invertTable(meanings);
export const optionSynonyms = invertTable(optionMeanings);

const valueSynonyms = new Map<string, string>(
  Object.entries({ jsonl: 'ndjson', 'json-lines': 'ndjson', yml: 'yaml', md: 'markdown', text: 'table' }),
);

/** Suggests one of `choices` for another value. */
export function suggestValue(text: string, choices: readonly string[]): string | undefined {
  const other = valueSynonyms.get(text.toLowerCase());
  return other !== undefined && choices.includes(other) ? other : findNearest(text, choices);
}

/** Accepts the singular or plural, with hyphens or spaces. */
export function synonymsOf(text: string): readonly string[] {
  const typed = text.toLowerCase().replaceAll(/[ _]+/g, '-');
  const forms = [
    typed,
    typed.replaceAll('-', ''),
    `${typed}s`,
    typed.replace(/e?s$/, ''),
    typed.replace(/s$/, ''),
  ];
  return forms.flatMap((form) => synonyms.get(form) ?? []);
}

/** Suggests a word for an unknown one: by its synonyms, or the nearest of `candidates`. */
export const suggestWord = (word: string, candidates: readonly string[]): string | undefined =>
  synonymsOf(word).find((each) => each.startsWith('-') || candidates.includes(firstWord(each))) ??
  findNearest(word, candidates);

/** Suggests an option for an unknown one: `--output json` for `--json`. `flags` include their dashes. */
export const suggestOption = (name: string, flags: readonly string[]): string | undefined =>
  optionSynonyms.get(name)?.find((each) => flags.includes(firstWord(each))) ??
  flags.find((flag) => flag.startsWith(`${name}-`)) ??
  findNearest(name, flags);

const firstWord = (line: string): string => line.split(' ')[0] ?? '';

/** The option that accepts a name that was typed as an argument. */
export const optionForName = (flags: readonly string[]): string | undefined =>
  ['username', 'name', 'mailbox', 'to', 'search'].find((each) => flags.includes(each));

/** The possible verbs of a word before a noun: `get users` lists, and `get user alice` gets. */
export const possibleVerbs = (word: string, hasMore: boolean): readonly string[] => [
  ...(word === 'get' && !hasMore ? ['list'] : []),
  word,
  ...(synonyms.get(word) ?? []),
];
