import type { Does } from '../../contract/capabilities.ts';
import type { Effect, ResourceName } from '../../contract/types.ts';
import type { Context } from './context.ts';
import type { Notation, Result } from './result.ts';

/** Kinds of values that completion offers. `contract`: a path for `explain`. */
export type Completion = 'file' | 'profile' | 'help' | 'contract' | { readonly resource: ResourceName };

/** An option of a command, as data. Its key in the options constant is its name in the handler's input. */
export interface OptionSpec extends Relations {
  /** Long flag without dashes: `first-name`. */
  readonly flag: string;
  /** One letter: `f`. */
  readonly short?: string;
  /** Name of its value in help: `FILE`. Omitted for a switch. */
  readonly value?: string;
  /** Type of the value. An `amount` stays text, so that no digit is lost. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'amount';
  /** Can be repeated; the handler gets an array. */
  readonly repeat?: true;
  /**
   * A program with its arguments: the words up to the next option, and all after `--`. One quoted word is a whole
   * command line.
   */
  readonly program?: true;
  readonly minimum?: number;
  /** Largest accepted number. Requires a minimum. */
  readonly maximum?: number;
  /** Largest number that an assistant can pass, because computing time grows with it. */
  readonly maximumForAssistants?: number;
  readonly choices?: readonly string[];
  /** Suggested values. Other values are also accepted. */
  readonly suggestions?: readonly string[];
  readonly doc: string;
  readonly completes?: Completion;
  /** Environment variable that is read if the option is absent. */
  readonly env?: string;
  /** Waits until Ctrl-C. Not offered to assistants. */
  readonly attended?: true;
  /** The command fails without it. There is no question or default for it. */
  readonly required?: true;
  /** Effects of this option. By default, a file is read, and a field has the effect of writing it. */
  readonly does?: readonly Does[];
  /** The global option with the same name, and the noun that this option is about instead. */
  readonly beside?: { readonly flag: string; readonly whose: string };
  /** Values of arguments, by argument name, that this option works with. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

/** Relations to other options and arguments. */
export interface Relations {
  /** Options by flag, or arguments by name. Declared on only one of the two. */
  readonly excludes?: readonly string[];
  /** Options by flag. At least one is required with it. */
  readonly needs?: readonly string[];
}

export interface ArgumentSpec extends Pick<Relations, 'excludes'> {
  /** Effects of this argument. By default, an argument that takes a file reads it. */
  readonly does?: readonly Does[];
  /** Name in help: `ID`. */
  readonly name: string;
  readonly doc: string;
  readonly optional?: true;
  /** Takes all remaining words. Only allowed for the last argument. */
  readonly rest?: true;
  readonly choices?: readonly string[];
  /** Suggested values. Other values are also accepted. */
  readonly suggestions?: readonly string[];
  readonly completes?: Completion;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** An option as declared. The flag defaults to the hyphenated key; values called FILE complete file names. */
export type WrittenOption = Omit<OptionSpec, 'flag'> & Partial<Pick<OptionSpec, 'flag'>>;
export type WrittenOptions = Readonly<Record<string, WrittenOption>>;

/** The flag for an option key: `first-name` for `firstName`. */
const flagOfKey = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Fills in the defaults of declared options. */
export const wholeOptions = <const O extends WrittenOption>(
  options: Readonly<Record<string, O>>,
): Readonly<Record<string, O & OptionSpec>> =>
  Object.fromEntries(
    Object.entries(options).map(([key, option]) => [
      key,
      { flag: flagOfKey(key), ...(option.value === 'FILE' ? { completes: 'file' } : {}), ...option },
    ]),
  );
export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>;

type ValueOf<O extends WrittenOption> = O extends { readonly value: string }
  ? O['type'] extends 'integer' | 'number'
    ? number
    : O['type'] extends 'boolean'
      ? boolean
      : O extends { readonly choices: readonly (infer C)[] }
        ? C
        : string
  : boolean;

/** Handler input, typed from the option and argument constants. `undefined`: not given. */
export type InputOf<O extends WrittenOptions, A extends ArgumentSpecs = Record<never, never>> = {
  readonly [K in keyof O]: O[K] extends { readonly repeat: true }
    ? readonly ValueOf<O[K]>[]
    : O[K] extends { readonly required: true }
      ? ValueOf<O[K]>
      : ValueOf<O[K]> | undefined;
} & {
  readonly [K in keyof A]: A[K] extends { readonly rest: true }
    ? readonly string[]
    : A[K] extends { readonly optional: true }
      ? string | undefined
      : A[K] extends { readonly choices: readonly (infer C)[] }
        ? C
        : string;
};

export interface Example {
  readonly line: string;
  readonly doc: string;
  /** Content of the file that the line names, unless it is a sample of the contract. */
  readonly file?: string;
}

/** Examples as declared: a description per line, or all facts. */
export type WrittenExamples = Readonly<Record<string, string | Omit<Example, 'line'>>> | readonly Example[];

export const wholeExamples = (written: WrittenExamples): readonly Example[] =>
  isList(written)
    ? written
    : Object.entries(written).map(([line, each]) => ({
        line,
        ...(typeof each === 'string' ? { doc: each } : each),
      }));

const isList = (written: WrittenExamples): written is readonly Example[] => Array.isArray(written);

/** `local` commands only touch this machine. They never require a sign-in, and run under read-only profiles. */
export type CommandEffect = Effect | 'local';

export type Handler<Input> = (input: Input, context: Context) => Promise<Result>;

/** Name, input and purpose of a command, as data. */
export interface CommandFacts<O extends OptionSpecs = OptionSpecs, A extends ArgumentSpecs = ArgumentSpecs> {
  /** Words after `telctl`: `['users', 'vcard']`. */
  readonly path: readonly [string, ...string[]];
  readonly summary: string;
  /** Additional text for the help page. */
  readonly description?: string;
  readonly arguments: A;
  readonly options: O;
  /** Additional relations of global options in this command, by flag. */
  readonly relations?: Readonly<Record<string, Relations>>;
  /** Groups of options (by flag) and arguments (by name). At least one of each group is required. */
  readonly anyOf?: readonly (readonly string[])[];
  readonly effect: CommandEffect;
  /** The worst effect that it can have, if `effect` is the least. Marks the command in the command tree. */
  readonly worst?: CommandEffect;
  /** Additional effects that neither its operations nor its arguments declare. */
  readonly does?: readonly Does[];
  readonly examples: readonly Example[];
  /** Operations of the contract that it calls, for the command tree and the reference. */
  readonly operations?: readonly string[];
  /** Set to true if `--account` applies although no operation of the command takes an account. */
  readonly account?: boolean;
  /** Resource whose records the command shows. `--fields` accepts the fields of this resource. */
  readonly shows?: ResourceName;
  readonly hidden?: true;
  /** Returns reports, so `-o markdown` is available. */
  readonly markdown?: true;
  /** Additional formats for its results. */
  readonly documents?: readonly Notation[];
  /** Never adds charges, so it has no options about charges. */
  readonly neverPays?: true;
  /** The result is a log for other programs: one JSON object per line, unless a format is chosen. */
  readonly streams?: true;
  /** Runs even if some settings are invalid, without those settings, so that it can diagnose them. */
  readonly withoutSettings?: true;
  /** Asks questions or waits for people, so assistants do not get it. By default true for local commands. */
  readonly attended?: boolean;
  /** Passes arguments after `--` to the handler unchanged (sandbox exec). */
  readonly passThrough?: true;
}

/** A value from the command line, after its type was checked. */
export type ParsedValue = string | number | boolean | readonly string[] | readonly number[] | undefined;

/** Input of a handler before it is typed for one command. */
export type ParsedInput = Readonly<Record<string, ParsedValue>>;

export interface Command extends CommandFacts {
  load(): Promise<Handler<ParsedInput>>;
}

/** A command as declared. Arguments and options are optional. */
type WrittenCommand<O extends WrittenOptions, A extends ArgumentSpecs> = Omit<
  CommandFacts<OptionSpecs, A>,
  'arguments' | 'options' | 'examples'
> & {
  readonly arguments?: A;
  readonly options?: O;
  readonly examples: WrittenExamples;
  load(): Promise<Handler<InputOf<O, A>>>;
};

/** Declares a command and checks at compile time that its handler accepts its options and arguments. */
export function defineCommand<
  const O extends WrittenOptions = Record<never, never>,
  const A extends ArgumentSpecs = Record<never, never>,
>(command: WrittenCommand<O, A>): Command {
  const { options = {}, examples } = command;
  // The parser creates exactly the input that O and A describe. Only this cast is unchecked.
  return {
    arguments: {},
    ...command,
    options: wholeOptions(options),
    examples: wholeExamples(examples),
  } as unknown as Command;
}
