import { Failure } from '../../base/failure.ts';
import { type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { isSecretPath } from '../../contract/schema.ts';
import { canonicalField, type Shaped, same } from '../canonical.ts';
import type { Kind } from '../kinds.ts';
import type { Step } from '../plan.ts';
import type { Answer, Service } from '../service.ts';

/** An object that was found, and its record. */
export interface FoundObject extends Answer {
  readonly id: string;
}

/**
 * Looks for an object whose create got no proper reply: among those that were not there before, the one with its
 * natural key, or with all the fields that were sent where it has none. `undefined`: it was not created. Throws
 * `Failure`, `lost` itself where the service has no way to look.
 */
export async function findCreated(
  service: Service,
  kind: Kind,
  {
    step,
    data,
    known,
  }: {
    readonly step: Step;
    readonly data: JsonObject;
    /** Ids of objects that are others'. */
    readonly known: ReadonlySet<string>;
  },
  lost: Failure,
): Promise<FoundObject | undefined> {
  if (kind.keys[0] === 'id') {
    const got = await service.get(kind, step.name);
    if (got.found === 'not-offered') throw lost;
    return got.found === 'record' && got.record ? { ...got, id: step.name } : undefined;
  }
  const listed = await service.list(kind);
  if (listed === undefined) throw lost;
  const key = kind.keys.find((each) => data[each] !== undefined && data[each] !== null);
  const fresh = listed.items.flatMap((item) =>
    typeof item.id === 'string' && !known.has(item.id) ? [{ item, id: item.id }] : [],
  );
  const likely = fresh.filter(({ item }) => key === undefined || mayBe(kind, key, item, data));
  const found: FoundObject[] = [];
  for (const { id } of likely) {
    const got = await service.get(kind, id);
    if (got.found !== 'record' || !got.record) continue;
    const { record } = got;
    if (holdsSent(kind, record, key === undefined ? data : { [key]: data[key] })) found.push({ ...got, id });
  }
  const [first, second] = found;
  if (first && second)
    throw new Failure(
      'conflict',
      `No reply came, and two objects could be ${step.label}: ${first.id} and ${second.id}.`,
      { hint: 'Delete the one that is not wanted, then repeat.', cause: lost },
    );
  return first;
}

/** Tells whether a list's item could be the object by one key; lists do not show every field. */
function mayBe(kind: Kind, key: string, item: JsonObject, data: JsonObject): boolean {
  return valueAt(item, key) === undefined || agrees(kind, key, item, data);
}

/** Tells whether a record has all that was sent, as far as the service shows it. */
export const holdsSent = (kind: Shaped, record: JsonObject, data: JsonObject): boolean =>
  Object.keys(data).every((field) => agrees(kind, field, record, data));

/** Tells whether a record has what was sent in a field, as far as the service shows it. */
function agrees(kind: Shaped, field: string, record: JsonObject, data: JsonObject): boolean {
  const sent = data[field];
  if (sent === undefined || kind.schema.properties?.[field]?.writeOnly === true) return true;
  if (record[field] === undefined && isSecretPath(kind.schema, field)) return true;
  const form = (value: Json): Json => lowered(canonicalField(kind, field, value));
  return includes(form(record[field] ?? null), form(sent));
}

const lowered = (value: Json): Json => (typeof value === 'string' ? value.toLowerCase() : value);

/** Tells whether a live value holds all that a sent one does. */
function includes(live: Json, sent: Json): boolean {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return same(live, sent);
  if (typeof live !== 'object' || live === null || Array.isArray(live)) return false;
  return Object.entries(sent).every(([key, value]) => {
    const here = (live as JsonObject)[key];
    return value === undefined || includes(here ?? null, value);
  });
}
