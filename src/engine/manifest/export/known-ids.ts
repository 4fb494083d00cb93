import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { ResourceName } from '../../../contract/types.ts';
import type { Section } from '../account-reader.ts';
import { withValue } from '../canonical.ts';
import { holdsMarks, referenceTo } from '../desired.ts';
import { type ExportedObject, exportedLabel, idOf, type LocalNames, type MarkReader } from '../exported.ts';
import { type Kind, type KindName, kindOfSection } from '../kinds.ts';

const between = '\0';
const first = 'env/';

/** Marked text for a secret of an object at a path. What variable it becomes is decided when all are known. */
export const placeholderAt = (key: string, path: readonly string[]): string =>
  referenceTo(`${first}${[key, ...path].join(between)}`);

/** True if a mark, or marked text, represents a secret. */
export const isPlaceholder = (text: string): boolean => /^\uE000?env\//.test(text);

/** The optional expressions that stand for secrets, by their marks: `env.USERS_ALICE_PASSWORD?`, each name once. */
export function placeholderNames(objects: readonly ExportedObject[]): ReadonlyMap<string, string> {
  const used = new Set<string>();
  const next = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { kind, name, variables } of objects)
    for (const mark of variables) {
      const [, ...path] = mark.split(between);
      // The steps of a flow are told by the keys that lead to them.
      const keys = path[0] === 'flow' ? path.filter((key) => key !== 'children' && key !== 'data') : path;
      const base = [kind.name, ...(kind.name === name ? [] : [name]), ...keys]
        .join('_')
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]+/g, '_')
        .slice(0, 120)
        .replaceAll(/^_+|_+$/g, '');
      let variable = base;
      for (let number = next.get(base) ?? 2; used.has(variable); number += 1) {
        variable = `${base}_${number}`;
        next.set(base, number + 1);
      }
      used.add(variable);
      names.set(mark, `env.${variable}?`);
    }
  return names;
}

/** Ids as services make them; only these are looked for inside text. A `$` before one would spoil the reference. */
const token = /(?<![0-9a-fA-F$-])[0-9a-f]{32}(?![0-9a-fA-F-])/g;

const wholeToken = /^[0-9a-f]{32}$/;

/** Ids that were met in an object. */
export interface Sightings {
  readonly keys: Set<string>;
  strays: boolean;
}

/** Ids of the objects of a manifest, as the references that replace them. */
export interface KnownIds {
  /** Text with the ids in it replaced by references. */
  referring(text: string, seen: Sightings): string;
  /** The value of a field that holds an id of one resource. */
  reference(to: ResourceName, id: string, seen: Sightings): string;
}

/** Makes references of ids. Objects that an account has once, and numbers, which are text, have no ids to refer to. */
export function knownIds(lists: readonly Section[], names: ReadonlyMap<KindName, LocalNames>): KnownIds {
  const anywhere = new Map<string, string>();
  const byKind = new Map<KindName, Map<string, string>>();
  for (const { kind, records } of lists) {
    if (kind.shape === 'one') continue;
    const keys = new Map<string, string>();
    byKind.set(kind.name, keys);
    for (const item of records) {
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
    const kind = kindOfSection(to);
    const key = kind && byKind.get(kind.name)?.get(id);
    return key === undefined ? referring(id, seen) : mark(key, seen);
  };
  return { referring, reference };
}

/** The ids that a text holds. */
const idTokens = (text: string): readonly string[] => (text.length < 32 ? [] : (text.match(token) ?? []));

/** Facts known of ids when an export is written. */
interface MarkFacts {
  /** Ids of all objects by key. */
  readonly ids: ReadonlyMap<string, string>;
  /** The objects that a reference can lead to, by key. */
  readonly described: ReadonlyMap<string, { readonly kind: Kind; readonly fields: JsonObject }>;
  /** Keys that an object may not refer to, since that would close a circle that no late field opens. */
  readonly cut: ReadonlyMap<string, ReadonlySet<string>>;
  /** `user alice` for ids of objects that are not part of the export. */
  readonly others: ReadonlyMap<string, string>;
  /** Expressions that replace secrets, by mark. */
  readonly variables: ReadonlyMap<string, string>;
}

const mark = /\uE000([^\uE001]*)\uE001/g;

/** Makes what turns marked text into the text of a manifest: references in `${…}`, where they may stand. */
export function markReader({ ids, described, cut, others, variables }: MarkFacts): MarkReader {
  const standsAsId = (object: ExportedObject, key: string): boolean =>
    !isPlaceholder(key) && (!described.has(key) || cut.get(object.key)?.has(key) === true);
  const needsNote = (object: ExportedObject): boolean =>
    object.strays || object.refersTo.some((key) => standsAsId(object, key));
  const noted = new WeakMap<ExportedObject, boolean>();
  return {
    text(object, marked) {
      const escaped = marked.includes('${') ? marked.replaceAll('${', '$$${') : marked;
      if (!escaped.includes('\uE000')) return escaped;
      return escaped.replaceAll(mark, (_, key: string) =>
        standsAsId(object, key) ? (ids.get(key) ?? key) : `\${${variables.get(key) ?? key}}`,
      );
    },
    note(object, marked) {
      if (marked.length < 32 && !marked.includes('\uE000')) return undefined;
      const isNoted = noted.get(object) ?? needsNote(object);
      noted.set(object, isNoted);
      if (!isNoted) return undefined;
      const asIds = [...marked.matchAll(mark)].flatMap(([, key = '']) => {
        if (!standsAsId(object, key)) return [];
        const target = described.get(key);
        return [
          target === undefined
            ? 'the id of something that is gone'
            : `${exportedLabel(target.kind, target.fields)}; a reference would lead in a circle`,
        ];
      });
      const unknown = idTokens(marked.replaceAll(mark, '')).map(
        (id) => others.get(id) ?? 'the id of something that is not in this manifest',
      );
      const notes = [...new Set([...asIds, ...unknown])];
      return notes.length === 0 ? undefined : notes.join('; ');
    },
  };
}

/** A value that no manifest can hold. */
const unfit = Symbol('unfit');

/** Makes an empty tree of what a manifest holds under `extra`: as it is, but for ids. `seen` is told which were met. */
export function extraTree(ids: KnownIds, seen: Sightings) {
  let tree: JsonObject = {};

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

  return {
    /** Puts a value at the keys that lead to it in the record. False where a manifest cannot hold it. */
    keep(path: readonly string[], value: Json): boolean {
      const made = path.some(holdsMarks) ? unfit : written(value, false);
      if (made === unfit) return false;
      const keys = path.map((key) => ids.referring(key, seen));
      tree = withValue(tree, keys, made);
      return true;
    },
    /** All of it, keys and texts marked like those of other fields. */
    fields: () => tree,
  };
}
