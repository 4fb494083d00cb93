import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { hyphenated } from '../../base/wording.ts';
import type { ArgumentSpec, Command, Example, OptionSpecs } from '../../command/command.ts';
import type { Column, Resource } from '../../contract/types.ts';
import { operationFor } from './find-named.ts';
import { rangeOptions } from './time-range.ts';

/** A command that shows what one operation answers, and no more. */
export interface Reading {
  /** Words after `telctl`. */
  readonly path: Command['path'];
  /** Verb of the operation. */
  readonly verb: string;
  readonly summary?: string;
  readonly description?: string;
  readonly examples: readonly Example[];
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

/** The two parameters of a range of time, which `--from` and `--to` give. */
const range = ['created_from', 'created_to'];

/** Options for what the operation takes in its query: times as people write them, all else as text. */
function optionsOf(resource: Resource, { verb, instead }: Reading): OptionSpecs {
  const { query = [] } = operationFor(resource, verb);
  const isRange = query.some(({ name }) => range.includes(name));
  return {
    ...(isRange ? rangeOptions : {}),
    ...Object.fromEntries(
      query
        .filter(({ name }) => !range.includes(name))
        .map(({ name, doc }) => [name, { flag: hyphenated(name), value: 'TEXT', doc }]),
    ),
    ...(instead?.doc === undefined ? {} : { [instead.given]: { flag: instead.given, doc: instead.doc } }),
  };
}

/** Makes such a command: its options and what it calls follow from the operation. */
export function readingCommand(resource: Resource, reading: Reading): Command {
  const { path, verb, examples, description, instead, table } = reading;
  const operation = operationFor(resource, verb);
  const isOwn = table !== undefined && table.columns === undefined;
  return {
    ...{ path, summary: reading.summary ?? operation.summary, examples, effect: 'read' },
    ...(description === undefined ? {} : { description }),
    arguments: reading.arguments ?? {},
    get options() {
      return optionsOf(resource, reading);
    },
    operations: [operation.id, ...(instead ? [operationFor(resource, instead.verb).id] : [])],
    ...(isOwn ? { shows: resource.name } : {}),
    load: async () => (await import('./read.ts')).readHandler(resource, reading),
  };
}
