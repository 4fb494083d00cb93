import { sectionNames } from '../../../contract/resource-nouns.ts';
import type { Part } from './layout.ts';

const sections: readonly (readonly [string, string])[] = [
  ['By local names', sectionNames.byName.filter((name) => name !== 'accounts').join(', ')],
  [
    'By the id',
    `${sectionNames.byId.join(', ')}: the local name is the phone number, "+15551230000", or the template, new_user`,
  ],
  ['Sub-accounts', `accounts; a document with account: \${accounts.NAME} fills each`],
  ['Without names', `${sectionNames.once.join(', ')}: an account has each once`],
];

const words = [
  [`\${users.alice}`, 'Id of another object of the account; in keys, too'],
  [`\${account.users.alice}`, 'Id of what is in the account and in no manifest, by its name'],
  [`\${env.NAME}`, 'Variable of the environment, which must be set'],
  [`\${env.NAME?}`, 'The same; where it is not set, the field is left alone'],
  [`\${secret.NAME}`, 'In secret fields: what a program prints that your own configuration names'],
  [`\${file.PATH}`, 'Text of a file below the folder of the manifest; without the line break at its end'],
  [`\${var.name}`, 'Value of --var name=value, as if it stood there'],
  [`\${each.column}`, 'Value of the row that for_each is at'],
  [`$\${`, `A literal \${`],
] as const;

const marks = [
  ['account:', 'Of a document: id, name or realm; else the account acted on'],
  ['set:', 'Of a manifest: its name, by which --prune knows what is its own'],
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
