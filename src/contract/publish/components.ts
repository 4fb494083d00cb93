import { isObject, type JsonObject } from '../json.ts';
import type { Schema } from '../schema-node.ts';
import type { Resource } from '../types.ts';
import type { RuleSet } from '../validate.ts';
import { copied, publishedSchema } from './published-schema.ts';

/** `flow_node` as `FlowNode`. */
export const componentName = (words: string): string =>
  words
    .split(/[_\s.-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The named schemas of an OpenAPI document, gathered while its operations are described. */
export interface Components {
  /** A resource's record, or with `partial` what is sent to change a part of one. */
  record(resource: Resource, partial?: boolean): JsonObject;
  /** A schema under a name of its own. */
  named(name: string, schema: Schema): JsonObject;
  /** A schema to stand where it is used. */
  inline(schema: Schema): JsonObject;
  /** Everything named so far, in alphabetical order. */
  schemas(): JsonObject;
}

/** Makes an empty collection of schemas, by one set of rules. */
export function createComponents(rules: RuleSet): Components {
  const schemas = new Map<string, JsonObject>();

  /** Moves what recurs to a component of its own, since an OpenAPI document knows no `$defs` of its parts. */
  function standing(schema: Schema, partial: boolean): JsonObject {
    const { $defs, ...node } = publishedSchema(schema, rules, { partial });
    const nameOf = (name: string) => componentName(name) + (partial ? 'Changes' : '');
    const moved = (part: JsonObject) => {
      const copy = copied(part, (inner) => {
        const { $ref, ...rest } = inner;
        return typeof $ref === 'string' ? reference(nameOf($ref.replace('#/$defs/', ''))) : rest;
      });
      return isObject(copy) ? copy : {};
    };
    for (const [name, definition] of Object.entries($defs ?? {})) {
      if (isObject(definition) && !schemas.has(nameOf(name))) schemas.set(nameOf(name), moved(definition));
    }
    return moved(node);
  }

  const named = (name: string, schema: Schema, partial = false): JsonObject => {
    if (!schemas.has(name)) schemas.set(name, standing(schema, partial));
    return reference(name);
  };

  return {
    named,
    record: ({ singular, schema }, partial = false) =>
      named(componentName(singular) + (partial ? 'Changes' : ''), schema, partial),
    inline: (schema) => standing(schema, false),
    schemas: () =>
      Object.fromEntries([...schemas].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))),
  };
}
