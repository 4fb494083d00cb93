/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** An object that JSON can carry: a record of the service, or a part of one. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Whether a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path (`caller_id.external.name`, `numbers.0`), or `undefined`. Own keys only. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((here, key) => {
    if (here === null || typeof here !== 'object') return undefined;
    if (Array.isArray(here)) return here[Number(key)];
    return isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  }, value);
}
