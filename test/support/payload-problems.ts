import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { notificationType } from '../../src/contract/hooks.ts';

/** Values of other types than texts in events of calls (Conventions, payloads). */
const callTypes: Readonly<Record<string, string>> = {
  ...{ call_forwarded: 'boolean', is_internal_leg: 'boolean', local_resource_used: 'boolean' },
  ...{ emergency_resource_used: 'boolean', duration_seconds: 'integer', ringing_seconds: 'integer' },
  ...{ billing_seconds: 'integer', custom_channel_vars: 'object', custom_application_vars: 'object' },
};

function typeOf(value: Json | undefined): string {
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Keys of a payload whose values have another type than real payloads; what is no text is known by the key. */
export function payloadProblems(hook: string, payload: JsonObject): readonly string[] {
  const isNotice = hook === 'notifications' || hook === 'fax';
  return Object.entries(payload).flatMap(([key, value]) => {
    const is = typeOf(value);
    // The hook `fax` counts the tries of a job.
    const wanted =
      key === 'attempts' ? 'integer' : isNotice ? notificationType(key) : (callTypes[key] ?? 'string');
    return is === wanted || (wanted === 'number' && is === 'integer') ? [] : [`${key}: ${is}, not ${wanted}`];
  });
}
