import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { ResourceName } from '../../../contract/types.ts';
import type { Section } from '../account-reader.ts';
import { withValue } from '../canonical.ts';
import { holdsMarks, referenceTo } from '../desired.ts';
import {
  type ExportedObject,
  exportedLabel,
  type LocalNames,
  type MarkReader,
  objectId,
} from '../exported.ts';
import { type Kind, type KindName, kindOfSection } from '../kinds.ts';

const between = '\0';
const first = 'env/';

/** The variable is chosen when all secrets are known. */
export const placeholderAt = (key: string, path: readonly string[]): string =>
  referenceTo(`${first}${[key, ...path].join(between)}`);

export const isPlaceholder = (text: string): boolean => /^\uE000?env\//.test(text);

/** Returns a unique optional expression for each mark of a secret: `env.USERS_ALICE_PASSWORD?`. */
export function placeholderNames(objects: readonly ExportedObject[]): ReadonlyMap<string, string> {
  const used = new Set<string>();
  const next = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { kind, name, variables } of objects)
    for (const mark of variables) {
      const [, ...path] = mark.split(between);
      // Branch keys identify the steps of a flow.
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

/** Only ids in the format of services are found inside text. A preceding `$` would break the reference. */
const token = /(?<![0-9a-fA-F$-])[0-9a-f]{32}(?![0-9a-fA-F-])/g;

const wholeToken = /^[0-9a-f]{32}$/;

export interface SeenIds {
  readonly keys: Set<string>;
  hasUnknown: boolean;
}

export interface KnownIds {
  replaceIn(text: string, seen: SeenIds): string;
  referenceTo(to: ResourceName, id: string, seen: SeenIds): string;
}

/** Phone numbers, and objects that an account has once, have no ids. */
export function createKnownIds(
  lists: readonly Section[],
  names: ReadonlyMap<KindName, LocalNames>,
): KnownIds {
  const anywhere = new Map<string, string>();
  const byKind = new Map<KindName, Map<string, string>>();
  for (const { kind, records } of lists) {
    if (kind.shape === 'one') continue;
    const keys = new Map<string, string>();
    byKind.set(kind.name, keys);
    for (const item of records) {
      const id = objectId(kind, item);
      const key = `${kind.name}.${names.get(kind.name)?.get(id) ?? id}`;
      keys.set(id, key);
      if (kind.keys[0] !== 'id' && wholeToken.test(id) && !anywhere.has(id)) anywhere.set(id, key);
    }
  }
  const markReference = (key: string, seen: SeenIds): string => {
    seen.keys.add(key);
    return referenceTo(key);
  };
  const replaceIn = (text: string, seen: SeenIds): string =>
    text.length < 32
      ? text
      : text.replaceAll(token, (id) => {
          const key = anywhere.get(id);
          if (key !== undefined) return markReference(key, seen);
          seen.hasUnknown = true;
          return id;
        });
  const referenceToRecord = (to: ResourceName, id: string, seen: SeenIds): string => {
    const kind = kindOfSection(to);
    const key = kind && byKind.get(kind.name)?.get(id);
    return key === undefined ? replaceIn(id, seen) : markReference(key, seen);
  };
  return { replaceIn, referenceTo: referenceToRecord };
}

const idTokens = (text: string): readonly string[] => (text.length < 32 ? [] : (text.match(token) ?? []));

interface MarkFacts {
  readonly ids: ReadonlyMap<string, string>;
  /** Objects that can be referenced, by key. */
  readonly described: ReadonlyMap<string, { readonly kind: Kind; readonly fields: JsonObject }>;
  readonly cut: ReadonlyMap<string, ReadonlySet<string>>;
  /** Labels such as `user alice` by id, for objects outside the export. */
  readonly others: ReadonlyMap<string, string>;
  /** Expressions that replace secrets, by mark. */
  readonly variables: ReadonlyMap<string, string>;
}

const mark = /\uE000([^\uE001]*)\uE001/g;

/** Returns a function that converts marked text to the text of a manifest. */
export function createMarkReader({ ids, described, cut, others, variables }: MarkFacts): MarkReader {
  const isShownAsId = (object: ExportedObject, key: string): boolean =>
    !isPlaceholder(key) && (!described.has(key) || cut.get(object.key)?.has(key) === true);
  const needsNote = (object: ExportedObject): boolean =>
    object.hasUnknownIds || object.refersTo.some((key) => isShownAsId(object, key));
  const noted = new WeakMap<ExportedObject, boolean>();
  return {
    text(object, marked) {
      const escaped = marked.includes('${') ? marked.replaceAll('${', '$$${') : marked;
      if (!escaped.includes('\uE000')) return escaped;
      return escaped.replaceAll(mark, (_, key: string) =>
        isShownAsId(object, key) ? (ids.get(key) ?? key) : `\${${variables.get(key) ?? key}}`,
      );
    },
    note(object, marked) {
      if (marked.length < 32 && !marked.includes('\uE000')) return undefined;
      const isNoted = noted.get(object) ?? needsNote(object);
      noted.set(object, isNoted);
      if (!isNoted) return undefined;
      const asIds = [...marked.matchAll(mark)].flatMap(([, key = '']) => {
        if (!isShownAsId(object, key)) return [];
        const target = described.get(key);
        return [
          target === undefined
            ? 'the id of a deleted object'
            : `${exportedLabel(target.kind, target.fields)}; a reference would be circular`,
        ];
      });
      const unknown = idTokens(marked.replaceAll(mark, '')).map(
        (id) => others.get(id) ?? 'the id of an object outside this manifest',
      );
      const notes = [...new Set([...asIds, ...unknown])];
      return notes.length === 0 ? undefined : notes.join('; ');
    },
  };
}

const unfit = Symbol('unfit');

/** Values under `extra`. Adds ids to `seen`. */
export class ExtraTree {
  /** Keys and texts are marked like those of other fields. */
  fields: JsonObject = {};
  readonly #ids: KnownIds;
  readonly #seen: SeenIds;

  constructor(ids: KnownIds, seen: SeenIds) {
    this.#ids = ids;
    this.#seen = seen;
  }

  /** Returns false if a manifest cannot contain the value. */
  keep(path: readonly string[], value: Json): boolean {
    const made = path.some(holdsMarks) ? unfit : this.#write(value, false);
    if (made === unfit) return false;
    const keys = path.map((key) => this.#ids.replaceIn(key, this.#seen));
    this.fields = withValue(this.fields, keys, made);
    return true;
  }

  /** `null` would remove a field, so it is kept only in lists, which are replaced as a whole. */
  #write(value: Json, inList: boolean): Json | typeof unfit {
    if (typeof value === 'string') return holdsMarks(value) ? unfit : this.#ids.replaceIn(value, this.#seen);
    if (Array.isArray(value)) {
      const items = value.map((item: Json) => this.#write(item, true));
      const fitting = items.filter((item) => item !== unfit);
      return fitting.length === items.length ? fitting : unfit;
    }
    if (!isObject(value)) return value;
    const entries: (readonly [string, Json])[] = [];
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined || (inner === null && !inList)) continue;
      const made = holdsMarks(key) ? unfit : this.#write(inner, inList);
      if (made === unfit) return unfit;
      entries.push([this.#ids.replaceIn(key, this.#seen), made]);
    }
    return Object.fromEntries(entries);
  }
}
