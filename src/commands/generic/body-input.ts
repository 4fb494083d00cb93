import type { JsonObject } from '../../base/json.ts';
import type { OptionSpecs, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Operation, Resource } from '../../contract/types.ts';
import { readInputRecord } from './input.ts';
import { inputOptions } from './input-options.ts';
import type { ReadStored } from './stored-record.ts';

/**
 * Returns the input of an operation, as a resource to read input by: the operation's own body, or the resource's
 * fields.
 */
const bodyOf = (resource: Resource, { body }: Operation): Resource => ({
  ...resource,
  ...(body?.kind === 'value' ? { schema: body.schema } : {}),
  required: [],
});

/** Options that give an operation's body: files, `--set`, and fields with an option of their own. */
export const bodyOptions = (resource: Resource, operation: Operation): OptionSpecs =>
  inputOptions(bodyOf(resource, operation));

const rules = new Set(['allowFiles', 'allowUnknownFields', 'strictInput']);

const isGiven = (value: ParsedInput[string]): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** The body that files and options give; `{}` where none does. Throws `Failure` as `readInputRecord` does. */
export async function readBody(
  context: Context,
  resource: Resource,
  operation: Operation,
  input: ParsedInput,
): Promise<JsonObject> {
  const keys = Object.keys(bodyOptions(resource, operation)).filter((key) => !rules.has(key));
  if (!keys.some((key) => isGiven(input[key]))) return {};
  return (await readInputRecord(context, bodyOf(resource, operation), 'patch', input)).value;
}

/** As `readBody`, where there must be something; `stored` as `readInputRecords` takes it. Throws `Failure` of kind `usage` where nothing is given. */
export async function readWholeBody(
  context: Context,
  resource: Resource,
  operation: Operation,
  input: ParsedInput,
  stored?: ReadStored,
): Promise<JsonObject> {
  return (await readInputRecord(context, bodyOf(resource, operation), 'patch', input, stored)).value;
}
