import { hyphenate } from '../base/wording.ts';
import { commandWordsOf, unknownSchema } from './resource.ts';
import * as listed from './resource-list.ts';
import type { Schema, SchemaNode } from './schema-node.ts';
import type { Listed, Operation, Resource, ResourceName } from './types.ts';

const byName: Readonly<Record<ResourceName, Resource>> = listed;

/** In the order of reference pages. Resources without an `order` are last, by name. */
export const resources: readonly Resource[] = Object.values(byName).toSorted(
  (one, other) => (one.order ?? Infinity) - (other.order ?? Infinity) || (one.name < other.name ? -1 : 1),
);

export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

const operationsById = new Map(operations.map((each) => [each.id, each]));
const resourcesByWord = new Map<string, Resource>(
  resources.flatMap((resource) => [
    [resource.name, resource],
    [commandWordsOf(resource).join(' '), resource],
    [resource.singular, resource],
    [hyphenate(resource.singular), resource],
  ]),
);

export function resourceByName(name: ResourceName): Resource {
  return byName[name];
}

/** Accepts the plural and the singular. */
export function resourceByWord(word: string): Resource | undefined {
  return resourcesByWord.get(word);
}

/** Returns an operation by id, for example `users.vcard`. An unknown id is a bug and throws a plain error. */
export function operationById(id: string): Operation {
  const found = operationsById.get(id);
  if (found === undefined) throw new Error(`The contract has no operation ${id}.`);
  return found;
}

export function operationOf(resource: ResourceName | Resource, verb: string): Operation | undefined {
  return operationsById.get(`${typeof resource === 'string' ? resource : resource.name}.${verb}`);
}

const shortened = new WeakMap<Schema, Schema>();

/**
 * Returns the schema of a record in lists, where some fields have a shorter form. Always returns the same object,
 * because compiled validators are cached by it.
 */
export function listedSchema({ schema, inLists }: Resource): Schema {
  if (inLists === undefined) return schema;
  const known = shortened.get(schema) ?? { ...schema, properties: { ...schema.properties, ...inLists } };
  shortened.set(schema, known);
  return known;
}

export function replySchema({ reply, resource, listed }: Operation): Schema {
  const namedResource = (name = resource): Resource => resourceByName(name);
  switch (reply.kind) {
    case 'value':
      return reply.schema;
    case 'record':
      return namedResource(reply.resource).schema;
    case 'list':
      return listSchema(reply.items ?? listedSchema(namedResource(reply.resource)), listed);
    default:
      return unknownSchema;
  }
}

function listSchema(record: Schema, listed: Listed | undefined): Schema {
  const { $defs } = record;
  const list: SchemaNode = { type: 'array', items: record };
  const wrapNode = (key: string, node: SchemaNode): SchemaNode => ({
    type: 'object',
    properties: { [key]: node },
  });
  const shapes: Readonly<Record<Listed['as'], (key: string) => SchemaNode>> = {
    map: (key) => wrapNode(key, { type: 'object', additionalProperties: record }),
    field: (key) => wrapNode(key, list),
    groups: (key) => ({ type: 'array', items: wrapNode(key, list) }),
  };
  return { ...(listed ? shapes[listed.as](listed.key) : list), ...($defs ? { $defs } : {}) };
}
