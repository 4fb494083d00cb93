import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { isSecretField } from '../../contract/schema.ts';
import { childOf, resolved, type Schema, type SchemaNode } from '../../contract/schema-node.ts';

/** A value that is managed as a whole, with its place. */
export interface Leaf {
  /** Dotted path; a dot inside a key is `%2E`. */
  readonly path: string;
  readonly keys: readonly string[];
  readonly value: Json;
  readonly node: SchemaNode;
  /** It is, or stands in, a secret of the contract. */
  readonly secret: boolean;
}

/**
 * Tells whether a value is compared and replaced as a whole: everything but objects, flows, and maps whose values
 * share one shape (an entry that the manifest no longer names is removed).
 */
function isWhole(node: SchemaNode): boolean {
  if (node.$id !== undefined) return true;
  return typeof node.additionalProperties === 'object' && node.properties === undefined;
}

/**
 * The values that a part of a record manages: what its objects hold, down to what is replaced as a whole. An object
 * without keys manages nothing.
 */
export function leavesOf(schema: Schema, fields: JsonObject): readonly Leaf[] {
  const found: Leaf[] = [];
  const visit = (
    parent: SchemaNode,
    value: JsonObject,
    above: Pick<Leaf, 'path' | 'keys' | 'secret'>,
  ): void => {
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined) continue;
      const name = key.replaceAll('.', '%2E');
      const path = above.keys.length === 0 ? name : `${above.path}.${name}`;
      const keys = [...above.keys, key];
      const node = childOf(schema, parent, key) ?? {};
      const secret = above.secret || isSecretField(node);
      if (isObject(inner) && !isWhole(node)) visit(node, inner, { path, keys, secret });
      else found.push({ path, keys, value: inner, node, secret });
    }
  };
  visit(resolved(schema, schema), fields, { path: '', keys: [], secret: false });
  return found;
}

/** The keys that a path leads through. */
export const keysOf = (path: string): readonly string[] =>
  path.includes('%2E') ? path.split('.').map((key) => key.replaceAll('%2E', '.')) : path.split('.');

/** The value at a path of a leaf; `undefined` where there is none. */
export const leafAt = (record: JsonObject, path: string): Json | undefined =>
  valueBelow(record, keysOf(path));

/** The value that keys lead to; `undefined` where there is none. */
export function valueBelow(record: JsonObject, keys: readonly string[]): Json | undefined {
  let here: Json | undefined = record;
  for (const key of keys) here = isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  return here;
}
