import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allCommands } from '../../../../test/support/command-lines.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { operationById } from '../../../contract/catalogue.ts';
import { doesWords } from '../../../contract/does.ts';
import type { Command } from '../../command/command.ts';
import { atThisMachine, forPeople, offeredOptions } from './allowed.ts';
import { answerOf } from './run-call.ts';
import { toolsFor } from './tools.ts';

const nameOf = ({ path }: Command): string => path.join(' ');
const effectsOf = ({ effect, worst = effect }: Command): readonly string[] => [effect, worst];
const operationsOf = ({ operations = [] }: Command) => operations.map(operationById);

const [reading, writing] = [
  await toolsFor({ writes: false, deletes: false }),
  await toolsFor({ writes: true, deletes: true }),
];
const toolOf = (tools: typeof reading, { path: [noun] }: Command) => tools.find(({ name }) => name === noun);
const isOffered = (tools: typeof reading, command: Command): boolean =>
  [...(toolOf(tools, command)?.verbs.values() ?? [])].includes(command);

const allowed = { writes: true, deletes: true };
const offered = (verbs: ReadonlyMap<string, Command>) =>
  [...verbs].flatMap(([verb, command]) => offeredOptions(command, allowed).map((spec) => ({ verb, spec })));
/** The object at a path in another. */
const objectAt = (from: JsonObject, ...path: readonly string[]): JsonObject =>
  path.reduce<JsonObject>((at, key) => {
    const inner = at[key];
    return isObject(inner) ? inner : {};
  }, from);

test.each(allCommands.map((command) => [nameOf(command), command] as const))(
  'assistants are told of %s what the contract says of its calls',
  (_, command) => {
    const effects = effectsOf(command);
    const called = operationsOf(command).map(({ effect }) => effect);
    const mayChange = called.some((effect) => effect !== 'read');
    // Signing in is the command line's own, and no assistant's.
    if (mayChange && isOffered(writing, command))
      expect(effects.some((effect) => effect !== 'read' && effect !== 'local')).toBe(true);
    if (isOffered(reading, command)) expect([command.effect, mayChange]).toEqual([command.effect, false]);
    const tool = toolOf(writing, command);
    if (!tool || !isOffered(writing, command)) return;
    const { annotations } = tool;
    if (mayChange) expect(annotations.readOnlyHint).toBe(false);
    if (called.some((effect) => effect === 'destructive' || effect === 'charges'))
      expect(annotations.destructiveHint).toBe(true);
    if (operationsOf(command).some(({ repeat }) => repeat === 'never'))
      expect(annotations.idempotentHint).toBe(false);
    // Never by an assistant: what no undo brings back.
    for (const { effect, method, resource, id } of operationsOf(command))
      if (effect === 'destructive')
        expect([id, method, resource === 'accounts']).toEqual([id, 'DELETE', false]);
  },
);

test('tools that only read say so, and repeating them is harmless', () => {
  for (const { name, annotations } of reading)
    expect([name, annotations]).toEqual([
      name,
      expect.objectContaining({ readOnlyHint: true, destructiveHint: false, idempotentHint: true }),
    ]);
});

test('each option of a tool says its own sentence, and by which verbs it is taken', () => {
  for (const { name, verbs, inputSchema } of writing) {
    const told = Object.entries(objectAt(inputSchema, 'properties', 'options', 'properties'));
    expect([name, told.length === 0]).toEqual([name, offered(verbs).length === 0]);
    for (const [flag, schema] of told) {
      const by = offered(verbs).filter(({ spec }) => spec.flag === flag);
      const of = by.length === verbs.size ? '' : ` (${by.map(({ verb }) => verb || 'no verb').join(', ')})`;
      const needing = by.flatMap(({ verb, spec }) => (spec.required ? verb : []));
      const needed = needing.length === 0 ? '' : `; required by ${needing.join(', ')}`;
      const description = `${by[0]?.spec.doc}${of}${needed}`;
      expect([name, flag, schema]).toMatchObject([name, flag, { description }]);
    }
  }
});

test('what a command said beside its result reaches the assistant', () => {
  const said = (stderr: string) => JSON.parse(answerOf({ code: 0, stdout: '[]', stderr }).text).said;
  expect([said('Warning: one.\n\nWarning: two.\n'), said('')]).toEqual([
    ['Warning: one.', 'Warning: two.'],
    undefined,
  ]);
});

test('the page for assistants has a row for each word of what a command does', () => {
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
