import { type Json, type JsonObject, parseJson, valueAt } from '../../../base/json.ts';
import type { Behaviour } from '../behaviour.ts';
import { malformedRequest } from '../refusal.ts';
import type { Between, ListPosition, StoredRecord } from '../store/store.ts';

export interface ListQuery {
  /** `undefined` if the query asks for the complete list. */
  readonly pageSize: number | undefined;
  readonly from: ListPosition | undefined;
  readonly until: ListPosition | undefined;
  readonly startKey: string | undefined;
  readonly ascending: boolean;
  wants(record: StoredRecord): boolean;
  /** Range of modification times, which the store filters by. */
  readonly modified: Between;
  /** Required values of single fields. An indexed field can find the records. */
  readonly equals: ReadonlyMap<string, string>;
}

const defaultPageSize = 50;
/** Values of `paginate` for the complete list. */
const unpaged: readonly string[] = ['false', 'no'];

export const startKeyOf = ({ order, id }: ListPosition): string =>
  Buffer.from(JSON.stringify([order, id])).toString('base64url');

/** Decodes a start key. Any other string is used as a list position. */
function parseStartKey(startKey: string): ListPosition {
  const value = parseJson(Buffer.from(startKey, 'base64url').toString('utf8'));
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string'
    ? { order: value[0], id: value[1] }
    : { order: startKey.toLowerCase() };
}

function pageSizeOf(query: URLSearchParams, rounds: boolean): number | undefined {
  if (unpaged.includes(query.get('paginate') ?? '')) return undefined;
  const asked = query.get('page_size');
  if (asked === null) return defaultPageSize;
  const size = rounds ? Math.round(Number(asked)) : Number(asked);
  if (!/^\d+(?:\.\d+)?$/.test(asked) || size < 1 || !Number.isSafeInteger(size)) {
    throw malformedRequest('page_size must be a whole number from 1 up.');
  }
  return size;
}

type Test = (body: JsonObject, record: StoredRecord) => boolean;

const filterText = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : `${value}`;

/** Returns the wanted value, or the values of a JSON list. */
function wantedValues(value: string): readonly string[] {
  if (!value.startsWith('[')) return [value];
  const parsed = parseJson(value);
  return Array.isArray(parsed) ? parsed.map((item: Json) => filterText(item)) : [value];
}

/** Returns true if a value, or a string in a list, is wanted. Filters do not match numbers in lists (as recorded). */
const matchesAny = (value: Json | undefined, wanted: readonly string[]): boolean =>
  Array.isArray(value)
    ? value.some((item: Json) => typeof item === 'string' && wanted.includes(item))
    : wanted.includes(filterText(value));

const isBlank = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const times = new Map<string, (record: StoredRecord, bound: number) => boolean>([
  ['created_from', ({ createdAt }, bound) => createdAt >= bound],
  ['created_to', ({ createdAt }, bound) => createdAt <= bound],
  ['modified_from', ({ modifiedAt }, bound) => modifiedAt >= bound],
  ['modified_to', ({ modifiedAt }, bound) => modifiedAt <= bound],
]);

/** Returns the filter of a query parameter. Returns `undefined` for other parameters. */
function filterTest(name: string, value: string, { valueMissing }: Behaviour['lists']): Test | undefined {
  if (valueMissing.includes(name)) return (body) => isBlank(valueAt(body, value));
  if (name.startsWith('filter_not_')) {
    const path = name.slice('filter_not_'.length);
    return (body) => !matchesAny(valueAt(body, path), wantedValues(value));
  }
  if (name.startsWith('filter_')) {
    const path = name.slice('filter_'.length);
    return (body) => matchesAny(valueAt(body, path), wantedValues(value));
  }
  const time = times.get(name);
  if (time) return (_, record) => Number.isFinite(Number(value)) && time(record, Number(value));
  switch (name) {
    case 'has_key':
      return (body) => valueAt(body, value) !== undefined;
    case 'key_missing':
      return (body) => valueAt(body, value) === undefined;
    case 'has_value':
      return (body) => !isBlank(valueAt(body, value));
    default:
      return undefined;
  }
}

/**
 * Returns the tightest bound. Returns `undefined` if a bound is not a number, because such a filter matches no
 * record.
 */
function tightestBound(
  values: readonly string[],
  tightest: (...bounds: number[]) => number,
): number | undefined {
  const bounds = values.map(Number);
  return bounds.length > 0 && bounds.every(Number.isFinite) ? tightest(...bounds) : undefined;
}

/** Parses paging and filters. Refuses an invalid page size (404, like compatible services). */
export function listQuery(
  query: URLSearchParams,
  { records, lists }: Pick<Behaviour, 'records' | 'lists'>,
): ListQuery {
  const tests = [...query].flatMap(([name, value]) => filterTest(name, value, lists) ?? []);
  const endKey = lists.endKey ? query.get('end_key') || undefined : undefined;
  const startKey = query.get('start_key') || undefined;
  const pageSize = pageSizeOf(query, records.fractions === 'rounded');
  const equals = [...query].filter(
    ([name, value]) =>
      name.startsWith('filter_') && !name.startsWith('filter_not_') && value !== '' && !value.startsWith('['),
  );
  return {
    pageSize,
    from: startKey === undefined || pageSize === undefined ? undefined : parseStartKey(startKey),
    until: endKey === undefined ? undefined : parseStartKey(endKey),
    startKey: pageSize === undefined ? undefined : startKey,
    ascending: query.get('ascending') === 'true' && query.get('descending') !== 'true',
    wants: (record) => {
      if (tests.length === 0) return true;
      const whole = { ...record.body, id: record.id };
      return tests.every((test) => test(whole, record));
    },
    modified: {
      from: tightestBound(query.getAll('modified_from'), Math.max),
      to: tightestBound(query.getAll('modified_to'), Math.min),
    },
    equals: new Map(equals.map(([name, value]) => [name.slice('filter_'.length), value])),
  };
}

/** Returns the filter of a query, for generated objects that are not stored. */
export function filterOfQuery(
  query: URLSearchParams,
  { lists }: Pick<Behaviour, 'lists'>,
): (body: JsonObject) => boolean {
  const made = { createdAt: 0, modifiedAt: 0, revision: 1 };
  const tests = [...query].flatMap(([name, value]) =>
    times.has(name) ? [] : (filterTest(name, value, lists) ?? []),
  );
  const record = { kind: 'samples', scope: '', id: '', hidden: {}, ...made };
  return (body) => tests.every((test) => test(body, { ...record, body }));
}
