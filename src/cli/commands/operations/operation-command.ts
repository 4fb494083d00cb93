import type { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, omitUndefined } from '../../../base/json.ts';
import { hyphenate } from '../../../base/wording.ts';
import type { Api, SentFile } from '../../../client/api/api.ts';
import { devices } from '../../../contract/resources/devices.ts';
import type { Column, Operation, Resource, ResourceName } from '../../../contract/types.ts';
import {
  type ArgumentSpec,
  type Command,
  type CommandFacts,
  completeExamples,
  completeOptions,
  type ParsedInput,
  type WrittenExamples,
  type WrittenOption,
} from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { bodyOptions } from '../generic/input-options.ts';
import { operationFor } from '../records/find-named.ts';

export const ownerOptions = {
  user: {
    value: 'USER',
    doc: 'Only of this user, by id or username',
    completes: { resource: 'users' },
    into: { path: 'user_id' },
    excludes: ['device'],
  },
  device: {
    value: 'DEVICE',
    doc: 'Only of this device, by id or name',
    completes: { resource: 'devices' },
    into: { path: 'device_id' },
  },
} as const;

/** The part of a request that a typed value sets. `nowhere`: the value only selects a case of `given`. */
export type RequestPart =
  | { readonly path: string }
  | { readonly query: string }
  | { readonly data: string }
  | 'body'
  | 'nowhere';

/** Describes how a typed value is sent. If completion offers records, the value names one and its id is sent. */
interface Placed {
  /** By default, arguments fill the parameters of the path in order. */
  readonly into?: RequestPart;
  /** `seconds` reads a duration, `object` reads JSON. `text` is sent as typed, even if it names a record. */
  readonly as?: 'seconds' | 'integer' | 'object' | 'text';
  /** The resource of the named record, if completion offers no records. */
  readonly names?: ResourceName;
}

export type CallArgument = ArgumentSpec & Placed;
export type CallOption = WrittenOption & Placed & { readonly into: RequestPart };

/** How a reply is shown. Without `rows`, it is shown as an item. */
export interface ReplyFormat {
  readonly resource?: ResourceName;
  readonly noun?: string;
  readonly columns?: readonly Column[];
  /**
   * Where the rows are in the reply. `each` converts the rows of pages, and skips a row by returning `undefined`.
   * `keyed`: the reply is an object by key, and each row stores its key in this field. `idsOf`: the reply is a list
   * of ids, and rows show `fields` of these records. A function that returns `undefined` shows the reply as an item.
   */
  readonly rows?:
    | 'pages'
    /** Reads rows in time windows between `--since` and `--until`, with `--filter` if the command has it. */
    | 'windows'
    | { readonly each: (record: JsonObject, index: number, input: ParsedInput) => JsonObject | undefined }
    | { readonly keyed: string }
    | { readonly idsOf: ResourceName; readonly fields: readonly string[] }
    | ((data: Json) => readonly JsonObject[] | undefined);
  readonly result?: (data: Json) => Result;
  readonly item?: (record: JsonObject, input: ParsedInput) => JsonObject;
  readonly word?: string;
  readonly number?: string;
  /** Value to show if the service responds with 404, because there is no data yet. */
  readonly missing?: JsonObject;
  /** The content type to request. The text is printed unchanged. */
  readonly text?: string;
}

/** Writes the reply to the file of the argument FILE, or to `named`. */
export interface ReplyFile {
  readonly named?: (record: JsonObject, type: string) => string;
  readonly accept?: (record: JsonObject) => string;
  readonly private?: true;
}

/** Records to which a change adds one, and a test that identifies the new one. */
export interface NewRecordTest {
  readonly records: (api: Api, request: Request) => Promise<readonly JsonObject[]>;
  readonly isIt: (record: JsonObject, request: Request) => boolean;
}

