import { resourceByName } from './catalogue.ts';
import { unknownSchema } from './resource.ts';
import type { Schema, SchemaNode } from './schema-node.ts';
import type { Listed, Operation, Resource } from './types.ts';

const shortened = new WeakMap<Schema, Schema>();

/** Schema of a record as lists show it, some of its fields in a shorter form; one object, since checks are kept by it. */
export function listedSchema({ schema, inLists }: Resource): Schema {
  if (inLists === undefined) return schema;
  const known = shortened.get(schema) ?? { ...schema, properties: { ...schema.properties, ...inLists } };
  shortened.set(schema, known);
  return known;
}

export function replySchema({ reply, resource, listed }: Operation): Schema {
  const named = (name = resource): Resource => resourceByName(name);
  switch (reply.kind) {
    case 'value':
      return reply.schema;
    case 'record':
      return named(reply.resource).schema;
    case 'list':
      return listSchema(reply.items ?? listedSchema(named(reply.resource)), listed);
    default:
      return unknownSchema;
  }
}

function listSchema(record: Schema, listed: Listed | undefined): Schema {
  const { $defs } = record;
  const list: SchemaNode = { type: 'array', items: record };
  const inside = (key: string, node: SchemaNode): SchemaNode => ({
    type: 'object',
    properties: { [key]: node },
  });
  const shapes: Readonly<Record<Listed['as'], (key: string) => SchemaNode>> = {
    map: (key) => inside(key, { type: 'object', additionalProperties: record }),
    field: (key) => inside(key, list),
    groups: (key) => ({ type: 'array', items: inside(key, list) }),
  };
  return { ...(listed ? shapes[listed.as](listed.key) : list), ...($defs ? { $defs } : {}) };
}
