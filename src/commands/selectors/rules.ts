import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { selectors } from '../../contract/resources/selectors.ts';
import { act } from '../act.ts';
import { operationFor } from '../generic/find-record.ts';
import { readWholeBody } from '../generic/input.ts';

/**
 * Shows the rules: one rule's record by the specification, an object with all of them in compatible services, which
 * answer 404 while none were ever set.
 */
export async function getRules(_: unknown, context: Context): Promise<Result> {
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
export async function updateRules(input: ParsedInput, context: Context): Promise<Result> {
  const operation = operationFor(selectors, 'update-rules');
  const stored = async () => [await readRules(context)].filter(isObject);
  const data = withoutId(await readWholeBody(context, selectors, operation, input, stored));
  return act(context, { call: { operation, data }, message: () => 'Replaced the rules.' });
}

const withoutId = ({ id: _, ...rules }: JsonObject): JsonObject => rules;
