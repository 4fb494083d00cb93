import { sectionNames } from '../../../contract/resource-nouns.ts';
import type { HelpPart } from './layout.ts';

const sections: readonly (readonly [string, string])[] = Object.entries({
  'By local names': sectionNames.byName.filter((name) => name !== 'accounts').join(', '),
  'By number or template': `${sectionNames.byId.join(', ')}: the local name is the phone number, "+15551230000", or the template, new_user`,
  'Sub-accounts': `accounts; a document with account: \${accounts.NAME} describes one`,
  'Once per account': sectionNames.once.join(', '),
});

const words = [
  [`\${users.alice}`, 'Id of another object in the manifest; also works in keys'],
  [`\${account.users.alice}`, 'Id of an object that only the account has, by name'],
  [`\${env.NAME}`, 'Environment variable; an error if it is not set'],
  [`\${env.NAME?}`, 'The same, but the field is unchanged if the variable is not set'],
  [`\${secret.NAME}`, 'Output of a program that your configuration names; for secret fields'],
  [`\${file.PATH}`, 'Text of a file below the folder of the manifest, without the final line break'],
  [`\${var.name}`, 'Value of --var name=value'],
  [`\${each.column}`, 'Value of the current for_each row'],
  [`\${with.number}`, 'Parameter of a module'],
  [`$\${`, `A literal \${`],
] as const;

const marks = [
  ['account:', 'Account of a document: id, name or realm (default: your account)'],
  ['set:', 'Name of the manifest set; --prune deletes only objects of the set'],
  [
    'use:',
    'Use of a module: { office: ./modules/office, with: { number: "2000" } }; its objects are named office.NAME',
  ],
  ['protect: true', 'Never delete this object'],
  ['for_each:', 'Create one object per row of a list, a map or a CSV file, named name[key]'],
  ['when:', 'Leave the object out if the value is empty, false or 0'],
  ['extra:', 'Fields that telctl does not know; sent without checks'],
  ['file:', 'Path of the audio of a medium, relative to the manifest; uploaded when it changes'],
  ['id:', 'Id of the object, if several have the same name'],
  ['renamed_from:', 'Former local name, or former name in the account'],
] as const;

const example = `account: acme
users:
  alice:
    username: alice
    first_name: Alice
    last_name: Archer
    password: \${env.ALICE_PASSWORD}
callflows:
  main-line:
    name: Main line
    numbers: ["+15551230000"]
    flow: { module: user, data: { id: "\${users.alice}" } }
limits: { twoway_trunks: 4 }`.split('\n');

const commands = [
  ['telctl validate -f office.yaml', 'Check the files without the service'],
  ['telctl diff -f office.yaml', 'Show differences from the account'],
  ['telctl apply -f office.yaml', 'Show the plan, ask once, and apply it'],
  ['telctl export --out office.yaml', 'Write an account as a manifest'],
  ['telctl schema manifest', 'Print the JSON Schema for editors'],
] as const;

export const manifests: readonly HelpPart[] = [
  {
    kind: 'text',
    text: 'A manifest is a YAML or JSON file that describes what an account contains. Fields that it does not name are unchanged. null removes a field.',
  },
  { kind: 'lines', heading: 'Example', lines: example },
  { kind: 'rows', heading: 'Sections', rows: sections },
  { kind: 'rows', heading: 'Placeholders', rows: words },
  { kind: 'rows', heading: 'Settings of documents and objects', rows: marks },
  {
    kind: 'text',
    text: 'Text stays as typed: +15551230000, 0100 and 12:30 need no quotes. telctl finds existing objects by their natural key, such as a user name. Files of several -f are merged: maps key by key, while other values of a later file replace earlier ones. null removes an object.',
  },
  {
    kind: 'text',
    text: 'Two objects can refer to each other if one of the fields can be set later, such as directories of a user or the flow of a callflow.',
  },
  { kind: 'rows', heading: 'Commands', rows: commands },
];

const folders = [
  ['CONFIG', 'TELCTL_CONFIG_DIR, or else XDG_CONFIG_HOME/telctl or ~/.config/telctl'],
  ['CACHE', 'TELCTL_CACHE_DIR, or else XDG_CACHE_HOME/telctl or ~/.cache/telctl'],
  ['STATE', 'TELCTL_STATE_DIR, or else XDG_STATE_HOME/telctl or ~/.local/state/telctl'],
] as const;

/** Files that telctl keeps, by path. `*` stands for a name. A test compares them with the files that telctl writes. */
export const keptFiles = Object.entries({
  'CONFIG/config.json': 'Profiles and the default profile (not secret). telctl profiles delete removes one',
  'CONFIG/credentials/*.json': 'API key of a profile, unless it is in the keyring. telctl logout deletes it',
  'CONFIG/tokens/*.json': 'Token of a profile, valid for at most an hour. telctl logout deletes it',
  'CONFIG/trusted-states': 'Addresses of state that .telctl.yaml files can use, one per line (not secret)',
  'CACHE/tokens/*.json':
    'Token of TELCTL_* variables, named by a hash. telctl logout with the same variables deletes it',
  'CACHE/names/*/*.json': 'Names for completion (not secret). Safe to delete',
  'CACHE/facts/*.json': 'Cached facts about services (not secret). Safe to delete',
  'CACHE/code': 'Compiled code of telctl. Safe to delete',
  'STATE/ledgers/*.json': 'Managed objects, as ids and salted hashes. telctl never deletes one',
  'STATE/log/*.ndjson': 'Changes of each command, for log and undo. Kept for 90 days',
  'STATE/sandboxes/*/log': 'Output of a sandbox since its start',
  'STATE/sandboxes/*/state.json': 'Address and process of a running sandbox',
  'STATE/sandboxes/*/data/*':
    'Records of a sandbox, and its first secrets. telctl sandbox reset deletes them',
  'STATE/sandboxes/*/snapshots/*': 'Snapshots. telctl sandbox snapshot delete deletes one',
  'STATE/events/*.ndjson':
    'Events that webhooks listen received, for replay. The newest 12 files of 2 MB are kept',
  'STATE/machine': 'Random name of this machine, with which listeners find their webhooks',
});

const read = Object.entries({
  '.telctl.yaml':
    'Profile, account, output and state, in the working folder or the nearest one above (no secrets)',
  FILE: 'Files of options: -f, --accounts, --ca-file, --client-key, and secrets such as --password-file',
});

const written = [
  [
    'FILE',
    'Files of --out, --ledger, --results, --passwords-out and --secret-out; mode 0600 if they contain secrets',
  ],
] as const;

export const filesTopic: readonly HelpPart[] = [
  { kind: 'rows', heading: 'Folders', rows: folders },
  {
    kind: 'text',
    text: 'On Windows the defaults are config, cache and state below %LOCALAPPDATA%\\telctl. telctl config path -o json shows all folders.',
  },
  { kind: 'rows', heading: 'Files that telctl keeps', rows: keptFiles },
  {
    kind: 'text',
    text: 'Only you can read these files: mode 0600, in folders with mode 0700. The cache folder can be open. On Windows the rights of your folder apply. telctl warns about secrets that others can read, and telctl doctor lists them. A lock file appears next to a file while telctl writes it.',
  },
  { kind: 'rows', heading: 'Files that telctl reads', rows: read },
  { kind: 'rows', heading: 'Files that telctl writes on request', rows: written },
];
