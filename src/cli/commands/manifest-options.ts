import type { Context } from '../command/context.ts';

export const whereOption = {
  where: {
    flag: 'where',
    value: 'COLUMN=VALUE',
    repeat: true,
    doc: 'Only accounts with this value in the CSV file of --accounts',
    needs: ['accounts'],
  },
} as const;

export const accountsOption = {
  accounts: {
    value: 'FILE',
    doc: 'File of the accounts, or - for standard input: one id, name or realm per line, or CSV with a column account and a column per variable',
  },
  ...whereOption,
} as const;

export const notifyOption = {
  notifyFile: {
    value: 'FILE',
    doc: 'File with the URL that receives failures as counts and names without values, or set TELCTL_NOTIFY_URL',
  },
} as const;

export const canaryOption = {
  canary: {
    value: 'N',
    type: 'integer',
    minimum: 1,
    doc: 'Process the first N accounts, then ask, and continue only if all of them succeeded',
    needs: ['accounts'],
  },
} as const;

export const allowFilesOption = {
  allowFiles: {
    flag: 'allow-files',
    value: 'DIR',
    repeat: true,
    doc: 'Additional folder that file.PATH may read from',
    completes: 'file',
  },
} as const;

export const manifestOptions = {
  file: {
    short: 'f',
    value: 'FILE',
    repeat: true,
    doc: 'Manifest file or folder, or - for standard input, with later ones overriding earlier ones',
  },
  var: { value: 'NAME=VALUE', repeat: true, doc: 'Value of var.NAME in the manifest' },
  ...allowFilesOption,
  setName: {
    value: 'NAME',
    doc: 'Name of the manifest set (default: its "set", or the names of its files)',
  },
  allowUnknownFields: { doc: 'Send fields that telctl does not know, with a warning' },
  strictInput: { doc: 'Fail instead of warning about values that KAZOO-compatible services refuse' },
} as const;

/** For commands that generate their manifest: the ledger can record the objects. */
export const setOption = {
  set: {
    value: 'NAME',
    doc: 'Keep the new objects in the ledger as the manifest set NAME (default: they are not managed)',
  },
} as const;

export const resumeOption = { resume: { doc: 'Continue a run that did not finish' } } as const;

export const planOptions = {
  ledger: {
    value: 'FILE',
    doc: 'File that lists the managed objects, such as one in a repository (default: in the state folder)',
    does: ['reads-files', 'writes-files'],
  },
  prune: {
    doc: 'Delete objects that this manifest set created or adopted and no longer contains',
    does: ['deletes'],
  },
  deleteDoubles: {
    doc: 'If several objects have one name, adopt one and delete those that no manifest set manages',
    does: ['deletes'],
  },
  sendUnreadable: {
    doc: 'Send values that the service never shows and telctl has not sent before, such as passwords',
  },
  maxDeletes: {
    value: 'N',
    type: 'integer',
    minimum: 0,
    doc: 'Refuse to delete more objects of one account than this (default: 3)',
  },
  maxDeletesTotal: {
    value: 'N',
    type: 'integer',
    minimum: 0,
    doc: 'Refuse to delete more objects of all accounts than this (default: 10, or --max-deletes if higher)',
  },
  maxChangePercent: {
    value: 'N',
    type: 'integer',
    minimum: 0,
    maximum: 100,
    doc: 'Refuse to change or delete a larger share of 10 or more existing objects, of one account or of all (default: 30)',
  },
  only: {
    value: 'KIND[/NAME]',
    repeat: true,
    doc: 'Part of the manifest, with the objects that it requires: users, or users/alice',
  },
  force: { doc: 'Also delete objects that others refer to, unless they are protected' },
  takeOver: { doc: 'Take over objects that another manifest set manages' },
} as const;

export const overwriteOption = {
  overwrite: { doc: 'Overwrite changes that others made since the last apply' },
} as const;

/** A saved plan already contains the values of these flags, so they cannot be passed with it. */
export const optionsInPlan = [
  'file',
  'set-name',
  'allow-unknown-fields',
  'strict-input',
  'ledger',
  'prune',
  'send-unreadable',
  'max-deletes',
  'max-deletes-total',
  'max-change-percent',
  'only',
  'force',
  'take-over',
  'delete-doubles',
] as const;

/** Returns options for a follow-up command: the profile and account, if they were passed as options. */
export const withNeeds = ({ settings }: Pick<Context, 'settings'>): readonly string[] =>
  (['profile', 'account'] as const).flatMap((option) => {
    const { value, source } = settings[option];
    return source === 'option' && value !== undefined ? [`--${option}`, value] : [];
  });

export const passwordsOption = {
  generatePasswords: {
    value: 'FILE',
    doc: 'Generate missing passwords of new users and SIP passwords of new devices, and write them to this new file (mode 0600)',
    does: ['writes-files', 'shows-secrets'],
  },
} as const;

export const callsOption = {
  calls: {
    value: 'CASES',
    repeat: true,
    doc: 'Case files of telctl test, to report calls that the change routes differently',
    completes: 'file',
  },
} as const;
