import { Failure } from '../../base/failure.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { optionFields } from '../../contract/schema.ts';
import type { Resource } from '../../contract/types.ts';
import { type Assignment, textNode } from '../../input/assign.ts';
import { optionSource } from '../../input/document.ts';
import { readSecret } from '../read-secret.ts';
import { flagOf } from './field-options.ts';
import { secretFields, secretFlag } from './secret-options.ts';

/** The fields that were given by options of their own. */
export function fieldAssignments(resource: Resource, input: ParsedInput): readonly Assignment[] {
  return optionFields(resource).flatMap((each) => {
    const value = input[each.field];
    if (value === undefined) return [];
    const option = `--${flagOf(resource, each)}`;
    const node = textNode(optionSource(option), String(value));
    // Text stays text whatever it looks like; numbers and switches were checked by the parser.
    return [{ option, keys: [each.field], value: each.type === 'string' ? node : { ...node, plain: true } }];
  });
}

/** The secrets that were given by these options. */
export async function secretAssignments(
  context: Context,
  resource: Resource,
  input: ParsedInput,
): Promise<readonly Assignment[]> {
  const fromInput = secretFields(resource).filter((field) => input[`${field}Stdin`] === true);
  const files = Array.isArray(input.files) ? input.files : [];
  if (fromInput.length + files.filter((file) => file === '-').length > 1)
    throw new Failure('usage', 'Only one thing can be read from standard input.');
  const found: Assignment[] = [];
  for (const field of secretFields(resource)) {
    const file = input[`${field}File`];
    const value = await readSecret(context, secretFlag(field), {
      stdin: input[`${field}Stdin`] === true,
      file: typeof file === 'string' ? file : undefined,
    });
    if (value === undefined) continue;
    const option = `--${secretFlag(field)}-${file === undefined ? 'stdin' : 'file'}`;
    found.push({ option, keys: [field], value: textNode(optionSource(option), value) });
  }
  return found;
}
