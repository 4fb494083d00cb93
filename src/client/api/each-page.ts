import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { loadedResource } from '../../contract/resource.ts';
import type { Operation } from '../../contract/types.ts';
import type { ApiRequest, Reply } from './api.ts';

/** Limits the memory use for long lists. */
const pagesKept = 5_000;
const idsKept = 10_000;

/** Creates a set of the last values: at least `count`, at most twice as many. */
function createRecentSet<T>(count: number) {
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

/** A filter can leave some pages empty. */
const idlePagesAtMost = 50;

/**
 * Reads all pages of a list, following `next_start_key` to the last page (Conventions, paging), with each record
 * once. Then calls `moved` with the number of repeated records, which occur if records move to the next page. Throws
 * `Failure` if a response is not a list, or if the pages repeat or do not end.
 */
export async function* eachPage(
  send: (call: ApiRequest) => Promise<Reply>,
  call: ApiRequest,
  moved?: (operation: Operation, again: number) => void,
): AsyncIterable<readonly JsonObject[]> {
  const seen = createRecentSet<string>(pagesKept);
  const known = createRecentSet<Json>(idsKept);
  const keyOf = recordKey(call.operation);
  let idle = 0;
  let again = 0;
  let query = call.query;
  for (;;) {
    const { data, envelope } = await send(query === undefined ? call : { ...call, query });
    const items = pageItems(data, call).filter((item) => {
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
    const next = formatPageKey(envelope.next_start_key);
    if (next === undefined) {
      if (again > 0) moved?.(call.operation, again);
      return;
    }
    idle = items.length > 0 ? 0 : idle + 1;
    if (seen.has(next) || idle > idlePagesAtMost) throw endlessPagesFailure();
    seen.add(next);
    query = { ...call.query, start_key: next };
  }
}

/**
 * Returns a function that identifies the records of a list by id. Records without an id, such as registrations of one
 * username, are identified by their content.
 */
function recordKey({ resource, reply }: Operation): (item: JsonObject) => Json | undefined {
  if (reply.kind !== 'list' || reply.items !== undefined) return () => undefined;
  const about = loadedResource(reply.resource ?? resource);
  return about?.idElsewhere === undefined ? ({ id }) => id : (item) => JSON.stringify(item);
}

const endlessPagesFailure = (): Failure =>
  new Failure(
    'failed',
    'The pages of the list refer to each other in a circle, so the list cannot be read completely.',
  );

/** Returns the records of a page from any place in it. Throws `Failure` if it is not a list. */
export function pageItems(data: Json, { operation }: ApiRequest): readonly JsonObject[] {
  // A service may represent an empty list as the empty object of its envelope.
  if (isObject(data) && Object.keys(data).length === 0) return [];
  const { listed, reply } = operation;
  const isEither = reply.kind === 'value' && reply.schema.anyOf !== undefined;
  const byKey = isEither && isObject(data) && Object.values(data).every(isObject) ? data : undefined;
  const held = isObject(data) && listed && listed.as !== 'groups' ? data[listed.key] : byKey;
  if (listed?.as === 'field' && Array.isArray(held)) return held.filter(isObject);
  if (isObject(held))
    return Object.entries(held).flatMap(([id, item]) => (isObject(item) ? [{ id, ...item }] : []));
  if (Array.isArray(data) && data.every(isObject))
    return listed?.as === 'groups' ? data.flatMap((group) => groupMembers(group, listed.key)) : data;
  if (reply.kind === 'list' && reply.items !== undefined) return findItems(data);
  throw new Failure('failed', `The response to ${operation.id} is not a list of records.`);
}

/** Accepts any shape, because the specification does not define the records. */
function findItems(data: Json): readonly JsonObject[] {
  const lists = isObject(data) ? Object.values(data).filter((each) => Array.isArray(each)) : [];
  const [only, ...more] = lists;
  const items = Array.isArray(data) ? data : more.length === 0 && only !== undefined ? only : [data];
  return items.map((item: Json) => (isObject(item) ? item : { value: item }));
}

/** A single record is its own group. */
function groupMembers(group: JsonObject, key: string): readonly JsonObject[] {
  const members = group[key];
  return Array.isArray(members) ? members.filter(isObject) : [group];
}

function formatPageKey(key: Json | undefined): string | undefined {
  if (key === undefined || key === null || key === '') return undefined;
  return typeof key === 'string' ? key : JSON.stringify(key);
}
