import { isEqualJson, isObject, type Json, type JsonObject } from '../../../base/json.ts';
import {
  findChildNode,
  resolveReference,
  type Schema,
  type SchemaNode,
} from '../../../contract/schema-node.ts';
import { redact } from '../../../contract/secrets.ts';
import { mergePatch } from '../canonical.ts';
import type { Kind } from '../kinds.ts';
import { toSendable } from '../sendable.ts';

export interface OldValues {
  readonly before: JsonObject;
  /** Dotted paths of values that are not stored, because they are secret or unknown. */
  readonly unkept: readonly string[];
}

/** Returns the merge patch that reverses an update. Without `record`, old values are unknown. */
export function valuesBeforeUpdate(
  kind: Kind,
  record: JsonObject | undefined,
  { send, by }: { readonly send: JsonObject; readonly by: 'patch' | 'replace' },
  confidential: readonly string[],
): OldValues {
  if (!record) return { before: {}, unkept: Object.keys(send) };
  const before = by === 'patch' ? invertPatch(send, record) : mergePatch(send, toSendable(kind, record));
  return omitSecrets(kind.schema, before, { paths: confidential });
}

export const valuesBeforeDelete = (
  kind: Kind,
  record: JsonObject | undefined,
  confidential: readonly string[],
): OldValues =>
  record === undefined
    ? { before: {}, unkept: ['all fields'] }
    : omitSecrets(kind.schema, toSendable(kind, record), { paths: confidential });

/** Returns the merge patch (RFC 7386) that reverses another one. */
function invertPatch(patch: JsonObject, record: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(patch).map(([key, after]) => {
      const before = Object.hasOwn(record, key) ? record[key] : undefined;
      if (before === undefined) return [key, null];
      return [key, isObject(after) && isObject(before) ? invertPatch(after, before) : before];
    }),
  );
}

/** Hidden values in addition to secrets: dotted paths, and texts from the environment or from files. */
export interface Hidden {
  readonly paths?: readonly string[];
  readonly texts?: ReadonlySet<string>;
}

export const loggedValues = (schema: Schema, data: JsonObject, hidden: Hidden = {}): JsonObject =>
  omitSecrets(schema, data, hidden, 'set').before;

/** Removes secrets and hidden values with all values above and below them, or replaces them with `instead`. */
export function omitSecrets(
  schema: Schema,
  values: JsonObject,
  { paths = [], texts = new Set() }: Hidden = {},
  instead?: string,
): OldValues {
  const unkept: string[] = [];
  const isHidden = (path: string, value: Json): boolean => {
    for (const hidden of paths)
      if (hidden === path || path.startsWith(`${hidden}.`) || hidden.startsWith(`${path}.`)) return true;
    if (texts.size === 0) return false;
    const written = JSON.stringify(value);
    return [...texts].some((text) => written.includes(JSON.stringify(text).slice(1, -1)));
  };
  const visit = (
    parent: SchemaNode,
    value: JsonObject,
    shown: Json | undefined,
    above: string,
  ): JsonObject => {
    const kept: [string, Json][] = [];
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined) continue;
      const path = `${above}${key.replaceAll('.', '%2E')}`;
      const node = findChildNode(schema, parent, key) ?? {};
      const seen = isObject(shown) ? shown[key] : undefined;
      if (isObject(inner) && isObject(seen)) kept.push([key, visit(node, inner, seen, `${path}.`)]);
      else if (node.writeOnly !== true && isEqualJson(inner, seen) && !isHidden(path, inner))
        kept.push([key, inner]);
      else {
        unkept.push(path);
        if (instead !== undefined) kept.push([key, instead]);
      }
    }
    return Object.fromEntries(kept);
  };
  const before = visit(resolveReference(schema, schema), values, redact(schema, values), '');
  return { before, unkept };
}
