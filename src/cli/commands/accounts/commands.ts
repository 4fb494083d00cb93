import { accounts } from '../../../contract/resources/accounts.ts';
import { type ArgumentSpecs, type Command, defineCommand } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { inputOptions } from '../generic/input-options.ts';
import { setOption } from '../manifest-options.ts';

const doc = 'Id, name or realm of the account';
const completes = { resource: 'accounts' } as const;
const own: ArgumentSpecs = {
  id: { name: 'ID', doc: `${doc} (default: the account that you act on)`, optional: true, completes },
};

export const deleteArguments = { id: { name: 'ID', doc, completes } } as const;
export const deleteOptions = {
  confirm: { value: 'NAME', doc: 'Name of the account, which confirms the question' },
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
    doc: 'Compare only these sections, separated by commas: users,callflows',
  },
  exitCode: { doc: 'Exit with 3 if there are differences' },
} as const;

export const copyArguments = {
  from: { name: 'FROM', doc, completes },
  to: { name: 'TO', doc, completes },
} as const;
export const accountCopyOptions = {
  only: {
    value: 'SECTIONS',
    repeat: true,
    doc: 'Copy only these sections, separated by commas: users,callflows',
  },
  numbers: {
    value: 'MAP.csv',
    doc: 'Rows of two numbers: one of FROM, and its replacement in TO',
    completes: 'file',
    does: ['reads-files'],
  },
  generatePasswords: {
    value: 'FILE',
    doc: 'Generate passwords for users and phones, and write them to a new private file',
    does: ['writes-files', 'shows-secrets'],
  },
  administrators: {
    doc: 'Keep the rights of administrators (default: they become plain users)',
    does: ['privileges'],
  },
  intoExisting: { doc: 'Add the copy to an account that already has records' },
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
    examples: [
      { line: 'telctl accounts update -f account.yaml', doc: 'Replace it with the content of a file' },
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
    summary: 'Delete an account with its contents',
    description:
      'Lists the contents of the account, and asks for its name, which you can also pass with --confirm. --yes does not confirm it. Fails if the account has accounts below it, or if a manifest protects it or an object in it.',
    arguments: deleteArguments,
    options: deleteOptions,
    effect: 'destructive',
    examples: {
      'telctl accounts delete branch': 'List its contents, and ask for its name',
      'telctl accounts delete branch --confirm branch': 'In a script',
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
    summary: 'Show in which sections, objects and fields two accounts differ',
    description:
      'Compares the exports of both accounts. Objects and references are compared by name, not by id. Secrets are not compared.',
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
    summary: 'Copy the contents of an account to another account',
    description:
      'Copies everything that another account can have: people, phones, callflows with the objects that they refer to, settings, limits. Lists what it leaves out before it sends anything: numbers without a row in --numbers, secrets, voice messages, sub-accounts. If objects clash with those of TO, lists them and sends nothing. Asks once about all charges.',
    arguments: copyArguments,
    options: accountCopyOptions,
    effect: 'write',
    does: ['costs', 'privileges'],
    examples: {
      'telctl accounts copy acme west --dry-run': 'Show what it would create',
      'telctl accounts copy acme west --numbers west.csv --generate-passwords west-passwords.csv': {
        doc: 'With the numbers and new passwords of the other office',
        file: '+12125550140,+13125550140',
      },
      'telctl accounts copy acme west --only callflows,menus --into-existing': 'Copy two sections',
    },
    operations: ['accounts.get', 'menus.list', 'menus.get', 'menus.create'],
    load: async () => (await import('./copy.ts')).copyAccount,
  }),
  defineCommand({
    path: ['accounts', 'api-key', 'show'],
    summary: "Show the account's API key",
    effect: 'read',
    examples: { 'telctl accounts api-key show --reveal': 'Show it unmasked' },
    operations: ['accounts.api-key'],
    load: async () => (await import('./api-key.ts')).showApiKey,
  }),
  defineCommand({
    path: ['accounts', 'api-key', 'rotate'],
    summary: "Replace the account's API key; the old one stops working immediately",
    description:
      'Replaces the key, stores the new one in every profile that has the old one, and verifies that the service refuses the old one.',
    effect: 'destructive',
    examples: {
      'telctl accounts api-key rotate': 'Ask, then replace the key',
      'telctl accounts api-key rotate --yes --reveal': 'Print the new key for other machines',
    },
    operations: ['accounts.rotate-api-key', 'accounts.api-key', 'tokens.api-auth'],
    load: async () => (await import('./api-key.ts')).rotateApiKey,
  }),
];
