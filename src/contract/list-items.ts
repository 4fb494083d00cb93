import { type JsonObject, valueAt } from '../base/json.ts';
import type { Resource } from './types.ts';

/**
 * True where an item of a list leaves open what its record has at a dotted path: the list does not show the field, or
 * every record has one (there is a default), and this service's list does not say it (Conventions, what each list item
 * shows).
 */
export function leavesOpen(
  { schema, listFields }: Pick<Resource, 'schema' | 'listFields'>,
  item: JsonObject,
  path: string,
): boolean {
  const [top = ''] = path.split('.');
  if (listFields.length === 0 || top === 'id' || top === '_read_only') return false;
  if (valueAt(item, path) !== undefined) return false;
  const isListed = listFields.some((field) => path === field || path.startsWith(`${field}.`));
  const node = schema.properties?.[top];
  return !isListed || (node?.default ?? node?.['x-convention']?.default) !== undefined;
}
