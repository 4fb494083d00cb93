import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { hyphenated } from '../../../base/wording.ts';
import type { Column, Resource } from '../../../contract/types.ts';
import type { ArgumentSpec, Command, WrittenExamples } from '../../command/command.ts';
import { type CallOption, callCommand } from '../call-command.ts';
import { operationFor } from './find-named.ts';

/** A command that shows what one operation answers, and no more. */
export interface Reading {
  readonly path?: Command['path'];
  readonly verb: string;
  readonly summary?: string;
  readonly description?: string;
  readonly examples: WrittenExamples;
  /** Arguments by the parameter of the path that each gives; one that completes names of a resource takes a name. */
  readonly arguments?: Readonly<Record<string, ArgumentSpec>>;
  /** The operation that is called instead where an argument is given, or a switch that this makes of `doc`. */
  readonly instead?: { readonly given: string; readonly verb: string; readonly doc?: string };
  /** Rows of a table, each a record, and how they are called; one record is shown as it is. */
  readonly table?: {
    readonly noun: string;
    /** Those of the resource where left out. */
    readonly columns?: readonly Column[];
    /** Makes the rows, where the answer is no list of records. */
    readonly rows?: (data: Json) => readonly JsonObject[];
  };
}

/** The rows of an answer that is an object of records, each with the name that it stands under. */
export const rowsBy =
  (name: string) =>
  (data: Json): readonly JsonObject[] =>
    Object.entries(isObject(data) ? data : {}).flatMap(([key, row]) =>
      isObject(row) ? [{ [name]: key, ...row }] : [],
    );

/** Makes such a command: options for what the operation takes in its query follow from the operation. */
export function readingCommand(resource: Resource, reading: Reading): Command {
  const { path, summary, verb, examples, description, instead, table } = reading;
  const operation = operationFor(resource, verb);
  const { query = [] } = operation;
  const isRange = query.some(({ name }) => name === 'created_from');
  const texts = query.filter(({ name }) => !/^created_(?:from|to)$/.test(name));
  const options: Record<string, CallOption> = Object.fromEntries(
    texts.map(({ name, doc }) => [
      name,
      { flag: hyphenated(name), value: 'TEXT', doc, into: `query.${name}` },
    ]),
  );
  if (instead?.doc !== undefined)
    options[instead.given] = { flag: instead.given, doc: instead.doc, into: 'nowhere' };
  const isOwn = table !== undefined && table.columns === undefined;
  const isRecord = operation.reply.kind === 'record';
  return callCommand({
    ...(path ? { path } : {}),
    ...(summary === undefined ? {} : { summary }),
    examples,
    operation,
    arguments: reading.arguments ?? {},
    options,
    ...(description === undefined ? {} : { description }),
    ...(isOwn ? { shows: resource.name } : {}),
    ...(isRange ? { range: ['created_from', 'created_to'] } : {}),
    ...(instead ? { given: { [instead.given]: { operation: operationFor(resource, instead.verb) } } } : {}),
    gives: table
      ? {
          noun: table.noun,
          rows: table.rows ?? 'pages',
          ...(table.columns ? { columns: table.columns } : { resource: resource.name }),
        }
      : isRecord
        ? { resource: resource.name }
        : {},
  });
}
