import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { resolved, type SchemaNode, stepKind } from '../../contract/schema-node.ts';
import { stepNode } from '../../contract/step-node.ts';
import type { Kind } from '../kinds.ts';

/**
 * Fields without those that say nothing: a value that the service gives by itself, an object with nothing in it.
 * Left out they are left alone, so that applying is no change. Lists and maps are compared as a whole and stay as they
 * are. What an account has once exists before a manifest is applied, so that a default has to be said there.
 */
export function withoutDefaults(kind: Kind, fields: JsonObject): JsonObject {
  const needed = neededBy(kind);
  const visit = (reference: SchemaNode, value: JsonObject, top: boolean): JsonObject => {
    const plain = resolved(kind.schema, reference);
    const isStep = stepKind(plain) !== undefined;
    const node = stepNode(kind.schema, plain, value.module);
    const kept: (readonly [string, Json])[] = [];
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined) continue;
      const child = node.properties && Object.hasOwn(node.properties, key) ? node.properties[key] : undefined;
      if (!child || (top && needed.has(key))) kept.push([key, inner]);
      else if (isStep && key === 'children' && isObject(inner)) kept.push(...branches(plain, inner));
      else {
        const field = resolved(kind.schema, child);
        if (kind.shape === 'many' && isDefault(field, inner)) continue;
        const rest = isObject(inner) ? visit(field, inner, false) : inner;
        if (!isObject(rest) || isStep || Object.keys(rest).length > 0) kept.push([key, rest]);
      }
    }
    return Object.fromEntries(kept);
  };
  /** Returns the steps that follow a step; nothing where the flow ends. */
  const branches = (node: SchemaNode, children: JsonObject): readonly (readonly [string, Json])[] => {
    const entries = Object.entries(children).map(([key, step]) => [
      key,
      isObject(step) ? visit(node, step, false) : (step ?? null),
    ]);
    return entries.length === 0 ? [] : [['children', Object.fromEntries(entries)]];
  };
  return visit(kind.schema, fields, true);
}

const neededFields = new WeakMap<Kind, ReadonlySet<string>>();

function neededBy(kind: Kind): ReadonlySet<string> {
  const needed = neededFields.get(kind) ?? new Set(kind.resource.required.flatMap((rule) => rule.fields));
  neededFields.set(kind, needed);
  return needed;
}

function isDefault(node: SchemaNode, value: Json): boolean {
  const given = node.default ?? node['x-convention']?.default;
  if (given === undefined || typeof given !== 'object') return given === value;
  return isDeepStrictEqual(given, value);
}
