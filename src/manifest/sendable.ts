import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { isPrivateKey } from '../contract/private-key.ts';
import { childOf, resolved, type SchemaNode } from '../contract/schema-node.ts';
import type { Kind } from './kinds.ts';

/**
 * Returns the part of a record that can be sent: nothing that the service makes by itself, no private names, and no
 * `null`, which only a part of a record can hold.
 */
export function sendable(kind: Kind, record: JsonObject): JsonObject {
  const visit = (node: SchemaNode, value: Json): Json => {
    if (!isObject(value)) return value;
    const kept: [string, Json][] = [];
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined || inner === null) continue;
      const child = childOf(kind.schema, node, key) ?? {};
      if (child.readOnly !== true) kept.push([key, visit(child, inner)]);
    }
    return Object.fromEntries(kept);
  };
  const whole = visit(resolved(kind.schema, kind.schema), record);
  if (!isObject(whole)) return {};
  return Object.fromEntries(Object.entries(whole).filter(([key]) => key !== 'id' && !isPrivateKey(key)));
}

/** A part of a record without what stands at some dotted paths. */
export function withoutPaths(fields: JsonObject, paths: readonly string[]): JsonObject {
  return paths.reduce(
    (left, path) =>
      withoutKeys(
        left,
        path.split('.').map((key) => key.replaceAll('%2E', '.')),
      ),
    fields,
  );
}

function withoutKeys(value: JsonObject, [key, ...below]: readonly string[]): JsonObject {
  if (key === undefined || !Object.hasOwn(value, key)) return value;
  const inner = value[key];
  const others = Object.fromEntries(Object.entries(value).filter(([each]) => each !== key));
  return below.length > 0 && isObject(inner) ? { ...others, [key]: withoutKeys(inner, below) } : others;
}