/** A command for one operation of the service, as data. Its effect and its calls are derived. */
export interface OperationCommandFacts
  extends Pick<CommandFacts, 'description' | 'shows' | 'does' | 'anyOf'> {
  /** Default: the words of the resource and the verb. */
  readonly path?: CommandFacts['path'];
  /** Default: that of the operation. */
  readonly summary?: string;
  readonly examples: WrittenExamples;
  /** Without it, one of the inputs in `given` is required. */
  readonly operation?: Operation;
  readonly arguments?: Readonly<Record<string, CallArgument>>;
  readonly options?: Readonly<Record<string, CallOption>>;
  /** The two query parameters for `--from` and `--to`. */
  readonly range?: readonly [string, string];
  /** The resource whose fields, files and `--set` make the body. With `whole`, at least one value is required. */
  readonly body?: Resource;
  readonly whole?: true;
  /** The name of the uploaded file (default: that of the resource). */
  readonly what?: string;
  /** Reads the existing record. Its fields may be sent even if they are unknown. */
  readonly stored?: Operation;
  /** Fixed fields of the body, or a function of the inputs. */
  readonly data?: JsonObject | BodyMaker;
  /** The query if no option sets it. */
  readonly query?:
    | Readonly<Record<string, string>>
    | ((context: Context) => Readonly<Record<string, string>>);
  /** The question before a change. `{queue}` is a typed value, `{data.amount}` a sent one, `{sent}` the file. */
  readonly asks?: string;
  readonly counts?: Readonly<Record<string, string>>;
  /** The message after a change, with the same placeholders, and `{reply}` for the response. */
  readonly says?: string | ((reply: Json, input: ParsedInput, request: Request) => string);
  /** Returns a failure if the reply reports skipped parts of the change. It is shown with the result. */
  readonly fails?: (reply: Json) => Failure | undefined;
  /** Returns true if the record shows the change after a lost reply, and `undefined` if it cannot show that. */
  readonly isDone?: (record: JsonObject | undefined, sent: Json) => boolean | undefined;
  readonly lookUp?: (api: Api, request: Request) => Promise<Json | undefined>;
  readonly beside?: NewRecordTest;
  /** For records in the last argument: `Submitted`, and the expected value of the state field. */
  readonly each?: { readonly done: string; readonly state?: string };
  readonly gives?: ReplyFormat;
  /** Writes the file of the reply. FILE and `--force` are added automatically. */
  readonly saves?: ReplyFile;
  /** Cases that override the properties above. The first matching case counts. */
  readonly given?: readonly Case[];
}

/** Matches more than one value of an input. */
export const several = Symbol('several');

/** Properties for some inputs. Each input in `when` must be set, have this value, or have several values. */
export interface Case
  extends Partial<Pick<OperationCommandFacts, 'operation' | 'gives' | 'says' | 'asks' | 'data' | 'what'>> {
  readonly when: Readonly<Record<string, true | string | typeof several>>;
}

export interface Request {
  readonly path: Record<string, string>;
  readonly query: Record<string, string>;
  data: Json | undefined;
  file?: SentFile;
}

/** Builds the body from the inputs of a request, including their data. */
export type BodyMaker = (request: Request, context: Context, input: ParsedInput) => Promise<Json | undefined>;

export const namedResource = ({
  completes,
  as,
  names,
}: Pick<CallArgument, 'completes' | 'as' | 'names'>): ResourceName | undefined =>
  typeof completes === 'object' && as !== 'text' ? completes.resource : names;

function operationsOf({ operation, given = [] }: OperationCommandFacts): readonly Operation[] {
  return [operation, ...given.map((each) => each.operation)].flatMap((each) => each ?? []);
}

/** Resources whose lists are read: those that inputs name, and those whose ids a reply contains. */
function listedResources({ gives, given = [], ...facts }: OperationCommandFacts): readonly ResourceName[] {
  const inputs = [...Object.values(facts.arguments ?? {}), ...Object.values(facts.options ?? {})];
  const replies = [gives, ...given.map((each) => each.gives)].map((each) => each?.rows);
  return [
    ...inputs.flatMap((input) => namedResource(input) ?? []),
    ...replies.flatMap((rows) => (typeof rows === 'object' && 'idsOf' in rows ? rows.idsOf : [])),
  ];
}

