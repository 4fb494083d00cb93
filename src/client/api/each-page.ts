import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
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
 * All pages of a list, following `next_start_key` to the page without one (Conventions, paging). Throws `Failure`
 * where a reply is no list, where the service leads back to a page that was already read, or where its pages do not end.
 */
export async function* eachPage(
  send: (call: Call) => Promise<Reply>,
  call: Call,
): AsyncIterable<readonly JsonObject[]> {
  const seen = lately<string>(pagesKept);
  const known = lately<Json>(idsKept);
  let idle = 0;
  let query = call.query;
  for (;;) {
    const { data, envelope } = await send(query === undefined ? call : { ...call, query });
    const items = itemsOf(data, call);
    yield items;
    const next = keyText(envelope.next_start_key);
    if (next === undefined) return;
    const isNew = items.some(({ id }) => id === undefined || !known.has(id));
    for (const { id } of items) if (id !== undefined) known.add(id);
    idle = isNew ? 0 : idle + 1;
    if (seen.has(next) || idle > idlePagesAtMost) throw endless();
    seen.add(next);
    query = { ...call.query, start_key: next };
  }
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
  throw new Failure(
    'failed',
    `The service answered ${operation.id} with something that is not a list of records.`,
  );
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
