import { isObject, type Json } from '../../base/json.ts';

/** One text for all values that say the same: keys sorted, no blanks. What is absent is `null`. */
export function stableText(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => stableText(item)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const parts = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stableText(value[key])}`);
  return `{${parts.join(',')}}`;
}
