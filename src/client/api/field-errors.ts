import { isObject, type Json } from '../../base/json.ts';
import { resourceOf } from '../../contract/resource.ts';
import { isSecretPath } from '../../contract/schema.ts';
import type { Operation } from '../../contract/types.ts';

/** A rule that a field of the sent record breaks, as the service tells it. */
export interface FieldError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  readonly target?: Json;
  /** The value that it clashes with; never for a secret field. */
  readonly cause?: Json;
}

/** Rules in words of our own, where those of the service may repeat what was sent. */
const ruleWords: ReadonlyMap<string, string> = new Map([
  ['required', 'is missing'],
  ['minLength', 'is too short'],
  ['maxLength', 'is too long'],
  ['type', 'is of the wrong type'],
]);

/**
 * Reads the validation errors in an error's `data` (field to rule to details; Conventions, validation errors).
 * Leaves out the values that were sent, and everything about the credentials of a sign-in.
 */
export function fieldErrors(data: Json | undefined, operation: Operation | undefined): readonly FieldError[] {
  if (!isObject(data)) return [];
  const bare = operation?.authenticated === false;
  return Object.entries(data).flatMap(([key, rules]) => {
    if (!isObject(rules)) return [];
    // Some services write the dots of a path as %2E, and nothing for the record as a whole.
    const field = key === '' ? 'record' : key.replaceAll('%2E', '.');
    return Object.entries(rules).flatMap(([rule, facts]) => {
      if (!isObject(facts) || typeof facts.message !== 'string') return [];
      const { message, target, cause } = facts;
      if (bare) return [{ field, rule, message: ruleWords.get(rule) ?? `breaks the rule ${rule}` }];
      const secret = operation !== undefined && isSecretPath(resourceOf(operation).schema, field);
      return [
        {
          field,
          rule,
          message,
          ...(target === undefined ? {} : { target }),
          ...(cause === undefined || secret ? {} : { cause }),
        },
      ];
    });
  });
}
