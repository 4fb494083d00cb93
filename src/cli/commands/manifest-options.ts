import type { Context } from '../command/context.ts';

export const whereOption = {
  where: {
    flag: 'where',
    value: 'COLUMN=VALUE',
    repeat: true,
    doc: 'Only the rows of the CSV of --accounts that have this value',
    needs: ['accounts'],
  },
} as const;

export const accountsOption = {
  accounts: {
    value: 'FILE',
    doc: 'Accounts that the manifest is for: one a line by id, name or realm, or CSV with a column account and one for each variable; - for standard input',
  },
  ...whereOption,
} as const;

export const notifyOption = {
  notifyFile: {
    value: 'FILE',
    doc: 'File of the address that is told of trouble: counts and names, no values; or TELCTL_NOTIFY_URL',
  },
} as const;

export const canaryOption = {
  canary: {
    value: 'N',
    type: 'integer',
    minimum: 1,
    doc: 'Do the first N accounts, ask, and go on only if all of those succeeded',
    needs: ['accounts'],
  },
} as const;

export const allowFilesOption = {
  allowFiles: {
    flag: 'allow-files',
    value: 'DIR',
    repeat: true,
    doc: 'Folder that file.PATH may read from, besides the folder that the file or manifest is in',
    completes: 'file',
  },
} as const;

export const manifestOptions = {
  file: {
    short: 'f',
    value: 'FILE',
    repeat: true,
    doc: 'Manifest to read: a file, a folder, or - for standard input; later ones win',
  },
  var: { value: 'NAME=VALUE', repeat: true, doc: 'Value that var.NAME stands for in the manifest' },
  ...allowFilesOption,
  setName: {
    value: 'NAME',
    doc: 'Name of the manifest set; its own "set", or the names of its files, by default',
  },
  allowUnknownFields: { doc: 'Send fields that telctl does not know, with a warning' },
  strictInput: { doc: 'Treat what KAZOO-compatible services refuse as an error, not as a warning' },
} as const;

/** Options of jobs that make their manifest themselves: whether the ledger keeps the objects. */
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
    doc: 'File that says what telctl manages, such as one in a repository; in the state folder by default',
    does: ['reads-files', 'writes-files'],
  },
  prune: {
    doc: 'Delete what this manifest set created or adopted and the manifest no longer names',
    does: ['deletes'],
  },
  deleteDoubles: {
    doc: 'Where several objects have one name, adopt one and delete those that no manifest set manages',
    does: ['deletes'],
  },
  sendUnreadable: {
    doc: 'Send values that the service never shows and telctl has not sent before, such as passwords',
  },
  maxDeletes: {
    value: 'N',
    type: 'integer',
    minimum: 0,
    doc: 'Refuse to delete more objects of one account than this; 3 by default',
  },
  maxDeletesTotal: {
    value: 'N',
    type: 'integer',
    minimum: 0,
    doc: 'Refuse to delete more objects of all accounts than this; by default 10, or --max-deletes if that is more',
  },
  maxChangePercent: {
    value: 'N',
    type: 'integer',
    minimum: 0,
    maximum: 100,
    doc: 'Refuse to change or delete more of the existing objects of one account, or of all, from 10 up; 30 by default',
  },
  only: {
    value: 'KIND[/NAME]',
    repeat: true,
    doc: 'Part of the manifest, with what must be created for it: users, or users/alice',
  },
  force: { doc: 'Delete even what other objects refer to, unless that is protected' },
  takeOver: { doc: 'Take over objects that another manifest set manages' },
} as const;

export const overwriteOption = {
  overwrite: { doc: 'Set back what others changed since the last apply' },
} as const;

/** Flags of what a kept plan was made with, which nobody gives beside it. */
export const keptInPlan = [
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

/** The options for a command that goes on where this one ended: the profile and account, where this one was given them. */
export const followUp = ({ settings }: Pick<Context, 'settings'>): readonly string[] =>
  (['profile', 'account'] as const).flatMap((option) => {
    const { value, source } = settings[option];
    return source === 'option' && value !== undefined ? [`--${option}`, value] : [];
  });

export const passwordsOption = {
  generatePasswords: {
    value: 'FILE',
    doc: 'Generate passwords for new users, and SIP passwords for new devices, that have none, and write them to this new file (0600)',
    does: ['writes-files', 'shows-secrets'],
  },
} as const;

export const callsOption = {
  calls: {
    value: 'CASES',
    repeat: true,
    doc: 'Case files of telctl test: say which of their calls go elsewhere afterwards',
    completes: 'file',
  },
} as const;
