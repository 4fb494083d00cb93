import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { hotdesks } from '../../../contract/resources/hotdesks.ts';
import { presence } from '../../../contract/resources/presence.ts';
import type { Column } from '../../../contract/types.ts';
import type { Command } from '../../command/command.ts';
import { type CallFacts, callCommand, ownerOptions as owner } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const extension = {
  name: 'EXTENSION',
  doc: 'What the lamp is for: an extension or the name of a phone',
} as const;
const forUser = {
  operation: operationFor(presence, 'set-of-user'),
  says: 'Service, for user {user}: {reply}.',
} as const;
const forDevice = {
  operation: operationFor(presence, 'set-of-device'),
  says: 'Service, for device {device}: {reply}.',
} as const;

/** The entries of what is an object. */
const entriesOf = (value: unknown): readonly (readonly [string, Json | undefined])[] =>
  isObject(value) ? Object.entries(value) : [];

/** What is watched: a row for each event with how many phones watch it, or one for each of them. */
const watchedRows = (data: Json): readonly JsonObject[] =>
  entriesOf(isObject(data) ? data.subscriptions : undefined).flatMap(([extension, events]) =>
    entriesOf(events).flatMap(([event, calls]): readonly JsonObject[] =>
      isObject(calls)
        ? entriesOf(calls).map(([call_id, each]) => ({
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

const calls: readonly CallFacts[] = [
  {
    path: ['presence', 'list'],
    operation: operationFor(presence, 'summary'),
    options: {
      event: {
        value: 'WORD',
        choices: ['dialog', 'presence', 'message-summary'],
        doc: 'Only of this event',
        into: { query: 'event' },
      },
    },
    examples: { 'telctl presence list --event dialog': 'Lamps for calls' },
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
    examples: { 'telctl presence get 1001': 'The phones, and until when' },
    gives: { noun: 'phones', rows: watchedRows, columns: watchColumns },
  },
  {
    path: ['presence', 'reset'],
    summary: 'Set the lamps back to the real state of the extension',
    arguments: { extension: { ...extension, optional: true, excludes: ['user', 'device'] } },
    options: owner,
    given: [
      { when: { extension: true }, operation: operationFor(presence, 'reset'), says: 'Service: {reply}.' },
      { when: { user: true }, ...forUser, data: { action: 'reset' } },
      { when: { device: true }, ...forDevice, data: { action: 'reset' } },
    ],
    examples: { 'telctl presence reset 1001': 'A lamp that stayed on' },
  },
  {
    path: ['presence', 'set'],
    summary: 'Set the lamps of a user or a device by hand',
    options: {
      ...owner,
      show: {
        value: 'WORD',
        choices: ['confirmed', 'early', 'terminated'],
        doc: 'What the lamps show: on, blinking or off',
        required: true,
        into: { data: 'state' },
      },
    },
    data: { action: 'set' },
    given: [
      { when: { user: true }, ...forUser },
      { when: { device: true }, ...forDevice },
    ],
    examples: { 'telctl presence set --user alice --show confirmed': 'As if she were on the phone' },
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
    examples: { 'telctl hotdesks list --user alice': 'The phones on which she is' },
    shows: 'hotdesks',
    gives: { resource: 'hotdesks', noun: 'hotdesks', rows: 'pages' },
  }),
];
