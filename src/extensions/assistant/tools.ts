import { memoize } from '../../base/concurrency.ts';
import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { didYouMean, shellWord } from '../../base/wording.ts';
import type { Command, OptionSpec } from '../../cli/command/command.ts';
import type { Noun } from '../../cli/commands/nouns.ts';
import { argumentNames } from '../../cli/shell/help/help-page.ts';
import { allNouns } from '../../cli/shell/registry.ts';
import { doesOfCommand, doesOfInput } from '../../cli/shell/self/list-commands.ts';
import type { Does } from '../../contract/capabilities.ts';
import { operationById } from '../../contract/catalogue.ts';
import { type AssistantRights, isOffered, offeredOptions, withheldReason } from './permissions.ts';

/** Nouns that have a separate tool by default. `run_command` runs all others. */
const usual: ReadonlySet<string> = new Set(
  `accounts users devices groups callflows menus temporal-rules media queues conferences vmboxes numbers
  cdrs channels faxes webhooks registrations find explain doctor plan log whoami`.split(/\s+/),
);

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    /** True if repeating a call has no further effect. */
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Offered commands by the words that select them: the words after the noun, or all words. */
  readonly verbs: ReadonlyMap<string, Command>;
  readonly withheld: ReadonlyMap<string, Command>;
  readonly chooses: 'verb' | 'command';
}

export interface ToolCall {
  /** The verb of a noun, or all words of a command. */
  readonly word: string;
  readonly arguments: readonly string[];
  readonly options: JsonObject;
}

export type ToolDescription = Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema' | 'annotations'>;

/**
 * Returns the tools of a server: one for each common or requested noun, and `runCommand` for all commands. The
 * description of `runCommand` does not load its commands, because that is slow. Throws `usage` for an unknown noun.
 */
export async function toolsFor(allowed: AssistantRights) {
  const { nouns: chosen } = allowed;
  const names = allNouns().map(({ name }) => name);
  const stranger = chosen?.find((name) => !names.includes(name));
  if (stranger !== undefined)
    throw new Failure(
      'usage',
      `Noun ${JSON.stringify(stranger)} not found.${didYouMean(findNearest(stranger, names))}`,
    );
  const offered = allNouns().filter(({ name }) => chosen?.includes(name) ?? true);
  const shown = await Promise.all(
    offered
      .filter(({ name }) => chosen !== undefined || usual.has(name))
      .map(async (noun) => ({ noun, commands: await noun.commands() })),
  );
  const description = describeRunCommand(allowed);
  const runCommand = async (): Promise<Tool> => {
    const commands = (await Promise.all(offered.map((noun) => noun.commands()))).flat();
    return {
      ...describeTool(
        commands.filter(({ hidden }) => !hidden),
        allowed,
        'command',
      ),
      ...description,
    };
  };
  return {
    nouns: shown
      .filter(({ commands }) => commands.some((command) => isOffered(command, allowed)))
      .map(({ noun, commands }) => nounTool(noun, commands, allowed)),
    runCommandDescription: description,
    runCommand: memoize(runCommand),
  };
}

const describeRunCommand = ({ writes }: AssistantRights): ToolDescription => ({
  name: 'run_command',
  title: 'Run a command of telctl',
  description: 'Run any command that find_commands lists. command: its words, such as "temporal-rules list".',
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'string' },
      arguments: { type: 'array', items: { type: 'string' } },
      options: { type: 'object' },
      input: { type: 'string', description: 'Standard input, for arguments and options with the value "-"' },
    },
    required: ['command'],
    additionalProperties: false,
  },
  annotations: {
    readOnlyHint: !writes,
    destructiveHint: writes,
    idempotentHint: !writes,
    openWorldHint: true,
  },
});

function describeTool(
  commands: readonly Command[],
  allowed: AssistantRights,
  chooses: Tool['chooses'],
): Pick<Tool, 'inputSchema' | 'annotations' | 'verbs' | 'withheld' | 'chooses'> {
  const indexByWord = (some: readonly Command[]) =>
    new Map(some.map((each) => [each.path.slice(chooses === 'verb' ? 1 : 0).join(' '), each]));
  const offered = commands.filter((command) => isOffered(command, allowed));
  const verbs = indexByWord(offered);
  const words = [...verbs.keys()].filter((word) => word !== '');
  const { writes } = allowed;
  const effects = offered.flatMap(({ effect, worst = effect }) => (writes ? [effect, worst] : [effect]));
  return {
    verbs,
    withheld: indexByWord(commands.filter((command) => !command.hidden && !isOffered(command, allowed))),
    chooses,
    inputSchema: {
      type: 'object',
      properties: {
        ...(words.length > 0 ? { verb: { type: 'string', enum: words } } : {}),
        ...(offered.some((command) => Object.keys(command.arguments).length > 0)
          ? { arguments: { type: 'array', items: { type: 'string' } } }
          : {}),
        options: { type: 'object' },
        ...(offered.some(readsInput)
          ? {
              input: {
                type: 'string',
                description: 'Standard input, for arguments and options with the value "-"',
              },
            }
          : {}),
      },
      ...(verbs.has('') ? {} : { required: ['verb'] }),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: effects.every((effect) => effect === 'read' || effect === 'local'),
      destructiveHint:
        effects.some((effect) => effect === 'destructive' || effect === 'charges') ||
        (writes && offered.some((command) => doesOfCommand(command).some(destroys))),
      idempotentHint: !writes || offered.every(isIdempotent),
      openWorldHint: offered.some(({ effect }) => effect !== 'local'),
    },
  };
}

