import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { selectors } from '../../../contract/resources/selectors.ts';
import { type Command, defineCommand, type ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { act } from '../act.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-named.ts';
import { readWholeBody } from '../generic/input.ts';
import { bodyOptions } from '../generic/input-options.ts';

const get = defineCommand({
  path: ['selectors', 'rules', 'get'],
  summary: 'Show the rules by which resources are selected',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl selectors rules get -o yaml > rules.yaml', doc: 'To be edited and sent back' }],
  operations: ['selectors.rules'],
  load: async () => getRules,
});

const update: Command = {
  path: ['selectors', 'rules', 'update'],
  summary: 'Replace the rules by which resources are selected',
  arguments: {},
  get options() {
    return bodyOptions(selectors, operationFor(selectors, 'update-rules'));
  },
  effect: 'write',
  examples: [{ line: 'telctl selectors rules update -f rules.yaml', doc: 'By what the file says' }],
  operations: ['selectors.update-rules'],
  load: async () => updateRules,
};

export const selectorsCommands: readonly Command[] = [
  ...genericCommands(selectors, ['selectors']),
  get,
  update,
];

/**
 * Shows the rules: one rule's record by the specification, an object with all of them in compatible services, which
 * answer 404 while none were ever set.
 */
async function getRules(_: unknown, context: Context): Promise<Result> {
  const data = await readRules(context);
  return { kind: 'item', value: data, ...(isRule(data) ? { resource: 'selectors' as const } : {}) };
}

async function readRules(context: Context): Promise<Json> {
  try {
    const { data } = await (await context.api()).call({ operation: operationFor(selectors, 'rules') });
    return data;
  } catch (error) {
    if (error instanceof Failure && error.status === 404 && error.code === 'bad_identifier')
      return { rules: [] };
    throw error;
  }
}

const isRule = (data: unknown): boolean => isObject(data) && typeof data.selector === 'string';

/** Replaces the rules. What `selectors rules get` shows may be edited and sent back. */
async function updateRules(input: ParsedInput, context: Context): Promise<Result> {
  const operation = operationFor(selectors, 'update-rules');
  const stored = async () => [await readRules(context)].filter(isObject);
  const data = withoutId(await readWholeBody(context, selectors, operation, input, stored));
  return act(context, { call: { operation, data }, message: () => 'Replaced the rules.' });
}

const withoutId = ({ id: _, ...rules }: JsonObject): JsonObject => rules;
