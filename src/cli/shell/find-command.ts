import { createHint, Failure, type HintSource, nextStep } from '../../base/failure.ts';
import { didYouMean, shellWord } from '../../base/wording.ts';
import type { Command, OptionSpec } from '../command/command.ts';
import { globalOptions } from '../commands/global-options.ts';
import type { Noun } from '../commands/nouns.ts';
import { possibleVerbs, suggestWord, synonymsOf } from '../commands/synonyms.ts';
import { allNouns, nounByWord } from './registry.ts';

/** The result of matching a command line: a command, or the first words of several commands. */
export type FoundCommand =
  | {
      readonly kind: 'command';
      readonly command: Command;
      readonly rest: readonly string[];
      readonly after: readonly string[];
    }
  | {
      readonly kind: 'group';
      readonly words: readonly string[];
      readonly noun: Noun;
      readonly rest: readonly string[];
    }
  | { readonly kind: 'program'; readonly rest: readonly string[] };

const globals: readonly OptionSpec[] = Object.values(globalOptions);

/** Returns true if a global option takes the next argument. Other options count as switches. */
function takesValue(argument: string): boolean {
  if (argument.startsWith('--')) {
    return globals.some(({ flag, value }) => value !== undefined && argument === `--${flag}`);
  }
  for (const [index, letter] of [...argument.slice(1)].entries()) {
    const option = globals.find(({ short }) => short === letter);
    if (!option) return false;
    if (option.value !== undefined) return index === argument.length - 2;
  }
  return false;
}

const mayBeValue = (argument: string): boolean =>
  argument.startsWith('-') &&
  !globals.some(({ flag, short }) => argument === `--${flag}` || argument === `-${short}`);

/** Yields the positions of words that are not options or option values, up to `--`. */
function* wordPositions(argv: readonly string[]): Generator<number> {
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    if (argument === '--') return;
    if (!argument.startsWith('-') || argument === '-') yield index;
    else if (takesValue(argument)) index += 1;
  }
}

/** Returns true if a typed word matches a word of a path. All words except the last one also match in the singular. */
const matchesPath = (typed: string, path: readonly string[], at: number): boolean =>
  path[at] === typed || (at < path.length - 1 && path[at] === `${typed}s`);

function unknownWord(
  where: string,
  what: string,
  word: string,
  known: readonly string[],
  more?: HintSource,
): Failure {
  const near = suggestWord(word, known);
  const hint = more ?? (near === undefined ? `${where} --help` : undefined);
  return new Failure('usage', `${where} has no ${what} ${JSON.stringify(word)}.${didYouMean(near)}`, {
    hint,
  });
}

/**
 * Finds the command that a command line names, ignoring global options between its words. `rest` is the command line
 * without those words. Throws `usage` with the nearest match for an unknown noun or verb.
 */
export async function findCommand(argv: readonly string[]): Promise<FoundCommand> {
  const taken: number[] = [];
  const restOfLine = (): readonly string[] => argv.filter((_, index) => !taken.includes(index));
  let noun: Noun | undefined;
  let candidates: readonly Command[] = [];
  // A command whose words other commands also start with: `apply` and `apply history`.
  let match: Omit<Extract<FoundCommand, { kind: 'command' }>, 'kind'> | undefined;
  for (const position of wordPositions(argv)) {
    const word = argv[position] ?? '';
    const depth = taken.length;
    if (noun === undefined) {
      noun = nounByWord(word);
      if (noun === undefined) throw await unknownNoun(argv, position);
      candidates = await noun.commands();
    } else {
      const known = candidates.filter(({ path }) => matchesPath(word, path, depth));
      if (match && (known.length === 0 || mayBeValue(argv[position - 1] ?? ''))) {
        refuseWithoutVerb(match.command, candidates, argv, position);
        break;
      }
      if (known.length === 0) throw unknownVerb(candidates, depth, word);
      candidates = known;
    }
    taken.push(position);
    const command = candidates.find(({ path }) => path.length === taken.length);
    if (command === undefined) continue;
    match = { command, rest: restOfLine(), after: argv.slice(position + 1) };
    if (candidates.length === 1) break;
  }
  if (match) {
    await refuseShownNoun(match);
    return { kind: 'command', ...match };
  }
  if (noun === undefined) return { kind: 'program', rest: restOfLine() };
  const words = candidates[0]?.path.slice(0, taken.length) ?? [noun.name];
  return { kind: 'group', words, noun, rest: restOfLine() };
}

/** Throws `usage` for an argument that belongs to the `show` verb: `telctl log 52` means `telctl log show 52`. */
function refuseWithoutVerb(
  { path, arguments: takes }: Command,
  longer: readonly Command[],
  argv: readonly string[],
  position: number,
) {
  const word = argv[position] ?? '';
  const shows = longer.find((each) => each.path.length === path.length + 1 && each.path.at(-1) === 'show');
  const isValue = mayBeValue(argv[position - 1] ?? '');
  if (shows === undefined || isValue || Object.keys(takes).length > 0) return;
  throw new Failure(
    'usage',
    `telctl ${path.join(' ')} takes no argument.${didYouMean(`telctl ${shows.path.join(' ')} ${shellWord(word)}`)}`,
  );
}

/** Throws `usage` for `telctl show NOUN`. Other tools show records with it, but in telctl it shows saved plans. */
async function refuseShownNoun({
  command,
  after,
}: Pick<Extract<FoundCommand, { kind: 'command' }>, 'command' | 'after'>) {
  const [first] = wordPositions(after);
  if (command.path.join(' ') !== 'show' || first === undefined) return;
  const word = after[first] ?? '';
  if (nounByWord(word) === undefined) return;
  const { message } = await unknownNoun(['get', ...after], 0);
  throw new Failure('usage', message.replace(/^.*?\./, 'telctl show shows saved plans.'), {
    hint: createHint`To show a plan of that name: ${nextStep`show ${`./${word}`}`}`,
  });
}

/** Suggests the right order to users of tools with the verb first: `get users`, `create user`. */
async function unknownNoun(argv: readonly string[], position: number): Promise<Failure> {
  const word = argv[position] ?? '';
  const [next, more] = [...wordPositions(argv)].filter((each) => each > position);
  const noun = next === undefined ? undefined : nounByWord(argv[next] ?? '');
  const verbs = new Set((await noun?.commands())?.map(({ path }) => path[1]));
  const verb = possibleVerbs(word.toLowerCase(), more !== undefined).find((each) => verbs.has(each));
  const names = allNouns().flatMap(({ name, alias }) => (alias ? [name, alias] : [name]));
  if (!noun || verb === undefined) {
    const { wordsPage } = await import('./help/words-page.ts');
    const isKnown = synonymsOf(word).length > 0 || (await wordsPage([word], undefined)) !== undefined;
    return unknownWord('telctl', 'command', word, names, isKnown ? nextStep`help ${word}` : undefined);
  }
  const line = `telctl ${noun.name} ${verb}`;
  return new Failure('usage', `telctl has no command ${JSON.stringify(word)}.${didYouMean(line)}`);
}

function unknownVerb(left: readonly Command[], depth: number, word: string): Failure {
  const where = ['telctl', ...(left[0]?.path.slice(0, depth) ?? [])].join(' ');
  const known = left.filter(({ hidden }) => !hidden).map(({ path }) => path[depth] ?? '');
  return unknownWord(where, 'verb', word, [...new Set(known)]);
}
