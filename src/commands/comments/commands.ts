import { type Command, defineCommand } from '../../command/command.ts';
import { ownerOptions } from '../owners.ts';

export const placeArguments = {
  place: { name: 'PLACE', doc: 'Its place among them: 0 is the oldest' },
} as const;
export const writtenOptions = {
  ...ownerOptions,
  content: { flag: 'content', value: 'TEXT', doc: 'What it says' },
  author: {
    flag: 'author',
    value: 'TEXT',
    doc: 'Who says it: by default you, or the account of the API key',
  },
  actionRequired: { flag: 'action-required', doc: 'Somebody has to do something' },
  private: { flag: 'private', doc: 'Only for the operator' },
} as const;
export const addOptions = {
  ...writtenOptions,
  content: { ...writtenOptions.content, required: true },
} as const;
export { ownerOptions };

const of = (verb: string): readonly string[] => [`comments.${verb}-of-user`, `comments.${verb}-of-device`];

export const commentsCommands: readonly Command[] = [
  defineCommand({
    path: ['comments', 'list'],
    summary: 'List the comments on a user or a device',
    arguments: {},
    options: ownerOptions,
    effect: 'read',
    examples: [{ line: 'telctl comments list --user alice', doc: 'The oldest first' }],
    operations: of('list'),
    shows: 'comments',
    load: async () => (await import('./comments.ts')).listComments,
  }),
  defineCommand({
    path: ['comments', 'get'],
    summary: 'Show one comment on a user or a device',
    arguments: placeArguments,
    options: ownerOptions,
    effect: 'read',
    examples: [{ line: 'telctl comments get 0 --user alice', doc: 'The oldest one' }],
    operations: of('get'),
    shows: 'comments',
    load: async () => (await import('./comments.ts')).getComment,
  }),
  defineCommand({
    path: ['comments', 'add'],
    summary: 'Add a comment to a user or a device',
    arguments: {},
    options: addOptions,
    effect: 'write',
    examples: [
      { line: 'telctl comments add --user alice --content "On leave"', doc: 'As whoever is signed in' },
    ],
    operations: ['comments.add-to-user', 'comments.add-to-device', ...of('list')],
    load: async () => (await import('./comments.ts')).addComment,
  }),
  defineCommand({
    path: ['comments', 'update'],
    summary: 'Change a comment on a user or a device',
    arguments: placeArguments,
    options: writtenOptions,
    effect: 'write',
    examples: [{ line: 'telctl comments update 0 --user alice --content "Is back"', doc: 'Other words' }],
    operations: [...of('update'), ...of('get')],
    load: async () => (await import('./comments.ts')).updateComment,
  }),
  defineCommand({
    path: ['comments', 'remove'],
    summary: 'Remove a comment; those after it move up a place',
    arguments: placeArguments,
    options: ownerOptions,
    effect: 'destructive',
    examples: [{ line: 'telctl comments remove 0 --user alice --yes', doc: 'Without being asked' }],
    operations: of('delete'),
    load: async () => (await import('./comments.ts')).removal('delete'),
  }),
  defineCommand({
    path: ['comments', 'clear'],
    summary: 'Remove all comments on a user or a device',
    arguments: {},
    options: ownerOptions,
    effect: 'destructive',
    examples: [{ line: 'telctl comments clear --device Desk --yes', doc: 'Without being asked' }],
    operations: of('clear'),
    load: async () => (await import('./comments.ts')).removal('clear'),
  }),
];
