import { CommanderError, Command as Parser } from 'commander';
import { Failure } from '../../base/failure.ts';
import { didYouMean } from '../../base/wording.ts';
import type { OptionSpec } from '../command/command.ts';
import { meantOption } from '../commands/other-words.ts';

/** Options as they were typed, by their flags, values unchecked, and what else stood on the line. */
export interface ParsedOptions {
  readonly values: ReadonlyMap<string, true | readonly string[]>;
  readonly operands: readonly string[];
}

const quotedWord = (word: string): string => JSON.stringify(word);

/** Splits an option's argument list where Commander would: `--flag=value`, `-ovalue`, `-qy`. Nothing is converted. */
export function parseOptions(
  where: string,
  specs: readonly OptionSpec[],
  argv: readonly string[],
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
  const { line, words } = program ? withoutProgram(program.flag, argv) : { line: argv, words: [] };
  const { operands, unknown } = splitLine(parser, specs, line);
  const [stranger] = unknown;
  if (stranger !== undefined) throw unknownOption(where, specs, stranger);
  const more = program && given.get(program.flag);
  if (program && words.length > 0) given.set(program.flag, [...words, ...(Array.isArray(more) ? more : [])]);
  return { values: given, operands };
}

/** Takes the words of a program off a line, unless they stand in quotes as one. */
function withoutProgram(
  flag: string,
  argv: readonly string[],
): { readonly line: readonly string[]; readonly words: readonly string[] } {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
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
    // Commander stops only where the last argument is an option whose value is not there.
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

function unknownOption(where: string, specs: readonly OptionSpec[], typed: string): Failure {
  const [name = typed] = typed.split('=');
  const flags = specs.map(({ flag }) => `--${flag}`);
  if (flags.includes(name)) return new Failure('usage', `${name} is a switch and takes no value.`);
  const near = name.startsWith('--') ? meantOption(name, flags) : undefined;
  const takesFields = flags.includes('--set-json');
  return new Failure(
    'usage',
    `${where} has no option ${quotedWord(name)}.${didYouMean(near)}`,
    near !== undefined
      ? {}
      : {
          hint: takesFields
            ? `${where} --help; other fields by --set and --set-json, or -f`
            : `${where} --help`,
        },
  );
}
