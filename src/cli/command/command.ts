import type { Does } from '../../contract/capabilities.ts';
import type { Effect, ResourceName } from '../../contract/types.ts';
import type { Context } from './context.ts';
import type { Notation, Result } from './result.ts';

/** Values that completion offers. `contract`: paths for `explain`. */
export type Completion = 'file' | 'profile' | 'help' | 'contract' | { readonly resource: ResourceName };

/** An option of a command, as data. Its key in the options constant is its name in the handler's input. */
export interface OptionSpec extends Relations {
  readonly flag: string;
  readonly short?: string;
  /** Name of the value in help: `FILE`. Omitted for a switch. */
  readonly value?: string;
  /** Type of the value. An `amount` stays text, so that no digit is lost. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'amount';
  readonly repeat?: true;
  /** A program with its arguments: words up to the next option, all words after `--`, or one quoted word. */
  readonly program?: true;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Largest number that an assistant can pass, because computing time grows with it. */
  readonly maximumForAssistants?: number;
  readonly choices?: readonly string[];
  readonly suggestions?: readonly string[];
  readonly doc: string;
  readonly completes?: Completion;
  readonly env?: string;
  /** The command waits until Ctrl-C with this option. Not offered to assistants. */
  readonly attended?: true;
  /** The command fails without this option. No question or default replaces it. */
  readonly required?: true;
  /**
   * Effects of the option. The default is `reads-files` for a file option, and the effect of writing the field for a
   * field option.
   */
  readonly does?: readonly Does[];
  /** Set if a global option has the same name: the noun that this option is about. */
  readonly beside?: { readonly flag: string; readonly whose: string };
  /** Values of arguments, by argument name, that allow this option. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

export interface Relations {
  /** Options by flag, or arguments by name. Only one of two exclusive inputs declares it. */
  readonly excludes?: readonly string[];
  /** Options by flag. At least one of them is required. */
  readonly needs?: readonly string[];
}

export interface ArgumentSpec extends Pick<Relations, 'excludes'> {
  readonly does?: readonly Does[];
  readonly name: string;
  readonly doc: string;
  readonly optional?: true;
  readonly rest?: true;
  readonly choices?: readonly string[];
  readonly suggestions?: readonly string[];
  readonly completes?: Completion;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** An option as declared. The flag defaults to the hyphenated key; values called FILE complete file names. */
export type WrittenOption = Omit<OptionSpec, 'flag'> & Partial<Pick<OptionSpec, 'flag'>>;
export type WrittenOptions = Readonly<Record<string, WrittenOption>>;

const flagOfKey = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const completeOptions = <const O extends WrittenOption>(
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

/** Handler input, typed from the option and argument constants. Inputs that the user does not give are `undefined`. */
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
  /** Content of the file in the command line, if it is not a sample of the contract. */
  readonly file?: string;
}

export type WrittenExamples = Readonly<Record<string, string | Omit<Example, 'line'>>> | readonly Example[];

export const completeExamples = (written: WrittenExamples): readonly Example[] =>
  isList(written)
    ? written
    : Object.entries(written).map(([line, each]) => ({
        line,
        ...(typeof each === 'string' ? { doc: each } : each),
      }));

const isList = (written: WrittenExamples): written is readonly Example[] => Array.isArray(written);

/** `local` commands only use this machine. They never require a sign-in, and run under read-only profiles. */
export type CommandEffect = Effect | 'local';

export type Handler<Input> = (input: Input, context: Context) => Promise<Result>;

/** Name, input and purpose of a command, as data. */
export interface CommandFacts<O extends OptionSpecs = OptionSpecs, A extends ArgumentSpecs = ArgumentSpecs> {
  /** Words after `telctl`: `['users', 'vcard']`. */
  readonly path: readonly [string, ...string[]];
  readonly summary: string;
  readonly description?: string;
  readonly arguments: A;
  readonly options: O;
  /** Relations of global options that only apply to this command, by flag. */
  readonly relations?: Readonly<Record<string, Relations>>;
  /** Options (by flag) and arguments (by name). At least one of each group is required. */
  readonly anyOf?: readonly (readonly string[])[];
  readonly effect: CommandEffect;
  readonly worst?: CommandEffect;
  readonly does?: readonly Does[];
  readonly examples: readonly Example[];
  /** Operations of the contract that the command calls, for the command tree and the reference. */
  readonly operations?: readonly string[];
  /** Set if `--account` applies although no operation of the command takes an account. */
  readonly account?: boolean;
  readonly shows?: ResourceName;
  readonly hidden?: true;
  /** The command returns reports, so `-o markdown` is available. */
  readonly markdown?: true;
  readonly documents?: readonly Notation[];
  /** The command never adds charges, so it has no options about charges. */
  readonly neverPays?: true;
  /** The result is a log for other programs: one JSON object per line by default. */
  readonly streams?: true;
  /** The command ignores invalid settings, so that it can diagnose them. */
  readonly withoutSettings?: true;
  /** The command asks questions or waits, so assistants do not get it. Default: true for local commands. */
  readonly attended?: boolean;
  /** The handler gets the arguments after `--` unchanged (`sandbox exec`). */
  readonly passThrough?: true;
}

/** A value from the command line with the type of its option. */
export type ParsedValue = string | number | boolean | readonly string[] | readonly number[] | undefined;

/** Returns true for the value of an option that is in the command line. Absent flags are false, and absent lists empty. */
export const isGiven = (value: ParsedValue): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** Handler input before it is typed for one command. */
export type ParsedInput = Readonly<Record<string, ParsedValue>>;

export interface Command extends CommandFacts {
  load(): Promise<Handler<ParsedInput>>;
}

type WrittenCommand<O extends WrittenOptions, A extends ArgumentSpecs> = Omit<
  CommandFacts<OptionSpecs, A>,
  'arguments' | 'options' | 'examples'
> & {
  readonly arguments?: A;
  readonly options?: O;
  readonly examples: WrittenExamples;
  load(): Promise<Handler<InputOf<O, A>>>;
};

/** Declares a command. The compiler checks that the handler accepts the options and arguments. */
export function defineCommand<
  const O extends WrittenOptions = Record<never, never>,
  const A extends ArgumentSpecs = Record<never, never>,
>(command: WrittenCommand<O, A>): Command {
  const { options = {}, examples } = command;
  // This cast is unchecked: the parser creates the input that O and A describe.
  return {
    arguments: {},
    ...command,
    options: completeOptions(options),
    examples: completeExamples(examples),
  } as unknown as Command;
}
