import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { own, same } from './canonical.ts';

/** The merge patch (RFC 7386) that makes one object the other: what is gone becomes `null`. */
export function mergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const entries = [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap(
    (key): readonly (readonly [string, Json])[] => {
      const before = own(from, key);
      const after = own(to, key);
      if (same(before, after)) return [];
      if (after === undefined) return [[key, null]];
      return [[key, isObject(before) && isObject(after) ? mergePatch(before, after) : after]];
    },
  );
  return Object.fromEntries(entries);
}

/** An object after a merge patch (RFC 7386). */
export function withMergePatch(record: JsonObject, patch: JsonObject): JsonObject {
  const changed = Object.entries(patch).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
    if (value === null || value === undefined) return [];
    const here = own(record, key);
    return [[key, isObject(value) ? withMergePatch(isObject(here) ? here : {}, value) : value]];
  });
  const kept = Object.entries(record).filter(([key]) => !Object.hasOwn(patch, key));
  return Object.fromEntries([...kept, ...changed]);
}
