import { isObject, type JsonObject, textAt, textsIn } from '../../base/json.ts';

/** Returns the display name of a record: its name, user name or id. */
export const displayName = ({ id, body }: { readonly id: string; readonly body: JsonObject }): string =>
  textAt(body, 'name') ?? textAt(body, 'username') ?? id;

/** Returns the first and last name. Can be empty. */
export const personName = (body: JsonObject): string =>
  [textAt(body, 'first_name'), textAt(body, 'last_name')].filter(Boolean).join(' ');

export function textsAt(object: JsonObject, key: string): readonly string[] {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return textsIn(value);
}

export function withoutKeys(object: JsonObject, drop: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !drop(key)));
}

export function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => (Object.hasOwn(object, key) ? [[key, object[key]] as const] : [])),
  );
}

/**
 * Merges a part into a record. Objects are merged by key, `null` removes a key, and other values are replaced
 * (Conventions, PATCH). With `emptyReplaces`, an empty object replaces the existing object.
 */
export const mergeRecords = (record: JsonObject, part: JsonObject, emptyReplaces = false): JsonObject =>
  mergeWith({ emptyReplaces, nullRemoves: true }, record, part);

/** Merges like `mergeRecords`, but ignores `null`. */
export const mergeIgnoringNull = (record: JsonObject, part: JsonObject): JsonObject =>
  mergeWith({ emptyReplaces: false, nullRemoves: false }, record, part);

/** Merges only top-level fields: `null` removes a field, and objects are replaced. */
export const mergeTopLevel = (record: JsonObject, part: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...record, ...part }).filter(([key]) => part[key] !== null));

function mergeWith(
  how: { readonly emptyReplaces: boolean; readonly nullRemoves: boolean },
  record: JsonObject,
  part: JsonObject,
): JsonObject {
  const kept = Object.entries(record).filter(([key]) => !Object.hasOwn(part, key));
  const changed = Object.entries(part).flatMap(([key, value]) => {
    const before = Object.hasOwn(record, key) ? record[key] : undefined;
    if (value === null || value === undefined) {
      return how.nullRemoves || before === undefined ? [] : [[key, before] as const];
    }
    if (!isObject(value) || (how.emptyReplaces && Object.keys(value).length === 0))
      return [[key, value] as const];
    return [[key, mergeWith(how, isObject(before) ? before : {}, value)] as const];
  });
  return Object.fromEntries([...kept, ...changed]);
}
