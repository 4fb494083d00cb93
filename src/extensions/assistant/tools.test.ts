import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allCommands } from '../../../test/support/command-lines.ts';
import { isObject } from '../../base/json.ts';
import type { Command } from '../../cli/command/command.ts';
import { doesWords } from '../../contract/capabilities.ts';
import { operationById } from '../../contract/catalogue.ts';
import { matchingCommands } from './find-commands.ts';
import { atThisMachine, forPeople, offeredOptions } from './permissions.ts';
import { answerOf } from './run-call.ts';
import { commandOfTool, toolsFor } from './tools.ts';

const nameOf = ({ path }: Command): string => path.join(' ');
const effectsOf = ({ effect, worst = effect }: Command): readonly string[] => [effect, worst];
const operationsOf = ({ operations = [] }: Command) => operations.map(operationById);

/** The tools of a server, with all commands. */
const allTools = async (allowed: Parameters<typeof toolsFor>[0]) => {
  const { nouns, runCommand } = await toolsFor(allowed);
  return { nouns, runCommand: await runCommand() };
};
const [reading, writing] = [
  await allTools({ writes: false, deletes: false }),
  await allTools({ writes: true, deletes: true }),
];
const isOffered = ({ runCommand }: typeof reading, command: Command): boolean =>
  [...runCommand.verbs.values()].includes(command);
/** The tools that run a command. */
const toolsOf = ({ nouns, runCommand }: typeof reading, command: Command) =>
  [...nouns, runCommand].filter(({ verbs }) => [...verbs.values()].includes(command));

const allowed = { writes: true, deletes: true };

test.each(allCommands.map((command) => [nameOf(command), command] as const))(
  'the annotations of %s match the effects in the contract',
  (_, command) => {
    const effects = effectsOf(command);
    const called = operationsOf(command).map(({ effect }) => effect);
    const mayChange = called.some((effect) => effect !== 'read');
    // Signing in is the command line's own, and no assistant's.
    if (mayChange && isOffered(writing, command))
      expect(effects.some((effect) => effect !== 'read' && effect !== 'local')).toBe(true);
    if (isOffered(reading, command)) expect([command.effect, mayChange]).toEqual([command.effect, false]);
    if (!isOffered(writing, command)) return;
    for (const { annotations } of toolsOf(writing, command)) {
      if (mayChange) expect(annotations.readOnlyHint).toBe(false);
      if (called.some((effect) => effect === 'destructive' || effect === 'charges'))
        expect(annotations.destructiveHint).toBe(true);
      if (operationsOf(command).some(({ repeat }) => repeat === 'never'))
        expect(annotations.idempotentHint).toBe(false);
    }
    // Never by an assistant: what no undo brings back.
    for (const { effect, method, resource, id } of operationsOf(command))
      if (effect === 'destructive')
        expect([id, method, resource === 'accounts']).toEqual([id, 'DELETE', false]);
  },
);

test('read-only tools are annotated as read-only and idempotent', () => {
  for (const { name, annotations } of [...reading.nouns, reading.runCommand])
    expect([name, annotations]).toEqual([
      name,
      expect.objectContaining({ readOnlyHint: true, destructiveHint: false, idempotentHint: true }),
    ]);
});

test('find_commands lists the offered options of a command with their descriptions', () => {
  const { runCommand } = writing;
  for (const [words, command] of runCommand.verbs) {
    const found = matchingCommands(runCommand, words, allowed).commands;
    const [told] = (Array.isArray(found) ? found : []).filter(
      (each) => isObject(each) && each.command === words,
    );
    const options = isObject(told) && isObject(told.options) ? told.options : {};
    for (const { flag, doc } of offeredOptions(command, allowed))
      expect([words, flag, options[flag]]).toEqual([words, flag, expect.stringContaining(doc)]);
    expect([words, Object.keys(options).length]).toEqual([words, offeredOptions(command, allowed).length]);
  }
});

test('each withheld command is refused with its reason and the command line for the user', () => {
  for (const { runCommand } of [reading, writing])
    for (const [word, command] of runCommand.withheld) {
      const call = { word, arguments: [], options: {} };
      const limits = runCommand === reading.runCommand ? { writes: false, deletes: false } : allowed;
      expect(() => commandOfTool(runCommand, call, limits), nameOf(command)).toThrow(
        expect.objectContaining({
          kind: 'refused',
          hint: `Ask the user to run: telctl ${word}`,
          message: expect.stringMatching(/ (?:only (?:for )?people|changes|deletes|writes|starts|waits)\b/),
        }),
      );
    }
});

test('notices of a command reach the assistant', () => {
  const said = (stderr: string) => JSON.parse(answerOf({ code: 0, stdout: '[]', stderr }).text).said;
  expect([said('Warning: one.\n\nWarning: two.\n'), said('')]).toEqual([
    ['Warning: one.', 'Warning: two.'],
    undefined,
  ]);
});

test('the page for assistants has a row for each kind of effect', () => {
  const page = readFileSync('docs/assistants.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \|.*\| (.+) \|$/gm)].map(([, word, said]) => [word, said]);
  expect(rows.map(([word]) => word).sort()).toEqual([...doesWords].sort());
  for (const [word, said] of rows) {
    const isForPeople = said === 'for people';
    expect([word, isForPeople]).toEqual([word, word !== undefined && word in forPeople]);
    expect([word, said === 'never']).toEqual([
      word,
      doesWords.some((each) => each === word && atThisMachine.has(each)),
    ]);
  }
});
