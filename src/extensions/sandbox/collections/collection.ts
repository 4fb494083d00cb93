import { type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { resourceByName, resources } from '../../../contract/catalogue.ts';
import type { GenericVerb, ResourceName } from '../../../contract/types.ts';
import { traitsOf } from '../behaviour.ts';
import { mergeIgnoringNull, mergeRecords, mergeTopLevel, pick, withoutKeys } from '../fields.ts';
import { gregorianSeconds, newId } from '../ids-and-secrets.ts';
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
import { noteRemoval } from './accept-charges.ts';
import {
  prepareRecord,
  recordSummary,
  shownAnswer,
  shownRecord,
  validateRecord,
  writableFields,
  write,
} from './records.ts';

/** Maximum range in seconds: 31 days and an hour (Conventions, time-ranged lists). */
const maxRangeSeconds = 2_682_000;

function timeParameter({ query, services }: ServiceRequest, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  if (services.behaviour.lists.malformedTimes === 'ignored') return undefined;
  throw invalid([{ path: name, rule: 'type', message: 'must be Gregorian seconds', target: 'integer' }]);
}

/** Returns the inclusive range of a query in Gregorian seconds. Refuses (400) invalid ranges. */
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

/** Returns a test for records in the range of a query. Refuses (400) invalid ranges. */
export function createdInRange(call: ServiceRequest): (record: Pick<StoredRecord, 'createdAt'>) => boolean {
  const { from, to } = queryRange(call);
  return ({ createdAt }) => createdAt >= from && createdAt <= to;
}

/** The records of a list, optionally selected by a key. */
export interface Listing {
  /** Default: the account in the path. */
  readonly scope?: string;
  readonly key?: Key;
  /** Inclusive range of creation times in Gregorian seconds. The list must be ordered by creation time. */
  readonly made?: { readonly from: number; readonly to: number };
  readonly has?: (record: StoredRecord) => boolean;
  /** Returns computed fields for filters. */
  readonly derived?: (record: StoredRecord) => Promise<JsonObject>;
  /** Returns the list item of a record (default: its summary). */
  readonly item?: (record: StoredRecord) => Promise<JsonObject>;
}

/** Returns the filter on a natural key, because it can use an index. Other filters are checked for each record. */
const indexedKey = (resource: ResourceName, query: ListQuery): Key | undefined =>
  resourceByName(resource)
    .naturalKeys.map((field) => ({ field, value: query.equals.get(field) }))
    .find((each): each is Key => each.value !== undefined);

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

/** Returns a page of list items, and the start of the next page (Conventions, Paging and order). */
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
  const { hasStartKey, hasNoCount } = traitsOf(behaviour, resource);
  const isPaged = query.pageSize !== undefined;
  const start = query.startKey ?? (hasStartKey && isPaged ? startKeyOf(page[0] ?? { order: '' }) : undefined);
  const data = await Promise.all(page.map(item));
  return {
    data,
    envelope: {
      ...(hasNoCount || !(isPaged || behaviour.replies.countsWholeLists) ? {} : { page_size: page.length }),
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

/** Returns a complete list as one page. */
export const wholeList = (data: readonly Json[], more: JsonObject = {}) => ({
  data,
  envelope: { page_size: data.length, ...more },
});

/** Returns a complete list of a separate view. */
export const viewList = ({ services }: ServiceRequest, data: readonly Json[]): Answer =>
  wholeList(data, services.behaviour.lists.viewsHaveStartKey ? { start_key: startKeyOf({ order: '' }) } : {});

function recordName(call: ServiceRequest, name: ResourceName, scope: string | undefined): RecordName {
  const { idParameter } = resourceByName(name);
  if (idParameter === undefined) throw new Error(`${name} has no ids.`);
  return { kind: name, scope: scope ?? accountOf(call).id, id: pathParameter(call, idParameter) };
}

/** Returns the record that the path identifies. Refuses (404) an unknown record. */
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

/** Returns the id that the caller chose for a new record. It makes repeated creates detectable. */
function requestedId(call: ServiceRequest, name: ResourceName): string | undefined {
  const { behaviour } = call.services;
  const own = rulesOf(name).chosenId?.(call.data);
  const given =
    behaviour.writes.sentIds === 'dropped' || traitsOf(behaviour, name).ignoresSentIds
      ? undefined
      : call.data;
  return (own ?? textAt(given ?? {}, 'id') ?? textAt(given ?? {}, '_id')) || undefined;
}

/** Refuses (409) an id that another record of the scope has. Runs after validation of the record (Errors). */
async function refuseTakenId(
  { services: { store } }: ServiceRequest,
  { scope, id }: RecordName,
): Promise<void> {
  const found = await Promise.all(resources.map(({ name: kind }) => store.get({ kind, scope, id })));
  if (found.some((record) => record !== undefined))
    throw new Refusal(409, 'datastore_conflict', 'A record with this id already exists.');
}

const sentRecord = (call: ServiceRequest, name: ResourceName): JsonObject => ({
  ...writableFields(call, name),
  ...pick(call.data, traitsOf(call.services.behaviour, name).alsoAccepted ?? []),
});

/** Returns the six generic handlers of a resource (Conventions, Life cycle of a record). */
export function collectionHandlers(name: ResourceName, scope?: string): Record<GenericVerb, RequestHandler> {
  const change = async (
    call: ServiceRequest,
    bodyFrom: (before: JsonObject, sent: JsonObject) => JsonObject,
  ) => {
    const sent = sentRecord(call, name);
    const named = recordName(call, name, scope);
    const before = await call.services.store.get(named);
    if (!before && traitsOf(call.services.behaviour, name).validatedFirst) {
      const as = resourceByName(name).operations.some(({ verb }) => verb === 'create') ? 'create' : 'update';
      validateRecord(call, name, sent, as);
      await prepareRecord(call, name, named, sent);
    }
    if (!before) throw unknownId(named.id);
    const keeps = traitsOf(call.services.behaviour, name).updatesMerge;
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
      // The empty record of an unknown id has no revision.
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
        const part = traitsOf(behaviour, name).validatesWholePatches
          ? validateRecord(call, name, sent, 'create')
          : sent;
        const isFlat = emptyReplaces && resourceByName(name).mergesOneLevel === true;
        return isFlat ? mergeTopLevel(before, part) : mergeRecords(before, part, emptyReplaces);
      });
    },
    delete: async (call) => removeRecord(call, name, await namedRecord(call, name, scope)),
  };
}

/** Removes a record and returns it. `should_soft_delete=false` also deletes it from the database. */
export async function removeRecord(call: ServiceRequest, name: ResourceName, record: StoredRecord) {
  rulesOf(name).refuseRemoval?.(record, call);
  await noteRemoval(call, name, record);
  const data = await shownRecord(call, name, record);
  const softly = call.query.get('should_soft_delete') ?? call.data.should_soft_delete;
  const erase = softly === 'false' || softly === false;
  call.changes.push({ change: 'remove', record, erase });
  call.changes.push(...((await rulesOf(name).followUp?.(record, undefined, call)) ?? []));
  const { hiddenAfterRemoval = [] } = traitsOf(call.services.behaviour, name);
  const removed = { ...data, _read_only: { deleted: true } };
  return { data: withoutKeys(removed, (field) => hiddenAfterRemoval.includes(field)), record };
}
