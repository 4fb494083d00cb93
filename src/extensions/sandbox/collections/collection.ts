import { type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { resourceByName, resources } from '../../../contract/catalogue.ts';
import type { GenericVerb, ResourceName } from '../../../contract/types.ts';
import { traitsOf } from '../behaviour.ts';
import { mergeIgnoringNull, mergeRecords, mergeTopLevel, pick, withoutKeys } from '../fields.ts';
import { gregorianSeconds, newId } from '../made-values.ts';
import { invalid, Refusal, unknownId } from '../refusal.ts';
import { listRevision } from '../requests/envelope.ts';
import { type ListQuery, listQuery, startKeyOf } from '../requests/query.ts';
import {
  type Answer,
  accountOf,
  pathParameter,
  type RequestHandler,
  type ServiceRequest,
} from '../requests/service-request.ts';
import { rulesOf } from '../rules/rules-by-resource.ts';
import {
  iterateRecords,
  type Key,
  type ListedRecord,
  newRecord,
  type RecordName,
  type Store,
  type StoredRecord,
  type StoreQuery,
} from '../store/store.ts';
import { noteRemoval } from './ask-charges.ts';
import {
  prepareRecord,
  recordSummary,
  shownAnswer,
  shownRecord,
  validateRecord,
  writableFields,
  write,
} from './records.ts';

/** Widest range that is answered at once: 31 days and an hour, in seconds (Conventions, time-ranged lists). */
const maxRangeSeconds = 2_682_000;

function timeParameter({ query, services }: ServiceRequest, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  if (services.behaviour.lists.noTimes === 'ignored') return undefined;
  throw invalid([{ path: name, rule: 'type', message: 'must be Gregorian seconds', target: 'integer' }]);
}

/** The range (Gregorian seconds, both included) that the query asks for. Refuses (400) wrong ranges. */
export function queryRange(call: ServiceRequest): { readonly from: number; readonly to: number } {
  const to = timeParameter(call, 'created_to') ?? gregorianSeconds(call.services.clock);
  const from = timeParameter(call, 'created_from') ?? to - maxRangeSeconds;
  const refused = (message: string, cause: number) =>
    invalid([{ path: 'created_from', rule: 'date_range', message, cause }]);
  if (to < from) throw refused('must not be after created_to', from);
  if (to - from > maxRangeSeconds)
    throw refused(`must be at most ${maxRangeSeconds} seconds before created_to`, to);
  return { from, to };
}

/** A test of what was made in the range of the query. Refuses (400) wrong ranges. */
export function createdInRange(call: ServiceRequest): (record: Pick<StoredRecord, 'createdAt'>) => boolean {
  const { from, to } = queryRange(call);
  return ({ createdAt }) => createdAt >= from && createdAt <= to;
}

/** The content of a list: the records of a scope, or those of them that share a key. */
export interface Listing {
  /** The account in the path where left out. */
  readonly scope?: string;
  readonly key?: Key;
  /** Only records of these times, in a list in the order in which they were made; Gregorian seconds, both included. */
  readonly made?: { readonly from: number; readonly to: number };
  readonly has?: (record: StoredRecord) => boolean;
  /** Fields that are worked out, for filters to see beside those that are stored. */
  readonly derived?: (record: StoredRecord) => Promise<JsonObject>;
  /** Makes the list item of a record; the resource's summary where left out. */
  readonly item?: (record: StoredRecord) => Promise<JsonObject>;
}

/** A filter on a natural key finds by index; the other filters sift what is found. */
const indexedKey = (resource: ResourceName, query: ListQuery): Key | undefined =>
  resourceByName(resource)
    .naturalKeys.map((field) => ({ field, value: query.equals.get(field) }))
    .find((each): each is Key => each.value !== undefined);

/** True for a record after the one that a list is to end with. */
const isBeyond = ({ order }: ListedRecord, { until, ascending }: ListQuery): boolean =>
  until !== undefined && (ascending ? order > until.order : order < until.order);

async function* matchingRecords(
  where: Pick<StoreQuery, 'kind' | 'scope' | 'key' | 'ascending'>,
  { has = () => true, derived, made }: Listing,
  query: ListQuery,
  store: Store,
): AsyncGenerator<ListedRecord> {
  const isWanted = async (record: StoredRecord): Promise<boolean> =>
    query.wants(derived ? { ...record, body: { ...record.body, ...(await derived(record)) } } : record);
  const from = query.from ?? (made && { order: String(query.ascending ? made.from : made.to) });
  const isPast = ({ createdAt }: StoredRecord): boolean =>
    made !== undefined && (query.ascending ? createdAt > made.to : createdAt < made.from);
  const every = { ...where, from, modified: query.modified };
  for await (const record of iterateRecords(store, every, query.pageSize)) {
    if (isBeyond(record, query) || isPast(record)) return;
    if (has(record) && (await isWanted(record))) yield record;
  }
}

/** Answers a list: summaries, a page of them, and where the next page begins (Conventions, Paging and order). */
export async function answerList(
  call: ServiceRequest,
  resource: ResourceName,
  listing: Listing = {},
): Promise<Answer> {
  const { store, behaviour } = call.services;
  const query = listQuery(call.query, behaviour);
  const {
    scope = accountOf(call).id,
    key,
    item = (record) => recordSummary(call, resource, record),
  } = listing;
  const all = { kind: resource, scope, key, ascending: query.ascending };
  const found = matchingRecords({ ...all, key: key ?? indexedKey(resource, query) }, listing, query, store);
  const page: ListedRecord[] = [];
  let next: ListedRecord | undefined;
  for await (const record of found) {
    if (query.pageSize !== undefined && page.length === query.pageSize) {
      next = record;
      break;
    }
    page.push(record);
  }
  const last = page.at(-1);
  if (last && page.length === query.pageSize && behaviour.lists.next === 'any')
    [, next] = await store.list({ ...all, from: { order: last.order, id: last.id }, limit: 2 });
  const { tellsStart, uncounted } = traitsOf(behaviour, resource);
  const isPaged = query.pageSize !== undefined;
  const start = query.startKey ?? (tellsStart && isPaged ? startKeyOf(page[0] ?? { order: '' }) : undefined);
  const data = await Promise.all(page.map(item));
  return {
    data,
    envelope: {
      ...(uncounted || !(isPaged || behaviour.replies.countsWholeLists) ? {} : { page_size: page.length }),
      ...(start === undefined ? {} : { start_key: start }),
      ...(next ? { next_start_key: startKeyOf(next) } : {}),
    },
  };
}

export const answerSums = (call: ServiceRequest, data: JsonObject): Answer =>
  call.services.behaviour.replies.sumsAsLists
    ? {
        data,
        revision: listRevision([data]),
        envelope: { page_size: 1, start_key: startKeyOf({ order: '' }) },
      }
    : { data };

/** The answer that shows everything there is, and how many that are. */
export const wholeList = (data: readonly Json[], more: JsonObject = {}) => ({
  data,
  envelope: { page_size: data.length, ...more },
});

/** The answer that shows a whole list from a view of its own. */
export const viewList = ({ services }: ServiceRequest, data: readonly Json[]): Answer =>
  wholeList(data, services.behaviour.lists.viewsTellStart ? { start_key: startKeyOf({ order: '' }) } : {});

function recordName(call: ServiceRequest, name: ResourceName, scope: string | undefined): RecordName {
  const { idParameter } = resourceByName(name);
  if (idParameter === undefined) throw new Error(`${name} has no ids.`);
  return { kind: name, scope: scope ?? accountOf(call).id, id: pathParameter(call, idParameter) };
}

/** The record that the path names, in the account of the path or a scope. Refuses (404) where there is none. */
export async function namedRecord(
  call: ServiceRequest,
  name: ResourceName,
  scope?: string,
): Promise<StoredRecord> {
  const missing = recordName(call, name, scope);
  const record = await call.services.store.get(missing);
  if (record) return record;
  if (!traitsOf(call.services.behaviour, name).anyId || call.operation.method !== 'GET')
    throw unknownId(missing.id);
  return newRecord(missing, validateRecord(call, name, {}), 0);
}

/** The id that the caller chose for a new record, so that a create that is sent twice makes one. */
function requestedId(call: ServiceRequest, name: ResourceName): string | undefined {
  const { behaviour } = call.services;
  const own = rulesOf(name).chosenId?.(call.data);
  const given =
    behaviour.writes.ownIds === 'dropped' || traitsOf(behaviour, name).neverOwnId ? undefined : call.data;
  return (own ?? textAt(given ?? {}, 'id') ?? textAt(given ?? {}, '_id')) || undefined;
}

/** Refuses (409) an id that any record has there, after all that is wrong with the record (Errors). */
async function refuseTakenId(
  { services: { store } }: ServiceRequest,
  { scope, id }: RecordName,
): Promise<void> {
  const found = await Promise.all(resources.map(({ name: kind }) => store.get({ kind, scope, id })));
  if (found.some((record) => record !== undefined))
    throw new Refusal(409, 'datastore_conflict', 'A record with this id is there already.');
}

/** The sent data without fields that the service makes, except those that it keeps if they are sent. */
const sentRecord = (call: ServiceRequest, name: ResourceName): JsonObject => ({
  ...writableFields(call, name),
  ...pick(call.data, traitsOf(call.services.behaviour, name).alsoTaken ?? []),
});

/** The six verbs of collections, the same for every resource (Conventions, Life cycle of a record). */
export function collectionHandlers(name: ResourceName, scope?: string): Record<GenericVerb, RequestHandler> {
  /** Writes what a change makes of the record that the path names. */
  const change = async (
    call: ServiceRequest,
    bodyFrom: (before: JsonObject, sent: JsonObject) => JsonObject,
  ) => {
    const sent = sentRecord(call, name);
    const named = recordName(call, name, scope);
    const before = await call.services.store.get(named);
    if (!before && traitsOf(call.services.behaviour, name).checkedFirst) {
      const as = resourceByName(name).operations.some(({ verb }) => verb === 'create') ? 'create' : 'update';
      validateRecord(call, name, sent, as);
      await prepareRecord(call, name, named, sent);
    }
    if (!before) throw unknownId(named.id);
    const keeps = traitsOf(call.services.behaviour, name).keepsWhatIsLeftOut;
    if (keeps && call.operation.verb === 'update') validateRecord(call, name, sent, 'update');
    const body = keeps ? mergeIgnoringNull(before.body, sent) : bodyFrom(before.body, sent);
    const record = await write(call, name, before, body);
    return shownAnswer(call, name, record);
  };
  return {
    list: (call) => answerList(call, name, scope === undefined ? {} : { scope }),
    get: async (call) => {
      const record = await namedRecord(call, name, scope);
      const answer = await shownAnswer(call, name, record);
      // What was never stored has no revision.
      return record.createdAt === 0 ? { data: answer.data } : answer;
    },
    create: async (call) => {
      const own = requestedId(call, name);
      const id = own ?? newId(call.services.random);
      const named = { kind: name, scope: scope ?? accountOf(call).id, id };
      const record = await write(call, name, named, sentRecord(call, name));
      if (own !== undefined) await refuseTakenId(call, named);
      return { ...(await shownAnswer(call, name, record)), created: id };
    },
    update: (call) => change(call, (_, sent) => sent),
    patch: (call) => {
      const { behaviour } = call.services;
      const emptyReplaces = behaviour.writes.emptyObjects === 'replacing';
      return change(call, (before, sent) => {
        const part = traitsOf(behaviour, name).partsAreWhole
          ? validateRecord(call, name, sent, 'create')
          : sent;
        const isFlat = emptyReplaces && resourceByName(name).mergesOneLevel === true;
        return isFlat ? mergeTopLevel(before, part) : mergeRecords(before, part, emptyReplaces);
      });
    },
    delete: async (call) => removeRecord(call, name, await namedRecord(call, name, scope)),
  };
}

/** Removes a record and answers what it was; `should_soft_delete=false` takes it out of the database. */
export async function removeRecord(call: ServiceRequest, name: ResourceName, record: StoredRecord) {
  rulesOf(name).refuseRemoval?.(record, call);
  await noteRemoval(call, name, record);
  const data = await shownRecord(call, name, record);
  const softly = call.query.get('should_soft_delete') ?? call.data.should_soft_delete;
  const erase = softly === 'false' || softly === false;
  call.changes.push({ change: 'remove', record, erase });
  call.changes.push(...((await rulesOf(name).followUp?.(record, undefined, call)) ?? []));
  const { unshownRemoved = [] } = traitsOf(call.services.behaviour, name);
  const told = { ...data, _read_only: { deleted: true } };
  return { data: withoutKeys(told, (field) => unshownRemoved.includes(field)), record };
}
