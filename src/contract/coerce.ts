import type { Json } from '../base/json.ts';
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
