import { isAbsolute, relative, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import type { ArgumentSpec, Command, OptionSpec } from '../../command/command.ts';
import { globalOptions } from '../../commands/global-options.ts';
import type { Noun } from '../../commands/nouns.ts';
import { operationById } from '../../contract/catalogue.ts';
import type { Operation } from '../../contract/types.ts';
import { nouns } from '../registry.ts';

/** What an assistant may do: which nouns, and whether it may change anything. */
export interface Allowed {
  readonly writes: boolean;
  /** Names of nouns; all where left out. */
  readonly nouns?: readonly string[] | undefined;
}

/** A noun as a tool: its verbs by their words, and what a client is told of it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    /** Doing it twice ends as doing it once. */
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Commands by the words after the noun; the command of the noun alone by none. */
  readonly verbs: ReadonlyMap<string, Command>;
}

/** A call of a tool, as the client sends it. */
export interface ToolCall {
  readonly verb?: string | undefined;
  readonly arguments?: readonly string[] | undefined;
  readonly options?: JsonObject | undefined;
}

/**
 * Tells whether no assistant may send an operation, whatever it was allowed: it deletes an account, or replaces a key or
 * a secret, which no undo brings back. Requests that the contract does not describe only read.
 */
export const isForbidden = (operation: Operation | undefined): boolean =>
  operation === undefined ||
  (operation.effect === 'destructive' &&
    (operation.method !== 'DELETE' || operation.resource === 'accounts'));

function isOffered(
  { hidden, effect, attended = effect === 'local', operations = [] }: Command,
  writes: boolean,
): boolean {
  if (hidden || attended) return false;
  if (!writes && effect !== 'read' && effect !== 'local') return false;
  return !operations.map(operationById).some((each) => each.effect !== 'read' && isForbidden(each));
}

/** Options of every command that an assistant may give. Those that say where and as whom are the line's that serves. */
const { fields, query, dryRun, yes, note } = globalOptions;

/** Options of a command that an assistant may give: none that waits, writes a file, or takes or shows a secret. */
const optionsOf = (command: Command, writes: boolean): readonly OptionSpec[] =>
  [...Object.values(command.options), fields, query, ...(writes ? [dryRun, yes, note] : [])].filter(
    ({ flag, attended }: OptionSpec) => !attended && !/-(?:stdin|file)$/.test(flag),
  );

/** Makes a tool of each noun that has something to offer. Throws `usage` for a noun that there is not. */
export async function toolsFor({ writes, nouns: chosen }: Allowed): Promise<readonly Tool[]> {
  const names = nouns.map(({ name }) => name);
  const stranger = chosen?.find((name) => !names.includes(name));
  if (stranger !== undefined)
    throw new Failure(
      'usage',
      `There is no noun ${JSON.stringify(stranger)}.${didYouMean(nearest(stranger, names))}`,
    );
  const made = await Promise.all(
    nouns
      .filter(({ name }) => chosen === undefined || chosen.includes(name))
      .map(async (noun) => {
        const commands = (await noun.commands()).filter((command) => isOffered(command, writes));
        return commands.length === 0 ? [] : [toolOf(noun, commands, writes)];
      }),
  );
  return made.flat();
}

function toolOf({ name, summary }: Noun, commands: readonly Command[], writes: boolean): Tool {
  const verbs = new Map(commands.map((command) => [command.path.slice(1).join(' '), command]));
  const words = [...verbs.keys()].filter((verb) => verb !== '');
  const effects = commands.flatMap(({ effect, worst = effect }) => (writes ? [effect, worst] : [effect]));
  return {
    name,
    title: summary,
    description: [`${summary}.`, ...[...verbs].map(([verb, command]) => verbLine(verb, command))].join('\n'),
    inputSchema: {
      type: 'object',
      properties: {
        ...(words.length === 0 ? {} : { verb: { type: 'string', enum: words } }),
        arguments: {
          type: 'array',
          items: { type: 'string' },
          description: 'Arguments of the verb, in their order, as the description of the tool names them.',
        },
        options: {
          type: 'object',
          properties: optionProperties(verbs, writes),
          additionalProperties: false,
        },
        ...(writes || commands.some(takesInput)
          ? { input: { type: 'string', description: 'Text that options and arguments of "-" read.' } }
          : {}),
      },
      ...(verbs.has('') ? {} : { required: ['verb'] }),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: effects.every((effect) => effect === 'read' || effect === 'local'),
      destructiveHint: effects.some((effect) => effect === 'destructive' || effect === 'charges'),
      idempotentHint: !writes || commands.every(isIdempotent),
      openWorldHint: commands.some(({ effect }) => effect !== 'local'),
    },
    verbs,
  };
}

