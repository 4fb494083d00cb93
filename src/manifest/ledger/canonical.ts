import { isObject, type Json } from '../../contract/json.ts';
import { childOf, type Schema, type SchemaNode } from '../../contract/schema-node.ts';

/** Whether the order of an array's items means nothing: the items are texts, each of which can stand there once. */
export const isSet = (node: SchemaNode, key: string): boolean =>
  node['x-convention']?.uniqueItems === true || key === 'flags';

/**
 * One text for all values that mean the same: keys sorted, sets sorted, no blanks. What is absent and what is `null`
 * are the same.
 */
export function canonicalText(
  schema: Schema,
  node: SchemaNode,
  key: string,
  value: Json | undefined,
): string {
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) =>
      canonicalText(schema, childOf(schema, node, String(index)) ?? {}, '', item),
    );
    return `[${(isSet(node, key) ? items.sort() : items).join(',')}]`;
  }
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const parts = Object.keys(value)
    .filter((inner) => value[inner] !== undefined)
    .sort()
    .map(
      (inner) =>
        `${JSON.stringify(inner)}:${canonicalText(schema, childOf(schema, node, inner) ?? {}, inner, value[inner])}`,
    );
  return `{${parts.join(',')}}`;
}
