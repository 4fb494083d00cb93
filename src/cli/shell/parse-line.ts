import { CommanderError, Command as Parser } from 'commander';
import { Failure } from '../../base/failure.ts';
import { didYouMean, shellWord } from '../../base/wording.ts';
import { maskUrl } from '../../contract/secrets.ts';
import type { Command, OptionSpec, ParsedInput } from '../command/command.ts';
import type { Consent } from '../command/context.ts';
import { type GlobalInput, globalOptions } from '../commands/global-options.ts';
import { suggestOption } from '../commands/synonyms.ts';
import { type FoundCommand, findCommand } from './find-command.ts';
import { checkRelations, type Env, inputFor, optionsEnd, optionValues } from './input-for.ts';
import { hasManyOption, type ManyInput, manyOptions, manyOptionsOf } from './many/options.ts';
import { chargesOptionsOf, readConsent, resultOptionsOf } from './run-options.ts';

export type ParsedLine =
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly input: ParsedInput;
      readonly global: GlobalInput;
      readonly consent: Consent;
      readonly allowUnknownFields: boolean;
      readonly template: string | undefined;
      readonly many: ManyInput | undefined;
      readonly shown: string;
      /** Notes about global options that the user may have meant for a field of the same name. */
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'help';
      readonly page: Exclude<FoundCommand, { kind: 'command' }> | Command;
      readonly global: GlobalInput;
    }
  | { readonly kind: 'version' };

/** Parses a line into a command with validated, frozen input. Throws `usage` if the line is invalid. */
export async function parseLine(argv: readonly string[], env: Env): Promise<ParsedLine> {
  const found = await findCommand(argv);
  const command = found.kind === 'command' ? found.command : undefined;
  const where = ['telctl', ...commandWords(found)].join(' ');
  const takesMany = command && hasManyOption(found.rest) ? await manyOptionsOf(command) : {};
  // Keyed by flag, because a field may share its name with a global option under another flag.
  const ofCharges = command ? chargesOptionsOf(command) : {};
  const ofResults = command ? resultOptionsOf(command) : {};
  const specs = [globalOptions, takesMany, ofCharges, ofResults, command?.options ?? {}].flatMap((some) =>
    Object.values(some),
  );
  const takesWords = Object.keys(command?.arguments ?? {}).length > 0;
  const parsed = parseOptions(where, specs, found.rest, takesWords);
  // Safe, because only the parser creates the input and follows the option specs.
  const global = optionValues(globalOptions, parsed, {}) as GlobalInput;
  if (found.kind !== 'command') {
    return found.kind === 'program' && global.version
      ? { kind: 'version' }
      : { kind: 'help', page: found, global };
  }
  if (global.help) return { kind: 'help', page: found.command, global };
  const input = inputFor(where, found.command, parsed, env);
  const isMany = Object.keys(takesMany).length > 0;
  const many = isMany ? (optionValues(manyOptions, parsed, {}) as ManyInput) : undefined;
  if (many) checkRelations(manyOptions, many);
  return {
    kind: 'run',
    command: found.command,
    input,
    global,
    many,
    consent: readConsent(parsed),
    template: 'template' in ofResults ? templateIn(parsed) : undefined,
    allowUnknownFields: parsed.values.has('allow-unknown-fields'),
    shown: lineForLog(found.command.path, parsed, specs),
    notes: globalOptionNotes(found, parsed),
  };
}

/** Adds a note if a global option after the command has the name of a field with its own option. */
const globalOptionNotes = (
  { command, after }: Extract<FoundCommand, { kind: 'command' }>,
  { values }: ParsedOptions,
): readonly string[] =>
  Object.values(command.options).flatMap(({ flag, beside }) => {
    if (beside === undefined || values.has(flag)) return [];
    const typed = `--${beside.flag}`;
    const isMeant = after.some((each) => each === typed || each.startsWith(`${typed}=`));
    return isMeant
      ? [`${typed} is a global option. To set the field of the ${beside.whose}, use --${flag}.`]
      : [];
  });

/** Throws `usage` if another format option is given. */
function templateIn({ values }: ParsedOptions): string | undefined {
  const given = values.get('template');
  const other = ['output', 'fields'].find((flag) => values.has(flag));
  if (given !== undefined && other !== undefined)
    throw new Failure('usage', `Give --template or --${other}, not both.`);
  return Array.isArray(given) ? given.at(-1) : undefined;
}

function commandWords(found: FoundCommand): readonly string[] {
  if (found.kind === 'command') return found.command.path;
  return found.kind === 'group' ? found.words : [];
}

/** Options whose `NAME=VALUE` is a search condition and not a stored value. */
const conditionFlags = new Set(['filter']);