const alternativeInputs = ({
  given = [],
  arguments: positional = {},
  options = {},
}: OperationCommandFacts): readonly string[] =>
  given
    .flatMap(({ when }) => Object.keys(when))
    .map((key) => options[key]?.flag ?? positional[key]?.name ?? key);

const savedFile = ({ named }: ReplyFile): ArgumentSpec => ({
  name: 'FILE',
  doc: `File to write;${named ? ' by default one with the name of the record, in this folder;' : ''} - is standard output`,
  completes: 'file',
  does: ['writes-files'],
  ...(named ? { optional: true } : {}),
});
const rangeOptions = {
  from: { value: 'TIME', doc: 'Start of the range: 2h, 7d, a time, or a date in the account’s time zone' },
  to: { value: 'TIME', doc: 'End of the range; for a date, the start of that day (default: now)' },
} as const;
const overwriting = completeOptions({ force: { doc: 'Overwrite an existing file' } });

/** Makes the command of an operation. Derives its effect, calls and handler from the data. */
export function callCommand(written: OperationCommandFacts): Command {
  const facts = { ...written, options: completeOptions(written.options ?? {}) };
  const { description, examples, shows, does, body, anyOf = [] } = facts;
  const choices = facts.operation === undefined ? [alternativeInputs(facts), ...anyOf] : anyOf;
  const called = operationsOf(facts);
  const [first] = called;
  if (first === undefined) throw new Error('A command calls nothing.');
  const { path = [hyphenate(first.resource), first.verb], summary = first.summary } = facts;
  const lists = listedResources(facts).map((name) => `${name}.list`);
  const { saves, stored } = facts;
  return {
    path,
    summary,
    examples: completeExamples(examples),
    effect: first.effect,
    ...omitUndefined({ description, shows, does }),
    arguments: { ...facts.arguments, ...(saves ? { file: savedFile(saves) } : {}) },
    get options() {
      const own = {
        ...facts.options,
        ...(facts.range ? completeOptions(rangeOptions) : {}),
        ...(saves ? overwriting : {}),
      };
      return body ? { ...own, ...bodyOptions(body, first) } : own;
    },
    ...(choices.length === 0 ? {} : { anyOf: choices }),
    operations: [...new Set([...[...called, stored ?? first].map(({ id }) => id), ...lists])],
    load: async () => (await import('./operation-handler.ts')).callHandler(facts),
  };
}

export const rowsBy =
  (name: string) =>
  (data: Json): readonly JsonObject[] =>
    Object.entries(isObject(data) ? data : {}).flatMap(([key, row]) =>
      isObject(row) ? [{ [name]: key, ...row }] : [],
    );

/** Makes the command that rings the phones of a device or user, then calls a number. */
export function quickcallCommand(
  whose: 'device' | 'user',
  named: CallArgument,
  facts: Pick<OperationCommandFacts, 'path' | 'summary' | 'examples'>,
): Command {
  const verb = `quickcall${whose === 'user' ? '-of-user' : ''}`;
  return callCommand({
    ...facts,
    operation: operationFor(devices, verb),
    given: [{ when: { noWait: true }, operation: operationFor(devices, `start-${verb}`) }],
    arguments: { [whose]: named, number: { name: 'NUMBER', doc: 'Number to call' } },
    options: {
      noWait: { doc: 'Return without waiting for the phone', into: 'nowhere' },
      seconds: {
        value: 'N',
        type: 'integer',
        minimum: 4,
        doc: 'Seconds to wait for an answer of the phone (default: 30)',
        into: { query: 'timeout' },
      },
      cidName: { value: 'NAME', doc: 'Name that the called person sees', into: { query: 'cid-name' } },
      cidNumber: {
        value: 'NUMBER',
        doc: 'Number that the called person sees',
        into: { query: 'cid-number' },
      },
    },
    says: (reply, input) => {
      const call = isObject(reply) && typeof reply.call_id === 'string' ? `, as call ${reply.call_id}` : '';
      return `Rings ${whose} ${input[whose]}, and then calls ${input.number}${call}.`;
    },
  });
}
