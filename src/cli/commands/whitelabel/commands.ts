import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { whitelabel } from '../../../contract/resources/whitelabel.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { readingCommand, rowsBy } from '../generic/reading.ts';

const part = {
  name: 'PART',
  doc: 'Which of its files: logo, icon or welcome page',
  choices: ['logo', 'icon', 'welcome'],
} as const;

export const uploadArguments = {
  part,
  file: { name: 'FILE', doc: 'A picture; an HTML page for welcome', completes: 'file' },
} as const;
export const downloadArguments = {
  part,
  file: {
    name: 'FILE',
    doc: 'File to write; - is standard output',
    completes: 'file',
    does: ['writes-files'],
  },
} as const;
export const downloadOptions = {
  domain: { flag: 'domain', value: 'HOST', doc: 'Of the brand of this domain, whoever has it' },
  force: { flag: 'force', doc: 'Overwrite an existing file' },
} as const;

/** DNS entries, a row for each. */
const entriesOf = (data: Json): readonly JsonObject[] =>
  Object.entries(isObject(data) ? data : {}).flatMap(([type, hosts]) =>
    rowsBy('host')(hosts ?? null).map((entry) => ({ type, ...entry })),
  );

export const whitelabelCommands: readonly Command[] = [
  ...genericCommands(whitelabel, ['whitelabel']),
  defineCommand({
    path: ['whitelabel', 'upload'],
    summary: 'Give a brand its logo, icon or welcome page',
    arguments: uploadArguments,
    options: {},
    effect: 'write',
    examples: [{ line: 'telctl whitelabel upload logo logo.png', doc: 'In place of the one that it has' }],
    operations: ['whitelabel.upload-logo', 'whitelabel.upload-icon', 'whitelabel.upload-welcome'],
    load: async () => (await import('./files.ts')).uploadBrandFile,
  }),
  defineCommand({
    path: ['whitelabel', 'download'],
    summary: 'Fetch the logo, icon or welcome page of a brand',
    arguments: downloadArguments,
    options: downloadOptions,
    effect: 'read',
    examples: [
      { line: 'telctl whitelabel download logo logo.png', doc: 'Into a file that is not there yet' },
    ],
    operations: [
      ...['whitelabel.logo', 'whitelabel.icon', 'whitelabel.welcome'],
      ...['whitelabel.logo-of-domain', 'whitelabel.icon-of-domain', 'whitelabel.welcome-of-domain'],
    ],
    load: async () => (await import('./files.ts')).downloadBrandFile,
  }),
  readingCommand(whitelabel, {
    path: ['whitelabel', 'find'],
    verb: 'of-domain',
    arguments: { domain: { name: 'DOMAIN', doc: 'Host name of its web pages' } },
    examples: [{ line: 'telctl whitelabel find portal.acme.example', doc: 'Whose brand it is' }],
  }),
  readingCommand(whitelabel, {
    path: ['whitelabel', 'domains'],
    verb: 'domains',
    examples: [{ line: 'telctl whitelabel domains', doc: 'For whoever keeps the DNS' }],
    table: {
      ...{ noun: 'entries', rows: entriesOf },
      columns: [
        { header: 'TYPE', paths: ['type'] },
        { header: 'HOST', paths: ['host'] },
        { header: 'FOR', paths: ['name'] },
        { header: 'VALUE', paths: ['mapping'], show: 'list' },
      ],
    },
  }),
  readingCommand(whitelabel, {
    path: ['whitelabel', 'check-domains'],
    verb: 'check-domains',
    examples: [{ line: 'telctl whitelabel check-domains', doc: 'What the service finds there' }],
    table: {
      ...{ noun: 'entries', rows: entriesOf },
      columns: [
        { header: 'TYPE', paths: ['type'] },
        { header: 'HOST', paths: ['host'] },
        { header: 'EXPECTED', paths: ['expected'], show: 'list' },
        { header: 'FOUND', paths: ['actual'], show: 'list' },
      ],
    },
  }),
];
