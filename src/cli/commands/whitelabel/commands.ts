import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { whitelabel } from '../../../contract/resources/whitelabel.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { type Case, callCommand, rowsBy } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const part = {
  name: 'PART',
  doc: 'Which of its files: logo, icon or welcome page',
  choices: ['logo', 'icon', 'welcome'],
  into: 'nowhere',
} as const;

/** The operations of one thing that is done with each part, the logo's where nothing else is said. */
const ofParts = (verbOf: (part: string) => string, when: Case['when'] = {}): readonly Case[] =>
  part.choices.map((each) => ({
    when: { ...when, part: each },
    operation: operationFor(whitelabel, verbOf(each)),
    what: each,
  }));

const ofDomain = {
  domain: { value: 'TEXT', doc: 'Of this domain; that of the brand by default', into: { query: 'domain' } },
} as const;

/** DNS entries, a row for each. */
const entriesOf = (data: Json): readonly JsonObject[] =>
  Object.entries(isObject(data) ? data : {}).flatMap(([type, hosts]) =>
    rowsBy('host')(hosts ?? null).map((entry) => ({ type, ...entry })),
  );

export const whitelabelCommands: readonly Command[] = [
  ...genericCommands(whitelabel, ['whitelabel']),
  callCommand({
    path: ['whitelabel', 'upload'],
    summary: 'Give a brand its logo, icon or welcome page',
    arguments: {
      part,
      file: { name: 'FILE', doc: 'A picture; an HTML page for welcome', completes: 'file', into: 'nowhere' },
    },
    operation: operationFor(whitelabel, 'upload-logo'),
    given: ofParts((each) => `upload-${each}`),
    examples: { 'telctl whitelabel upload logo logo.png': 'In place of the one that it has' },
    says: 'Uploaded {file} as {part}: {sent}.',
  }),
  callCommand({
    path: ['whitelabel', 'download'],
    summary: 'Fetch the logo, icon or welcome page of a brand',
    operation: operationFor(whitelabel, 'logo'),
    arguments: { part },
    options: {
      domain: { value: 'HOST', doc: 'Of the brand of this domain, whoever has it', into: { path: 'domain' } },
    },
    given: [...ofParts((each) => `${each}-of-domain`, { domain: true }), ...ofParts((each) => each)],
    examples: { 'telctl whitelabel download logo logo.png': 'Into a file that is not there yet' },
    saves: {},
  }),
  callCommand({
    path: ['whitelabel', 'find'],
    operation: operationFor(whitelabel, 'of-domain'),
    gives: { resource: 'whitelabel' },
    arguments: { domain: { name: 'DOMAIN', doc: 'Host name of its web pages' } },
    examples: { 'telctl whitelabel find portal.acme.example': 'Whose brand it is' },
  }),
  callCommand({
    operation: operationFor(whitelabel, 'domains'),
    options: ofDomain,
    examples: { 'telctl whitelabel domains': 'For whoever keeps the DNS' },
    gives: {
      noun: 'entries',
      rows: entriesOf,
      columns: [
        { header: 'TYPE', paths: ['type'] },
        { header: 'HOST', paths: ['host'] },
        { header: 'FOR', paths: ['name'] },
        { header: 'VALUE', paths: ['mapping'], show: 'list' },
      ],
    },
  }),
  callCommand({
    operation: operationFor(whitelabel, 'check-domains'),
    options: ofDomain,
    examples: { 'telctl whitelabel check-domains': 'What the service finds there' },
    gives: {
      noun: 'entries',
      rows: entriesOf,
      columns: [
        { header: 'TYPE', paths: ['type'] },
        { header: 'HOST', paths: ['host'] },
        { header: 'EXPECTED', paths: ['expected'], show: 'list' },
        { header: 'FOUND', paths: ['actual'], show: 'list' },
      ],
    },
  }),
];
