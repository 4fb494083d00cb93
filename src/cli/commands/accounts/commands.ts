import { accounts } from '../../../contract/resources/accounts.ts';
import { type ArgumentSpecs, type Command, defineCommand } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { inputOptions } from '../generic/input-options.ts';
import { setOption } from '../manifest-options.ts';

const doc = 'Its id, name or realm';
const completes = { resource: 'accounts' } as const;
const own: ArgumentSpecs = {
  id: { name: 'ID', doc: `${doc}; left out: the account acted on`, optional: true, completes },
};

export const deleteArguments = { id: { name: 'ID', doc, completes } } as const;
export const deleteOptions = {
  confirm: { value: 'NAME', doc: 'Answers the question: the name of the account' },
} as const;

const get: Command = {
  path: ['accounts', 'get'],
  summary: 'Show one account',
  arguments: own,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl accounts get', doc: 'The account that you act on' }],
  operations: ['accounts.get'],
  load: async () => (await import('./accounts.ts')).getAccount,
};

export const compareArguments = {
  one: { name: 'A', doc, completes },
  other: { name: 'B', doc, completes },
} as const;
export const compareOptions = {
  only: {
    value: 'SECTIONS',
    repeat: true,
    doc: 'These sections alone, with commas between: users,callflows',
  },
  exitCode: { doc: 'End with 3 where there are differences' },
} as const;

export const copyArguments = {
  from: { name: 'FROM', doc, completes },
  to: { name: 'TO', doc, completes },
} as const;
export const accountCopyOptions = {
  only: {
    value: 'SECTIONS',
    repeat: true,
    doc: 'These sections alone, with commas between: users,callflows',
  },
  numbers: {
    value: 'MAP.csv',
    doc: 'Rows of two numbers: one of FROM, and the one of TO that stands for it',
    completes: 'file',
    does: ['reads-files'],
  },
  generatePasswords: {
    value: 'FILE',
    doc: 'Give users and phones new passwords, and keep them in a new private file',
    does: ['writes-files', 'shows-secrets'],
  },
  administrators: {
    doc: 'Administrators stay administrators; otherwise they become plain users',
    does: ['privileges'],
  },
  intoExisting: { doc: 'Into an account that holds records already' },
  ...setOption,
  resume: {
    doc: 'Continue a copy that did not finish, using the passwords in its --generate-passwords file',
  },
} as const;

export const accountsCommands: readonly Command[] = [
  ...genericCommands(accounts, ['accounts'], ['get', 'update', 'patch', 'delete']),
  get,
  {
    path: ['accounts', 'update'],
    summary: 'Replace an account; missing fields are removed',
    arguments: own,
    get options() {
      return inputOptions(accounts);
    },
    effect: 'write',
    examples: [{ line: 'telctl accounts update -f account.yaml', doc: 'Replace by what the file says' }],
    operations: ['accounts.update'],
    load: async () => (await import('./accounts.ts')).updateAccount,
  },
  {
    path: ['accounts', 'patch'],
    summary: 'Change fields of an account',
    arguments: own,
    get options() {
      return inputOptions(accounts);
    },
    effect: 'write',
    examples: [{ line: 'telctl accounts patch --timezone Europe/Zurich', doc: 'Change one field' }],
    operations: ['accounts.patch'],
    load: async () => (await import('./accounts.ts')).patchAccount,
  },
  defineCommand({
    path: ['accounts', 'delete'],
    summary: 'Delete an account with everything in it',
    description:
      'Says what the account holds and asks for its name to be typed, or given with --confirm; --yes does not answer. An account that has others below it, that a manifest protects, or that holds something protected is refused.',
    arguments: deleteArguments,
    options: deleteOptions,
    effect: 'destructive',
    examples: {
      'telctl accounts delete branch': 'Says what is in it and asks for its name',
      'telctl accounts delete branch --confirm branch': 'In a script',
    },
    operations: ['accounts.delete'],
    load: async () => (await import('./accounts.ts')).deleteAccount,
  }),
  defineCommand({
    path: ['accounts', 'tree'],
    summary: 'Show the accounts below an account, each under its parent',
    effect: 'read',
    examples: { 'telctl accounts tree': 'Who sells to whom' },
    operations: ['accounts.get', 'accounts.descendants'],
    load: async () => (await import('./accounts.ts')).showAccountTree,
  }),
  defineCommand({
    path: ['accounts', 'compare'],
    summary: 'Show in which sections, objects and fields two accounts differ',
    description:
      'Compares what an export of each would say: objects by their names rather than their ids, references by name, secrets left aside.',
    arguments: compareArguments,
    options: compareOptions,
    effect: 'read',
    examples: {
      'telctl accounts compare acme branch': 'Everything',
      'telctl accounts compare acme branch --only menus,callflows -o json': 'Two sections, for a script',
    },
    operations: ['accounts.get', 'users.list', 'users.get', 'callflows.list', 'callflows.get'],
    load: async () => (await import('./compare.ts')).compareAccounts,
  }),
  defineCommand({
    path: ['accounts', 'copy'],
    summary: 'Copy what an account holds into another',
    description:
      'Everything goes along that a second account may have: people, phones, callflows with what they name, settings, limits. What cannot is said before anything is sent: numbers without a row in --numbers, secrets, voice messages, sub-accounts. Clashes with what TO has are listed, and nothing is sent. Charges of the whole copy are one question.',
    arguments: copyArguments,
    options: accountCopyOptions,
    effect: 'write',
    does: ['costs', 'privileges'],
    examples: {
      'telctl accounts copy acme west --dry-run': 'What would be made',
      'telctl accounts copy acme west --numbers west.csv --generate-passwords west-passwords.csv': {
        doc: 'With the numbers and new passwords of the other office',
        file: '+12125550140,+13125550140',
      },
      'telctl accounts copy acme west --only callflows,menus --into-existing': 'Two kinds',
    },
    operations: ['accounts.get', 'menus.list', 'menus.get', 'menus.create'],
    load: async () => (await import('./copy.ts')).copyAccount,
  }),
  defineCommand({
    path: ['accounts', 'api-key', 'show'],
    summary: "Show the account's API key",
    effect: 'read',
    examples: { 'telctl accounts api-key show --reveal': 'In the clear' },
    operations: ['accounts.api-key'],
    load: async () => (await import('./api-key.ts')).showApiKey,
  }),
  defineCommand({
    path: ['accounts', 'api-key', 'rotate'],
    summary: "Replace the account's API key; the old one stops working at once",
    description:
      'Replaces the key, stores the new one wherever this machine stores the old one, signs in with it, and shows that the service refuses the old one.',
    effect: 'destructive',
    examples: {
      'telctl accounts api-key rotate': 'Asks first',
      'telctl accounts api-key rotate --yes --reveal': 'Prints the new key for other machines',
    },
    operations: ['accounts.rotate-api-key', 'accounts.api-key', 'tokens.api-auth'],
    load: async () => (await import('./api-key.ts')).rotateApiKey,
  }),
];
