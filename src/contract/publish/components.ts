import { isObject, type JsonObject } from '../../base/json.ts';
import { copied, type Form, publishedSchema } from '../published-schema.ts';
import type { Schema } from '../schema-node.ts';
import type { Resource } from '../types.ts';
import type { RuleSet } from '../validate.ts';

/** `flow_node` as `FlowNode`. */
export const componentName = (words: string): string =>
  words
    .split(/[_\s.-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Endings of the name of a schema, by what it is published for. */
const endings: Readonly<Record<Form, string>> = { reply: '', input: 'Input', changes: 'Changes' };

/** The named schemas of an OpenAPI document, gathered while its operations are described. */
export interface Components {
  /** A resource's record as the service answers it. */
  record(resource: Resource): JsonObject;
  /** Returns the schema of what is sent to change a part of a resource's record. */
  changes(resource: Resource): JsonObject;
  /**
   * Returns the schema of what is sent to make or replace a resource's record, with the fields that must be there.
   */
  input(resource: Resource, required: readonly string[]): JsonObject;
  /** A schema under a name of its own. */
  named(name: string, schema: Schema): JsonObject;
  /** A schema to stand where it is used. */
  inline(schema: Schema, form: Form): JsonObject;
  /** Everything named so far, in alphabetical order. */
  schemas(): JsonObject;
}

/** Makes an empty collection of schemas, by one set of rules. */
export function createComponents(rules: RuleSet): Components {
  const schemas = new Map<string, JsonObject>();

  /** Moves what recurs to a component of its own, since an OpenAPI document knows no `$defs` of its parts. */
  function standing(schema: Schema, form: Form): JsonObject {
    const { $defs, ...node } = publishedSchema(schema, rules, { form });
    const nameOf = (name: string) => componentName(name) + endings[form];
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

  const named = (name: string, schema: Schema, form: Form, more: JsonObject = {}): JsonObject => {
    if (!schemas.has(name)) schemas.set(name, { ...standing(schema, form), ...more });
    return reference(name);
  };
  const recordName = ({ singular }: Resource, form: Form): string => componentName(singular) + endings[form];

  return {
    named: (name, schema) => named(name, schema, 'reply'),
    record: (resource) => named(recordName(resource, 'reply'), resource.schema, 'reply'),
    changes: (resource) => named(recordName(resource, 'changes'), resource.schema, 'changes'),
    input(resource, required) {
      const name = recordName(resource, 'input');
      const known = schemas.get(name);
      if (known && String(known.required ?? []) !== String(required))
        throw new Error(`${name} asks for different fields in two places.`);
      return named(name, resource.schema, 'input', required.length === 0 ? {} : { required });
    },
    inline: standing,
    schemas: () =>
      Object.fromEntries([...schemas].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))),
  };
}
