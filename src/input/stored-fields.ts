import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Schema } from '../contract/schema-node.ts';
import { type Shape, shapeOf } from './shape.ts';

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
