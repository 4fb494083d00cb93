import type { ResourceName } from '../../contract/types.ts';
import { referenceTo } from '../desired/references.ts';
import { type KindName, kindOf } from '../kinds.ts';
import type { KindList } from '../state/read-kind.ts';
import { idOf, type LocalNames } from './local-names.ts';

/** Ids as services make them; only these are looked for inside text. A `$` before one would spoil the reference. */
const token = /(?<![0-9a-fA-F$-])[0-9a-f]{32}(?![0-9a-fA-F-])/g;

const wholeToken = /^[0-9a-f]{32}$/;

/** Ids that were met in an object. */
export interface Sightings {
  readonly keys: Set<string>;
  strays: boolean;
}

/** Ids of the objects that a manifest holds, as the references that stand for them. */
export interface KnownIds {
  /** Text with the ids in it replaced by references. */
  referring(text: string, seen: Sightings): string;
  /** The value of a field that holds an id of one resource. */
  reference(to: ResourceName, id: string, seen: Sightings): string;
}

/** Makes references of ids. Objects that an account has once, and numbers, which are text, have no ids to refer to. */
export function knownIds(lists: readonly KindList[], names: ReadonlyMap<KindName, LocalNames>): KnownIds {
  const anywhere = new Map<string, string>();
  const byKind = new Map<KindName, Map<string, string>>();
  for (const { kind, items } of lists) {
    if (kind.shape === 'one') continue;
    const keys = new Map<string, string>();
    byKind.set(kind.name, keys);
    for (const item of items) {
      const id = idOf(kind, item);
      const key = `${kind.name}.${names.get(kind.name)?.get(id) ?? id}`;
      keys.set(id, key);
      if (kind.keys[0] !== 'id' && wholeToken.test(id) && !anywhere.has(id)) anywhere.set(id, key);
    }
  }
  const mark = (key: string, seen: Sightings): string => {
    seen.keys.add(key);
    return referenceTo(key);
  };
  const referring = (text: string, seen: Sightings): string =>
    text.length < 32
      ? text
      : text.replaceAll(token, (id) => {
          const key = anywhere.get(id);
          if (key !== undefined) return mark(key, seen);
          seen.strays = true;
          return id;
        });
  const reference = (to: ResourceName, id: string, seen: Sightings): string => {
    const kind = kindOf(to);
    const key = kind && byKind.get(kind.name)?.get(id);
    return key === undefined ? referring(id, seen) : mark(key, seen);
  };
  return { referring, reference };
}

/** The ids that a text holds. */
export const idTokens = (text: string): readonly string[] =>
  text.length < 32 ? [] : (text.match(token) ?? []);
