import { isObject, type Json } from '../base/json.ts';
import { childOf, resolved, type Schema, type SchemaNode } from './schema-node.ts';

/**
 * A value with changes made along its schema, or itself where there are none: `instead` gives what stands at a place, or `undefined` to keep what is
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
    let isChanged = false;
    const entries = Object.entries(here).map(([key, inner]) => {
      const mapped = inner === undefined ? inner : visit(childOf(schema, node, key) ?? {}, inner);
      isChanged ||= mapped !== inner;
      return [key, mapped] as const;
    });
    return isChanged ? Object.fromEntries(entries) : here;
  };
  return visit(schema, value);
}

const converted = (text: string, types: readonly string[]): Json => {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (types.includes('integer') && Number.isSafeInteger(number)) return number;
  if (types.includes('number') && Number.isFinite(number)) return number;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

/**
 * A copy of a value in which text that reads as a number or a boolean has become one where its schema wants that
 * and takes no text, as lenient services do (Conventions, life cycle of a record). Nothing else is converted, but
 * `rounds` also makes whole numbers of fractions where the schema wants those.
 */
export function coerced(schema: Schema, value: Json, { rounds = false } = {}): Json {
  return mapValue(schema, value, (node, here) => {
    const types = typeof node.type === 'string' ? [node.type] : (node.type ?? []);
    if (typeof here === 'number' && rounds && types.includes('integer') && !types.includes('number'))
      return Math.round(here);
    if (typeof here !== 'string') return undefined;
    return types.includes('string') ? here : converted(here, types);
  });
}
