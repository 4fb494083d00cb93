import { isEqualJson, isObject, type Json, type JsonObject, ownValue } from '../../base/json.ts';
import { keptForms } from '../../contract/kept-form.ts';
import { coerceValue } from '../../contract/map-value.ts';
import { holdsNumbers, toStoredNumber } from '../../contract/phone-number.ts';
import { isSecretPath } from '../../contract/schema.ts';
import { findChildNode, resolveReference, type SchemaNode } from '../../contract/schema-node.ts';
import type { Kind } from './kinds.ts';

export interface Shaped extends Pick<Kind, 'schema'> {
  readonly name: string;
}

/** Arrays of text whose order has no meaning. The contract marks others with `uniqueItems`. */
const sets = new Set(['flags', 'patterns', 'pins', 'authz_resource_types']);

/** Returns the function that formats items of a list, or keys of a map, as phone numbers. */
const numberForm = ({ schema }: Shaped, [field = '', item]: readonly string[]) =>
  (item === undefined || item === '*') && holdsNumbers(schema, field) ? toStoredNumber : undefined;

const isSet = (node: SchemaNode, key: string): boolean =>
  node['x-convention']?.uniqueItems === true || sets.has(key);

/** Returns the form for comparing and hashing: E.164 numbers, sorted sets. References must be resolved. */
export function canonicalField(kind: Shaped, field: string, value: Json): Json {
  return canonicalAt(kind, findChildNode(kind.schema, kind.schema, field) ?? {}, [field], value);
}

/** Works like `canonicalField`, for any path. */
export function canonicalAt(kind: Shaped, node: SchemaNode, keys: readonly string[], value: Json): Json {
  const here = resolveReference(kind.schema, node);
  if (Array.isArray(value)) {
    const itemNode = findChildNode(kind.schema, here, '*') ?? {};
    const items = value.map((item: Json) =>
      canonicalAt(kind, itemNode, [...keys, '*'], omitItemDefaults(kind, itemNode, item)),
    );
    return isSet(here, keys.at(-1) ?? '') ? sortUnique(items) : items;
  }
  if (isObject(value)) {
    const form = keys.length === 1 ? numberForm(kind, keys) : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        form ? form(key) : key,
        inner === undefined
          ? inner
          : canonicalAt(kind, findChildNode(kind.schema, here, key) ?? {}, [...keys, key], inner),
      ]),
    );
  }
  if (typeof value === 'number' && here['x-convention']?.type === 'string') return String(value);
  const keptAs = here['x-kept-as'];
  const form = keptAs === undefined ? numberForm(kind, keys) : keptForms[keptAs];
  // Services store an operator as a number or as text, so `0` and `"0"` are equal.
  if (typeof value === 'number' && form && here.type === 'integer')
    return coerceValue(here, form(String(value)));
  if (typeof value !== 'string') return value;
  const kept = form ? form(value) : value;
  return here.type === 'string' || (form && here.type !== 'integer') ? kept : coerceValue(here, kept);
}

/** Lists are compared as a whole, so default values in their items are omitted. */
function omitItemDefaults({ schema }: Shaped, node: SchemaNode, item: Json): Json {
  if (!isObject(item) || node.properties === undefined) return item;
  return Object.fromEntries(
    Object.entries(item).filter(([key, value]) => {
      const given = findChildNode(schema, node, key);
      const standard = given?.default ?? given?.['x-convention']?.default;
      return standard === undefined || standard !== value;
    }),
  );
}

const sortUnique = (items: readonly Json[]): readonly Json[] => {
  const byText = new Map(items.map((item) => [typeof item === 'string' ? item : JSON.stringify(item), item]));
  return [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
};

/** Returns a merge patch (RFC 7386). Removed fields become `null`. */
export function mergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const entries = [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap(
    (key): readonly (readonly [string, Json])[] => {
      const before = ownValue(from, key);
      const after = ownValue(to, key);
      if (isEqualJson(before, after)) return [];
      if (after === undefined) return [[key, null]];
      return [[key, isObject(before) && isObject(after) ? mergePatch(before, after) : after]];
    },
  );
  return Object.fromEntries(entries);
}

export function withMergePatch(record: JsonObject, patch: JsonObject): JsonObject {
  const changed = Object.entries(patch).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
    if (value === null || value === undefined) return [];
    const here = ownValue(record, key);
    return [[key, isObject(value) ? withMergePatch(isObject(here) ? here : {}, value) : value]];
  });
  const kept = Object.entries(record).filter(([key]) => !Object.hasOwn(patch, key));
  return Object.fromEntries([...kept, ...changed]);
}

/** Ignores values that the service does not show. */
export const holdsSent = (kind: Shaped, record: JsonObject, data: JsonObject): boolean =>
  Object.keys(data).every((field) => holdsSentField(kind, field, record, data));

/** Ignores values that the service does not show. */
export function holdsSentField(kind: Shaped, field: string, record: JsonObject, data: JsonObject): boolean {
  const sent = data[field];
  if (sent === undefined || kind.schema.properties?.[field]?.writeOnly === true) return true;
  if (record[field] === undefined && isSecretPath(kind.schema, field)) return true;
  const comparableForm = (value: Json): Json => toLowerCaseJson(canonicalField(kind, field, value));
  return containsValue(comparableForm(record[field] ?? null), comparableForm(sent));
}

const toLowerCaseJson = (value: Json): Json => (typeof value === 'string' ? value.toLowerCase() : value);

function containsValue(live: Json, sent: Json): boolean {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return isEqualJson(live, sent);
  if (typeof live !== 'object' || live === null || Array.isArray(live)) return false;
  return Object.entries(sent).every(([key, value]) => {
    const here = (live as JsonObject)[key];
    return value === undefined || containsValue(here ?? null, value);
  });
}

export function withValue(
  part: JsonObject,
  [key = '', ...below]: readonly string[],
  value: Json,
): JsonObject {
  const inner = part[key];
  return {
    ...part,
    [key]: below.length === 0 ? value : withValue(isObject(inner) ? inner : {}, below, value),
  };
}
