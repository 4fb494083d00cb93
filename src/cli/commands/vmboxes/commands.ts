import { isObject } from '../../../base/json.ts';
import { messages } from '../../../contract/resources/messages.ts';
import { vmboxes } from '../../../contract/resources/vmboxes.ts';
import type { Command } from '../../command/command.ts';
import { callCommand } from '../call-command.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-named.ts';

const box = {
  name: 'BOX',
  doc: alternatives(vmboxes.naturalKeys),
  completes: { resource: 'vmboxes' },
} as const;
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
        into: 'query.filter_folder',
      },
    },
    examples: { 'telctl vmboxes messages list 100 --folder new': 'What nobody has heard yet' },
    gives: {
      resource: 'messages',
      noun: 'messages',
      // A compatible service may ignore the filter.
      rows: {
        each: (message, _, { folder }) =>
          folder === undefined || message.folder === folder ? message : undefined,
      },
    },
  }),
  callCommand({
    path: ['vmboxes', 'messages', 'get'],
    summary: 'Show one message; it stays in its folder',
    operation: operationFor(messages, 'get'),
    arguments: { box, message: { name: 'MESSAGE', doc: 'Its id', names: 'messages' } },
    examples: { 'telctl vmboxes messages get 100 ID': 'Who called, when, and what was said' },
    gives: { resource: 'messages' },
  }),
  callCommand({
    path: ['vmboxes', 'messages', 'move'],
    summary: 'Move messages to a folder',
    operation: operationFor(messages, 'update'),
    arguments: { box, messages: message },
    options: {
      folder: { value: 'FOLDER', choices: folders, required: true, doc: 'Where to', into: 'data.folder' },
    },
    examples: { 'telctl vmboxes messages move 100 ID --folder saved': 'Keep one' },
    each: { done: 'Moved', state: 'folder' },
    isDone: (moved, sent) => isObject(sent) && moved?.folder === sent.folder,
  }),
  callCommand({
    path: ['vmboxes', 'messages', 'delete'],
    summary: 'Delete messages',
    operation: operationFor(messages, 'delete'),
    arguments: { box, messages: message },
    examples: { 'telctl vmboxes messages delete 100 ID --yes': 'Without being asked' },
    asks: 'Delete {messages:message} of vmbox {box}?',
    each: { done: 'Deleted' },
    isDone: (deleted) => deleted === undefined || deleted.folder === 'deleted',
  }),
];
