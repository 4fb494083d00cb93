import { devices } from '../../../contract/resources/devices.ts';
import { users } from '../../../contract/resources/users.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { argumentFor, genericCommands, switchCommands } from '../generic/commands.ts';
import { allowFilesOption, resumeOption, setOption } from '../manifest-options.ts';
import { callCommand, quickcallCommand } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

export const importArguments = {
  file: {
    name: 'FILE.csv',
    doc: 'CSV file with a header line and a user on each further line, or - for standard input',
    completes: 'file',
  },
} as const;

export const importOptions = {
  map: {
    value: 'COLUMN=FIELD',
    repeat: true,
    doc: 'Map a column to a field; COLUMN=- leaves the column out',
  },
  delimiter: {
    value: 'WORD',
    choices: ['comma', 'semicolon', 'tab'],
    doc: 'Separator of the cells (default: detected from the first line)',
  },
  template: {
    value: 'FILE',
    doc: 'Manifest of further objects for each user, such as a phone and a mailbox; row.TITLE is a cell of the row',
  },
  ...allowFilesOption,
  existing: {
    value: 'WORD',
    choices: ['fail', 'skip', 'update'],
    doc: 'What to do with existing users: fail, skip or update (default: fail)',
  },
  generatePasswords: {
    does: ['sign-in'],
    doc: 'Generate a password for each new user without one in the file',
    needs: ['passwords-out'],
  },
  passwordsOut: {
    value: 'FILE',
    doc: 'File (0600) for generated passwords, which are not stored elsewhere',
    needs: ['generate-passwords'],
    does: ['writes-files', 'shows-secrets'],
  },
  results: {
    value: 'FILE',
    doc: 'Results file with a line for each row (default: FILE.results.csv next to the file)',
    does: ['reads-files', 'writes-files'],
  },
  ...setOption,
  resume: { doc: 'Send only rows that failed or were not started, by the results file' },
  lenient: { doc: 'Only warn about values that KAZOO-compatible services refuse' },
} as const;

const id = argumentFor(users);

export const userArguments = { id } as const;

export const passwordOptions = {
  passwordStdin: { doc: 'Read the new password from standard input', excludes: ['password-file'] },
  passwordFile: { value: 'FILE', doc: 'Read the new password from a file' },
  generate: {
    does: ['sign-in', 'shows-secrets'],
    doc: 'Generate a password of 20 letters and digits, and print it once',
    excludes: ['password-stdin', 'password-file'],
  },
} as const;

export const onboardOptions = {
  file: {
    short: 'f',
    value: 'FILE',
    doc: 'Read people from a YAML, JSON or CSV file: first_name, last_name, extension, mac or phone, …',
  },
  firstName: { value: 'TEXT', doc: 'First name' },
  lastName: { value: 'TEXT', doc: 'Last name' },
  username: { value: 'TEXT', doc: 'User name (default: first.last)' },
  email: { value: 'TEXT', doc: 'E-mail address' },
  extension: { value: 'N', doc: 'Extension, also the number of the mailbox' },
  number: { value: 'NUMBER', doc: 'Direct number of the account' },
  mac: { value: 'MAC', doc: 'Hardware address of a desk phone', excludes: ['softphone'] },
  softphone: { doc: 'Use a softphone instead of a desk phone' },
  credentials: {
    value: 'FILE',
    doc: 'New file (0600) for generated passwords, with a row for each person',
    does: ['writes-files'] as const,
    needs: ['file'],
  },
  ...setOption,
  resume: {
    doc: 'Continue a run that did not finish, using the passwords in its --credentials file',
    needs: ['credentials'],
  },
  ...passwordOptions,
} as const;

export const offboardOptions = {
  to: {
    value: 'USER',
    doc: 'User who replaces them in callflows, groups, directories and queues',
    completes: { resource: 'users' },
  },
  keepMessages: { doc: 'Give the mailboxes to USER, with all messages', needs: ['to'] },
  ...resumeOption,
} as const;

