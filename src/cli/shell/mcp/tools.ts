import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import { operationById } from '../../../contract/catalogue.ts';
import type { Does } from '../../../contract/does.ts';
import type { Command, OptionSpec } from '../../command/command.ts';
import type { Noun } from '../../commands/nouns.ts';
import { neededIn } from '../help/help-page.ts';
import { nouns } from '../registry.ts';
import { doesIn, doesWith } from '../what-it-does.ts';
import { type Allowed, isOffered, offeredOptions } from './allowed.ts';

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

export interface ToolCall {
  readonly verb?: string | undefined;
  readonly arguments?: readonly string[] | undefined;
  readonly options?: JsonObject | undefined;
}

/** Makes a tool of each noun that has something to offer. Throws `usage` for a noun that there is not. */
export async function toolsFor(allowed: Allowed): Promise<readonly Tool[]> {
  const { nouns: chosen } = allowed;
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
        const commands = (await noun.commands()).filter((command) => isOffered(command, allowed));
        return commands.length === 0 ? [] : [toolOf(noun, commands, allowed)];
      }),
  );
  return made.flat();
}

function toolOf({ name, summary }: Noun, commands: readonly Command[], allowed: Allowed): Tool {
  const { writes } = allowed;
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
          properties: optionProperties(verbs, allowed),
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
      destructiveHint:
        effects.some((effect) => effect === 'destructive' || effect === 'charges') ||
        (writes && commands.some((command) => doesIn(command).some(destroys))),
      idempotentHint: !writes || commands.every(isIdempotent),
      openWorldHint: commands.some(({ effect }) => effect !== 'local'),
    },
    verbs,
  };
}

const destroys = (word: Does): boolean => word === 'deletes' || word === 'costs';

/** Reads, and what sends nothing but calls that end the same when they are sent twice. */
const isIdempotent = ({ effect, worst = effect, operations = [] }: Command): boolean =>
  worst === 'read' ||
  worst === 'local' ||
  (operations.length > 0 && operations.every((id) => operationById(id).repeat !== 'never'));

/** True for a command that reads what it is given by the name of a file, or by "-" from standard input. */
const takesInput = ({ options, arguments: named }: Command): boolean =>
  [...Object.values(options), ...Object.values(named)].some((spec) => doesWith(spec).includes('reads-files'));

/** `get ID: Show a user (reads). ID: id, username or e-mail address.` */
function verbLine(verb: string, command: Command): string {
  const { arguments: named, summary, effect, worst = effect } = command;
  const specs = Object.values(named);
  const words = specs.map(({ name, optional, rest }) => {
    const word = rest ? `${name}...` : name;
    return optional ? `[${word}]` : word;
  });
  const docs = specs.map(({ name, doc }) => ` ${name}: ${doc}.`);
  return `- ${[verb === '' ? '(no verb)' : verb, ...words].join(' ')}: ${summary} (${worst}).${[...docs, ...neededIn(command).map((each) => ` ${each}`)].join('')}`;
}

/** The options of all verbs, each with the verbs that take it where not all do. */
function optionProperties(verbs: ReadonlyMap<string, Command>, allowed: Allowed): JsonObject {
  const taken = [...verbs].flatMap(([verb, command]) =>
    offeredOptions(command, allowed).map((spec) => ({ verb: verb || 'no verb', spec })),
  );
  const flags = [...new Set(taken.map(({ spec }) => spec.flag))];
  return Object.fromEntries(
    flags.map((flag) => {
      const by = taken.filter(({ spec }) => spec.flag === flag);
      const [first] = by;
      const of = by.length === verbs.size ? '' : ` (${by.map(({ verb }) => verb).join(', ')})`;
      const needing = by.flatMap(({ verb, spec }) => (spec.required ? verb : []));
      const needed = needing.length === 0 ? '' : `; required by ${needing.join(', ')}`;
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
          description: `${first?.spec.doc}${of}${needed}`,
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
 * offered.
 */
export function lineOf(tool: Tool, call: ToolCall, allowed: Allowed): readonly string[] {
  const { verb = '', arguments: given = [], options = {} } = call;
  const command = tool.verbs.get(verb);
  if (command === undefined)
    throw new Failure('usage', `${tool.name} has no verb ${JSON.stringify(verb)} here.`, {
      hint: `Verbs: ${[...tool.verbs.keys()].filter(Boolean).join(', ')}`,
    });
  const specs = offeredOptions(command, allowed);
  const words = Object.entries(options).flatMap(([flag, value]) => {
    const spec = specs.find((each) => each.flag === flag);
    if (spec === undefined)
      throw new Failure('usage', `${command.path.join(' ')} has no option ${JSON.stringify(flag)} here.`);
    if (spec.value === undefined) return value === true ? [`--${flag}`] : [];
    const texts = (Array.isArray(value) ? value : [value]).map(String);
    return texts.map((text) => `--${flag}=${text}`);
  });
  return [...command.path, ...words, ...(given.length === 0 ? [] : ['--', ...given])];
}
