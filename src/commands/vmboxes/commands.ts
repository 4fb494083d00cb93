import { type Command, defineCommand } from '../../command/command.ts';
import { vmboxes } from '../../contract/resources/vmboxes.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';

const box = {
  name: 'BOX',
  doc: alternatives(vmboxes.naturalKeys),
  completes: { resource: 'vmboxes' },
} as const;
const folders = ['new', 'saved', 'deleted'] as const;

/** Arguments that name a box, one of its messages, and several of them. */
export const boxArguments = { box } as const;
export const messageArguments = { box, message: { name: 'MESSAGE', doc: 'Its id' } } as const;
export const messagesArguments = {
  box,
  messages: { name: 'MESSAGE', doc: 'Their ids', rest: true },
} as const;
/** Options of the lists and moves of messages. */
export const listOptions = {
  folder: { flag: 'folder', value: 'FOLDER', choices: folders, doc: 'Only the messages in this folder' },
} as const;
export const moveOptions = {
  folder: { flag: 'folder', value: 'FOLDER', choices: folders, doc: 'Where to' },
} as const;

const list = defineCommand({
  path: ['vmboxes', 'messages', 'list'],
  summary: 'List the messages of a voicemail box',
  arguments: boxArguments,
  options: listOptions,
  effect: 'read',
  examples: [{ line: 'telctl vmboxes messages list 100 --folder new', doc: 'What nobody has heard yet' }],
  operations: ['messages.list'],
  load: async () => (await import('./messages.ts')).listMessages,
});

const get = defineCommand({
  path: ['vmboxes', 'messages', 'get'],
  summary: 'Show one message; it stays in its folder',
  arguments: messageArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl vmboxes messages get 100 ID', doc: 'Who called, when, and what was said' }],
  operations: ['messages.get'],
  load: async () => (await import('./messages.ts')).getMessage,
});

const move = defineCommand({
  path: ['vmboxes', 'messages', 'move'],
  summary: 'Move messages to a folder',
  arguments: messagesArguments,
  options: moveOptions,
  effect: 'write',
  examples: [{ line: 'telctl vmboxes messages move 100 ID --folder saved', doc: 'Keep one' }],
  operations: ['messages.update'],
  load: async () => (await import('./messages.ts')).moveMessages,
});

const remove = defineCommand({
  path: ['vmboxes', 'messages', 'delete'],
  summary: 'Delete messages',
  arguments: messagesArguments,
  options: {},
  effect: 'destructive',
  examples: [{ line: 'telctl vmboxes messages delete 100 ID --yes', doc: 'Without being asked' }],
  operations: ['messages.delete'],
  load: async () => (await import('./messages.ts')).deleteMessages,
});

/** Everything under `telctl vmboxes`. */
export const vmboxesCommands: readonly Command[] = [
  ...genericCommands(vmboxes, ['vmboxes']),
  list,
  get,
  move,
  remove,
];
