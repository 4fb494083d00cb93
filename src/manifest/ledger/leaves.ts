import { isObject, type Json, type JsonObject } from '../../contract/json.ts';
import { isSecretField } from '../../contract/schema.ts';
import { childOf, resolved, type Schema, type SchemaNode } from '../../contract/schema-node.ts';

/** A value that is managed as a whole, with its place. */
export interface Leaf {
  /** Dotted path; a dot inside a key is `%2E`. */
  readonly path: string;
  readonly value: Json;
  readonly node: SchemaNode;
  /** It is, or stands in, a secret of the contract. */
  readonly secret: boolean;
}

/**
 * Whether a value is compared and replaced as a whole: everything but objects, flows, and maps whose values share
 * one shape (an entry that the manifest no longer names is removed).
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
  const visit = (parent: SchemaNode, value: JsonObject, above: string, within: boolean): void => {
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue;
      const path = `${above}${key.replaceAll('.', '%2E')}`;
      const node = childOf(schema, parent, key) ?? {};
      const secret = within || isSecretField(node);
      if (isObject(inner) && !isWhole(node)) visit(node, inner, `${path}.`, secret);
      else found.push({ path, value: inner, node, secret });
    }
  };
  visit(resolved(schema, schema), fields, '', false);
  return found;
}

/** The keys that a path leads through. */
export const keysOf = (path: string): readonly string[] =>
  path.includes('%2E') ? path.split('.').map((key) => key.replaceAll('%2E', '.')) : path.split('.');

/** The value at a path of a leaf; `undefined` where there is none. */
export function leafAt(record: JsonObject, path: string): Json | undefined {
  return keysOf(path).reduce<Json | undefined>((here, key) => {
    return isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  }, record);
}
