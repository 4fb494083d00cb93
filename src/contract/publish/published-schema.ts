import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { partialSchema, specificationSchema, withConventions } from '../schema.ts';
import type { Schema, SchemaNode } from '../schema-node.ts';
import type { RuleSet } from '../validate.ts';

/** Words that are telctl's own business and say nothing to other programs. */
const inner: ReadonlySet<string> = new Set(['x-option', 'x-names', 'x-secret-bearing', 'x-worked-out']);

/** A copy of a schema with each of its objects passed through `map`, the innermost first. */
export function copied(value: Json, map: (node: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((item: Json) => copied(item, map));
  if (!isObject(value)) return value;
  return map(
    Object.fromEntries(
      Object.entries(value).map(([word, within]) => [
        word,
        within === undefined ? within : copied(within, map),
      ]),
    ),
  );
}

const withoutInnerWords = (node: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(node).filter(([word]) => !inner.has(word)));

/** A schema as plain data, without what telctl keeps in it for itself. */
function plain(schema: SchemaNode): JsonObject {
  const copy = copied(JSON.parse(JSON.stringify(schema)), withoutInnerWords);
  return isObject(copy) ? copy : {};
}

/**
 * A schema of the contract as other programs read it, by one set of rules, with conventions marked. `partial`: of
 * a part of a record, as it is sent to change one.
 */
export function publishedSchema(schema: Schema, rules: RuleSet, partial = false): JsonObject {
  const whole =
    rules === 'specification' ? specificationSchema(schema) : withConventions(schema, { marked: true });
  return plain(partial ? partialSchema(whole) : whole);
}