/** Omits values of fields and variables, because the log stores changes separately, and secrets in addresses. */
function lineForLog(
  path: readonly string[],
  { operands, values }: ParsedOptions,
  specs: readonly OptionSpec[],
): string {
  const valued = new Map(specs.map(({ flag, value = '' }) => [flag, value]));
  const options = [...values]
    .filter(([flag]) => flag !== 'note')
    .flatMap(([flag, given]) =>
      given === true
        ? [`--${flag}`]
        : given.flatMap((text) => [`--${flag}`, shellWord(valueForLog(flag, valued.get(flag) ?? '', text))]),
    );
  const words = operands.map((text) => shellWord(withoutSecrets(text)));
  const line = operands.some((text) => text.startsWith('-'))
    ? [...path, ...options, '--', ...words]
    : [...path, ...words, ...options];
  return line.join(' ');
}

function valueForLog(flag: string, placeholder: string, text: string): string {
  const at = text.indexOf('=');
  return placeholder.includes('=') && at > 0 && !conditionFlags.has(flag)
    ? `${text.slice(0, at)}=…`
    : withoutSecrets(text);
}

const withoutSecrets = (text: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? maskUrl(text) : text.replaceAll(/([?&][^=&\s]+)=[^&\s]*/g, '$1=…');

/** Options by flag with unvalidated values, and the other words of the line. */
export interface ParsedOptions {
  readonly values: ReadonlyMap<string, true | readonly string[]>;
  readonly operands: readonly string[];
}

/** Splits options like Commander: `--flag=value`, `-ovalue`, `-qy`. `takesWords`: the command has arguments. */
export function parseOptions(
  where: string,
  specs: readonly OptionSpec[],
  argv: readonly string[],
  takesWords = false,
): ParsedOptions {
  const given = new Map<string, true | string[]>();
  const parser = new Parser()
    .exitOverride()
    .helpOption(false)
    .configureOutput({ outputError: () => undefined });
  for (const spec of specs) {
    const { flag } = spec;
    const short = spec.short === undefined ? '' : `-${spec.short}, `;
    parser.option(`${short}--${flag}${spec.value === undefined ? '' : ' <value>'}`);
    parser.on(`option:${flag}`, (value?: string) => {
      const before = given.get(flag);
      if (typeof value !== 'string') given.set(flag, true);
      else if (Array.isArray(before)) before.push(value);
      else given.set(flag, [value]);
    });
  }
  const program = specs.find((spec) => spec.program);
  const { line, words } = program ? extractProgram(program.flag, argv) : { line: argv, words: [] };
  const { operands, unknown } = splitLine(parser, specs, line);
  const [stranger] = unknown;
  if (stranger !== undefined) throw unknownOption(where, specs, stranger, takesWords);
  const more = program && given.get(program.flag);
  if (program && words.length > 0) given.set(program.flag, [...words, ...(Array.isArray(more) ? more : [])]);
  return { values: given, operands };
}

/** Removes the words of a program from a line, unless they are one quoted word. */
function extractProgram(
  flag: string,
  argv: readonly string[],
): { readonly line: readonly string[]; readonly words: readonly string[] } {
  const end = optionsEnd(argv);
  const at = argv.slice(0, end).indexOf(`--${flag}`);
  const next = argv.findIndex((word, index) => index > at && (index >= end || word.startsWith('-')));
  const words = argv.slice(at + 1, next < 0 ? end : next);
  const [first] = words;
  if (at < 0 || first === undefined || /\s/.test(first)) return { line: argv, words: [] };
  return {
    line: [...argv.slice(0, at), ...argv.slice(at + 1 + words.length, end)],
    words: [...words, ...argv.slice(end + 1)],
  };
}

function splitLine(
  parser: Parser,
  specs: readonly OptionSpec[],
  argv: readonly string[],
): { operands: readonly string[]; unknown: readonly string[] } {
  try {
    return parser.parseOptions([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander only stops early if the last argument is an option without its value.
    const last = argv.at(-1) ?? '';
    const spec = specs.find(
      ({ flag, short }) => last === `--${flag}` || (!last.startsWith('--') && short === last.at(-1)),
    );
    throw new Failure(
      'usage',
      `--${spec?.flag ?? last} needs a value${spec?.value ? `: ${spec.value}` : ''}.`,
    );
  }
}

function unknownOption(
  where: string,
  specs: readonly OptionSpec[],
  typed: string,
  takesWords: boolean,
): Failure {
  const [name = typed] = typed.split('=');
  const flags = specs.map(({ flag }) => `--${flag}`);
  if (flags.includes(name)) return new Failure('usage', `${name} is a switch and takes no value.`);
  const near = name.startsWith('--') ? suggestOption(name, flags) : undefined;
  const takesFields = flags.includes('--set-json');
  const isName = takesWords && near === undefined && !name.startsWith('--');
  if (isName)
    return new Failure('usage', `${where} has no option ${JSON.stringify(name)}.`, {
      hint: `To pass a name that starts with a dash: ${where} -- ${shellWord(typed)}`,
    });
  return new Failure(
    'usage',
    `${where} has no option ${JSON.stringify(name)}.${didYouMean(near)}`,
    near === undefined
      ? { hint: `${where} --help${takesFields ? '; other fields by --set and --set-json, or -f' : ''}` }
      : {},
  );
}
