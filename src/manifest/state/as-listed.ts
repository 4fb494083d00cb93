import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { childOf } from '../../contract/schema-node.ts';
import { canonicalField, same } from '../canonical.ts';
import type { Kind } from '../kinds.ts';

/**
 * Tells whether the list item of an object agrees with the fields that a manifest wants, as far as both are plain
 * values: lists show counts and extracts of the rest.
 */
export function isAsListed(kind: Kind, wanted: JsonObject, item: JsonObject): boolean {
  return Object.entries(wanted).every(([field, value]) => {
    if (value === undefined || !Object.hasOwn(item, field)) return true;
    const shown = item[field];
    if (shown === undefined || shown === value || !isPlain(value) || !isPlain(shown)) return true;
    if (childOf(kind.schema, kind.schema, field)?.readOnly === true) return true;
    return same(canonicalField(kind, field, value), canonicalField(kind, field, shown));
  });
}

const isPlain = (value: Json): boolean =>
  value !== null &&
  !isObject(value) &&
  (!Array.isArray(value) || value.every((item: Json) => typeof item === 'string'));
