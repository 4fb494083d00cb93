import { isObject, type Json } from '../base/json.ts';
import { childOf, resolved, type Schema, type SchemaNode } from './schema-node.ts';

/**
 * A copy of a value, made along its schema: `instead` gives what stands at a place, or `undefined` to keep what is
 * there and go on into its parts. Where the schema knows nothing, the node is empty.
 */
export function mapValue(
  schema: Schema,
  value: Json,
  instead: (node: SchemaNode, here: Json) => Json | undefined,
): Json {
  const visit = (reference: SchemaNode, here: Json): Json => {
    const node = resolved(schema, reference);
    const given = instead(node, here);
    if (given !== undefined) return given;
    if (Array.isArray(here)) {
      return here.map((item: Json, index) => visit(childOf(schema, node, String(index)) ?? {}, item));
    }
    if (!isObject(here)) return here;
    return Object.fromEntries(
      Object.entries(here).map(([key, inner]) => [
        key,
        inner === undefined ? inner : visit(childOf(schema, node, key) ?? {}, inner),
      ]),
    );
  };
  return visit(schema, value);
}
