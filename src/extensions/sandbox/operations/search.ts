import { type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { resources } from '../../../contract/catalogue.ts';
import { searchedBy } from '../../../contract/resources/search.ts';
import { wholeList } from '../collections/collection.ts';
import { shownRecord } from '../collections/records.ts';
import { displayName, personName, pick, textsAt } from '../fields.ts';
import { lettersAndDigits } from '../placement.ts';
import { invalid, missingField } from '../refusal.ts';
import { startKeyOf } from '../requests/query.ts';
import {
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';

const searchableNames = (record: StoredRecord): readonly string[] => {
  const whole = personName(record.body);
  return [displayName(record), ...(whole === '' ? [] : [whole])];
};
const searchableNumbers = ({ id, body, kind }: StoredRecord): readonly string[] =>
  kind === 'numbers' ? [id] : [...textsAt(body, 'numbers'), ...(textAt(body, 'mailbox') ?? [])];

function searchedTexts(by: string, record: StoredRecord): readonly string[] {
  if (by === 'number') return searchableNumbers(record);
  if (by === 'name_and_number') return [...searchableNames(record), ...searchableNumbers(record)];
  if (by === 'realm' || by === 'id') return [by === 'id' ? record.id : (textAt(record.body, 'realm') ?? '')];
  return searchableNames(record);
}

const accountSearches = ['name', 'realm', 'id'];
const recordSearches = ['name', 'number', 'name_and_number'];

/** Returns the kind of records in the query. Refuses (400) a query without it. */
function searchedKind({ query }: ServiceRequest): string {
  const kind = query.get('t');
  if (kind) return kind;
  throw invalid([missingField('t', { target: resources.map(({ singular }) => singular) })]);
}

/** Lists records of a kind in the account of the path, or its descendants. */
async function recordsFor(call: ServiceRequest, kind: string): Promise<readonly StoredRecord[]> {
  const { store } = call.services;
  const found = resources.find(({ singular }) => singular === kind);
  if (!found) return [];
  const home = call.account ?? principalOf(call).account;
  const isAccount = kind === 'account';
  const scope = isAccount ? '' : home.id;
  const key = isAccount ? { field: 'ancestor', value: home.id } : undefined;
  return store.list({ kind: found.name, scope, key });
}

async function searchResult(call: ServiceRequest, kind: string, record: StoredRecord): Promise<JsonObject> {
  const named = { id: record.id, name: displayName(record) };
  if (kind !== 'account')
    return { ...named, ...pick(record.body, ['first_name', 'last_name', 'numbers', 'realm']) };
  const { descendants_count = 0 } = await shownRecord(call, 'accounts', record);
  return { ...named, ...pick(record.body, ['realm']), descendants_count };
}

/** Finds records whose texts start with a value. */
async function searchRecords(
  call: ServiceRequest,
  kind: string,
  by: string,
  value: string,
): Promise<readonly JsonObject[]> {
  const start = lettersAndDigits(value);
  const startsWithValue = (record: StoredRecord): boolean =>
    value === 'true' || searchedTexts(by, record).some((text) => lettersAndDigits(text).startsWith(start));
  const found = (await recordsFor(call, kind)).filter(startsWithValue);
  return Promise.all(found.map((record) => searchResult(call, kind, record)));
}

const find: RequestHandler = async (call) => {
  const kind = searchedKind(call);
  const by = call.query.get('q');
  if (!by) throw invalid([missingField('q')]);
  const known = kind === 'account' ? accountSearches : recordSearches;
  if (!known.includes(by))
    throw invalid([
      { path: 'q', rule: 'enum', message: `must be one of ${known.join(', ')}`, target: known },
    ]);
  const value = call.query.get('v');
  if (!value) throw invalid([missingField('v')]);
  const data = await searchRecords(call, kind, by, value);
  const isStarted = call.services.behaviour.replies.sumsAsLists;
  return wholeList(data, isStarted ? { start_key: startKeyOf({ order: '' }) } : {});
};

const findInWays: RequestHandler = async (call) => {
  const kind = searchedKind(call);
  const asked = [...call.query].flatMap(([name, value]) =>
    name.startsWith('by_') ? [[name.slice('by_'.length), value] as const] : [],
  );
  const known: readonly string[] = searchedBy;
  const wrong = asked.find(([by]) => !known.includes(by));
  if (wrong || asked.length === 0)
    throw invalid([{ path: 'multi', rule: 'enum', message: 'is not a known search', target: known }]);
  const data: Record<string, Json> = {};
  for (const [by, value] of asked) data[by] = [...(await searchRecords(call, kind, by, value))];
  return { data };
};

/** Conventions, Search. */
export const searchHandlers: RequestHandlers = {
  'search.of-account': find,
  'search.everywhere': find,
  'search.multi': findInWays,
  'search.multi-everywhere': findInWays,
};
