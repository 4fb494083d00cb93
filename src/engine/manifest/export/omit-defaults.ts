import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { stepNode } from '../../../contract/module-data.ts';
import { resolveReference, type SchemaNode, stepKind } from '../../../contract/schema-node.ts';
import type { Kind } from '../kinds.ts';

/** Omits values that the service sets. Keeps them in lists, maps and objects that an account has once. */
export function omitDefaults(kind: Kind, fields: JsonObject): JsonObject {
  return omitBelow(kind, kind.schema, fields, requiredFieldsOf(kind));
}

function omitBelow(
  kind: Kind,
  reference: SchemaNode,
  value: JsonObject,
  required: ReadonlySet<string> = new Set(),
): JsonObject {
  const plain = resolveReference(kind.schema, reference);
  const isStep = stepKind(plain) !== undefined;
  const node = stepNode(kind.schema, plain, value.module);
  const kept: (readonly [string, Json])[] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const child = node.properties && Object.hasOwn(node.properties, key) ? node.properties[key] : undefined;
    if (!child || required.has(key)) kept.push([key, inner]);
    else if (isStep && key === 'children' && isObject(inner)) {
      const children = Object.entries(inner).map(([branch, step]) => [
        branch,
        isObject(step) ? omitBelow(kind, plain, step) : (step ?? null),
      ]);
      if (children.length > 0) kept.push([key, Object.fromEntries(children)]);
    } else {
      const field = resolveReference(kind.schema, child);
      const isRequired = node.required?.includes(key) === true;
      if (kind.shape === 'many' && (isDefault(field, inner) || (isEmptyList(field, inner) && !isRequired)))
        continue;
      const rest = isObject(inner) ? omitBelow(kind, field, inner) : inner;
      if (!isObject(rest) || isStep || Object.keys(rest).length > 0) kept.push([key, rest]);
    }
  }
  return Object.fromEntries(kept);
}

const requiredByKind = new WeakMap<Kind, ReadonlySet<string>>();

function requiredFieldsOf(kind: Kind): ReadonlySet<string> {
  const required = requiredByKind.get(kind) ?? new Set(kind.resource.required.flatMap((rule) => rule.fields));
  requiredByKind.set(kind, required);
  return required;
}

const schemaDefault = (node: SchemaNode): unknown => node.default ?? node['x-convention']?.default;

const isEmptyList = (node: SchemaNode, value: Json): boolean =>
  Array.isArray(value) && value.length === 0 && schemaDefault(node) === undefined;

const isDefault = (node: SchemaNode, value: Json): boolean => isDeepStrictEqual(schemaDefault(node), value);
