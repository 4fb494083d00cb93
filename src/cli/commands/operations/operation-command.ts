import type { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { hyphenated } from '../../../base/wording.ts';
import type { Api, SentFile } from '../../../client/api/api.ts';
import { devices } from '../../../contract/resources/devices.ts';
import type { Column, Operation, Resource, ResourceName } from '../../../contract/types.ts';
import {
  type ArgumentSpec,
  type Command,
  type CommandFacts,
  type ParsedInput,
  type WrittenExamples,
  type WrittenOption,
  wholeExamples,
  wholeOptions,
} from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { bodyOptions } from '../generic/input-options.ts';
import { operationFor } from '../records/find-named.ts';

export const ownerOptions = {
  user: {
    value: 'USER',
    doc: 'Of this user, by id or username',
    completes: { resource: 'users' },
    into: { path: 'user_id' },
    excludes: ['device'],
  },
  device: {
    value: 'DEVICE',
    doc: 'Of this device, by id or name',
    completes: { resource: 'devices' },
    into: { path: 'device_id' },
  },
} as const;

/** Part of a request that a value is for: a parameter, a field, or all of the body; `nowhere` if only `given` reads it. */
export type Into =
  | { readonly path: string }
  | { readonly query: string }
  | { readonly data: string }
  | 'body'
  | 'nowhere';

/** Says where a value goes that somebody types. One that completes to records names one: its id is sent. */
interface Placed {
  /** Left out: arguments fill the parameters of the path in their order. */
  readonly into?: Into;
  /** A duration becomes `seconds`, a whole number of at least 0 an `integer`, JSON an `object`; what completes to records goes as it is typed (`text`). */
  readonly as?: 'seconds' | 'integer' | 'object' | 'text';
  /** The resource of which it names a record, where completion offers none: below those that stand before it. */
  readonly names?: ResourceName;
}

export type CallArgument = ArgumentSpec & Placed;
export type CallOption = WrittenOption & Placed & { readonly into: Into };

/** What a reply is shown as: an item where `rows` is left out. */
export interface Shown {
  readonly resource?: ResourceName;
  readonly noun?: string;
  readonly columns?: readonly Column[];
  /**
   * Where the rows are: in pages, as they are or as `each` makes them (`undefined` is no row), in an object by their
   * keys (which go into the field `keyed`), as ids of records (`idsOf`), which are shown with fields of these, or
   * where a function finds them; a reply in which it finds none (`undefined`) is an item.
   */
  readonly rows?:
    | 'pages'
    /** The same piece by piece of the time that `--since` and `--until` say, and by `--filter` where there is one. */
    | 'windows'
    | { readonly each: (record: JsonObject, index: number, input: ParsedInput) => JsonObject | undefined }
    | { readonly keyed: string }
    | { readonly idsOf: ResourceName; readonly fields: readonly string[] }
    | ((data: Json) => readonly JsonObject[] | undefined);
  /** Makes the result of the reply, whatever it is. */
  readonly result?: (data: Json) => Result;
  readonly item?: (record: JsonObject, input: ParsedInput) => JsonObject;
  /** The field that a reply which is a word is shown as. */
  readonly word?: string;
  /** The field of the reply that is shown alone, a number. */
  readonly number?: string;
  /** Value shown where the service answers 404, since there is nothing yet. */
  readonly missing?: JsonObject;
  /** The content type of a text that is asked for and shown as it is. */
  readonly text?: string;
}

/** Writes the reply to a file: the argument FILE names it, or `named` where there is none. */
export interface Saved {
  /** Makes the name of a file that was not named, of what the record in question says and the type of the file. */
  readonly named?: (record: JsonObject, type: string) => string;
  /** The content type to ask for, by the record in question. */
  readonly accept?: (record: JsonObject) => string;
  /** It may be read by its owner alone. */
  readonly private?: true;
}

/** Records beside which a change puts a new one, and what tells the new one among them. */
export interface Beside {
  readonly records: (api: Api, request: Request) => Promise<readonly JsonObject[]>;
  readonly isIt: (record: JsonObject, request: Request) => boolean;
}

/** A command that is one operation of the service, as data. Its effect and what it calls follow. */
export interface CallFacts extends Pick<CommandFacts, 'description' | 'shows' | 'does' | 'anyOf'> {
  /** The words of the resource and the verb where left out. */
  readonly path?: CommandFacts['path'];
  /** That of the operation where left out. */
  readonly summary?: string;
  readonly examples: WrittenExamples;
  /** Left out where one of `given` names it: one of these has to be given then. */
  readonly operation?: Operation;
  readonly arguments?: Readonly<Record<string, CallArgument>>;
  readonly options?: Readonly<Record<string, CallOption>>;
  /** The two parameters of the query that `--from` and `--to` become. */
  readonly range?: readonly [string, string];
  /** The resource whose fields, files and `--set` give the body; with `whole`, something of it has to be given. */
  readonly body?: Resource;
  readonly whole?: true;
  /** The word for the file that is sent; the resource's own where left out. */
  readonly what?: string;
  /** Reads what is there already: fields that it has may be sent, whatever they are called. */
  readonly stored?: Operation;
  /** What the body holds whatever is typed, or a function that makes it of what inputs gave. */
  readonly data?: JsonObject | BodyMaker;
  /** The query if no option sets it. */
  readonly query?:
    | Readonly<Record<string, string>>
    | ((context: Context) => Readonly<Record<string, string>>);
  /**
   * The question of one that takes something away; `{queue}` is what was typed, `{data.amount}` what is
   * sent, `{sent}` the type and size of a file, `{account}` the name of the account.
   */
  readonly asks?: string;
  /** Inputs whose number of values sentences show, each with the word for one value. */
  readonly counts?: Readonly<Record<string, string>>;
  /** The sentence of one that changes something, with the same words, and `{reply}` for what the service answered. */
  readonly says?: string | ((reply: Json, input: ParsedInput, request: Request) => string);
  /** Finds what was left undone in the reply to a change; it is shown beside what was done. */
  readonly fails?: (reply: Json) => Failure | undefined;
  /**
   * Tells after a lost reply by the record, `undefined` where there is none, whether the change was carried out;
   * `undefined` where that does not say.
   */
  readonly isDone?: (record: JsonObject | undefined, sent: Json) => boolean | undefined;
  /** The same for what the record does not show: gives what the service has now where it was carried out. */
  readonly lookUp?: (api: Api, request: Request) => Promise<Json | undefined>;
  /** Tells after a lost reply by what is new: records may be alike, so only one that was not there before is this one. */
  readonly beside?: Beside;
  /** The words of one that moves each record which its last argument names: `Submitted`, and the field that says its state then. */
  readonly each?: { readonly done: string; readonly state?: string };
  readonly gives?: Shown;
  /** Writes the file of the reply; FILE and `--force` come by themselves. */
  readonly saves?: Saved;
  /** Facts that replace those above. The first case that fits the input counts. */
  readonly given?: readonly Case[];
}

/** Stands for more than one value of an input. */
export const several = Symbol('several');

/** Facts of a command for some inputs: those of `when` are given, have that value, or have several. */
export interface Case
  extends Partial<Pick<CallFacts, 'operation' | 'gives' | 'says' | 'asks' | 'data' | 'what'>> {
  readonly when: Readonly<Record<string, true | string | typeof several>>;
}

/** The parts of a request, as inputs fill them. */
export interface Request {
  readonly path: Record<string, string>;
  readonly query: Record<string, string>;
  data: Json | undefined;
  /** The file that is the body, where the operation takes one. */
  file?: SentFile;
}

/** Makes the body of what inputs gave of a request, which holds what they put into its data. */
export type BodyMaker = (request: Request, context: Context, input: ParsedInput) => Promise<Json | undefined>;

/** The resource of which an input names a record. */
export const namedBy = ({
  completes,
  as,
  names,
}: Pick<CallArgument, 'completes' | 'as' | 'names'>): ResourceName | undefined =>
  typeof completes === 'object' && as !== 'text' ? completes.resource : names;

function operationsOf({ operation, given = [] }: CallFacts): readonly Operation[] {
  return [operation, ...given.map((each) => each.operation)].flatMap((each) => each ?? []);
}

/** Resources whose lists are read: those that inputs name, and those whose ids a reply holds. */
function listedBy({ gives, given = [], ...facts }: CallFacts): readonly ResourceName[] {
  const inputs = [...Object.values(facts.arguments ?? {}), ...Object.values(facts.options ?? {})];
  const replies = [gives, ...given.map((each) => each.gives)].map((each) => each?.rows);
  return [
    ...inputs.flatMap((input) => namedBy(input) ?? []),
    ...replies.flatMap((rows) => (typeof rows === 'object' && 'idsOf' in rows ? rows.idsOf : [])),
  ];
}

/** The inputs of which one has to be given, where no operation is called without. */
const waysOf = ({ given = [], arguments: positional = {}, options = {} }: CallFacts): readonly string[] =>
  given
    .flatMap(({ when }) => Object.keys(when))
    .map((key) => options[key]?.flag ?? positional[key]?.name ?? key);

const savedFile = ({ named }: Saved): ArgumentSpec => ({
  name: 'FILE',
  doc: `File to write;${named ? ' by default one with the name of the record, in this folder;' : ''} - is standard output`,
  completes: 'file',
  does: ['writes-files'],
  ...(named ? { optional: true } : {}),
});
const rangeOptions = {
  from: { value: 'TIME', doc: 'Start of the range: 2h, 7d, a time, or a date in the account’s time zone' },
  to: { value: 'TIME', doc: 'End of the range; a date ends it when that day begins (default: now)' },
} as const;
const overwriting = wholeOptions({ force: { doc: 'Overwrite an existing file' } });

/** Makes the command of an operation: its effect, what it calls and its handler follow from the data. */
export function callCommand(written: CallFacts): Command {
  const facts = { ...written, options: wholeOptions(written.options ?? {}) };
  const { description, examples, shows, does, body, anyOf = [] } = facts;
  const choices = facts.operation === undefined ? [waysOf(facts), ...anyOf] : anyOf;
  const called = operationsOf(facts);
  const [first] = called;
  if (first === undefined) throw new Error('A command calls nothing.');
  const { path = [hyphenated(first.resource), first.verb], summary = first.summary } = facts;
  const lists = listedBy(facts).map((name) => `${name}.list`);
  const { saves, stored } = facts;
  return {
    path,
    summary,
    examples: wholeExamples(examples),
    effect: first.effect,
    ...(description === undefined ? {} : { description }),
    ...(shows === undefined ? {} : { shows }),
    ...(does === undefined ? {} : { does }),
    arguments: { ...facts.arguments, ...(saves ? { file: savedFile(saves) } : {}) },
    get options() {
      const own = {
        ...facts.options,
        ...(facts.range ? wholeOptions(rangeOptions) : {}),
        ...(saves ? overwriting : {}),
      };
      return body ? { ...own, ...bodyOptions(body, first) } : own;
    },
    ...(choices.length === 0 ? {} : { anyOf: choices }),
    operations: [...new Set([...[...called, stored ?? first].map(({ id }) => id), ...lists])],
    load: async () => (await import('./operation-handler.ts')).callHandler(facts),
  };
}

/** The rows of an answer that is an object of records, each with the name that it stands under. */
export const rowsBy =
  (name: string) =>
  (data: Json): readonly JsonObject[] =>
    Object.entries(isObject(data) ? data : {}).flatMap(([key, row]) =>
      isObject(row) ? [{ [name]: key, ...row }] : [],
    );

/** Makes the command that rings the phones of a device or a user, and then calls a number in their name. */
export function quickcallCommand(
  whose: 'device' | 'user',
  named: CallArgument,
  facts: Pick<CallFacts, 'path' | 'summary' | 'examples'>,
): Command {
  const verb = `quickcall${whose === 'user' ? '-of-user' : ''}`;
  return callCommand({
    ...facts,
    operation: operationFor(devices, verb),
    given: [{ when: { noWait: true }, operation: operationFor(devices, `start-${verb}`) }],
    arguments: { [whose]: named, number: { name: 'NUMBER', doc: 'Number to call' } },
    options: {
      noWait: { doc: 'Answer at once, without waiting for the phone', into: 'nowhere' },
      seconds: {
        value: 'N',
        type: 'integer',
        minimum: 4,
        doc: 'Seconds to wait until somebody takes the phone (default: 30)',
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