function nounTool({ name, summary }: Noun, commands: readonly Command[], allowed: AssistantRights): Tool {
  const tool = describeTool(commands, allowed, 'verb');
  const lines = [...tool.verbs].map(([verb, command]) => `- ${verbLine(verb, command, allowed)}`);
  return { name, title: summary, description: [`${summary}.`, ...lines].join('\n'), ...tool };
}

const destroys = (word: Does): boolean => word === 'deletes' || word === 'costs';

/** Returns true for reads, and for commands whose operations can be repeated. */
const isIdempotent = ({ effect, worst = effect, operations = [] }: Command): boolean =>
  worst === 'read' ||
  worst === 'local' ||
  (operations.length > 0 && operations.every((id) => operationById(id).repeat !== 'never'));

/** Returns true for commands with a file argument or option, or "-" for standard input. */
const readsInput = ({ options, arguments: named }: Command): boolean =>
  [...Object.values(options), ...Object.values(named)].some((spec) =>
    doesOfInput(spec).includes('reads-files'),
  );

/** Maximum length of the options in a tool description. find_commands lists all options. */
const optionLetters = 70;

/** Formats a line such as `get ID: Show a user. Options: …`. */
function verbLine(verb: string, command: Command, allowed: AssistantRights): string {
  const flags = Object.values(command.options)
    .filter((spec) => offeredOptions(command, allowed).includes(spec))
    .map(({ flag, required, repeat }) => `${flag}${repeat ? '[]' : ''}${required ? '!' : ''}`);
  const named = flags.join(' ');
  const allArguments =
    named.length > optionLetters ? `${named.slice(0, optionLetters).replace(/ [^ ]*$/, '')} …` : named;
  const words = [...(verb === '' ? [] : [verb]), ...argumentNames(command)].join(' ');
  return `${words === '' ? '(no verb)' : words}: ${command.summary}${allArguments === '' ? '' : ` (${allArguments})`}`;
}

export function schemaType({ value, type }: OptionSpec): string {
  if (value === undefined || type === 'boolean') return 'boolean';
  return type === 'integer' || type === 'number' ? type : 'string';
}

export function commandLineOf(tool: Tool, { word, arguments: given, options }: ToolCall): string {
  const path = tool.chooses === 'verb' ? `${tool.name} ${word}`.trim() : word;
  const words = Object.entries(options).flatMap(([flag, value]) => {
    if (value === false || flag === 'yes') return [];
    const texts = (Array.isArray(value) ? value : [value]).map(String);
    return value === true ? [`--${flag}`] : texts.map((text) => `--${flag} ${shellWord(text)}`);
  });
  return ['telctl', path, ...given.map(shellWord), ...words].join(' ');
}

/** Returns the command of a call. Throws `refused` if it is reserved for people, and `usage` if it does not exist. */
export function commandOfTool(tool: Tool, call: ToolCall, allowed: AssistantRights): Command {
  const { verbs, withheld, chooses, name } = tool;
  const { word } = call;
  const command = verbs.get(word);
  if (command !== undefined) return command;
  const forPeople = withheld.get(word);
  const words = [...verbs.keys()].filter(Boolean);
  const listed = chooses === 'verb' ? `Verbs here: ${words.join(', ')}` : 'List commands with find_commands.';
  if (forPeople !== undefined)
    throw new Failure('refused', `"${forPeople.path.join(' ')}" ${withheldReason(forPeople, allowed)}.`, {
      hint: `Ask the user to run: ${commandLineOf(tool, call)}${chooses === 'verb' ? `\n${listed}` : ''}`,
    });
  const near = didYouMean(findNearest(word, [...words, ...withheld.keys()]));
  throw new Failure(
    'usage',
    chooses === 'verb'
      ? `${name} has no verb ${JSON.stringify(word)}.${near}`
      : `Command ${JSON.stringify(word)} not found.${near}`,
    { hint: listed },
  );
}

/**
 * Creates the command line of a call, without options of the server. Throws `usage` for an option that is not
 * offered.
 */
export function buildCommandLine(
  command: Command,
  call: ToolCall,
  allowed: AssistantRights,
): readonly string[] {
  const specs = offeredOptions(command, allowed);
  const flags = specs.map(({ flag }) => flag);
  const words = Object.entries(call.options).flatMap(([flag, value]) => {
    const spec = specs.find((each) => each.flag === flag);
    if (spec === undefined)
      throw new Failure(
        'usage',
        `"${command.path.join(' ')}" has no option ${JSON.stringify(flag)} for an assistant.${didYouMean(findNearest(flag, flags))}`,
        { hint: `Options here: ${flags.join(', ')}` },
      );
    if (spec.value === undefined) return value === true ? [`--${flag}`] : [];
    const texts = (Array.isArray(value) ? value : [value]).map(String);
    const { maximumForAssistants: most } = spec;
    if (most !== undefined && texts.some((text) => Number(text) > most))
      throw new Failure('usage', `"${flag}" must be at most ${most} for an assistant.`);
    return texts.map((text) => `--${flag}=${text}`);
  });
  return [...command.path, ...words, ...(call.arguments.length === 0 ? [] : ['--', ...call.arguments])];
}
