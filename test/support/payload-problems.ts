import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { payloadType } from '../../src/contract/hooks.ts';

function typeOf(value: Json | undefined): string {
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Returns keys of a payload whose values have other types than in real payloads. */
export function payloadProblems(hook: string, payload: JsonObject): readonly string[] {
  return Object.entries(payload).flatMap(([key, value]) => {
    const is = typeOf(value);
    // The hook `fax` has a count of attempts.
    const wanted = key === 'attempts' ? 'integer' : payloadType(hook, key);
    return is === wanted || (wanted === 'number' && is === 'integer') ? [] : [`${key}: ${is}, not ${wanted}`];
  });
}
