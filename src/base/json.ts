/** Greatest nesting depth of data that is read or sent, because code that walks it may be recursive. */
export const maxDepth = 100;

/**
 * The same limit for one record. The rest is for its surroundings, such as an envelope or the section of a manifest.
 */
export const maxRecordDepth = 90;

/** Returns true if objects and lists are nested deeper than `most`. Looks no deeper than that. */
export function isDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (most === 0) return true;
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && isDeeperThan(inner, most - 1)) return true;
  return false;
}

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

export const textOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

export const textAt = (object: JsonObject, key: string): string | undefined =>
  textOrUndefined(ownValue(object, key));

/** Returns an empty text for any other value. */
export const textOrEmpty = (value: unknown): string => textOrUndefined(value) ?? '';

export const ownValue = (value: Json | undefined, key: string): Json | undefined =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** Ignores the order of keys, and treats missing values as `null`. */
export function isEqualJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (left === undefined || left === null) return right === undefined || right === null;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item: Json, index) => isEqualJson(item, right[index]));
  if (!isObject(left) || !isObject(right)) return false;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) =>
    isEqualJson(ownValue(left, key), ownValue(right, key)),
  );
}

/** Returns the value at a dotted path, such as `caller_id.external.name` or `numbers.0`. Reads only own properties. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  return path.includes('.') ? valueAtKeys(value, path.split('.')) : partAt(value, path);
}

export const valueAtKeys = (value: Json | undefined, keys: readonly string[]): Json | undefined =>
  keys.reduce(partAt, value);

function partAt(here: Json | undefined, key: string): Json | undefined {
  if (here === null || typeof here !== 'object') return undefined;
  if (Array.isArray(here)) return here[Number(key)];
  return isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
}

/** A dot inside a key is written as `%2E`. */
export const splitPath = (path: string): readonly string[] =>
  path.includes('%2E') ? path.split('.').map((key) => key.replaceAll('%2E', '.')) : path.split('.');

/** Joins keys to a dotted path for `splitPath`. */
export const joinPath = (keys: readonly string[]): string =>
  keys.map((key) => key.replaceAll('.', '%2E')).join('.');

/** The end of a sentence about a text for which `isWellFormed` returns false. */
export const halfPair = 'contains half of a surrogate pair, which is not valid Unicode';

/** Returns the dotted path of the first text or key that is not valid Unicode. */
export function malformedAt(value: Json | undefined): string | undefined {
  const find = (here: Json | undefined): readonly string[] | undefined => {
    if (typeof here === 'string') return here.isWellFormed() ? undefined : [];
    if (typeof here !== 'object' || here === null) return undefined;
    for (const [key, inner] of Object.entries(here)) {
      const found = key.isWellFormed() ? find(inner) : [];
      if (found !== undefined) return [key, ...found];
    }
    return undefined;
  };
  const found = find(value);
  return found && joinPath(found);
}

export const omitKeys = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

export function mapTexts(value: JsonObject, text: (here: string) => string): JsonObject;
export function mapTexts(value: Json, text: (here: string) => string): Json;
export function mapTexts(value: Json, text: (here: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, text));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      text(key),
      inner === undefined ? inner : mapTexts(inner, text),
    ]),
  );
}

/** Replaces texts and renames keys of a record. `texts` is by place (keys joined by `\\0`). */
export function withTextsAt(record: JsonObject, texts: ReadonlyMap<string, string>): JsonObject {
  const visit = (value: Json, keys: readonly string[]): Json => {
    if (typeof value === 'string') return texts.get(keys.join('\0')) ?? value;
    if (Array.isArray(value)) return value.map((each, index) => visit(each, [...keys, String(index)]));
    return isObject(value) ? replaceInside(value, keys) : value;
  };
  const replaceInside = (value: JsonObject, keys: readonly string[]): JsonObject =>
    Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => {
        if (each === undefined) return [];
        const at = [...keys, key];
        const name = typeof each === 'string' ? undefined : texts.get(at.join('\0'));
        return [[name ?? key, visit(each, at)]];
      }),
    );
  return replaceInside(record, []);
}

export function* allTexts(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* allTexts(item);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      yield key;
      yield* allTexts(inner);
    }
}

type OmitUndefined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function omitUndefined<T extends object>(object: T): OmitUndefined<T>;
export function omitUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Returns `undefined` for an empty list, so that `omitUndefined` removes it. */
export const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list;
