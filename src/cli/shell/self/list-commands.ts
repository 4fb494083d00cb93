import type { JsonObject } from '../../../base/json.ts';
import { type Does, doesWords, possibleEffects } from '../../../contract/capabilities.ts';
import { operationById } from '../../../contract/catalogue.ts';
import type { ArgumentSpec, ArgumentSpecs, Command, OptionSpec, OptionSpecs } from '../../command/command.ts';
import type { Result } from '../../command/result.ts';
import { optionGroups } from '../help/help-page.ts';
import { optionAsTyped } from '../input-for.ts';
import { allNouns } from '../registry.ts';

export const doesOfInput = (spec: OptionSpec | ArgumentSpec): readonly Does[] =>
  spec.does ?? (spec.completes === 'file' ? ['reads-files'] : []);

const sortDoes = (words: Iterable<Does>): readonly Does[] => {
  const found = new Set(words);
  return doesWords.filter((word) => found.has(word));
};

/** All possible effects of a command: its own, and those of its arguments and operations. */
export const doesOfCommand = ({ does = [], arguments: named, operations = [] }: Command): readonly Does[] =>
  sortDoes([
    ...does,
    ...Object.values(named).flatMap(doesOfInput),
    ...operations.flatMap((id) => [...possibleEffects(operationById(id))]),
  ]);

/** All telctl commands, in help order. */
export async function allCommands(): Promise<readonly Command[]> {
  const lists = await Promise.all(allNouns().map((noun) => noun.commands()));
  return lists.flat().filter(({ hidden }) => !hidden);
}

const argumentsOf = (specs: ArgumentSpecs): readonly JsonObject[] =>
  Object.values(specs).map((spec) => ({
    name: spec.name,
    doc: spec.doc,
    ...(spec.optional ? {} : { required: true }),
    optional: spec.optional === true,
    rest: spec.rest === true,
    ...(spec.choices ? { choices: spec.choices } : {}),
    ...doesEntry(doesOfInput(spec)),
  }));

const optionsOf = (specs: OptionSpecs): readonly JsonObject[] =>
  Object.values(specs).map(({ flag, short, value, type, repeat, choices, env, doc, ...spec }) => ({
    flag: `--${flag}`,
    ...(short ? { short: `-${short}` } : {}),
    ...(value ? { value, type: type ?? 'string' } : {}),
    ...(repeat ? { repeat } : {}),
    ...(choices ? { choices } : {}),
    ...(env ? { env } : {}),
    doc,
    ...(spec.required ? { required: true } : {}),
    ...doesEntry(doesOfInput({ flag, doc, ...spec })),
  }));

const doesEntry = (does: readonly Does[]): JsonObject => (does.length === 0 ? {} : { does });

const commandEntry = async (command: Command): Promise<JsonObject> => ({
  command: command.path.join(' '),
  effect: command.worst ?? command.effect,
  summary: command.summary,
  does: doesOfCommand(command),
  arguments: argumentsOf(command.arguments),
  options: (await optionGroups(command)).flatMap(([, specs]) => optionsOf(specs)),
  ...(command.anyOf
    ? { any_of: command.anyOf.map((group) => group.map((each) => optionAsTyped(command.options, each))) }
    : {}),
  operations: command.operations ?? [],
  examples: command.examples.map(({ line, doc }) => ({ line, doc })),
});

export async function listCommands(): Promise<Result> {
  const commands = await allCommands();
  return {
    kind: 'list',
    items: await Promise.all(commands.map(commandEntry)),
    noun: 'commands',
    columns: [
      { header: 'COMMAND', paths: ['command'] },
      { header: 'EFFECT', paths: ['effect'] },
      { header: 'SUMMARY', paths: ['summary'] },
    ],
  };
}
