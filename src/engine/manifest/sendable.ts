import {
  isEqualJson,
  isObject,
  type Json,
  type JsonObject,
  omitKeys,
  ownValue,
  splitPath,
} from '../../base/json.ts';
import { isPrivateKey } from '../../contract/name-lists.ts';
import { findChildNode, resolveReference, type SchemaNode } from '../../contract/schema-node.ts';
import { mergePatch } from './canonical.ts';
import type { Kind } from './kinds.ts';
import type { Step } from './plan.ts';

/** Removes read-only fields, private keys and `null`. */
export function toSendable(kind: Kind, record: JsonObject): JsonObject {
  const visit = (node: SchemaNode, value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => omitNull(item));
    if (!isObject(value)) return value;
    const kept: [string, Json][] = [];
    let isWhole = true;
    for (const key of Object.keys(value)) {
      const inner = value[key];
      const child = inner === undefined || inner === null ? undefined : findChildNode(kind.schema, node, key);
      const part = inner === undefined || child?.readOnly === true ? null : visit(child ?? {}, inner);
      isWhole &&= part === inner && part !== null;
      if (part !== null) kept.push([key, part]);
    }
    // Most records are returned unchanged. Copies of thousands would cost time and memory.
    return isWhole ? value : Object.fromEntries(kept);
  };
  const isServiceField = (key: string): boolean => key === 'id' || isPrivateKey(key);
  const whole = visit(resolveReference(kind.schema, kind.schema), record);
  if (!isObject(whole)) return {};
  return Object.keys(whole).some(isServiceField)
    ? Object.fromEntries(Object.entries(whole).filter(([key]) => !isServiceField(key)))
    : whole;
}

export const omitNull = (item: Json): Json =>
  isObject(item)
    ? Object.fromEntries(Object.entries(item).filter(([, value]) => (value ?? null) !== null))
    : item;

export function omitPaths(fields: JsonObject, paths: readonly string[]): JsonObject {
  return paths.reduce((left, path) => omitPath(left, splitPath(path)), fields);
}

function omitPath(value: JsonObject, [key, ...below]: readonly string[]): JsonObject {
  if (key === undefined || !Object.hasOwn(value, key)) return value;
  const inner = value[key];
  const others = omitKeys(value, [key]);
  return below.length > 0 && isObject(inner) ? { ...others, [key]: omitPath(inner, below) } : others;
}

/** Returns the changed fields, or the whole record if the service has no PATCH. */
export function requestBody(
  kind: Kind,
  record: JsonObject,
  next: JsonObject,
  wanted: JsonObject,
): Required<Pick<Step, 'send' | 'by'>> {
  if (kind.calls.patch) {
    const patch = mergePatch(record, next);
    // A new username must be sent with a password (Conventions, users).
    const password = kind.name === 'users' && Object.hasOwn(patch, 'username') ? wanted.password : undefined;
    return { send: password === undefined ? patch : { ...patch, password }, by: 'patch' };
  }
  // The service replaces only the sent fields (Conventions, service plans).
  if (kind.assigned) return { send: toSendable(kind, mergePatch(record, next)), by: 'replace' };
  // Fields that the service never shows would be lost.
  const kept = Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => value !== null && !Object.hasOwn(record, key)),
  );
  return { send: toSendable(kind, { ...kept, ...next }), by: 'replace' };
}

/** Manifests list ids or objects with an id. Services show a map. */
function assignedById(value: Json | undefined): ReadonlyMap<string, JsonObject> {
  if (isObject(value))
    return new Map(Object.entries(value).map(([id, item]) => [id, isObject(item) ? item : {}]));
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  return new Map(
    items.flatMap((item): readonly (readonly [string, JsonObject])[] => {
      if (typeof item === 'string') return [[item, {}]];
      if (!isObject(item) || typeof item.id !== 'string') return [];
      const { id, ...rest } = item;
      return [[item.id, rest]];
    }),
  );
}

/** Omits the account, because only its reseller assigns records. */
export function listAssigned({ assigned }: Kind, record: JsonObject): JsonObject {
  const value = assigned && record[assigned.all];
  if (assigned === undefined || !isObject(value)) return record;
  const items = [...assignedById(value)].map(([id, { vendor_id: _, ...rest }]) =>
    Object.keys(rest).length === 0 ? id : { id, ...rest },
  );
  return { ...record, [assigned.all]: items.length === 0 ? undefined : items };
}

export function omitAssigned({ assigned }: Kind, wanted: JsonObject, record: JsonObject): JsonObject {
  if (assigned === undefined) return wanted;
  const { all, added, removed } = assigned;
  const live = assignedById(record[all]);
  const isAssigned = ([id, item]: readonly [string, JsonObject]): boolean => {
    const found = live.get(id);
    return (
      found !== undefined &&
      Object.keys(item).every((key) => isEqualJson(ownValue(item, key), ownValue(found, key)))
    );
  };
  const settled: string[] = [];
  const items = [...assignedById(wanted[all])];
  if (items.length === live.size && items.every(isAssigned)) settled.push(all);
  if ([...assignedById(wanted[added])].every(isAssigned)) settled.push(added);
  if ([...assignedById(wanted[removed]).keys()].every((id) => !live.has(id))) settled.push(removed);
  return omitKeys(wanted, settled);
}
