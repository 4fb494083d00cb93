import { isObject, type JsonObject } from '../../../base/json.ts';
import { fax_mails, faxes } from '../../../contract/resources/faxes.ts';
import { recordings } from '../../../contract/resources/recordings.ts';
import { messages, vmboxes } from '../../../contract/resources/vmboxes.ts';
import type { GenericVerb, Operation, Resource } from '../../../contract/types.ts';
import type { Command } from '../../command/command.ts';
import { filterOptions, rangeOptions } from '../cdrs/commands.ts';
import { argumentFor, genericCommands } from '../generic/commands.ts';
import { callCommand } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const box = argumentFor(vmboxes, 'BOX');
const folders = ['new', 'saved', 'deleted'] as const;

const message = { name: 'MESSAGE', doc: 'Their ids', rest: true } as const;

export const vmboxesCommands: readonly Command[] = [
  ...genericCommands(vmboxes, ['vmboxes']),
  callCommand({
    path: ['vmboxes', 'messages', 'list'],
    summary: 'List the messages of a voicemail box',
    operation: operationFor(messages, 'list'),
    arguments: { box },
    options: {
      folder: {
        value: 'FOLDER',
        choices: folders,
        doc: 'Only the messages in this folder',
        into: { query: 'filter_folder' },
      },
    },
    examples: { 'telctl vmboxes messages list 100 --folder new': 'List new messages' },
    gives: {
      resource: 'messages',
      noun: 'messages',
      // Compatible services may ignore the filter.
      rows: {
        each: (message, _, { folder }) =>
          folder === undefined || message.folder === folder ? message : undefined,
      },
    },
  }),
  callCommand({
    path: ['vmboxes', 'messages', 'get'],
    summary: 'Show one message without moving it',
    operation: operationFor(messages, 'get'),
    arguments: { box, message: { name: 'MESSAGE', doc: 'Its id', names: 'messages' } },
    examples: { 'telctl vmboxes messages get 100 ID': 'Show caller, time and transcription' },
    gives: { resource: 'messages' },
  }),
  callCommand({
    path: ['vmboxes', 'messages', 'move'],
    summary: 'Move messages to a folder',
    operation: operationFor(messages, 'update'),
    arguments: { box, messages: message },
    options: {
      folder: {
        value: 'FOLDER',
        choices: folders,
        required: true,
        doc: 'Where to',
        into: { data: 'folder' },
      },
    },
    examples: { 'telctl vmboxes messages move 100 ID --folder saved': 'Save a message' },
    each: { done: 'Moved', state: 'folder' },
    isDone: (moved, sent) => isObject(sent) && moved?.folder === sent.folder,
  }),
  callCommand({
    path: ['vmboxes', 'messages', 'delete'],
    summary: 'Delete messages',
    operation: operationFor(messages, 'delete'),
    arguments: { box, messages: message },
    examples: { 'telctl vmboxes messages delete 100 ID --yes': 'Delete it without a question' },
    counts: { messages: 'message' },
    asks: 'Delete {messages} of vmbox {box}?',
    each: { done: 'Deleted' },
    isDone: (deleted) => deleted === undefined || deleted.folder === 'deleted',
  }),
];

function faxFolder(verbs: Partial<Readonly<Record<GenericVerb, string>>>): Resource {
  const operations = Object.entries(verbs).map(
    ([verb, name]): Operation => ({ ...operationFor(faxes, name), verb }),
  );
  return { ...faxes, operations };
}

const inbox = faxFolder({ list: 'inbox', get: 'received', delete: 'delete-received' });
const outbox = faxFolder({ list: 'outbox', get: 'sent', delete: 'delete-sent' });

export const faxesCommands: readonly Command[] = [
  ...genericCommands(faxes, ['faxes']),
  ...genericCommands(inbox, ['faxes', 'inbox']),
  ...genericCommands(outbox, ['faxes', 'outbox']),
  callCommand({
    path: ['faxes', 'outbox', 'resubmit'],
    operation: operationFor(faxes, 'resubmit'),
    arguments: { id: { name: 'ID', doc: 'Its id' } },
    examples: { 'telctl faxes outbox resubmit ID': 'Send a failed fax again' },
    says: (job, { id }) =>
      isObject(job) && typeof job.id === 'string' && job.id !== id
        ? `Sent fax ${id} again, as ${job.id}.`
        : `Sent fax ${id} again.`,
  }),
  callCommand({
    path: ['faxes', 'mails', 'list'],
    summary: 'List mails to fax boxes',
    operation: operationFor(fax_mails, 'list'),
    options: { since: rangeOptions.since, until: rangeOptions.until },
    examples: { 'telctl faxes mails list --since 1d': 'List mails of the last day, with their first errors' },
    shows: 'fax_mails',
    gives: { resource: 'fax_mails', noun: 'mails', rows: 'windows' },
  }),
  ...genericCommands(fax_mails, ['faxes', 'mails'], ['list']),
];

/** Returns an audio type that the record offers, or else its original type. */
function audioType({ _read_only: shown, content_type: type }: JsonObject): string {
  const offered = isObject(shown) && Array.isArray(shown.content_types) ? shown.content_types[0] : undefined;
  return [offered, type].find((each) => typeof each === 'string' && each !== '')?.toString() ?? 'audio/mpeg';
}

export const recordingsCommands: readonly Command[] = [
  callCommand({
    summary: 'List recordings of calls, oldest first',
    operation: operationFor(recordings, 'list'),
    options: { ...rangeOptions, ...filterOptions },
    given: [{ when: { user: true }, operation: operationFor(recordings, 'of-user') }],
    examples: {
      'telctl recordings list --since 7d': 'List recordings of the last week',
      'telctl recordings list --user alice -o csv': 'Export recordings of one user for a spreadsheet',
    },
    shows: 'recordings',
    gives: { resource: 'recordings', noun: 'recordings', rows: 'windows' },
  }),
  ...genericCommands(recordings, ['recordings'], ['list']),
  callCommand({
    path: ['recordings', 'download'],
    summary: 'Download a recording to a file or to standard output',
    operation: operationFor(recordings, 'get'),
    arguments: { id: { name: 'ID', doc: 'Its id' } },
    examples: { 'telctl recordings download ID call.mp3': 'Download a recording' },
    saves: { accept: audioType, private: true },
  }),
];
