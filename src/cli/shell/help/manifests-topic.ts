import { sectionNames } from '../../../contract/resource-nouns.ts';
import type { Part } from './layout.ts';

const sections: readonly (readonly [string, string])[] = Object.entries({
  'By local names': sectionNames.byName.filter((name) => name !== 'accounts').join(', '),
  'By the id': `${sectionNames.byId.join(', ')}: the local name is the phone number, "+15551230000", or the template, new_user`,
  'Sub-accounts': `accounts; a document with account: \${accounts.NAME} fills each`,
  'Without names': `${sectionNames.once.join(', ')}: an account has each once`,
});

const words = [
  [`\${users.alice}`, 'Id of another object of the account; in keys, too'],
  [`\${account.users.alice}`, 'Id of what is in the account and in no manifest, by its name'],
  [`\${env.NAME}`, 'Variable of the environment, which must be set'],
  [`\${env.NAME?}`, 'The same; where it is not set, the field is left alone'],
  [`\${secret.NAME}`, 'In secret fields: what a program prints that your own configuration names'],
  [`\${file.PATH}`, 'Text of a file below the folder of the manifest; without the line break at its end'],
  [`\${var.name}`, 'Value of --var name=value, as if it stood there'],
  [`\${each.column}`, 'Value of the row that for_each is at'],
  [`\${with.number}`, 'In a module: the parameter that its user gives'],
  [`$\${`, `A literal \${`],
] as const;

const marks = [
  ['account:', 'Of a document: id, name or realm; else the account acted on'],
  ['set:', 'Of a manifest: its name, by which --prune knows what is its own'],
  ['use:', 'A module: { office: ./modules/office, with: { number: "2000" } }; its objects are office.NAME'],
  ['protect: true', 'Of an object: it is never deleted'],
  ['for_each:', 'Of an object: a list, a map or a CSV file; makes name[key] for each row'],
  ['when:', 'Of an object: it is left out where this comes to nothing, false or 0'],
  ['extra:', 'Of an object: fields that telctl does not know; sent as they are, and not checked'],
  ['file:', 'Of a medium: the path of its audio, from the folder of the manifest; uploaded when it changes'],
  ['id:', 'Of an object: the id of the one that is meant, where others have its name, too'],
  ['renamed_from:', 'Of an object: its former local name, or name in the account'],
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
  ['telctl validate -f office.yaml', 'What can be known without the service'],
  ['telctl diff -f office.yaml', 'What differs from the account'],
  ['telctl apply -f office.yaml', 'Shows the plan, asks once, does it'],
  ['telctl export --out office.yaml', 'An account as a manifest'],
  ['telctl schema manifest', 'JSON Schema, for editors'],
] as const;

export const manifests: readonly Part[] = [
  {
    kind: 'text',
    text: 'A manifest says what an account should hold, as YAML (one or more documents) or JSON. A field that it does not name is left alone; null removes one.',
  },
  { kind: 'lines', heading: 'Example', lines: example },
  { kind: 'rows', heading: 'Sections', rows: sections },
  { kind: 'rows', heading: 'In any text', rows: words },
  { kind: 'rows', heading: 'Beside fields and sections', rows: marks },
  {
    kind: 'text',
    text: 'Text is kept as typed: +15551230000, 0100 and 12:30 need no quotes. An object is found in the account by its natural key, such as a username or a name. Of several -f, a later one is laid over those before: maps merge by key, all else replaces, and an object that is null there is taken out.',
  },
  {
    kind: 'text',
    text: 'Objects may refer to each other in a circle through what can follow later: directories of a user, flow of a callflow.',
  },
  { kind: 'rows', heading: 'Commands', rows: commands },
];

const folders = [
  ['CONFIG', 'TELCTL_CONFIG_DIR, else XDG_CONFIG_HOME/telctl, else ~/.config/telctl'],
  ['CACHE', 'TELCTL_CACHE_DIR, else XDG_CACHE_HOME/telctl, else ~/.cache/telctl'],
  ['STATE', 'TELCTL_STATE_DIR, else XDG_STATE_HOME/telctl, else ~/.local/state/telctl'],
] as const;

/** Files that telctl keeps, by path; `*` stands for a name. A test checks what telctl writes against these. */
export const keptFiles = Object.entries({
  'CONFIG/config.json': 'Profiles, and which is the default. No secret. telctl profiles delete takes one out',
  'CONFIG/credentials/*.json': 'API key of a profile, but for login --keyring. Until telctl logout',
  'CONFIG/tokens/*.json': 'Token of a profile, good for an hour at most. Until telctl logout',
  'CONFIG/trusted-states': 'States that .telctl.yaml files may choose, a line each. No secret',
  'CACHE/tokens/*.json':
    'Token of TELCTL_* variables, named by a hash. Until telctl logout with the same variables',
  'CACHE/names/*/*.json': 'Names for completion: no secrets. Delete them when you like',
  'CACHE/facts/*.json':
    'How services accept charges and new keys, for sign-ins by variables: no secrets. Delete them when you like',
  'CACHE/code': 'Compiled code of telctl. Delete it when you like',
  'STATE/ledgers/*.json': 'What manifests manage, as ids and salted hashes. telctl never deletes one',
  'STATE/log/*.ndjson': 'What each command changed, for log and undo. Runs of the last 90 days stay',
  'STATE/sandboxes/*/log': 'What a sandbox said since it was started',
  'STATE/sandboxes/*/state.json': 'Address and process of a sandbox. Until it stops',
  'STATE/sandboxes/*/data/*':
    'Its records, and the secrets that it was made with. Until telctl sandbox reset',
  'STATE/sandboxes/*/snapshots/*': 'Until telctl sandbox snapshot delete',
  'STATE/events/*.ndjson': 'Events that webhooks listen received, for replay. The last 12 files of 2 MB stay',
  'STATE/machine': 'A random name of this machine, by which listeners know their webhooks',
});

const read = Object.entries({
  '.telctl.yaml':
    'In the working folder or the nearest above: profile, account, output and state; never a secret',
  FILE: 'What an option names: -f, --accounts, --ca-file, --client-key, and those of secrets, such as --password-file',
});

const written = [
  [
    'FILE',
    'What --out, --ledger, --results, --passwords-out or --secret-out names; 0600 where it holds secrets',
  ],
] as const;

export const files: readonly Part[] = [
  { kind: 'rows', heading: 'Folders', rows: folders },
  {
    kind: 'text',
    text: 'On Windows they are config, cache and state below %LOCALAPPDATA%\\telctl, where no variable names them. telctl config path -o json shows them all.',
  },
  { kind: 'rows', heading: 'What telctl keeps', rows: keptFiles },
  {
    kind: 'text',
    text: 'All of these are for you alone: mode 0600, in folders of 0700 (that of the cache may be open); on Windows what your own folder allows. A file of secrets that others may read is used with a warning, and telctl doctor names it. A lock stands beside a file while it is written.',
  },
  { kind: 'rows', heading: 'What telctl reads besides', rows: read },
  { kind: 'rows', heading: 'What telctl writes when asked', rows: written },
];
