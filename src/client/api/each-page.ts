import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { loadedResource } from '../../contract/resource.ts';
import type { Operation } from '../../contract/types.ts';
import type { Call, Reply } from './api.ts';

/** Pages and ids that are remembered at least, so that a list of any length needs no more memory than a short one. */
const pagesKept = 5_000;
const idsKept = 10_000;

/** Remembers the last values that it was given: at least `count` of them, at most twice as many. */
function lately<T>(count: number) {
  let before: ReadonlySet<T> = new Set();
  let now = new Set<T>();
  return {
    has: (value: T): boolean => now.has(value) || before.has(value),
    add(value: T): void {
      if (now.size >= count) {
        before = now;
        now = new Set();
      }
      now.add(value);
    },
  };
}

/** Pages in a row that may bring nothing new: a filter can leave some of them empty. */
const idlePagesAtMost = 50;

/**
 * All pages of a list, following `next_start_key` to the page without one (Conventions, paging), with each record once.
 * `moved` is called at the end with the number of records that the service showed again, as when one moved to the next
 * page meanwhile. Throws `Failure` if a reply is not a list, or if the pages lead back or do not end.
 */
export async function* eachPage(
  send: (call: Call) => Promise<Reply>,
  call: Call,
  moved?: (operation: Operation, again: number) => void,
): AsyncIterable<readonly JsonObject[]> {
  const seen = lately<string>(pagesKept);
  const known = lately<Json>(idsKept);
  const keyOf = recordKey(call.operation);
  let idle = 0;
  let again = 0;
  let query = call.query;
  for (;;) {
    const { data, envelope } = await send(query === undefined ? call : { ...call, query });
    const items = itemsOf(data, call).filter((item) => {
      const key = keyOf(item);
      if (key === undefined) return true;
      if (known.has(key)) {
        again += 1;
        return false;
      }
      known.add(key);
      return true;
    });
    yield items;
    const next = keyText(envelope.next_start_key);
    if (next === undefined) {
      if (again > 0) moved?.(call.operation, again);
      return;
    }
    idle = items.length > 0 ? 0 : idle + 1;
    if (seen.has(next) || idle > idlePagesAtMost) throw endless();
    seen.add(next);
    query = { ...call.query, start_key: next };
  }
}

/**
 * Returns what tells the records of a list apart: their id. Records without an id of their own, such as registrations
 * of one username, are the same only with equal content.
 */
function recordKey({ resource, reply }: Operation): (item: JsonObject) => Json | undefined {
  if (reply.kind !== 'list' || reply.items !== undefined) return () => undefined;
  const about = loadedResource(reply.resource ?? resource);
  return about?.idElsewhere === undefined ? ({ id }) => id : (item) => JSON.stringify(item);
}

const endless = (): Failure =>
  new Failure(
    'failed',
    'The pages of the list refer to each other in a circle; the list cannot be read completely.',
  );

/** The records of a page, wherever they stand in it. Throws `Failure` where it is no list. */
export function itemsOf(data: Json, { operation }: Call): readonly JsonObject[] {
  // A service with nothing to list may say so with the empty object of its envelope.
  if (isObject(data) && Object.keys(data).length === 0) return [];
  const { listed, reply } = operation;
  const isEither = reply.kind === 'value' && reply.schema.anyOf !== undefined;
  const byKey = isEither && isObject(data) && Object.values(data).every(isObject) ? data : undefined;
  const held = isObject(data) && listed && listed.as !== 'groups' ? data[listed.key] : byKey;
  if (listed?.as === 'field' && Array.isArray(held)) return held.filter(isObject);
  if (isObject(held))
    return Object.entries(held).flatMap(([id, item]) => (isObject(item) ? [{ id, ...item }] : []));
  if (Array.isArray(data) && data.every(isObject))
    return listed?.as === 'groups' ? data.flatMap((group) => membersOf(group, listed.key)) : data;
  if (reply.kind === 'list' && reply.items !== undefined) return looseItems(data);
  throw new Failure(
    'failed',
    `The service answered ${operation.id} with something that is not a list of records.`,
  );
}

/** Data of a list without records of the contract, whatever its shape: the specification does not show it. */
function looseItems(data: Json): readonly JsonObject[] {
  const lists = isObject(data) ? Object.values(data).filter((each) => Array.isArray(each)) : [];
  const [only, ...more] = lists;
  const items = Array.isArray(data) ? data : more.length === 0 && only !== undefined ? only : [data];
  return items.map((item: Json) => (isObject(item) ? item : { value: item }));
}

/** Returns the records of a group; a record that stands alone is its own group. */
function membersOf(group: JsonObject, key: string): readonly JsonObject[] {
  const members = group[key];
  return Array.isArray(members) ? members.filter(isObject) : [group];
}

/** The key of the next page as a query parameter; arrays go as JSON. */
function keyText(key: Json | undefined): string | undefined {
  if (key === undefined || key === null || key === '') return undefined;
  return typeof key === 'string' ? key : JSON.stringify(key);
}
