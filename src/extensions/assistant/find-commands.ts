import type { JsonObject } from '../../base/json.ts';
import type { Command } from '../../cli/command/command.ts';
import { synonymsOf } from '../../cli/commands/other-words.ts';
import { argumentNames, neededIn } from '../../cli/shell/help/help-page.ts';
import { fieldEntries, splitWords } from '../../cli/shell/help/words-page.ts';
import { operationById } from '../../contract/catalogue.ts';
import { resourceOf } from '../../contract/resource.ts';
import { type AssistantRights, offeredOptions, whyWithheld } from './allowed.ts';
import { schemaType, type Tool } from './tools.ts';

/** Most commands of one answer; those with their options. */
const shownAtMost = 12;
const shownWhole = 4;

/** Words that say nothing about what is looked for. */
const fillers = new Set(
  `a an the of to by for in on at with and or all new what which how is are my why does do i can it this that where who
  when now from not into out has have still me our we turn`.split(/\s+/),
);

/** Texts of the options and fields of commands, kept: making them takes longer than looking through them. */
const innerTexts = new WeakMap<Command, readonly string[]>();

/** The options of a command, and the fields that a change of records may have. */
function textsIn(command: Command): readonly string[] {
  const known = innerTexts.get(command);
  if (known) return known;
  const patched = (command.operations ?? []).map(operationById).find(({ verb }) => verb === 'patch');
  const texts = [
    ...Object.values(command.options).flatMap(({ flag, doc }) => [flag, doc]),
    ...(patched ? fieldEntries(resourceOf(patched)).flatMap(({ typed, doc }) => [typed, doc]) : []),
  ];
  innerTexts.set(command, texts);
  return texts;
}

/** A word that is looked for, and what people who say it may mean: nouns, verbs or commands. */
interface Wanted {
  readonly word: string;
  readonly meant: readonly string[];
}

/** The words of a phrase. Two that are one term, such as "call history", mean what that means as well. */
function wantedIn(phrase: string): readonly Wanted[] {
  const words = phrase.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const told = words.filter((word) => !fillers.has(word));
  const terms = new Set(
    [words, told].flatMap((of) => of.slice(1).map((next, index) => `${of[index]}-${next}`)),
  );
  return [
    ...[...terms].map((term) => ({ word: '', meant: synonymsOf(term) })),
    ...told.map((word) => ({ word: splitWords(word)[0] ?? '', meant: synonymsOf(word) })),
  ];
}

/** Weight of the fit between a command and a word: by its name, by what it is for, by an option or a field. */
function scoreOf(command: Command, { word, meant }: Wanted): number {
  const { path, summary } = command;
  const named = splitWords(path.join(' '));
  // "forwarding" and "missed" are found where it says "forward" and "misses".
  const [, stem = word] = /^(\w{4,}?)(?:ing|ed|es)$/.exec(word) ?? [];
  const begins = (text: string): boolean =>
    word !== '' &&
    text.toLowerCase().includes(stem) &&
    splitWords(text).some((each) => each.startsWith(stem));
  const line = meant.findIndex((each) => splitWords(each).every((part) => named.includes(part)));
  const fit =
    (named.includes(word) && 8) ||
    (begins(path.join(' ')) && 6) ||
    (line >= 0 && (line === 0 ? 6 : 4)) ||
    (begins(summary) && 3) ||
    0;
  // A list is a good beginning, whatever is to be done then.
  const isList = fit > 0 && path.length === 2 && path[1] === 'list';
  return fit + (isList || (fit > 3 && begins(summary)) || textsIn(command).some(begins) ? 2 : 0);
}

/** Commands that fit words, best first, withheld ones with the reason; words that fit few commands count more. */
export function matchingCommands(
  { verbs, withheld }: Tool,
  words: string,
  allowed: AssistantRights,
): JsonObject {
  const phrase = words.replace(/^telctl /, '');
  const commands = [...verbs.values(), ...withheld.values()];
  const isNamed = ({ path }: Command): boolean =>
    splitWords(path.join(' ')).join(' ') === splitWords(phrase).join(' ');
  const sums = new Map(commands.map((command) => [command, isNamed(command) ? 1_000 : 0]));
  // Calls and phones of the sandbox are meant where it is named.
  const isAside = ({ path: [noun = ''] }: Command): boolean =>
    noun === 'sandbox' && !/sandbox|simulat|test/.test(phrase);
  for (const wanted of wantedIn(phrase)) {
    const scores = commands.map((command) => [command, scoreOf(command, wanted)] as const);
    const weight = Math.log(1 + commands.length / scores.filter(([, score]) => score > 0).length);
    for (const [command, score] of scores)
      if (score > 0) sums.set(command, (sums.get(command) ?? 0) + score * weight);
  }
  const found = [...sums]
    .map(([command, sum]) => ({ command, sum: isAside(command) ? sum / 2 : sum }))
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

function told(command: Command, allowed: AssistantRights, isWhole: boolean): JsonObject {
  const { path, summary, effect, worst = effect } = command;
  const refused = whyWithheld(command, allowed);
  const told = {
    command: path.join(' '),
    arguments: argumentNames(command).join(' '),
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
        const kind = repeat ? `${schemaType(spec)} or a list` : schemaType(spec);
        const words = choices ? `: ${choices.join(', ')}` : '';
        return [flag, `${kind}${required ? ', required' : ''}. ${doc}${words}`];
      }),
    ),
  };
}

function argumentsTold(command: Command): JsonObject | undefined {
  const docs = Object.values(command.arguments).map(({ doc }) => doc);
  const words = argumentNames(command);
  return words.length === 0
    ? undefined
    : Object.fromEntries(words.map((word, index) => [word, docs[index] ?? '']));
}