export const usersCommands: readonly Command[] = [
  ...genericCommands(users, ['users']),
  defineCommand({
    path: ['users', 'onboard'],
    summary: 'Set up a new user with a phone, a mailbox and an extension',
    description:
      'At a terminal it asks for missing values. It shows what it will create, and asks once. telctl undo removes all of it. It generates the passwords of the user and the phone, and prints them once. With -f and a list it sets up many people: their passwords go to the file of --credentials. A failure for one person does not stop the others (exit 8), and a second run creates what is missing.',
    options: onboardOptions,
    does: ['sign-in', 'shows-secrets'],
    effect: 'write',
    examples: {
      'telctl users onboard': 'Ask for all values',
      'telctl users onboard -f people.csv --credentials phones.csv': {
        doc: 'Set up a whole team',
        file: 'First name,Last name,Extension,Phone,E-mail\nAnn,Archer,2201,00:04:f2:ab:7e:01,ann@acme.example\nBob,Baker,2202,softphone,bob@acme.example',
      },
      'telctl users onboard --first-name Fay --last-name Foster --extension 2014 --softphone --generate --yes':
        'In a script',
    },
    operations: ['users.create', 'devices.create', 'vmboxes.create', 'callflows.create'],
    load: async () => (await import('./onboard.ts')).onboardUser,
  }),
  defineCommand({
    path: ['users', 'offboard'],
    summary: 'Delete a user who leaves, after moving or removing everything that refers to the user',
    description:
      'Deletes phones, mailboxes and callflows that only serve the user. In other places, the user of --to replaces them, or the callflow step is removed. Ends sessions, registrations and live calls. Shows all changes and asks once. telctl undo reverses them, except for messages, sessions, registrations and calls.',
    arguments: userArguments,
    options: offboardOptions,
    effect: 'destructive',
    examples: {
      'telctl users offboard dora --to erin': 'Let Erin take over her places',
      'telctl users offboard dora --to erin --keep-messages': 'Also give Erin the mailbox',
      'telctl users offboard dora --dry-run': 'Show the requests',
    },
    operations: [
      'users.delete',
      'users.get',
      'users.patch',
      'callflows.patch',
      'callflows.delete',
      'groups.patch',
      'devices.delete',
      'vmboxes.delete',
      'tokens.reset-user-secret',
      'registrations.list',
      'registrations.end',
      'channels.of-user',
      'channels.act',
    ],
    load: async () => (await import('./offboard.ts')).offboardUser,
  }),
  defineCommand({
    path: ['users', 'vcard'],
    summary: "Show a user's vCard",
    description: 'Prints a vCard 3.0 made from the record of the user. -o json prints the record.',
    arguments: userArguments,
    effect: 'read',
    examples: { 'telctl users vcard alice': 'Print a card for an address book' },
    operations: ['users.vcard'],
    load: async () => (await import('./vcard.ts')).showVcard,
  }),
  defineCommand({
    path: ['users', 'password'],
    summary: "Change a user's password, and end all tokens of the user",
    arguments: userArguments,
    options: passwordOptions,
    does: ['sign-in'],
    effect: 'write',
    examples: {
      'telctl users password alice': 'Ask twice, with hidden input',
      'telctl users password alice --password-file secret.txt': 'Read the password from a file',
      'telctl users password alice --generate': 'Generate a password, and print only that',
    },
    operations: ['users.patch'],
    load: async () => (await import('./password.ts')).changePassword,
  }),
  callCommand({
    path: ['users', 'devices'],
    operation: operationFor(devices, 'list-of-user'),
    arguments: userArguments,
    examples: { 'telctl users devices alice': 'List her phones' },
    shows: 'devices',
    gives: {
      resource: 'devices',
      noun: 'devices',
      rows: 'pages',
      columns: [
        ...devices.columns.filter(({ header }) => header !== 'USERNAME'),
        { header: 'SIGNED IN', paths: ['hotdesked'], show: 'flag' },
      ],
    },
  }),
  quickcallCommand('user', id, {
    path: ['users', 'quickcall'],
    summary: 'Ring the phones of a user, then call a number as the user',
    examples: { 'telctl users quickcall alice +15551230009': 'Wait until a phone is answered' },
  }),
  defineCommand({
    path: ['users', 'import'],
    does: ['writes-files'],
    summary: 'Create many users from a CSV file',
    description:
      'The first line names the columns: fields (first_name), their usual titles (First name), dotted paths (caller_id.internal.name), or names that --map assigns. Checks all rows first, shows the first ones, and asks once. Skips empty cells. Reads files that telctl wrote with -o csv without changes, including telephone numbers with +. docs/add-people.md has an example with mailboxes.',
    arguments: importArguments,
    options: importOptions,
    effect: 'write',
    examples: {
      'telctl users import people.csv --dry-run': 'Check all rows, and see what would be done',
      'telctl users import people.csv': {
        doc: 'Create the users after one question',
        file: 'Username,First name,Last name,E-mail\nann,Ann,Archer,ann@acme.example',
      },
      'telctl users import people.csv --map "Dept=-" --map "Mail address=email"':
        'Map columns with other titles',
      'telctl users import people.csv --template mailbox.yaml --generate-passwords --passwords-out new.csv':
        'Create a mailbox for each user, and generate passwords',
      'telctl users import people.csv --resume': 'Send the rows that failed or were not started',
    },
    operations: ['users.list', 'users.create', 'users.patch'],
    load: async () => (await import('./import.ts')).importUsers,
  }),
  ...switchCommands(users, 'alice', {
    enable: 'Allow a user to sign in and place calls again',
    disable: 'Prevent a user from signing in and placing calls, and end all tokens of the user',
  }),
];
