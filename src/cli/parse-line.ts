import { Failure } from '../contract/failure.ts';
import { nearest } from '../contract/nearest.ts';
import type {
  ArgumentSpec,
  ArgumentSpecs,
  Command,
  OptionSpec,
  OptionSpecs,
  ParsedInput,
  ParsedValue,
} from './command.ts';
import type { Found } from './find-command.ts';
import { findCommand } from './find-command.ts';
import { type GlobalInput, globalOptions } from './global-options.ts';
import { type ParsedOptions, parseOptions } from './parse-options.ts';

/** What a command line asks for. */
export type ParsedLine =
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly input: ParsedInput;
      readonly global: GlobalInput;
    }
  | {
      readonly kind: 'help';
      readonly page: Exclude<Found, { kind: 'command' }> | Command;
      readonly global: GlobalInput;
    }
  | { readonly kind: 'version' };

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Turns a command line into a command with complete, checked, frozen input. Throws `usage` with one sentence
 * that names the word, option or argument that is wrong or missing.
 */
export async function parseLine(argv: readonly string[], env: Env): Promise<ParsedLine> {
  const found = await findCommand(argv);
  const own = found.kind === 'command' ? found.command.options : {};
  const where = ['telctl', ...wordsOf(found)].join(' ');
  const parsed = parseOptions(where, { ...globalOptions, ...own }, found.rest);
  const global = optionValues(globalOptions, parsed, {}) as GlobalInput;
  if (global.version && found.kind === 'program') return { kind: 'version' };
  if (found.kind !== 'command') {
    return { kind: 'help', page: found, global };
  }
  if (global.help) return { kind: 'help', page: found.command, global };
  const input = Object.freeze({
    ...optionValues(own, parsed, env),
    ...argumentValues(where, found.command.arguments, parsed.operands),
  });
  return { kind: 'run', command: found.command, input, global };
}

function wordsOf(found: Found): readonly string[] {
  if (found.kind === 'command') return found.command.path;
  return found.kind === 'group' ? found.words : [];
}

function optionValues(specs: OptionSpecs, parsed: ParsedOptions, env: Env): ParsedInput {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, optionValue(spec, parsed.values[name], env)]),
  );
}

function optionValue(spec: OptionSpec, typed: true | readonly string[] | undefined, env: Env): ParsedValue {
  if (spec.value === undefined) return typed === true;
  const name = `--${spec.flag}`;
  const texts = Array.isArray(typed) ? typed : [];
  if (spec.repeat) return texts.map((text) => converted(name, spec, text)) as readonly string[];
  const text = texts.at(-1);
  if (text !== undefined) return converted(name, spec, text);
  const variable = spec.env === undefined ? undefined : env[spec.env];
  return variable === undefined || variable === '' || spec.env === undefined
    ? undefined
    : converted(spec.env, spec, variable);
}

/** The value of a text by the option's type; `name` is the option or variable that it came from. */
function converted(name: string, spec: OptionSpec, text: string): string | number | boolean {
  switch (spec.type) {
    case 'integer':
      if (/^-?\d{1,15}$/.test(text)) return Number(text);
      throw new Failure('usage', `${name} must be a whole number, not ${JSON.stringify(text)}.`);
    case 'number':
      if (/^-?(?:\d{1,15}(?:\.\d+)?|\.\d+)$/.test(text)) return Number(text);
      throw new Failure('usage', `${name} must be a number, not ${JSON.stringify(text)}.`);
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw new Failure('usage', `${name} must be true or false, not ${JSON.stringify(text)}.`);
    default:
      return oneOf(name, spec.choices, text);
  }
}

function oneOf(name: string, choices: readonly string[] | undefined, text: string): string {
  if (choices === undefined || choices.includes(text)) return text;
  const near = nearest(text, choices);
  throw new Failure(
    'usage',
    `${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}.${near ? ` Did you mean ${JSON.stringify(near)}?` : ''}`,
  );
}

function argumentValues(where: string, specs: ArgumentSpecs, operands: readonly string[]): ParsedInput {
  const entries = Object.entries(specs);
  const values = entries.map(
    ([key, spec], index) => [key, argumentValue(where, spec, operands, index)] as const,
  );
  const takesAll = entries.some(([, { rest }]) => rest);
  const extra = operands[entries.length];
  if (!takesAll && extra !== undefined) {
    throw new Failure(
      'usage',
      `${where} takes ${counted(entries.length)}; ${JSON.stringify(extra)} is one too many.`,
      {
        hint: `${where} --help`,
      },
    );
  }
  return Object.fromEntries(values);
}

const counted = (count: number): string =>
  count === 0 ? 'no argument' : count === 1 ? 'one argument' : `${count} arguments`;

function argumentValue(
  where: string,
  spec: ArgumentSpec,
  operands: readonly string[],
  index: number,
): string | readonly string[] | undefined {
  const given = operands.slice(index, spec.rest ? undefined : index + 1);
  if (given.length === 0 && !spec.optional) {
    throw new Failure('usage', `${where} needs ${spec.name}: ${spec.doc}.`, { hint: `${where} --help` });
  }
  const checked = given.map((text) => oneOf(spec.name, spec.choices, text));
  return spec.rest ? checked : checked[0];
}
