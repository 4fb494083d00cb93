import { Failure } from '../../base/failure.ts';
import { listAllowed } from '../../base/nearest.ts';
import { didYouMean, shellWord } from '../../base/wording.ts';
import {
  type ArgumentSpec,
  type Command,
  isGiven,
  type OptionSpec,
  type OptionSpecs,
  type ParsedInput,
  type ParsedValue,
  type Relations,
} from '../command/command.ts';
import { optionForName, suggestValue } from '../commands/synonyms.ts';
import type { ParsedOptions } from './parse-line.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Returns validated, frozen input. Throws `usage` with the name of the option or argument. */
export function inputFor(where: string, command: Command, parsed: ParsedOptions, env: Env): ParsedInput {
  const options = optionValues(command.options, parsed, env);
  const named = Object.values(command.arguments).slice(0, parsed.operands.length);
  checkRelations(command.options, options, {
    operands: new Map(named.map(({ name }, index) => [name, parsed.operands[index] ?? ''])),
    flags: [...parsed.values.keys()],
    command,
    others: [
      ...named.map(({ name, excludes = [] }) => ({ typed: name, excludes })),
      ...Object.entries(command.relations ?? {}).flatMap(([flag, relations]) =>
        parsed.values.has(flag) ? [{ typed: `--${flag}`, ...relations }] : [],
      ),
    ],
  });
  return Object.freeze({ ...options, ...argumentValues(where, command, parsed.operands) });
}

export const optionAsTyped = (specs: OptionSpecs, name: string): string =>
  Object.values(specs).some(({ flag }) => flag === name) ? `--${name}` : name;

/** Formats alternative inputs as the user types them: `--user or --device`. */
export const eitherOption = (specs: OptionSpecs, group: readonly string[]): string =>
  group.map((each) => optionAsTyped(specs, each)).join(' or ');

interface LineContext {
  readonly operands: ReadonlyMap<string, string>;
  readonly flags: readonly string[];
  readonly command?: Pick<Command, 'anyOf' | 'examples'>;
  readonly others: readonly (Relations & { readonly typed: string })[];
}

const emptyLine: LineContext = { operands: new Map(), flags: [], others: [] };

/** Throws `usage` if inputs are missing, or exclude each other. */
export function checkRelations(
  specs: OptionSpecs,
  values: ParsedInput,
  { operands, flags, others, command }: LineContext = emptyLine,
): void {
  const options = Object.entries(specs).flatMap(([key, spec]) => (isGiven(values[key]) ? [spec] : []));
  const given = new Set([...operands.keys(), ...flags, ...options.map(({ flag }) => flag)]);
  const all = [...options.map((spec) => ({ typed: `--${spec.flag}`, ...spec })), ...others];
  for (const { typed, excludes = [] } of all) {
    const other = excludes.find((each) => given.has(each));
    if (other !== undefined)
      throw new Failure('usage', `Give ${typed} or ${optionAsTyped(specs, other)}, not both.`);
  }
  for (const { typed, needs } of all)
    if (needs && !needs.some((each) => given.has(each)))
      throw new Failure('usage', `${typed} needs ${needs.map((each) => `--${each}`).join(' or ')}.`);
  for (const { flag, only = {} } of options)
    for (const [name, taken] of Object.entries(only))
      if (!taken.includes((operands.get(name) ?? '').toUpperCase()))
        throw new Failure('usage', `--${flag} only works if ${name} is ${taken.join(' or ')}.`);
  for (const [key, { flag, required, doc }] of Object.entries(specs)) {
    if (!required || String(values[key] ?? '').trim() !== '') continue;
    const example = command?.examples.find(({ line }) => line.includes(`--${flag} `));
    const hint = `--${flag}: ${doc}${example ? `, as in: ${example.line}` : ''}`;
    throw new Failure('usage', `The option --${flag} is missing.`, { hint });
  }
  for (const group of command?.anyOf ?? [])
    if (!group.some((each) => given.has(each)))
      throw new Failure('usage', `Give ${eitherOption(specs, group)}.`, {
        hint: `For example: ${command?.examples[0]?.line}`,
      });
}

/** Converts option values by type. Options that are missing on the line are read from their variables. */
export function optionValues(specs: OptionSpecs, parsed: ParsedOptions, env: Env): ParsedInput {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, optionValue(spec, parsed.values.get(spec.flag), env)]),
  );
}

