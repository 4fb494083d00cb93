import { Failure } from '../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Call, Reply } from './api.ts';
import { readOf } from './revisions.ts';

/** True when an empty object stands below the top. */
const holdsEmpty = (data: JsonObject): boolean =>
  Object.values(data).some(
    (value) => isObject(value) && (Object.keys(value).length === 0 || holdsEmpty(value)),
  );

/**
 * A part of a record without empty objects where the record has some with fields: merged, they change nothing, but
 * services put them in the place of what is there, and so `children: {}` would remove all branches of a flow.
 */
export function withoutEmpty(part: JsonObject, record: JsonObject): JsonObject {
  const entries = Object.entries(part).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
    const stored = Object.hasOwn(record, key) ? record[key] : undefined;
    if (value === undefined) return [];
    if (!isObject(value) || !isObject(stored) || Object.keys(stored).length === 0) return [[key, value]];
    const left = withoutEmpty(value, stored);
    return Object.keys(left).length === 0 ? [] : [[key, left]];
  });
  return Object.fromEntries(entries);
}

/** A call whose merge means the same at every service; the record is read where an empty object could replace some of it. */
export async function withoutEmptyMerges(one: Call, read: (call: Call) => Promise<Reply>): Promise<Call> {
  const { operation, path = {}, data } = one;
  const reading = operation.body?.kind === 'partial' ? readOf(operation) : undefined;
  if (!reading || !isObject(data) || !holdsEmpty(data)) return one;
  try {
    const { data: record } = await read({ operation: reading, path });
    return isObject(record) ? { ...one, data: withoutEmpty(data, record) } : one;
  } catch (error) {
    // A service without the read has the merge of the specification; what is not there is refused by the change.
    if (error instanceof Failure && (error.status === 404 || error.status === 405)) return one;
    throw error;
  }
}
