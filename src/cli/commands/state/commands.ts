import { type Command, defineCommand } from '../../command/command.ts';

const account = {
  name: 'ACCOUNT',
  doc: 'Its id, the beginning of that, or the name that the log knows; NAME@URL where two services have it',
} as const;

export const shownLedgerArguments = { account } as const;

export const forgetArguments = {
  account,
  objects: {
    name: 'OBJECT',
    doc: 'Keys as telctl state show has them: users.alice',
    optional: true,
    rest: true,
  },
} as const;

export const forgetOptions = {
  set: { value: 'NAME', doc: 'Objects of this manifest set alone' },
} as const;

export const mergeArguments = {
  base: { name: 'BASE', doc: 'The ledger as it was before both branches: %O of Git', completes: 'file' },
  ours: { name: 'OURS', doc: 'The ledger of this branch, which gets the result: %A', completes: 'file' },
  theirs: { name: 'THEIRS', doc: 'The ledger of the other branch: %B', completes: 'file' },
} as const;

export const migrateOptions = {
  from: { value: 'URL', required: true, doc: 'State to copy: file:DIR or postgres://USER@HOST/DATABASE' },
  to: { value: 'URL', required: true, doc: 'State that takes the copy, and is empty' },
} as const;

export const trustArguments = {
  url: { name: 'URL', doc: 'Address of a state, as .telctl.yaml has it' },
} as const;

export const stateCommands: readonly Command[] = [
  defineCommand({
    path: ['state', 'list'],
    summary: 'List the accounts that the state knows, and who has locked them',
    account: false,
    effect: 'local',
    examples: {
      'telctl state list': 'Accounts, their manifest sets, and locks',
      'telctl state list --state postgres://telctl@db.example/telctl': 'Of a state that a team shares',
    },
    load: async () => (await import('./state.ts')).listLedgers,
  }),
  defineCommand({
    path: ['state', 'show'],
    summary: 'Show the objects of an account that manifests manage',
    description:
      'ORIGIN is created, adopted, or found: apply --prune deletes only what telctl created or was told to adopt.',
    arguments: shownLedgerArguments,
    account: false,
    effect: 'local',
    examples: { 'telctl state show acme': 'Keys, ids and sets' },
    load: async () => (await import('./state.ts')).showLedger,
  }),
  defineCommand({
    path: ['state', 'forget'],
    summary: 'Forget that manifests manage objects, which stay at the service',
    description:
      'What is forgotten is never pruned, until it is adopted again. Without OBJECT and --set the whole account is forgotten. The log stays as it is.',
    arguments: forgetArguments,
    options: forgetOptions,
    account: false,
    effect: 'local',
    examples: {
      'telctl state forget acme users.alice': 'One object',
      'telctl state forget acme --set office.yaml --yes': 'All of one manifest set',
    },
    load: async () => (await import('./state.ts')).forgetObjects,
  }),
  defineCommand({
    path: ['state', 'migrate'],
    summary: 'Copy ledgers and log from one state to another',
    description:
      'The other state has to be empty; runs keep their numbers. The first stays as it is: choose the other one with --state, TELCTL_STATE or .telctl.yaml from then on. Saved plans are not copied.',
    options: migrateOptions,
    account: false,
    effect: 'local',
    examples: {
      'telctl state migrate --from file:/home/alice/.local/state/telctl --to postgres://telctl@db.example/telctl':
        'From one machine to a database of the team',
    },
    load: async () => (await import('./state.ts')).migrateState,
  }),
  defineCommand({
    path: ['state', 'merge'],
    summary: 'Merge the ledger files of two branches, as a merge driver of Git',
    description:
      'Takes from each side what it added, changed or removed, object by object and field by field, and writes the result to OURS. Where both made one object, or changed one otherwise, it ends with 6, names them, and leaves them between marks in the file. Set it up once in a checkout: git config merge.telctl-ledger.driver "telctl state merge %O %A %B", with a line "*.ledger.json merge=telctl-ledger" in .gitattributes.',
    arguments: mergeArguments,
    account: false,
    does: ['writes-files'],
    effect: 'local',
    examples: {
      'telctl state merge base.ledger.json ours.ledger.json theirs.ledger.json':
        'What Git calls it with, by other names',
    },
    load: async () => (await import('./state.ts')).mergeLedgerFiles,
  }),
  defineCommand({
    path: ['state', 'trust'],
    attended: true,
    summary: 'Let .telctl.yaml files choose this state',
    description:
      'What telctl does is written to the state, with names and phone numbers of the people in the accounts. So a state that a file in a folder names is used only once it was trusted, on this machine, by you.',
    arguments: trustArguments,
    account: false,
    effect: 'local',
    examples: { 'telctl state trust postgres://telctl@db.example/telctl': 'The state of your team' },
    load: async () => (await import('./state.ts')).trustAddress,
  }),
];
