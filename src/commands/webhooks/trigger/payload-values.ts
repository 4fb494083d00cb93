import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';

/** A payload with texts put at dotted paths: `caller_id_number=+15551230009`. Throws `Failure` of kind `usage`. */
export const withValues = (payload: JsonObject, assignments: readonly string[]): JsonObject =>
  assignments.reduce((rest, assignment) => {
    const [path, value] = pairOf(assignment, '--set');
    return withValue(rest, path.split('.'), value);
  }, payload);

/** The two sides of `key=value`. Throws `Failure` of kind `usage` naming the option. */
export function pairOf(assignment: string, option: string): readonly [key: string, value: string] {
  const at = assignment.indexOf('=');
  if (at >= 1) return [assignment.slice(0, at), assignment.slice(at + 1)];
  throw new Failure('usage', `${option} takes key=value, not ${JSON.stringify(assignment)}.`);
}

function withValue(payload: JsonObject, [key = '', ...rest]: readonly string[], value: string): JsonObject {
  if (rest.length === 0) return { ...payload, [key]: value };
  const inner = Object.hasOwn(payload, key) ? payload[key] : undefined;
  return { ...payload, [key]: withValue(isObject(inner) ? inner : {}, rest, value) };
}
