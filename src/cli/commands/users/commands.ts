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
    doc: 'CSV file with a user on each line below its titles, or - for standard input',
    completes: 'file',
  },
} as const;

export const importOptions = {
  map: {
    value: 'COLUMN=FIELD',
    repeat: true,
    doc: 'Field that a column fills, where its title does not say it; COLUMN=- leaves the column out',
  },
  delimiter: {
    value: 'WORD',
    choices: ['comma', 'semicolon', 'tab'],
    doc: 'Separator of the cells; detected from the first line by default',
  },
  template: {
    value: 'FILE',
    doc: 'Manifest of what each user gets besides, such as a phone and a mailbox; row.TITLE in it is a cell of the row',
  },
  ...allowFilesOption,
  existing: {
    value: 'WORD',
    choices: ['fail', 'skip', 'update'],
    doc: 'What happens to users that exist already: fail (sends nothing) by default, skip or update',
  },
  generatePasswords: {
    does: ['sign-in'],
    doc: 'Make a password for each new user that has none in the file',
    needs: ['passwords-out'],
  },
  passwordsOut: {
    value: 'FILE',
    doc: 'File, readable by you alone, that generated passwords are written to; they are stored nowhere else',
    needs: ['generate-passwords'],
    does: ['writes-files', 'shows-secrets'],
  },
  results: {
    value: 'FILE',
    doc: 'Results file: a line for each row; FILE.results.csv beside the file by default',
    does: ['reads-files', 'writes-files'],
  },
  ...setOption,
  resume: { doc: 'Send only what the results file says failed or was not begun' },
  lenient: { doc: 'Only warn of what KAZOO-compatible services would refuse' },
} as const;

const id = argumentFor(users);

export const userArguments = { id } as const;

export const passwordOptions = {
  passwordStdin: { doc: 'Read the new password from standard input', excludes: ['password-file'] },
  passwordFile: { value: 'FILE', doc: 'Read the new password from a file' },
  generate: {
    does: ['sign-in', 'shows-secrets'],
    doc: 'Make a password of 20 letters and digits, and print it this once',
    excludes: ['password-stdin', 'password-file'],
  },
} as const;

export const onboardOptions = {
  file: {
    short: 'f',
    value: 'FILE',
    doc: 'All of this in YAML, JSON or CSV: first_name, last_name, extension, mac or phone, …; a list takes on many',
  },
  firstName: { value: 'TEXT', doc: 'First name' },
  lastName: { value: 'TEXT', doc: 'Last name' },
  username: { value: 'TEXT', doc: 'User name; first.last by default' },
  email: { value: 'TEXT', doc: 'E-mail address' },
  extension: { value: 'N', doc: 'Extension, which is the number of the mailbox, too' },
  number: { value: 'NUMBER', doc: 'Direct number of the account' },
  mac: { value: 'MAC', doc: 'Hardware address of a desk phone', excludes: ['softphone'] },
  softphone: { doc: 'A program is the phone' },
  credentials: {
    value: 'FILE',
    doc: 'New file (0600) for the passwords that are made, one person a row',
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
    doc: 'User who takes the places over: in callflows, groups, directories and queues',
    completes: { resource: 'users' },
  },
  keepMessages: { doc: 'The mailboxes go to USER, with all messages', needs: ['to'] },
  ...resumeOption,
} as const;

export const usersCommands: readonly Command[] = [
  ...genericCommands(users, ['users']),
  defineCommand({
    path: ['users', 'onboard'],
    summary: 'Set up a new user with a phone, a mailbox and an extension',
    description:
      'At a terminal it asks for missing values. It shows what it will create, and asks once. To remove all of it: telctl undo. It generates the passwords of the user and the phone, and prints them once. With -f and a list it sets up many people: their passwords go to the file of --credentials. A failure for one person does not stop the others (exit 8), and a second run creates what is missing.',
    options: onboardOptions,
    does: ['sign-in', 'shows-secrets'],
    effect: 'write',
    examples: {
      'telctl users onboard': 'Asks for everything',
      'telctl users onboard -f people.csv --credentials phones.csv': {
        doc: 'A whole team',
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
      'Phones, mailboxes and callflows that only serve the user go; elsewhere USER of --to is named instead, or a step gives way to what followed it. Sessions, registrations and live calls end. All of it is shown first and asked about once; telctl undo takes it back, except for messages and what was live.',
    arguments: userArguments,
    options: offboardOptions,
    effect: 'destructive',
    examples: {
      'telctl users offboard dora --to erin': 'Erin takes over her places',
      'telctl users offboard dora --to erin --keep-messages': 'And her mailbox',
      'telctl users offboard dora --dry-run': 'What would be sent',
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
    description:
      'Prints a vCard 3.0 made of the record that the service answers with; -o json gives that record.',
    arguments: userArguments,
    effect: 'read',
    examples: { 'telctl users vcard alice': 'For an address book' },
    operations: ['users.vcard'],
    load: async () => (await import('./vcard.ts')).showVcard,
  }),
  defineCommand({
    path: ['users', 'password'],
    summary: "Change a user's password; ends all tokens of the user",
    arguments: userArguments,
    options: passwordOptions,
    does: ['sign-in'],
    effect: 'write',
    examples: {
      'telctl users password alice': 'Asks twice, unseen',
      'telctl users password alice --password-file secret.txt': 'From a file',
      'telctl users password alice --generate': 'A new one, printed alone on stdout',
    },
    operations: ['users.patch'],
    load: async () => (await import('./password.ts')).changePassword,
  }),
  callCommand({
    path: ['users', 'devices'],
    operation: operationFor(devices, 'list-of-user'),
    arguments: userArguments,
    examples: { 'telctl users devices alice': 'Her phones' },
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
    summary: 'Ring the phones of a user, and then call a number in the name of the user',
    examples: { 'telctl users quickcall alice +15551230009': 'Waits until somebody takes a phone' },
  }),
  defineCommand({
    path: ['users', 'import'],
    does: ['writes-files'],
    summary: 'Create many users from a CSV file',
    description:
      'The first line names the columns: fields as they are called (first_name) or usually spelled (First name), dotted paths (caller_id.internal.name), or whatever --map says. All rows are checked before anything is sent; then the first ones are shown, and one question is asked. An empty cell gives nothing. What telctl writes with -o csv is read back as it was, telephone numbers with + included. docs/add-people.md has an example with mailboxes.',
    arguments: importArguments,
    options: importOptions,
    effect: 'write',
    examples: {
      'telctl users import people.csv --dry-run': 'Check all rows, and see what would be done',
      'telctl users import people.csv': {
        doc: 'Create the users, after one question',
        file: 'Username,First name,Last name,E-mail\nann,Ann,Archer,ann@acme.example',
      },
      'telctl users import people.csv --map "Dept=-" --map "Mail address=email"':
        'Columns with titles of their own',
      'telctl users import people.csv --template mailbox.yaml --generate-passwords --passwords-out new.csv':
        'A mailbox for each of them, and passwords',
      'telctl users import people.csv --resume': 'Send what failed or was not begun',
    },
    operations: ['users.list', 'users.create', 'users.patch'],
    load: async () => (await import('./import.ts')).importUsers,
  }),
  ...switchCommands(users, 'alice', {
    enable: 'Let a user sign in and place calls again',
    disable: 'Keep a user from signing in and placing calls; ends all tokens of the user',
  }),
];
