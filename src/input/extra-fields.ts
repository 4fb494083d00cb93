import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { isPrivateKey } from '../contract/private-key.ts';
import type { DocumentNode, Entry, MapNode } from './document.ts';
import { isNothing } from './read-scalar.ts';

/** Key of an object in a manifest under which fields stand that the contract does not know. */
export const extraKey = 'extra';

/** Tools that `mergeExtra` works with. */
interface Reading {
  /** Reads a map whose values are not checked. */
  read(map: MapNode): JsonObject;
  problem(at: DocumentNode | Entry, message: string): void;
}

/** The fields of an object with those that stand under its `extra`, merged at every level. */
export function mergeExtra(fields: JsonObject, extra: Entry, { read, problem }: Reading): JsonObject {
  const { value: node } = extra;
  if (node.kind === 'scalar' && isNothing(node)) return fields;
  if (node.kind !== 'map') {
    problem(node, `"${extraKey}" must be a map of fields`);
    return fields;
  }
  for (const entry of node.entries)
    if (entry.key === 'id' || isPrivateKey(entry.key))
      problem(
        entry,
        `${JSON.stringify(entry.key)} is made by the service and cannot stand under "${extraKey}"`,
      );
  const merge = (one: JsonObject, other: JsonObject, path: readonly string[]): JsonObject => {
    const merged = new Map<string, Json | undefined>(Object.entries(one));
    for (const [key, value] of Object.entries(other)) {
      const here = merged.get(key);
      const at = [...path, key];
      if (here === undefined) merged.set(key, value);
      else if (isObject(here) && isObject(value)) merged.set(key, merge(here, value, at));
      else problem(extra, `"${at.join('.')}" stands under "${extraKey}" and beside it`);
    }
    return Object.fromEntries(merged);
  };
  return merge(fields, read(node), []);
}