/** Reads, and what sends nothing but calls that end the same when they are sent twice. */
const isIdempotent = ({ effect, worst = effect, operations = [] }: Command): boolean =>
  worst === 'read' ||
  worst === 'local' ||
  (operations.length > 0 && operations.every((id) => operationById(id).repeat !== 'never'));

const isFile = ({ completes, value = '' }: OptionSpec): boolean =>
  completes === 'file' || /\bFILE|\bDIR/.test(value);
const isFileArgument = ({ completes, name }: ArgumentSpec): boolean =>
  completes === 'file' || /\bFILE|\bDIR/.test(name);

const takesInput = ({ options, arguments: named }: Command): boolean =>
  Object.values(options).some(isFile) || Object.values(named).some(isFileArgument);

/** `get ID: Show a user (reads). ID: id, username or e-mail address.` */
function verbLine(verb: string, { arguments: named, summary, effect, worst = effect }: Command): string {
  const specs = Object.values(named);
  const words = specs.map(({ name, optional, rest }) => {
    const word = rest ? `${name}...` : name;
    return optional ? `[${word}]` : word;
  });
  const docs = specs.map(({ name, doc }) => ` ${name}: ${doc}.`);
  return `- ${[verb === '' ? '(no verb)' : verb, ...words].join(' ')}: ${summary} (${worst}).${docs.join('')}`;
}

/** The options of all verbs, each with the verbs that take it where not all do. */
function optionProperties(verbs: ReadonlyMap<string, Command>, writes: boolean): JsonObject {
  const taken = [...verbs].flatMap(([verb, command]) =>
    optionsOf(command, writes).map((spec) => ({ verb: verb || 'no verb', spec })),
  );
  const flags = [...new Set(taken.map(({ spec }) => spec.flag))];
  return Object.fromEntries(
    flags.map((flag) => {
      const by = taken.filter(({ spec }) => spec.flag === flag);
      const [first] = by;
      const of = by.length === verbs.size ? '' : ` (${by.map(({ verb }) => verb).join(', ')})`;
      const choices = by.length === 1 ? first?.spec.choices : undefined;
      const types = new Set(
        by.flatMap(({ spec }) => (spec.repeat ? ['array', typeOf(spec)] : [typeOf(spec)])),
      );
      return [
        flag,
        {
          type: types.size === 1 ? [...types][0] : [...types],
          ...(types.has('array') ? { items: { type: first ? typeOf(first.spec) : 'string' } } : {}),
          ...(choices && types.size === 1 ? { enum: choices } : {}),
          description: `${first?.spec.doc}${of}`,
        },
      ];
    }),
  );
}

function typeOf({ value, type }: OptionSpec): string {
  if (value === undefined || type === 'boolean') return 'boolean';
  return type === 'integer' || type === 'number' ? type : 'string';
}

/**
 * Makes the command line of a call, without what the server adds. Throws `usage` for a verb or an option that is not
 * offered, and `refused` for a file outside the folder.
 */
export function lineOf(tool: Tool, call: ToolCall, { writes }: Allowed, cwd: string): readonly string[] {
  const { verb = '', arguments: given = [], options = {} } = call;
  const command = tool.verbs.get(verb);
  if (command === undefined)
    throw new Failure('usage', `${tool.name} has no verb ${JSON.stringify(verb)} here.`, {
      hint: `Verbs: ${[...tool.verbs.keys()].filter(Boolean).join(', ')}`,
    });
  const specs = optionsOf(command, writes);
  const words = Object.entries(options).flatMap(([flag, value]) => {
    const spec = specs.find((each) => each.flag === flag);
    if (spec === undefined)
      throw new Failure('usage', `${command.path.join(' ')} has no option ${JSON.stringify(flag)} here.`);
    if (spec.value === undefined) return value === true ? [`--${flag}`] : [];
    const texts = (Array.isArray(value) ? value : [value]).map(String);
    if (isFile(spec)) for (const text of texts) refuseOutside(text, cwd);
    return texts.map((text) => `--${flag}=${text}`);
  });
  const named = Object.values(command.arguments);
  for (const [index, text] of given.entries()) {
    const spec = named[index] ?? named.at(-1);
    if (spec && isFileArgument(spec)) refuseOutside(text, cwd);
  }
  return [...command.path, ...words, ...(given.length === 0 ? [] : ['--', ...given])];
}

/** Throws `refused` for a file that is not below the folder in which the server runs. */
function refuseOutside(path: string, cwd: string): void {
  const below = relative(cwd, resolve(cwd, path));
  if (path === '-' || !(below.startsWith('..') || isAbsolute(below))) return;
  throw new Failure(
    'refused',
    `${JSON.stringify(path)} is not below the folder that telctl mcp was started in.`,
  );
}
