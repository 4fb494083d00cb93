import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';

/** A response with one error, and its description. */
export interface Damage {
  readonly what: string;
  readonly body: JsonObject;
}

export const unknownKey = 'an unknown key in data';

function otherType(value: Json | undefined): Json {
  if (typeof value === 'number') return 'seven';
  return typeof value === 'boolean' ? 7 : true;
}

const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== key));

/** Damages a record or list item: a wrong type for each key, no id, and an unknown key. */
const damageRecord = (record: JsonObject): readonly (readonly [what: string, damaged: JsonObject])[] => [
  ...Object.keys(record).map(
    (key) => [`data.${key} of another type`, { ...record, [key]: otherType(record[key]) }] as const,
  ),
  ...(record.id === undefined ? [] : [['no data.id', without(record, 'id')] as const]),
  [unknownKey, { ...record, zz_unknown: 1 }],
];

function damageData(data: Json | undefined): readonly (readonly [what: string, data: Json])[] {
  if (isObject(data)) return damageRecord(data);
  const items: readonly Json[] = Array.isArray(data) ? data : [];
  const [first, ...others] = items;
  if (isObject(first))
    return damageRecord(first).map(([what, damaged]) => [what, [damaged, ...others]] as const);
  return first === undefined ? [] : [['data[] of another type', [otherType(first), ...others]]];
}

/** Optional keys of an envelope, which only lists have. */
const optional = ['page_size', 'start_key', 'next_start_key', 'revision', 'tokens'];

/**
 * Damages an envelope in each way that a reader should notice. Fields of records other than their id are not dropped,
 * because almost all of them are optional.
 */
export function damageEnvelope(envelope: JsonObject): readonly Damage[] {
  const keys = Object.keys(envelope);
  return [
    ...keys
      .filter((key) => !optional.includes(key))
      .map((key) => ({ what: `no ${key}`, body: without(envelope, key) })),
    ...keys.map((key) => ({
      what: `${key} of another type`,
      body: { ...envelope, [key]: otherType(envelope[key]) },
    })),
    ...damageData(envelope.data).map(([what, data]) => ({ what, body: { ...envelope, data } })),
    { what: 'an unknown key', body: { ...envelope, zz_unknown: 1 } },
    { what: 'an unknown status', body: { ...envelope, status: 'perhaps' } },
  ];
}
