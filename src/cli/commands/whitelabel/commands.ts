import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { whitelabel } from '../../../contract/resources/whitelabel.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { type Case, callCommand, rowsBy } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const part = {
  name: 'PART',
  doc: 'File of the brand: logo, icon or welcome page',
  choices: ['logo', 'icon', 'welcome'],
  into: 'nowhere',
} as const;

const partCases = (verbOf: (part: string) => string, when: Case['when'] = {}): readonly Case[] =>
  part.choices.map((each) => ({
    when: { ...when, part: each },
    operation: operationFor(whitelabel, verbOf(each)),
    what: each,
  }));

const domainOption = {
  domain: { value: 'TEXT', doc: 'Domain (default: that of the brand)', into: { query: 'domain' } },
} as const;

const dnsRows = (data: Json): readonly JsonObject[] =>
  Object.entries(isObject(data) ? data : {}).flatMap(([type, hosts]) =>
    rowsBy('host')(hosts ?? null).map((entry) => ({ type, ...entry })),
  );

export const whitelabelCommands: readonly Command[] = [
  ...genericCommands(whitelabel, ['whitelabel']),
  callCommand({
    path: ['whitelabel', 'upload'],
    summary: 'Upload the logo, icon or welcome page of a brand',
    arguments: {
      part,
      file: { name: 'FILE', doc: 'Image, or HTML page for welcome', completes: 'file', into: 'nowhere' },
    },
    operation: operationFor(whitelabel, 'upload-logo'),
    given: partCases((each) => `upload-${each}`),
    examples: { 'telctl whitelabel upload logo logo.png': 'Replace the logo' },
    says: 'Uploaded {file} as {part}: {sent}.',
  }),
  callCommand({
    path: ['whitelabel', 'download'],
    summary: 'Download the logo, icon or welcome page of a brand',
    operation: operationFor(whitelabel, 'logo'),
    arguments: { part },
    options: {
      domain: {
        value: 'HOST',
        doc: 'Download from the brand of this domain, in any account',
        into: { path: 'domain' },
      },
    },
    given: [...partCases((each) => `${each}-of-domain`, { domain: true }), ...partCases((each) => each)],
    examples: { 'telctl whitelabel download logo logo.png': 'Download the logo to a new file' },
    saves: {},
  }),
  callCommand({
    path: ['whitelabel', 'find'],
    operation: operationFor(whitelabel, 'of-domain'),
    gives: { resource: 'whitelabel' },
    arguments: { domain: { name: 'DOMAIN', doc: 'Host name of its web pages' } },
    examples: { 'telctl whitelabel find portal.acme.example': 'Find the brand of a domain' },
  }),
  callCommand({
    operation: operationFor(whitelabel, 'domains'),
    options: domainOption,
    examples: { 'telctl whitelabel domains': 'List DNS entries for the administrator of the domain' },
    gives: {
      noun: 'entries',
      rows: dnsRows,
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
    options: domainOption,
    examples: { 'telctl whitelabel check-domains': 'Check the DNS entries of the brand' },
    gives: {
      noun: 'entries',
      rows: dnsRows,
      columns: [
        { header: 'TYPE', paths: ['type'] },
        { header: 'HOST', paths: ['host'] },
        { header: 'EXPECTED', paths: ['expected'], show: 'list' },
        { header: 'FOUND', paths: ['actual'], show: 'list' },
      ],
    },
  }),
];
