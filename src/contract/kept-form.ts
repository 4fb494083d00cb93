import { hexDigits, holdsNumbers, toStoredNumber, trimLeadingZeros } from './phone-number.ts';
import { resolveReference, type Schema } from './schema-node.ts';
import type { KeptForm } from './types.ts';

export const keptForms: Readonly<Record<KeptForm, (text: string) => string>> = {
  'lower case': (text) => text.toLowerCase(),
  number: trimLeadingZeros,
  'hex digits': hexDigits,
};

/** Returns the service's form of a top-level field: `+13125550100` for `3125550100`. */
export function toKeptText(schema: Schema, field: string, text: string): string {
  const node = resolveReference(schema, schema).properties?.[field];
  const keptAs = node && resolveReference(schema, node)['x-kept-as'];
  if (keptAs !== undefined) return keptForms[keptAs](text);
  return holdsNumbers(schema, field) ? toStoredNumber(text) : text;
}
