import { type Command, defineCommand } from '../../command/command.ts';

const account = {
  name: 'ACCOUNT',
  doc: 'Id of the account, its first characters, or its name in the log; NAME@URL if two services have it',
} as const;

export const shownLedgerArguments = { account } as const;

export const forgetArguments = {
  account,
  objects: {
    name: 'OBJECT',
    doc: 'Keys that telctl state show lists, such as users.alice',
    optional: true,
    rest: true,
  },
} as const;

export const forgetOptions = {
  set: { value: 'NAME', doc: 'Only objects of this manifest set' },
} as const;

export const mergeArguments = {
  base: { name: 'BASE', doc: 'Ledger of the common ancestor: %O of Git', completes: 'file' },
  ours: { name: 'OURS', doc: 'Ledger of this branch, replaced by the result: %A', completes: 'file' },
  theirs: { name: 'THEIRS', doc: 'Ledger of the other branch: %B', completes: 'file' },
} as const;

export const migrateOptions = {
  from: { value: 'URL', required: true, doc: 'State to copy: file:DIR or postgres://USER@HOST/DATABASE' },
  to: { value: 'URL', required: true, doc: 'Empty state to copy to' },
} as const;

export const trustArguments = {
  url: { name: 'URL', doc: 'Address of a state, as in .telctl.yaml' },
} as const;

export const stateCommands: readonly Command[] = [
  defineCommand({
    path: ['state', 'list'],
    summary: 'List the accounts of the state, and their locks',
    account: false,
    effect: 'local',
    examples: {
      'telctl state list': 'List accounts, their manifest sets and locks',
      'telctl state list --state postgres://telctl@db.example/telctl': 'List accounts of a shared state',
    },
    load: async () => (await import('./state.ts')).listLedgers,
  }),
  defineCommand({
    path: ['state', 'show'],
    summary: 'Show the objects of an account that manifests manage',
    description:
      'ORIGIN is created, adopted or found. apply --prune deletes only created and adopted objects.',
    arguments: shownLedgerArguments,
    account: false,
    effect: 'local',
    examples: { 'telctl state show acme': 'List keys, ids and sets' },
    load: async () => (await import('./state.ts')).showLedger,
  }),
  defineCommand({
    path: ['state', 'forget'],
    summary: 'Stop managing objects by manifests, without deleting them',
    description:
      'Forgotten objects are not pruned unless you adopt them again. Without OBJECT and --set, forgets the whole account. Does not change the log.',
    arguments: forgetArguments,
    options: forgetOptions,
    account: false,
    effect: 'local',
    examples: {
      'telctl state forget acme users.alice': 'Forget one object',
      'telctl state forget acme --set office.yaml --yes': 'Forget a manifest set',
    },
    load: async () => (await import('./state.ts')).forgetObjects,
  }),
  defineCommand({
    path: ['state', 'migrate'],
    summary: 'Copy ledgers and log from one state to another',
    description:
      'The target state must be empty. Runs keep their numbers. The source does not change. After that, choose the new state with --state, TELCTL_STATE or .telctl.yaml. Saved plans are not copied.',
    options: migrateOptions,
    account: false,
    effect: 'local',
    examples: {
      'telctl state migrate --from file:/home/alice/.local/state/telctl --to postgres://telctl@db.example/telctl':
        'Copy from one machine to a database of the team',
    },
    load: async () => (await import('./state.ts')).migrateState,
  }),
  defineCommand({
    path: ['state', 'merge'],
    summary: 'Merge the ledger files of two branches, as a merge driver of Git',
    description:
      'Merges the changes of both sides, by object and field, and writes the result to OURS. If both sides created an object, or changed one differently, lists these objects, leaves conflict marks in the file, and exits with 6. Set it up once in a checkout: git config merge.telctl-ledger.driver "telctl state merge %O %A %B", with a line "*.ledger.json merge=telctl-ledger" in .gitattributes.',
    arguments: mergeArguments,
    account: false,
    does: ['writes-files'],
    effect: 'local',
    examples: {
      'telctl state merge base.ledger.json ours.ledger.json theirs.ledger.json':
        'Merge as Git does, with other file names',
    },
    load: async () => (await import('./state.ts')).mergeLedgerFiles,
  }),
  defineCommand({
    path: ['state', 'trust'],
    attended: true,
    summary: 'Let .telctl.yaml files choose this state',
    description:
      'telctl writes its log to the state, including names and phone numbers of people in the accounts. It uses a state named in .telctl.yaml only after you trust it on this machine.',
    arguments: trustArguments,
    account: false,
    effect: 'local',
    examples: { 'telctl state trust postgres://telctl@db.example/telctl': 'Trust the state of your team' },
    load: async () => (await import('./state.ts')).trustAddress,
  }),
];
