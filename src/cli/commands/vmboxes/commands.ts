import { Failure } from '../../../base/failure.ts';
import { isObject } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import type { Call } from '../../../client/api/api.ts';
import { messages } from '../../../contract/resources/messages.ts';
import { vmboxes } from '../../../contract/resources/vmboxes.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { bulkFailure, endsOf, inBulk } from '../bulk.ts';
import { callCommand } from '../call-command.ts';
import { wouldSend } from '../change.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';

const box = {
  name: 'BOX',
  doc: alternatives(vmboxes.naturalKeys),
  completes: { resource: 'vmboxes' },
} as const;
const folders = ['new', 'saved', 'deleted'] as const;

const messagesArguments = {
  box,
  messages: { name: 'MESSAGE', doc: 'Their ids', rest: true },
} as const;
const moveOptions = {
  folder: { flag: 'folder', value: 'FOLDER', choices: folders, required: true, doc: 'Where to' },
} as const;

const list = callCommand({
  path: ['vmboxes', 'messages', 'list'],
  summary: 'List the messages of a voicemail box',
  operation: operationFor(messages, 'list'),
  arguments: { box },
  options: {
    folder: {
      ...{ flag: 'folder', value: 'FOLDER', choices: folders, doc: 'Only the messages in this folder' },
      into: 'query.filter_folder',
    },
  },
  examples: [{ line: 'telctl vmboxes messages list 100 --folder new', doc: 'What nobody has heard yet' }],
  gives: {
    resource: 'messages',
    noun: 'messages',
    // A compatible service may ignore the filter.
    rows: {
      each: (message, _, { folder }) =>
        folder === undefined || message.folder === folder ? message : undefined,
    },
  },
});

const get = callCommand({
  path: ['vmboxes', 'messages', 'get'],
  summary: 'Show one message; it stays in its folder',
  operation: operationFor(messages, 'get'),
  arguments: { box, message: { name: 'MESSAGE', doc: 'Its id', names: 'messages' } },
  examples: [{ line: 'telctl vmboxes messages get 100 ID', doc: 'Who called, when, and what was said' }],
  gives: { resource: 'messages' },
});

const move = defineCommand({
  path: ['vmboxes', 'messages', 'move'],
  summary: 'Move messages to a folder',
  arguments: messagesArguments,
  options: moveOptions,
  effect: 'write',
  examples: [{ line: 'telctl vmboxes messages move 100 ID --folder saved', doc: 'Keep one' }],
  operations: ['messages.update'],
  load: async () => moveMessages,
});

const remove = defineCommand({
  path: ['vmboxes', 'messages', 'delete'],
  summary: 'Delete messages',
  arguments: messagesArguments,
  options: {},
  effect: 'destructive',
  examples: [{ line: 'telctl vmboxes messages delete 100 ID --yes', doc: 'Without being asked' }],
  operations: ['messages.delete'],
  load: async () => deleteMessages,
});

export const vmboxesCommands: readonly Command[] = [
  ...genericCommands(vmboxes, ['vmboxes']),
  list,
  get,
  move,
  remove,
];

async function moveMessages(
  { box, messages: ids, folder }: InputOf<typeof moveOptions, typeof messagesArguments>,
  context: Context,
): Promise<Result> {
  const operation = operationFor(messages, 'update');
  const calls = (await pathsOf(context, box, ids)).map(
    (path): Call => ({ operation, path, data: { folder } }),
  );
  const said = `Moved to ${folder}`;
  return changeEach(context, ids, calls, { doing: 'move', done: 'moved', said, folder });
}

/** Deletes messages of a box, after asking. */
async function deleteMessages(
  { box, messages: ids }: InputOf<Record<never, never>, typeof messagesArguments>,
  context: Context,
): Promise<Result> {
  const operation = operationFor(messages, 'delete');
  const calls = (await pathsOf(context, box, ids)).map((path): Call => ({ operation, path }));
  const question = `Delete ${counted(ids.length, 'message')} of vmbox ${box}?`;
  if (!context.options.dryRun && !(await context.ask.confirm(question, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was deleted.');
  const change = { doing: 'delete', done: 'deleted', said: 'Deleted', folder: 'deleted' } as const;
  return changeEach(context, ids, calls, change);
}

async function pathsOf(context: Context, box: string, ids: readonly string[]) {
  const boxParameters = await boxPath(context, box);
  return Promise.all(ids.map((id) => messagePath(context, boxParameters, id)));
}

/** A change of messages, in words, and the folder in which they are afterwards. */
interface Change {
  readonly doing: 'move' | 'delete';
  readonly done: 'moved' | 'deleted';
  readonly said: string;
  readonly folder: string;
}

/** Makes the calls, each for itself, and says what became of them. */
async function changeEach(
  context: Context,
  ids: readonly string[],
  calls: readonly Call[],
  change: Change,
): Promise<Result> {
  const api = await context.api();
  if (context.options.dryRun)
    return wouldSend(
      context,
      calls.map((call) => ({ request: api.plan(call), schema: messages.schema })),
    );
  const outcomes = await inBulk(context, calls, {
    doing: `${change.doing} messages`,
    send: async (bulk, call) => (await bulk.call(call)).data,
    lookUp: async (looking, lost) => {
      const get = operationFor(messages, 'get');
      return Promise.all(
        lost.map(async ({ path }) => {
          const { data } = await looking.call({ operation: get, ...(path ? { path } : {}) });
          return isObject(data) && data.folder === change.folder
            ? { end: 'done', result: data }
            : { end: 'not done' };
        }),
      );
    },
  });
  const failure = bulkFailure(ids, outcomes, {
    label: (id) => `message ${id}`,
    noun: 'messages',
    done: change.done,
    hint: ({ skipped, unknown }) =>
      skipped + unknown === 0
        ? undefined
        : 'Repeat the same command: messages that are done already stay as they are.',
  });
  const { done } = endsOf(outcomes);
  if (failure && done === 0) throw failure;
  return {
    kind: 'done',
    message: `${change.said}: ${counted(done, 'message')}.`,
    value: outcomes.flatMap((outcome) => (outcome.end === 'done' ? [outcome.result] : [])),
    resource: 'messages',
    ...(failure ? { failure } : {}),
  };
}

async function boxPath(context: Context, word: string): Promise<Readonly<Record<string, string>>> {
  return pathTo(vmboxes, (await findNamed(context, vmboxes, word)).id);
}

async function messagePath(
  context: Context,
  box: Readonly<Record<string, string>>,
  message: string,
): Promise<Readonly<Record<string, string>>> {
  return { ...box, ...pathTo(messages, (await findNamed(context, messages, message, [], box)).id) };
}
