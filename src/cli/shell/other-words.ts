import { nearest } from '../../base/nearest.ts';

/** Words of other tools, and what they are here: the first one that is known where it was typed. */
export const otherWords = new Map<string, readonly string[]>(
  Object.entries({
    show: ['get', 'list'],
    view: ['get', 'show', 'list'],
    describe: ['get', 'show', 'explain'],
    info: ['get', 'status', 'whoami'],
    ls: ['list'],
    all: ['list'],
    count: ['list'],
    add: ['create', 'set'],
    new: ['create'],
    make: ['create'],
    insert: ['create'],
    rm: ['delete'],
    remove: ['delete', 'clear'],
    del: ['delete'],
    destroy: ['delete'],
    put: ['update'],
    modify: ['patch', 'set', 'update'],
    change: ['patch', 'set', 'update'],
    replace: ['update'],
    set: ['patch', 'update'],
    buy: ['activate', 'create'],
    order: ['activate', 'create'],
    purchase: ['activate', 'create'],
    search: ['find', 'list'],
    signin: ['login'],
    auth: ['login'],
    signout: ['logout'],
    use: ['profiles use'],
    switch: ['profiles use'],
    context: ['profiles use'],
    version: ['--version'],
    man: ['help'],
    history: ['log'],
    diff: ['plan'],
    up: ['start', 'sandbox start'],
    down: ['stop', 'sandbox stop'],
    ui: ['page', 'console'],
    open: ['page', 'console'],
    browse: ['page', 'console'],
    dashboard: ['console'],
    events: ['webhooks listen'],
    tail: ['webhooks listen'],
    listen: ['webhooks listen'],
    extensions: ['callflows'],
    mailboxes: ['vmboxes'],
    voicemail: ['vmboxes'],
    voicemails: ['vmboxes'],
    phones: ['devices', 'numbers'],
    phone: ['devices', 'numbers'],
    calls: ['channels', 'callflows'],
    customers: ['accounts'],
    tenants: ['accounts'],
    ivr: ['menus'],
    did: ['numbers'],
    dids: ['numbers'],
    hooks: ['webhooks'],
    porting: ['ports'],
    trunks: ['limits'],
  }),
);

/** Options of other tools, and how they are written here. */
export const otherOptions = new Map<string, readonly string[]>(
  Object.entries({
    '--format': ['--output'],
    '--json': ['--output json'],
    '--yaml': ['--output yaml'],
    '--csv': ['--output csv'],
    '--wide': ['--fields'],
    '--columns': ['--fields'],
    '--jq': ['--query'],
    '--force': ['--yes'],
    '--assume-yes': ['--yes'],
    '--auto-approve': ['--yes'],
    '--check': ['--dry-run'],
    '--debug': ['--verbose'],
    '--silent': ['--quiet'],
    '--no-color': ['--color never'],
    '--url': ['--base-url', '--uri'],
    '--host': ['--base-url'],
    '--endpoint': ['--base-url'],
    '--page': ['--limit'],
    '--page-size': ['--limit'],
    '--where': ['--filter'],
    '--user': ['--username'],
    '--data': ['--body', '--set-json', '--file'],
    '--filename': ['--file'],
  }),
);

/** Returns the likely meaning of a word that is not known here: another tool's word for it, or the nearest of `candidates`. */
export const meantWord = (word: string, candidates: readonly string[]): string | undefined =>
  otherWords
    .get(word.toLowerCase())
    ?.find((each) => each.startsWith('-') || candidates.includes(firstOf(each))) ?? nearest(word, candidates);

/** Returns the likely meaning of an option that is not known here: `--output json` for `--json`. `flags` have their dashes. */
export const meantOption = (name: string, flags: readonly string[]): string | undefined =>
  otherOptions.get(name)?.find((each) => flags.includes(firstOf(each))) ?? nearest(name, flags);

const firstOf = (line: string): string => line.split(' ')[0] ?? '';

/** The option by which a command takes a name that was typed as an argument. */
export const nameOption = (flags: readonly string[]): string | undefined =>
  ['username', 'name', 'mailbox', 'to', 'search'].find((each) => flags.includes(each));

/** The verbs that a word before a noun may stand for: `get users` lists, `get user alice` gets. */
export const verbsMeant = (word: string, hasMore: boolean): readonly string[] => [
  ...(word === 'get' && !hasMore ? ['list'] : []),
  word,
  ...(otherWords.get(word) ?? []),
];
