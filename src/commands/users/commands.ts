import { type Command, defineCommand } from '../../command/command.ts';
import { users } from '../../contract/resources/users.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';
import { switchCommands } from '../generic/switch-commands.ts';
import { importCommand } from './import-command.ts';

const id = { name: 'ID', doc: alternatives(users.naturalKeys), completes: { resource: 'users' } } as const;

/** Arguments of commands about one user. */
export const userArguments = { id } as const;

/** Options of `users password`. */
export const passwordOptions = {
  passwordStdin: {
    flag: 'password-stdin',
    doc: 'Read the new password from standard input',
    excludes: ['password-file'],
  },
  passwordFile: {
    flag: 'password-file',
    value: 'FILE',
    doc: 'Read the new password from a file',
    completes: 'file',
  },
  generate: {
    flag: 'generate',
    doc: 'Make a password of 20 letters and digits, and print it this once',
    excludes: ['password-stdin', 'password-file'],
  },
} as const;

const vcard = defineCommand({
  path: ['users', 'vcard'],
  summary: "Show a user's vCard",
  description:
    'Prints a vCard 3.0 made of the record that the service answers with; -o json gives that record.',
  arguments: userArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl users vcard alice', doc: 'For an address book' }],
  operations: ['users.vcard'],
  load: async () => (await import('./vcard.ts')).showVcard,
});

const password = defineCommand({
  path: ['users', 'password'],
  summary: "Change a user's password; ends all tokens of the user",
  arguments: userArguments,
  options: passwordOptions,
  effect: 'write',
  examples: [
    { line: 'telctl users password alice', doc: 'Asks twice, unseen' },
    { line: 'telctl users password alice --password-file secret.txt', doc: 'From a file' },
    { line: 'telctl users password alice --generate', doc: 'A new one, printed alone on stdout' },
  ],
  operations: ['users.patch'],
  load: async () => (await import('./password.ts')).changePassword,
});

/** Everything under `telctl users`. */
export const usersCommands: readonly Command[] = [
  ...genericCommands(users, ['users']),
  vcard,
  password,
  importCommand,
  ...switchCommands(users, 'alice', {
    enable: 'Let a user sign in and place calls again',
    disable: 'Keep a user from signing in and placing calls; ends all tokens of the user',
  }),
];
