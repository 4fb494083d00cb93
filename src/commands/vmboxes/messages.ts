import type { Call } from '../../api/api.ts';
import { Failure } from '../../base/failure.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { messages } from '../../contract/resources/messages.ts';
import { vmboxes } from '../../contract/resources/vmboxes.ts';
import { inBulk } from '../bulk.ts';
import { bulkFailure, endsOf } from '../bulk-failure.ts';
import { wouldSend } from '../change.ts';
import { asRecord, findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { flattened } from '../generic/list.ts';
import type {
  boxArguments,
  listOptions,
  messageArguments,
  messagesArguments,
  moveOptions,
} from './commands.ts';

/** Moves messages of a box to a folder. */
export async function moveMessages(
  { box, messages: ids, folder }: InputOf<typeof moveOptions, typeof messagesArguments>,
  context: Context,
): Promise<Result> {
  if (folder === undefined)
    throw new Failure('usage', 'No folder was given.', { hint: 'Give --folder new, saved or deleted.' });
  const operation = operationFor(messages, 'update');
  const calls = (await pathsOf(context, box, ids)).map(
    (path): Call => ({ operation, path, data: { folder } }),
  );
  const said = `Moved to ${folder}`;
  return changeEach(context, ids, calls, { doing: 'move', done: 'moved', said, folder });
}

/** Deletes messages of a box, after asking. */
export async function deleteMessages(
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
  if (ids.length === 0) throw new Failure('usage', 'Give the ids of the messages.');
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

/** Lists the messages of a box, of one folder or of all. */
export async function listMessages(
  { box, folder }: InputOf<typeof listOptions, typeof boxArguments>,
  context: Context,
): Promise<ListResult> {
  const { id } = await findRecord(context, vmboxes, box);
  const operation = operationFor(messages, 'list');
  const query = { filter_folder: folder };
  const pages = (await context.api()).pages({ operation, path: pathTo(vmboxes, id), query });
  return { kind: 'list', items: inFolder(flattened(pages), folder), resource: 'messages', noun: 'messages' };
}

/** A compatible service may ignore the filter. */
async function* inFolder(
  all: AsyncIterable<JsonObject>,
  folder: string | undefined,
): AsyncIterable<JsonObject> {
  for await (const each of all) if (folder === undefined || each.folder === folder) yield each;
}

/** Shows one message of a box. */
export async function getMessage(
  { box, message }: InputOf<Record<never, never>, typeof messageArguments>,
  context: Context,
): Promise<Result> {
  const path = await messagePath(context, await boxPath(context, box), message);
  const { data } = await (await context.api()).call({ operation: operationFor(messages, 'get'), path });
  return { kind: 'item', value: asRecord(messages, data), resource: 'messages' };
}

/** Path parameters of a box. Throws `Failure` as `findRecord` does. */
async function boxPath(context: Context, word: string): Promise<Readonly<Record<string, string>>> {
  return pathTo(vmboxes, (await findRecord(context, vmboxes, word)).id);
}

/** Path parameters of a message in a box. */
async function messagePath(
  context: Context,
  box: Readonly<Record<string, string>>,
  message: string,
): Promise<Readonly<Record<string, string>>> {
  return { ...box, ...pathTo(messages, (await findRecord(context, messages, message)).id) };
}
