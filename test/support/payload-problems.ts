import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { payloadType } from '../../src/contract/hooks.ts';

function typeOf(value: Json | undefined): string {
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Keys of a payload whose values have another type than real payloads; what is no text is known by the key. */
export function payloadProblems(hook: string, payload: JsonObject): readonly string[] {
  return Object.entries(payload).flatMap(([key, value]) => {
    const is = typeOf(value);
    // The hook `fax` counts the tries of a job.
    const wanted = key === 'attempts' ? 'integer' : payloadType(hook, key);
    return is === wanted || (wanted === 'number' && is === 'integer') ? [] : [`${key}: ${is}, not ${wanted}`];
  });
}
