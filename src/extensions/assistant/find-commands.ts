import type { JsonObject } from '../../base/json.ts';
import type { Command } from '../../cli/command/command.ts';
import { synonymsOf } from '../../cli/commands/synonyms.ts';
import { argumentNames, requirementSentences } from '../../cli/shell/help/help-page.ts';
import { fieldEntries, splitWords } from '../../cli/shell/help/words-page.ts';
import { operationById } from '../../contract/catalogue.ts';
import { resourceOf } from '../../contract/resource.ts';
import { type AssistantRights, offeredOptions, withheldReason } from './permissions.ts';
import { schemaType, type Tool } from './tools.ts';

const shownAtMost = 12;
const shownWhole = 4;

/** Words that the search ignores. */
const fillers = new Set(
  `a an the of to by for in on at with and or all new what which how is are my why does do i can it this that where who
  when now from not into out has have still me our we turn`.split(/\s+/),
);

/** Cached texts of options and fields, because creating them takes longer than searching them. */
const innerTexts = new WeakMap<Command, readonly string[]>();

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

/** A search word, and the nouns, verbs or commands that it can mean. */
interface SearchWord {
  readonly word: string;
  readonly meant: readonly string[];
}

/** Splits a phrase into words. Two words that form a term, such as "call history", also get the meaning of the term. */
function parsePhrase(phrase: string): readonly SearchWord[] {
  const words = phrase.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const significant = words.filter((word) => !fillers.has(word));
  const terms = new Set(
    [words, significant].flatMap((of) => of.slice(1).map((next, index) => `${of[index]}-${next}`)),
  );
  return [
    ...[...terms].map((term) => ({ word: '', meant: synonymsOf(term) })),
    ...significant.map((word) => ({ word: splitWords(word)[0] ?? '', meant: synonymsOf(word) })),
  ];
}

/** Returns how well a command matches a word: in its name, its summary, or an option or field. */
function scoreCommand(command: Command, { word, meant }: SearchWord): number {
  const { path, summary } = command;
  const named = splitWords(path.join(' '));
  // Lets "forwarding" and "missed" match "forward" and "misses".
  const [, stem = word] = /^(\w{4,}?)(?:ing|ed|es)$/.exec(word) ?? [];
  const startsWithStem = (text: string): boolean =>
    word !== '' &&
    text.toLowerCase().includes(stem) &&
    splitWords(text).some((each) => each.startsWith(stem));
  const line = meant.findIndex((each) => splitWords(each).every((part) => named.includes(part)));
  const fit =
    (named.includes(word) && 8) ||
    (startsWithStem(path.join(' ')) && 6) ||
    (line >= 0 && (line === 0 ? 6 : 4)) ||
    (startsWithStem(summary) && 3) ||
    0;
  // Lists help with most tasks.
  const isList = fit > 0 && path.length === 2 && path[1] === 'list';
  return (
    fit + (isList || (fit > 3 && startsWithStem(summary)) || textsIn(command).some(startsWithStem) ? 2 : 0)
  );
}

/** Finds commands by words, best match first. Rare words count more. Withheld commands include the reason. */
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
  // Commands for calls and phones of the sandbox match only if the phrase mentions the sandbox.
  const isOfSandbox = ({ path: [noun = ''] }: Command): boolean =>
    noun === 'sandbox' && !/sandbox|simulat|test/.test(phrase);
  for (const wanted of parsePhrase(phrase)) {
    const scores = commands.map((command) => [command, scoreCommand(command, wanted)] as const);
    const weight = Math.log(1 + commands.length / scores.filter(([, score]) => score > 0).length);
    for (const [command, score] of scores)
      if (score > 0) sums.set(command, (sums.get(command) ?? 0) + score * weight);
  }
  const found = [...sums]
    .map(([command, sum]) => ({ command, sum: isOfSandbox(command) ? sum / 2 : sum }))
    .filter(({ sum }) => sum > 0)
    // With equal scores, the shorter and thus more general command comes first.
    .sort((one, other) => other.sum - one.sum || one.command.path.length - other.command.path.length);
  return {
    commands: found
      .slice(0, shownAtMost)
      .map(({ command }, index) => describeCommand(command, allowed, index < shownWhole)),
    ...(found.length > shownAtMost ? { more: found.length - shownAtMost } : {}),
  };
}

function describeCommand(command: Command, allowed: AssistantRights, isWhole: boolean): JsonObject {
  const { path, summary, effect, worst = effect } = command;
  const refused = withheldReason(command, allowed);
  const described = {
    command: path.join(' '),
    arguments: argumentNames(command).join(' '),
    summary,
    effect: worst,
  };
  if (refused !== undefined) return { ...described, refused: `"${described.command}" ${refused}.` };
  if (!isWhole) return described;
  const specs = offeredOptions(command, allowed);
  const needs = requirementSentences(command);
  return {
    ...described,
    ...(needs.length === 0 ? {} : { needs }),
    arguments: describeArguments(command) ?? described.arguments,
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

function describeArguments(command: Command): JsonObject | undefined {
  const docs = Object.values(command.arguments).map(({ doc }) => doc);
  const words = argumentNames(command);
  return words.length === 0
    ? undefined
    : Object.fromEntries(words.map((word, index) => [word, docs[index] ?? '']));
}
