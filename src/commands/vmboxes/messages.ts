import type { JsonObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { messages } from '../../contract/resources/messages.ts';
import { vmboxes } from '../../contract/resources/vmboxes.ts';
import { asRecord, findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { flattened } from '../generic/list.ts';
import type { boxArguments, listOptions, messageArguments } from './commands.ts';

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
export async function boxPath(context: Context, word: string): Promise<Readonly<Record<string, string>>> {
  return pathTo(vmboxes, (await findRecord(context, vmboxes, word)).id);
}

/** Path parameters of a message in a box. */
export async function messagePath(
  context: Context,
  box: Readonly<Record<string, string>>,
  message: string,
): Promise<Readonly<Record<string, string>>> {
  return { ...box, ...pathTo(messages, (await findRecord(context, messages, message)).id) };
}
