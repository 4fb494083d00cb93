import type { Does } from '../../contract/capabilities.ts';
import type { Effect, ResourceName } from '../../contract/types.ts';
import type { Context } from './context.ts';
import type { Notation, Result } from './result.ts';

/** Values that completion offers where a value is typed; `contract`: a path that `explain` knows. */
export type Completion = 'file' | 'profile' | 'help' | 'contract' | { readonly resource: ResourceName };

/** An option of a command, as data. Its key in the options constant is its name in the handler's input. */
export interface OptionSpec extends Relations {
  /** Long flag without dashes: `first-name`. */
  readonly flag: string;
  /** One letter: `f`. */
  readonly short?: string;
  /** Name of its value in help: `FILE`. Left out: a switch without value. */
  readonly value?: string;
  /** An `amount` stays text, so that no digit of it is lost. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'amount';
  /** May be given several times; the handler gets an array. */
  readonly repeat?: true;
  /** A program with its arguments: the words up to the next option, and all after `--`; one with blanks is a whole line. */
  readonly program?: true;
  readonly minimum?: number;
  /** Largest number that it takes; only beside a smallest one. */
  readonly maximum?: number;
  /** Largest number that an assistant may give: the command computes for as long as it is large. */
  readonly maximumForAssistants?: number;
  readonly choices?: readonly string[];
  /** Words that are usual, where others may be typed too. */
  readonly suggestions?: readonly string[];
  readonly doc: string;
  readonly completes?: Completion;
  /** Variable that gives it when the option is absent. */
  readonly env?: string;
  /** It waits until Ctrl-C. No assistant is offered it. */
  readonly attended?: true;
  /** The command does not run without it: there is no question for it, and nothing that stands in for it. */
  readonly required?: true;
  /** What the command does with it alone. Left out: a file is read, and a field does what writing it does. */
  readonly does?: readonly Does[];
  /** The global option that has the name which this one would have, and the word for what this is about. */
  readonly beside?: { readonly flag: string; readonly whose: string };
  /** Values of arguments, by the names of these, that it works with; it works with no others. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

/** The options and arguments that one cannot be given with, or not without. */
export interface Relations {
  /** Options by their flags, arguments by their names. One of the two says so. */
  readonly excludes?: readonly string[];
  /** Options by their flags, one of which has to be given with it. */
  readonly needs?: readonly string[];
}

export interface ArgumentSpec extends Pick<Relations, 'excludes'> {
  /** Words for what the command does with it. Where left out, an argument that takes a file reads it. */
  readonly does?: readonly Does[];
  /** Name in help: `ID`. */
  readonly name: string;
  readonly doc: string;
  readonly optional?: true;
  /** Takes all that is left. Only the last one may. */
  readonly rest?: true;
  readonly choices?: readonly string[];
  /** Words that are usual, where others may be typed too. */
  readonly suggestions?: readonly string[];
  readonly completes?: Completion;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** An option as it is written: a flag that is its key hyphenated, and the completion of FILE, follow. */
export type WrittenOption = Omit<OptionSpec, 'flag'> & Partial<Pick<OptionSpec, 'flag'>>;
export type WrittenOptions = Readonly<Record<string, WrittenOption>>;

/** The flag of the option under a key: `first-name` of `firstName`. */
const flagOfKey = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Options with all that follows from their keys and values. */
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

/** Handler's input, typed from the exported constants of options and arguments. `undefined`: not given. */
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
  /** Text of the file that the line names, where it is not a sample of the contract. */
  readonly file?: string;
}

/** Examples as they are written down: what each line does, or all facts of it. */
export type WrittenExamples = Readonly<Record<string, string | Omit<Example, 'line'>>> | readonly Example[];

export const wholeExamples = (written: WrittenExamples): readonly Example[] =>
  isList(written)
    ? written
    : Object.entries(written).map(([line, each]) => ({
        line,
        ...(typeof each === 'string' ? { doc: each } : each),
      }));

const isList = (written: WrittenExamples): written is readonly Example[] => Array.isArray(written);

/** `local` touches this machine only: never asks for a sign-in, and runs under read-only profiles. */
export type CommandEffect = Effect | 'local';

export type Handler<Input> = (input: Input, context: Context) => Promise<Result>;

/** Name, input and purpose of a command, as data. */
export interface CommandFacts<O extends OptionSpecs = OptionSpecs, A extends ArgumentSpecs = ArgumentSpecs> {
  /** Words after `telctl`: `['users', 'vcard']`. */
  readonly path: readonly [string, ...string[]];
  readonly summary: string;
  /** More than the summary, for its help page. */
  readonly description?: string;
  readonly arguments: A;
  readonly options: O;
  /** Relations that global options have in this command alone, by the options' flags. */
  readonly relations?: Readonly<Record<string, Relations>>;
  /** Options by their flags, arguments by their names: one of each group has to be given. */
  readonly anyOf?: readonly (readonly string[])[];
  readonly effect: CommandEffect;
  /** The worst that it can do, where `effect` is what it does at least: the mark in the command tree. */
  readonly worst?: CommandEffect;
  /** Words for what it does beside that, where neither its operations nor its arguments say so. */
  readonly does?: readonly Does[];
  readonly examples: readonly Example[];
  /** Operations of the contract that it calls, for the command tree and the reference. */
  readonly operations?: readonly string[];
  /** True when `--account` means something to the command, if the operations that it calls do not tell. */
  readonly account?: boolean;
  /** Resource whose records, and nothing else, the command shows: `--fields` takes its fields. */
  readonly shows?: ResourceName;
  readonly hidden?: true;
  /** Gives reports, which `-o markdown` can show. */
  readonly markdown?: true;
  /** Formats beside the usual ones in which its results can be shown. */
  readonly documents?: readonly Notation[];
  /** It accepts no charges, whatever it writes, and takes no options about them. */
  readonly neverPays?: true;
  /** Its result is a log for other programs: a JSON object a line, unless another format was chosen. */
  readonly streams?: true;
  /** Runs also where settings cannot be read, without those that cannot: it is there to find that out. */
  readonly withoutSettings?: true;
  /** It asks and waits for people: no assistant is offered it. Left out: true for what stays on this machine. */
  readonly attended?: boolean;
  /** Arguments after `--` go to the handler untouched (sandbox exec). */
  readonly passThrough?: true;
}

/** A value as the command line gives it, after its type was checked. */
export type ParsedValue = string | number | boolean | readonly string[] | readonly number[] | undefined;

/** Input of a handler before it has the names of one command. */
export type ParsedInput = Readonly<Record<string, ParsedValue>>;

export interface Command extends CommandFacts {
  load(): Promise<Handler<ParsedInput>>;
}

/** A command as it is written down: arguments and options are left out where it takes none. */
type WrittenCommand<O extends WrittenOptions, A extends ArgumentSpecs> = Omit<
  CommandFacts<OptionSpecs, A>,
  'arguments' | 'options' | 'examples'
> & {
  readonly arguments?: A;
  readonly options?: O;
  readonly examples: WrittenExamples;
  load(): Promise<Handler<InputOf<O, A>>>;
};

/** Declares a command and holds its handler to the input that its options and arguments give. */
export function defineCommand<
  const O extends WrittenOptions = Record<never, never>,
  const A extends ArgumentSpecs = Record<never, never>,
>(command: WrittenCommand<O, A>): Command {
  const { options = {}, examples } = command;
  // The parser makes exactly what O and A describe: this is the one place where that is said and not checked.
  return {
    arguments: {},
    ...command,
    options: wholeOptions(options),
    examples: wholeExamples(examples),
  } as unknown as Command;
}
