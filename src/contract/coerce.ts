import type { Json } from './json.ts';
import { mapValue } from './map-value.ts';
import type { Schema } from './schema-node.ts';

const converted = (text: string, types: readonly string[]): Json => {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (types.includes('integer') && Number.isSafeInteger(number)) return number;
  if (types.includes('number') && Number.isFinite(number)) return number;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

/**
 * A copy of a value in which text that reads as a number or a boolean has become one where its schema wants that
 * and takes no text, as lenient services do (Conventions, life cycle of a record). Nothing else is converted.
 */
export function coerced(schema: Schema, value: Json): Json {
  return mapValue(schema, value, (node, here) => {
    if (typeof here !== 'string') return undefined;
    const types = typeof node.type === 'string' ? [node.type] : (node.type ?? []);
    return types.includes('string') ? here : converted(here, types);
  });
}
