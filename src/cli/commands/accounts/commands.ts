import { accounts } from '../../../contract/resources/accounts.ts';
import { type ArgumentSpecs, type Command, defineCommand } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { inputOptions } from '../generic/input-options.ts';
import { setOption } from '../manifest-options.ts';

const doc = 'Id, name or realm of the account';
const completes = { resource: 'accounts' } as const;
const own: ArgumentSpecs = {
  id: { name: 'ID', doc: `${doc} (default: the current account)`, optional: true, completes },
};

export const deleteArguments = { id: { name: 'ID', doc, completes } } as const;
export const deleteOptions = {
  confirm: { value: 'NAME', doc: 'Name of the account, to confirm without being asked' },
} as const;

const get: Command = {
  path: ['accounts', 'get'],
  summary: 'Show one account',
  arguments: own,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl accounts get', doc: 'Show the current account' }],
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
    doc: 'Only these sections, separated by commas: users,callflows',
  },
  exitCode: { doc: 'Exit with code 3 if there are differences' },
} as const;

export const copyArguments = {
  from: { name: 'FROM', doc, completes },
  to: { name: 'TO', doc, completes },
} as const;
export const copyOptions = {
  only: {
    value: 'SECTIONS',
    repeat: true,
    doc: 'Only these sections, separated by commas: users,callflows',
  },
  numbers: {
    value: 'MAP.csv',
    doc: 'CSV file with two numbers per row: a number of FROM and its replacement in TO',
    completes: 'file',
    does: ['reads-files'],
  },
  generatePasswords: {
    value: 'FILE',
    doc: 'Generate new passwords for users and phones, and write them to a new private file',
    does: ['writes-files', 'shows-secrets'],
  },
  administrators: {
    doc: 'Keep the rights of administrators (default: they become ordinary users)',
    does: ['privileges'],
  },
  intoExisting: { doc: 'Allow a target account that already has records' },
  ...setOption,
  resume: {
    doc: 'Continue an unfinished copy with the passwords in its --generate-passwords file',
  },
} as const;

export const accountsCommands: readonly Command[] = [
  ...genericCommands(accounts, ['accounts'], ['get', 'update', 'patch', 'delete']),
  get,
  {
    path: ['accounts', 'update'],
    summary: 'Replace an account; fields that are not sent are removed',
    arguments: own,
    get options() {
      return inputOptions(accounts);
    },
    effect: 'write',
    examples: [
      {
        line: 'telctl accounts update -f account.yaml',
        doc: 'Replace the account with the content of the file',
      },
    ],
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
      'Lists what the account contains, and asks you to type its name or pass it with --confirm. --yes does not answer this question. Refuses to delete an account that has accounts below it, or that a manifest protects in whole or in part.',
    arguments: deleteArguments,
    options: deleteOptions,
    effect: 'destructive',
    examples: {
      'telctl accounts delete branch': 'List its contents and ask for its name',
      'telctl accounts delete branch --confirm branch': 'Delete it from a script',
    },
    operations: ['accounts.delete'],
    load: async () => (await import('./accounts.ts')).deleteAccount,
  }),
  defineCommand({
    path: ['accounts', 'tree'],
    summary: 'Show the accounts below an account, each under its parent',
    effect: 'read',
    examples: { 'telctl accounts tree': 'Show resellers and their customers' },
    operations: ['accounts.get', 'accounts.descendants'],
    load: async () => (await import('./accounts.ts')).showAccountTree,
  }),
  defineCommand({
    path: ['accounts', 'compare'],
    summary: 'Show how two accounts differ, by section, object and field',
    description:
      'Compares the exports of both accounts. Matches objects and references by name instead of id, and ignores secrets.',
    arguments: compareArguments,
    options: compareOptions,
    effect: 'read',
    examples: {
      'telctl accounts compare acme branch': 'Compare everything',
      'telctl accounts compare acme branch --only menus,callflows -o json':
        'Compare two sections in a script',
    },
    operations: ['accounts.get', 'users.list', 'users.get', 'callflows.list', 'callflows.get'],
    load: async () => (await import('./compare.ts')).compareAccounts,
  }),
  defineCommand({
    path: ['accounts', 'copy'],
    summary: 'Copy the contents of an account to another account',
    description:
      'Copies people, phones, callflows and everything they refer to, settings and limits. Before it sends a request, it lists what cannot be copied: numbers without a row in --numbers, secrets, voice messages and sub-accounts. If records clash with records of TO, it lists them and stops. It asks once about the charges of the whole copy.',
    arguments: copyArguments,
    options: copyOptions,
    effect: 'write',
    does: ['costs', 'privileges'],
    examples: {
      'telctl accounts copy acme west --dry-run': 'Show what would be created',
      'telctl accounts copy acme west --numbers west.csv --generate-passwords west-passwords.csv': {
        doc: 'Use the numbers of the other office, and new passwords',
        file: '+12125550140,+13125550140',
      },
      'telctl accounts copy acme west --only callflows,menus --into-existing':
        'Copy only callflows and menus',
    },
    operations: ['accounts.get', 'menus.list', 'menus.get', 'menus.create'],
    load: async () => (await import('./copy.ts')).copyAccount,
  }),
  defineCommand({
    path: ['accounts', 'api-key', 'show'],
    summary: "Show the account's API key",
    effect: 'read',
    examples: { 'telctl accounts api-key show --reveal': 'Show the key unmasked' },
    operations: ['accounts.api-key'],
    load: async () => (await import('./api-key.ts')).showApiKey,
  }),
  defineCommand({
    path: ['accounts', 'api-key', 'rotate'],
    summary: "Replace the account's API key; the old one stops working at once",
    description:
      'Replaces the key and updates every profile on this machine that stores it. Then signs in with the new key, and verifies that the service refuses the old key.',
    effect: 'destructive',
    examples: {
      'telctl accounts api-key rotate': 'Replace the key after a question',
      'telctl accounts api-key rotate --yes --reveal': 'Print the new key, to use it on other machines',
    },
    operations: ['accounts.rotate-api-key', 'accounts.api-key', 'tokens.api-auth'],
    load: async () => (await import('./api-key.ts')).rotateApiKey,
  }),
];