function optionValue(spec: OptionSpec, typed: true | readonly string[] | undefined, env: Env): ParsedValue {
  if (spec.value === undefined) return typed === true ? true : undefined;
  const name = `--${spec.flag}`;
  const texts = Array.isArray(typed) ? typed : [];
  if (spec.repeat) return texts.map((text) => convertValue(name, spec, text)) as readonly string[];
  const text = texts.at(-1);
  if (text !== undefined) return convertValue(name, spec, text);
  const variable = spec.env === undefined ? undefined : env[spec.env];
  return variable === undefined || variable === '' || spec.env === undefined
    ? undefined
    : convertValue(spec.env, spec, variable);
}

const forms = {
  integer: [/^-?\d{1,15}$/, 'a whole number'],
  number: [/^-?(?:\d{1,15}(?:\.\d+)?|\.\d+)$/, 'a number'],
  boolean: [/^(?:true|false)$/, 'true or false'],
  amount: [/^\d+(?:\.\d+)?$/, 'an amount such as 25 or 12.50'],
} as const;

function convertValue(name: string, spec: OptionSpec, text: string): string | number | boolean {
  const { type = 'string' } = spec;
  if (type === 'string') return matchChoice(name, spec.choices, text);
  const [form, words] = forms[type];
  if (!form.test(text)) throw new Failure('usage', `${name} must be ${words}, not ${JSON.stringify(text)}.`);
  if (type === 'boolean') return text === 'true';
  return type === 'amount' ? text : checkBounds(name, spec, Number(text));
}

function checkBounds(name: string, { minimum, maximum }: OptionSpec, value: number): number {
  const isInside = (minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum);
  if (isInside) return value;
  const bounds = maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
  throw new Failure('usage', `${name} must be ${bounds}, not ${value}.`);
}

function matchChoice(name: string, choices: readonly string[] | undefined, text: string): string {
  if (choices === undefined) return text;
  const chosen = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
  if (chosen !== undefined) return chosen;
  const near = suggestValue(text, choices);
  throw new Failure(
    'usage',
    `${name} must be one of ${listAllowed(choices)}, not ${JSON.stringify(text)}.${didYouMean(near)}`,
  );
}

function argumentValues(where: string, command: Command, operands: readonly string[]): ParsedInput {
  const entries = Object.entries<ArgumentSpec>(command.arguments);
  const values = entries.map(
    ([key, spec], index) => [key, argumentValue(where, spec, operands, index)] as const,
  );
  const takesAll = entries.some(([, { rest }]) => rest);
  const extra = operands[entries.length];
  if (!takesAll && extra !== undefined) throw surplusArgument(where, command, extra);
  return Object.fromEntries(values);
}

function surplusArgument(where: string, command: Command, extra: string): Failure {
  const count = describeCount(Object.keys(command.arguments).length);
  const message = `${where} takes ${count}; ${JSON.stringify(extra)} is not expected.`;
  if (/^(?:-[a-z]$|--[a-z])/i.test(extra))
    return new Failure('usage', message, {
      hint: 'Words after -- are arguments. Put options before it.',
    });
  const flag = optionForName(Object.values(command.options).map((each) => each.flag));
  return flag === undefined
    ? new Failure('usage', message, { hint: `${where} --help` })
    : new Failure('usage', `${message}${didYouMean(`--${flag} ${shellWord(extra)}`)}`);
}

const describeCount = (count: number): string =>
  count === 0 ? 'no argument' : count === 1 ? 'one argument' : `${count} arguments`;

function argumentValue(
  where: string,
  spec: ArgumentSpec,
  operands: readonly string[],
  index: number,
): string | readonly string[] | undefined {
  const given = operands.slice(index, spec.rest ? undefined : index + 1);
  if (given.length === 0 && !spec.optional) {
    throw new Failure('usage', `${where} needs ${spec.name}: ${lowerFirst(spec.doc)}.`, {
      hint: `${where} --help`,
    });
  }
  const checked = given.map((text) => matchChoice(spec.name, spec.choices, text));
  return spec.rest ? checked : checked[0];
}

/** Lowers the first letter for use in the middle of a sentence. Words in capitals are unchanged. */
const lowerFirst = (text: string): string =>
  /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

/** The position of `--`, or the end of the line. */
export const optionsEnd = (argv: readonly string[]): number =>
  argv.includes('--') ? argv.indexOf('--') : argv.length;

/** Returns the last value of an option before `--`. The line may be invalid. */
export function typedValue(argv: readonly string[], long: string, short?: string): string | undefined {
  const own = argv.slice(0, optionsEnd(argv));
  return own.reduce<string | undefined>((found, argument, index) => {
    if (argument === long || argument === short) return own[index + 1] ?? found;
    if (argument.startsWith(`${long}=`)) return argument.slice(long.length + 1);
    if (short && argument.startsWith(short) && !argument.startsWith('--'))
      return argument.slice(short.length);
    return found;
  }, undefined);
}
