import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { holdsMarks } from '../desired.ts';
import type { KnownIds, Sightings } from './known-ids.ts';

/** A value that no manifest can hold. */
const unfit = Symbol('unfit');

type Branch = Map<string, Branch | { readonly value: Json }>;

/** Values of a record that a manifest holds under `extra`: as they are, but for ids of other objects. */
export interface ExtraTree {
  /** Puts a value at the keys that lead to it in the record. False where a manifest cannot hold it. */
  keep(path: readonly string[], value: Json): boolean;
  /** All of it, keys and texts marked like those of other fields. */
  fields(): JsonObject;
}

/** Makes an empty tree. `seen` is told which ids were met. */
export function extraTree(ids: KnownIds, seen: Sightings): ExtraTree {
  const root: Branch = new Map();

  /** A key without a value removes a field, so that it stands in lists alone, which are replaced as a whole. */
  const written = (value: Json, inList: boolean): Json | typeof unfit => {
    if (typeof value === 'string') return holdsMarks(value) ? unfit : ids.referring(value, seen);
    if (Array.isArray(value)) {
      const items = value.map((item: Json) => written(item, true));
      const fitting = items.filter((item) => item !== unfit);
      return fitting.length === items.length ? fitting : unfit;
    }
    if (!isObject(value)) return value;
    const entries: (readonly [string, Json])[] = [];
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined || (inner === null && !inList)) continue;
      const made = holdsMarks(key) ? unfit : written(inner, inList);
      if (made === unfit) return unfit;
      entries.push([ids.referring(key, seen), made]);
    }
    return Object.fromEntries(entries);
  };

  const asObject = (branch: Branch): JsonObject =>
    Object.fromEntries(
      [...branch].map(([key, inner]) => [key, inner instanceof Map ? asObject(inner) : inner.value]),
    );

  return {
    keep(path, value) {
      const made = path.some(holdsMarks) ? unfit : written(value, false);
      if (made === unfit) return false;
      const keys = path.map((key) => ids.referring(key, seen));
      let branch = root;
      for (const key of keys.slice(0, -1)) {
        const known = branch.get(key);
        const inner: Branch = known instanceof Map ? known : new Map();
        branch.set(key, inner);
        branch = inner;
      }
      branch.set(keys.at(-1) ?? '', { value: made });
      return true;
    },
    fields: () => asObject(root),
  };
}
