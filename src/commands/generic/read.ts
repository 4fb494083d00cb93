import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { resourceNouns } from '../../contract/resource-nouns.ts';
import type { Operation, Resource } from '../../contract/types.ts';
import { findNamed, operationFor } from './find-named.ts';
import { flattened } from './list.ts';
import type { Reading } from './reading.ts';
import { rangeQuery } from './time-range.ts';

/** The parameters of the path, by the arguments that give them; names become ids. */
async function pathOf(context: Context, reading: Reading, input: ParsedInput) {
  const path: Record<string, string> = {};
  for (const [name, { completes }] of Object.entries(reading.arguments ?? {})) {
    const word = input[name];
    if (typeof word !== 'string') continue;
    const named = typeof completes === 'object' ? completes.resource : undefined;
    const other = resourceNouns.find((each) => each.name === named);
    path[name] = other ? (await findNamed(context, await other.load(), word)).id : word;
  }
  return path;
}

function queryOf({ query = [] }: Operation, input: ParsedInput, context: Context) {
  const texts = query.flatMap(({ name }) => {
    const value = input[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const [from, to] = [input.from, input.to].map((each) => (typeof each === 'string' ? each : undefined));
  return {
    ...rangeQuery({ from, to }, context, ['created_from', 'created_to']),
    ...Object.fromEntries(texts),
  };
}

/** Makes the handler of a command that shows what one operation answers. */
export const readHandler =
  (resource: Resource, reading: Reading): Handler<ParsedInput> =>
  async (input, context): Promise<Result> => {
    const { verb, instead, table } = reading;
    const isGiven = instead !== undefined && Boolean(input[instead.given]);
    const operation = operationFor(resource, isGiven ? instead.verb : verb);
    const api = await context.api();
    const query = queryOf(operation, input, context);
    const call = { operation, path: await pathOf(context, reading, input), query };
    if (table === undefined) {
      const { data } = await api.call(call);
      const isRecord = operation.reply.kind === 'record';
      return { kind: 'item', value: data, ...(isRecord ? { resource: resource.name } : {}) };
    }
    const { noun, columns, rows } = table;
    const items = rows === undefined ? flattened(api.pages(call)) : rows((await api.call(call)).data);
    return { kind: 'list', items, noun, ...(columns ? { columns } : { resource: resource.name }) };
  };
