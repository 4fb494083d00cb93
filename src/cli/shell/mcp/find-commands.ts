import type { JsonObject } from '../../../base/json.ts';
import type { Command } from '../../command/command.ts';
import { tradeWords } from '../../commands/other-words.ts';
import { neededIn } from '../help/help-page.ts';
import { wordsIn } from '../help/words-page.ts';
import { type Allowed, offeredOptions, whyWithheld } from './allowed.ts';
import { argumentWords, type Tool, typeOf } from './tools.ts';

/** Most commands of one answer; those with their options. */
const shownAtMost = 12;
const shownWhole = 4;

/** Words that say nothing about what is looked for. */
const fillers = new Set(
  'a an the of to by for in on at with and or all new what which how is are my'.split(' '),
);

/** Texts of the options of commands, kept: making options takes longer than looking through them. */
const optionTexts = new WeakMap<Command, readonly string[]>();

function textsOfOptions(command: Command): readonly string[] {
  const known = optionTexts.get(command);
  if (known) return known;
  const texts = Object.values(command.options).flatMap(({ flag, doc }) => [flag, doc]);
  optionTexts.set(command, texts);
  return texts;
}

/** How well a command fits a word: by its name, by what it is for, by an option. */
function scoreOf(command: Command, wanted: string): number {
  const { path, summary } = command;
  const begins = (text: string): boolean =>
    text.toLowerCase().includes(wanted) && wordsIn(text).some((word) => word.startsWith(wanted));
  if (wordsIn(path.join(' ')).includes(wanted)) return 8;
  if (begins(path.join(' '))) return 6;
  if (begins(summary)) return 4;
  return textsOfOptions(command).some(begins) ? 1 : 0;
}

/** Commands that fit words, best first, as an assistant is told of them: those that are withheld with the reason. */
export function findCommands({ verbs, withheld }: Tool, words: string, allowed: Allowed): JsonObject {
  const asked = wordsIn(words.replace(/^telctl /, ''));
  const wanted = asked
    .filter((word) => !fillers.has(word))
    .map((word) => {
      const others = tradeWords(word);
      return [...new Set([word, ...wordsIn(others.join(' '))])];
    });
  const isNamed = ({ path }: Command): boolean => wordsIn(path.join(' ')).join(' ') === asked.join(' ');
  const fitOf = (command: Command): number =>
    (isNamed(command) ? 100 : 0) +
    wanted.reduce((sum, [own = '', ...others]) => {
      const best = Math.max(0, ...others.map((word) => scoreOf(command, word) - 1));
      return sum + Math.max(scoreOf(command, own), best);
    }, 0);
  const found = [...verbs.values(), ...withheld.values()]
    .map((command) => ({ command, sum: fitOf(command) }))
    .filter(({ sum }) => sum > 0)
    // Of two that fit alike the one with fewer words is the more general.
    .sort((one, other) => other.sum - one.sum || one.command.path.length - other.command.path.length);
  return {
    commands: found
      .slice(0, shownAtMost)
      .map(({ command }, index) => told(command, allowed, index < shownWhole)),
    ...(found.length > shownAtMost ? { more: found.length - shownAtMost } : {}),
  };
}

function told(command: Command, allowed: Allowed, isWhole: boolean): JsonObject {
  const { path, summary, effect, worst = effect } = command;
  const refused = whyWithheld(command, allowed);
  const told = {
    command: path.join(' '),
    arguments: argumentWords(command).join(' '),
    summary,
    effect: worst,
  };
  if (refused !== undefined) return { ...told, refused: `"${told.command}" ${refused}.` };
  if (!isWhole) return told;
  const specs = offeredOptions(command, allowed);
  const needs = neededIn(command);
  return {
    ...told,
    ...(needs.length === 0 ? {} : { needs }),
    arguments: argumentsTold(command) ?? told.arguments,
    options: Object.fromEntries(
      specs.map((spec) => {
        const { flag, doc, required, repeat, choices } = spec;
        const kind = repeat ? `${typeOf(spec)} or a list` : typeOf(spec);
        const words = choices ? `: ${choices.join(', ')}` : '';
        return [flag, `${kind}${required ? ', required' : ''}. ${doc}${words}`];
      }),
    ),
  };
}

function argumentsTold(command: Command): JsonObject | undefined {
  const docs = Object.values(command.arguments).map(({ doc }) => doc);
  const words = argumentWords(command);
  return words.length === 0
    ? undefined
    : Object.fromEntries(words.map((word, index) => [word, docs[index] ?? '']));
}
