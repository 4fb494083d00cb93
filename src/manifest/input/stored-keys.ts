import { isObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { Schema } from '../../contract/schema-node.ts';
import { type Shape, shapeOf } from './shape.ts';

/** True for a key, unknown to the contract, that a stored record has at a place of its schema. */
export type StoredKeys = (within: Shape, key: string) => boolean;

/**
 * The keys that the contract does not know and that one of the records has: other programs keep their own fields
 * there. The items of a list, the values of a map and the steps of a flow are one place each, since they can be moved.
 */
export function storedKeys(schema: Schema, records: readonly JsonObject[]): StoredKeys {
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
  return ({ node }, key) => node !== undefined && found.get(node)?.has(key) === true;
}
