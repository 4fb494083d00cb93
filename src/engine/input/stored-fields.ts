import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { isPrivateKey } from '../../contract/known-names.ts';
import type { Schema } from '../../contract/schema-node.ts';
import type { DocumentNode, Entry, MapNode } from './document.ts';
import { isNothing, type Shape, shapeOf } from './read-scalar.ts';

/** Key of an object in a manifest under which fields stand that the contract does not know. */
export const extraKey = 'extra';

/** Tools that `mergeExtra` works with. */
interface Reading {
  read(map: MapNode): JsonObject;
  problem(at: DocumentNode | Entry, message: string): void;
}

/** The fields of an object with those that stand under its `extra`, merged at every level. */
export function mergeExtra(fields: JsonObject, extra: Entry, { read, problem }: Reading): JsonObject {
  const { value: node } = extra;
  if (node.kind === 'scalar' && isNothing(node)) return fields;
  if (node.kind !== 'map') {
    problem(node, `"${extraKey}" must be a map of fields`);
    return fields;
  }
  for (const entry of node.entries)
    if (entry.key === 'id' || isPrivateKey(entry.key))
      problem(
        entry,
        `${JSON.stringify(entry.key)} is made by the service and cannot stand under "${extraKey}"`,
      );
  const merge = (one: JsonObject, other: JsonObject, path: readonly string[]): JsonObject => {
    const merged = new Map<string, Json | undefined>(Object.entries(one));
    for (const [key, value] of Object.entries(other)) {
      const here = merged.get(key);
      const at = [...path, key];
      if (here === undefined) merged.set(key, value);
      else if (isObject(here) && isObject(value)) merged.set(key, merge(here, value, at));
      else problem(extra, `"${at.join('.')}" stands under "${extraKey}" and beside it`);
    }
    return Object.fromEntries(merged);
  };
  return merge(fields, read(node), []);
}

/** Fields that stored records have and the contract does not expect. */
export interface Stored {
  /** True for an unknown key at a place of the schema. */
  has(within: Shape, key: string): boolean;
  /** True where `null` stands at a dotted path; a dot inside a key is `%2E`. */
  holdsNull(path: string): boolean;
}

/**
 * Looks through records for what other programs keep in them. The items of a list, the values of a map and the steps
 * of a flow are one place each, since they can be moved.
 */
export function storedIn(schema: Schema, records: readonly JsonObject[]): Stored {
  const found = new Map<JsonObject, Set<string>>();
  const visit = (shape: Shape, value: Json | undefined): void => {
    const { node } = shape;
    if (node === undefined) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(shape.items(), item);
      return;
    }
    if (!isObject(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      const child = shape.under(key);
      if (child) visit(child, inner);
      else found.set(node, (found.get(node) ?? new Set()).add(key));
    }
  };
  const root = shapeOf(schema);
  for (const record of records) visit(root, record);
  return {
    has: ({ node }, key) => node !== undefined && found.get(node)?.has(key) === true,
    holdsNull: (path) => {
      const keys = path.split('.').map((key) => key.replaceAll('%2E', '.'));
      return records.some((record) => keys.reduce<Json | undefined>(within, record) === null);
    },
  };
}

function within(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
