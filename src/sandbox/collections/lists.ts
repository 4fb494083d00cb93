import type { JsonObject } from '../../base/json.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { ResourceName } from '../../contract/types.ts';
import { traitsOf } from '../behaviour.ts';
import { gregorianSeconds } from '../made-values.ts';
import { invalid } from '../refusal.ts';
import type { Answer, Call } from '../requests/call.ts';
import { type ListQuery, listQuery, startKeyOf } from '../requests/query.ts';
import { listRevision } from '../requests/revisions.ts';
import type { Key, ListedRecord, Store, StoredRecord } from '../store/store.ts';
import { summarised } from './records.ts';

/** Widest range that is answered at once: 31 days and an hour, in seconds (Conventions, time-ranged lists). */
const widest = 2_682_000;

function momentAt({ query, services }: Call, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  if (services.behaviour.lists.noTimes === 'ignored') return undefined;
  throw invalid([{ path: name, rule: 'type', message: 'must be Gregorian seconds', target: 'integer' }]);
}

/** The range (Gregorian seconds, both included) that the query asks for. Refuses (400) wrong ranges. */
export function rangeOf(call: Call): { readonly from: number; readonly to: number } {
  const to = momentAt(call, 'created_to') ?? gregorianSeconds(call.services.clock);
  const from = momentAt(call, 'created_from') ?? to - widest;
  const refused = (message: string, cause: number) =>
    invalid([{ path: 'created_from', rule: 'date_range', message, cause }]);
  if (to < from) throw refused('must not be after created_to', from);
  if (to - from > widest) throw refused(`must be at most ${widest} seconds before created_to`, to);
  return { from, to };
}

/** A test of moments (Gregorian seconds) for the range of the query. Refuses (400) wrong ranges. */
export function timeRange(call: Call): (moment: number) => boolean {
  const { from, to } = rangeOf(call);
  return (moment) => moment >= from && moment <= to;
}

/** The content of a list: the records of a scope, or those of them that share a key. */
export interface Listing {
  readonly resource: ResourceName;
  readonly scope: string;
  readonly key?: Key;
  /** Only records of these times, in a list in the order in which they were made; Gregorian seconds, both included. */
  readonly made?: { readonly from: number; readonly to: number };
  readonly has?: (record: StoredRecord) => boolean;
  /** Fields that are worked out, for filters to see beside those that are stored. */
  readonly derived?: (record: StoredRecord) => Promise<JsonObject>;
  /** Makes the list item of a record; the resource's summary where left out. */
  readonly item?: (record: StoredRecord) => Promise<JsonObject>;
}

/** Number of records read at a time while filters sift them. */
const stretchSize = 200;

/** A filter on a natural key finds by index; the other filters sift what is found. */
function indexedKey({ resource, key }: Listing, query: ListQuery): Key | undefined {
  if (key) return key;
  return resourceByName(resource)
    .naturalKeys.map((field) => ({ field, value: query.equals.get(field) }))
    .find((each): each is Key => each.value !== undefined);
}

/** True for a record after the one that a list is to end with. */
const isBeyond = ({ order }: ListedRecord, { until, ascending }: ListQuery): boolean =>
  until !== undefined && (ascending ? order > until.order : order < until.order);

/** The record after another one in the whole list. */
async function after(
  last: ListedRecord,
  { resource: kind, scope, key }: Listing,
  query: ListQuery,
  store: Store,
) {
  const from = { order: last.order, id: last.id };
  const [, next] = await store.stretch({ kind, scope, key, ascending: query.ascending, from, limit: 2 });
  return next;
}

async function* wanted(listing: Listing, query: ListQuery, store: Store): AsyncGenerator<ListedRecord> {
  const { resource: kind, scope, has = () => true, derived, made } = listing;
  const isWanted = async (record: StoredRecord): Promise<boolean> =>
    query.wants(derived ? { ...record, body: { ...record.body, ...(await derived(record)) } } : record);
  const key = indexedKey(listing, query);
  const size = Math.min(stretchSize, (query.pageSize ?? stretchSize) + 1);
  const start = made && { order: String(query.ascending ? made.from : made.to) };
  let from = query.from ?? start;
  const isPast = ({ createdAt }: StoredRecord): boolean =>
    made !== undefined && (query.ascending ? createdAt > made.to : createdAt < made.from);
  while (true) {
    const records = await store.stretch({
      kind,
      scope,
      key,
      ascending: query.ascending,
      from,
      modified: query.modified,
      limit: size + 1,
    });
    for (const record of records.slice(0, size)) {
      if (isBeyond(record, query) || isPast(record)) return;
      if (has(record) && (await isWanted(record))) yield record;
    }
    const next = records[size];
    if (!next) return;
    from = { order: next.order, id: next.id };
  }
}

/** Answers a list: summaries, a page of them, and where the next page begins (Conventions, Paging and order). */
export async function answerList(call: Call, listing: Listing): Promise<Answer> {
  const query = listQuery(call.query, call.services.behaviour);
  const page: ListedRecord[] = [];
  let next: ListedRecord | undefined;
  for await (const record of wanted(listing, query, call.services.store)) {
    if (query.pageSize !== undefined && page.length === query.pageSize) {
      next = record;
      break;
    }
    page.push(record);
  }
  const last = page.at(-1);
  if (last && page.length === query.pageSize && call.services.behaviour.lists.next === 'any')
    next = await after(last, listing, query, call.services.store);
  const { tellsStart, uncounted } = traitsOf(call.services.behaviour, listing.resource);
  const isPaged = query.pageSize !== undefined;
  const start = query.startKey ?? (tellsStart && isPaged ? startKeyOf(page[0] ?? { order: '' }) : undefined);
  const { item = (record) => summarised(call, listing.resource, record) } = listing;
  const data = await Promise.all(page.map(item));
  return {
    data,
    envelope: {
      ...(uncounted || (query.pageSize === undefined && !call.services.behaviour.replies.countsWholeLists)
        ? {}
        : { page_size: page.length }),
      ...(start === undefined ? {} : { start_key: start }),
      ...(next ? { next_start_key: startKeyOf(next) } : {}),
    },
  };
}

export const answerSums = (call: Call, data: JsonObject): Answer =>
  call.services.behaviour.replies.sumsAsLists
    ? {
        data,
        revision: listRevision([data]),
        envelope: { page_size: 1, start_key: startKeyOf({ order: '' }) },
      }
    : { data };
