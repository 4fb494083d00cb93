import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { hotdesks } from '../../../contract/resources/hotdesks.ts';
import { presence } from '../../../contract/resources/presence.ts';
import type { Column } from '../../../contract/types.ts';
import type { Command } from '../../command/command.ts';
import {
  callCommand,
  type OperationCommandFacts,
  ownerOptions as owner,
} from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const extension = {
  name: 'EXTENSION',
  doc: 'Extension or phone name that the lamp shows',
} as const;
const forUser = {
  operation: operationFor(presence, 'set-of-user'),
  says: 'Service, for user {user}: {reply}.',
} as const;
const forDevice = {
  operation: operationFor(presence, 'set-of-device'),
  says: 'Service, for device {device}: {reply}.',
} as const;

const objectEntries = (value: unknown): readonly (readonly [string, Json | undefined])[] =>
  isObject(value) ? Object.entries(value) : [];

/** Returns a row for each event with its number of phones, or a row for each phone. */
const watchedRows = (data: Json): readonly JsonObject[] =>
  objectEntries(isObject(data) ? data.subscriptions : undefined).flatMap(([extension, events]) =>
    objectEntries(events).flatMap(([event, calls]): readonly JsonObject[] =>
      isObject(calls)
        ? objectEntries(calls).map(([call_id, each]) => ({
            extension,
            event,
            call_id,
            ...(isObject(each) ? each : {}),
          }))
        : [{ extension, event, count: calls ?? 0 }],
    ),
  );

const watchColumns: readonly Column[] = [
  { header: 'EVENT', paths: ['event'] },
  { header: 'WATCHED BY', paths: ['from'] },
  { header: 'SINCE', paths: ['timestamp'], show: 'time' },
  { header: 'EXPIRES', paths: ['expires'] },
];

const calls: readonly OperationCommandFacts[] = [
  {
    path: ['presence', 'list'],
    operation: operationFor(presence, 'summary'),
    options: {
      event: {
        value: 'WORD',
        choices: ['dialog', 'presence', 'message-summary'],
        doc: 'Show only this event',
        into: { query: 'event' },
      },
    },
    examples: { 'telctl presence list --event dialog': 'List lamps for calls' },
    gives: {
      noun: 'watched extensions',
      rows: watchedRows,
      columns: [
        { header: 'EXTENSION', paths: ['extension'] },
        { header: 'EVENT', paths: ['event'] },
        { header: 'PHONES', paths: ['count'] },
      ],
    },
  },
  {
    operation: operationFor(presence, 'get'),
    arguments: { extension },
    examples: { 'telctl presence get 1001': 'List the phones and their expiry' },
    gives: { noun: 'phones', rows: watchedRows, columns: watchColumns },
  },
  {
    path: ['presence', 'reset'],
    summary: 'Reset lamps to the real state of the extension',
    arguments: { extension: { ...extension, optional: true, excludes: ['user', 'device'] } },
    options: owner,
    given: [
      { when: { extension: true }, operation: operationFor(presence, 'reset'), says: 'Service: {reply}.' },
      { when: { user: true }, ...forUser, data: { action: 'reset' } },
      { when: { device: true }, ...forDevice, data: { action: 'reset' } },
    ],
    examples: { 'telctl presence reset 1001': 'Reset a lamp that stayed on' },
  },
  {
    path: ['presence', 'set'],
    summary: 'Set the lamps of a user or a device by hand',
    options: {
      ...owner,
      show: {
        value: 'WORD',
        choices: ['confirmed', 'early', 'terminated'],
        doc: 'State of the lamps: on, blinking or off',
        required: true,
        into: { data: 'state' },
      },
    },
    data: { action: 'set' },
    given: [
      { when: { user: true }, ...forUser },
      { when: { device: true }, ...forDevice },
    ],
    examples: { 'telctl presence set --user alice --show confirmed': 'Show her as on the phone' },
  },
];

export const presenceCommands: readonly Command[] = calls.map(callCommand);

export const hotdesksCommands: readonly Command[] = [
  callCommand({
    operation: operationFor(hotdesks, 'list'),
    options: owner,
    given: [
      { when: { user: true }, operation: operationFor(hotdesks, 'of-user') },
      { when: { device: true }, operation: operationFor(hotdesks, 'of-device') },
    ],
    examples: { 'telctl hotdesks list --user alice': 'List phones that she is signed in to' },
    shows: 'hotdesks',
    gives: { resource: 'hotdesks', noun: 'hotdesks', rows: 'pages' },
  }),
];
