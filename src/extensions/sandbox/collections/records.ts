import { isObject, type JsonObject } from '../../../base/json.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { isPrivateKey } from '../../../contract/name-lists.ts';
import { requiredFields } from '../../../contract/schema.ts';
import type { Resource, ResourceName } from '../../../contract/types.ts';
import { createNormaliser, sourcesByRules } from '../../../contract/validate.ts';
import { traitsOf } from '../behaviour.ts';
import { pick, withoutKeys } from '../fields.ts';
import { clashesOf, putOf } from '../placement.ts';
import { detailedProblems, invalid, serviceFault } from '../refusal.ts';
import { accountOf, nowOf, recordIn, type ServiceRequest } from '../requests/service-request.ts';
import { rulesOf } from '../rules/rules-by-resource.ts';
import { inPlaceOf, newRecord, type RecordName, type StoredRecord } from '../store/store.ts';
import { askCharges, withoutAcceptance } from './ask-charges.ts';

/** Returns a test for fields that callers may not set: private names, ids, and derived fields. */
function isMade(resource: Resource): (key: string) => boolean {
  const properties: Readonly<Record<string, { readonly readOnly?: boolean }>> =
    resource.schema.properties ?? {};
  const made = new Set(Object.keys(properties).filter((key) => properties[key]?.readOnly === true));
  return (key) => key === 'id' || isPrivateKey(key) || made.has(key);
}

const filters = new Map<ResourceName, (key: string) => boolean>();

/** Returns the sent data without fields that callers may not set, in the form in which it is kept. */
export function acceptable(
  call: ServiceRequest,
  name: ResourceName,
  data: JsonObject = call.data,
): JsonObject {
  const drop = filters.get(name) ?? isMade(resourceByName(name));
  filters.set(name, drop);
  const kept = withoutKeys(data, drop);
  return rulesOf(name).normalise?.(kept, call.services.behaviour) ?? kept;
}

/** Puts in what a record lacks, also inside its objects. */
function filledIn(record: JsonObject, missing: JsonObject): JsonObject {
  const filled = Object.entries(missing).map(([key, value]) => {
    const here = Object.hasOwn(record, key) ? record[key] : undefined;
    if (here === undefined) return [key, value] as const;
    return [key, isObject(here) && isObject(value) ? filledIn(here, value) : here] as const;
  });
  return { ...record, ...Object.fromEntries(filled) };
}

/** A record with its defaults. Refuses (400) what breaks its schema, and without what `as` needs to be there. */
export function checked(
  call: ServiceRequest,
  name: ResourceName,
  body: JsonObject,
  as?: 'create' | 'update',
): JsonObject {
  const resource = resourceByName(name);
  const { callflows, records } = call.services.behaviour;
  const {
    filled = {},
    optional = [],
    unfilled = [],
    unchecked = [],
    escapesKeys = false,
    fatal,
    shapes,
  } = traitsOf(call.services.behaviour, name);
  const required = as === undefined ? [] : requiredFields(resource, as, sourcesByRules[records.rules]);
  const { value, problems } = createNormaliser(resource.schema, records.rules, {
    required: required.filter((field) => !optional.includes(field)),
    anyModuleData: callflows.wrongModuleData === 'stored',
    roundsFractions: records.fractions === 'rounded',
  })(filledIn(body, filled));
  const isChecked = ({ path, rule }: (typeof problems)[number]): boolean =>
    rule === 'required' || !unchecked.some((start) => `${path}:${rule}`.startsWith(start));
  const wrong = problems.filter(isChecked);
  if (fatal && wrong.some(({ path, rule }) => fatal.test(`${path}:${rule}`)))
    throw serviceFault('The service failed.');
  if (wrong.length > 0) {
    const how = { kind: name, escapesKeys, shapes };
    throw invalid(records.problems === 'brief' ? wrong : detailedProblems(wrong, value, how));
  }
  const isDropped = (field: string): boolean =>
    field === 'id' || (unfilled.includes(field) && !Object.hasOwn(body, field));
  return isObject(value) ? withoutKeys(value, isDropped) : {};
}

/** The record that a place is of, where it is more than a name. */
const beforeAt = (place: RecordName | StoredRecord): StoredRecord | undefined =>
  'revision' in place ? place : undefined;

/** A whole record with its defaults. Refuses (400) what breaks the schema, the resource's own rules or uniqueness. */
export async function preparedRecord(
  call: ServiceRequest,
  resource: ResourceName,
  place: RecordName | StoredRecord,
  body: JsonObject,
  hidden: JsonObject = {},
): Promise<StoredRecord> {
  const before = beforeAt(place);
  const fits = checked(
    call,
    resource,
    { id: place.id, ...withoutAcceptance(call, body) },
    before ? 'update' : 'create',
  );
  const draft = { body: fits, hidden: before?.hidden ?? hidden };
  const { body: refined, hidden: kept } = rulesOf(resource).refine?.(draft, before, call) ?? draft;
  const record = inPlaceOf(before, newRecord(place, refined, nowOf(call), kept));
  const clashes = await clashesOf(record, resource, call.services.store);
  if (clashes.length === 0) {
    await rulesOf(resource).refuse?.(record, call);
    return record;
  }
  const { storesClashes, hidesClashes } = traitsOf(call.services.behaviour, resource);
  const isStored = before !== undefined && storesClashes === true;
  if (isStored) call.changes.push(putOf(record, resource, clashes));
  throw invalid(hidesClashes ? clashes.map(({ cause: _, ...clash }) => clash) : clashes, { isStored });
}

/**
 * Notes the write of a record: in the place of one that was read, or as a new one with a name and hidden values. Refuses
 * (402) charges that are not accepted.
 */
export async function write(
  call: ServiceRequest,
  resource: ResourceName,
  place: RecordName | StoredRecord,
  body: JsonObject,
  hidden?: JsonObject,
): Promise<StoredRecord> {
  const before = beforeAt(place);
  const record = await preparedRecord(call, resource, place, body, hidden);
  await askCharges(call, resource, record, before);
  call.changes.push(putOf(record, resource));
  const follow = before && rulesOf(resource).follow;
  if (follow) call.changes.push(...(await follow(before, record, call)));
  return record;
}

/** The place of what an account has once: the record, or the name of one that was never written. */
export const settingPlace = async (
  call: ServiceRequest,
  kind: string,
  id = kind,
): Promise<RecordName | StoredRecord> =>
  (await recordIn(call, kind, id)) ?? { kind, scope: accountOf(call).id, id };

/** Notes the write of what an account has once, as it is: neither checked nor charged. */
export async function keep(
  call: ServiceRequest,
  resource: ResourceName,
  body: JsonObject,
  kind: string = resource,
  id = kind,
) {
  const place = await settingPlace(call, kind, id);
  const record = inPlaceOf(beforeAt(place), newRecord(place, body, nowOf(call)));
  call.changes.push(putOf(record, resource));
  return record;
}

/** Notes a change of a record's hidden values alone. */
export function writeHidden(
  call: ServiceRequest,
  record: StoredRecord,
  resource: ResourceName,
  hidden: JsonObject,
): void {
  const changed = { ...record, hidden: { ...record.hidden, ...hidden } };
  call.changes.push(putOf(changed, resource));
}

export async function shownRecord(
  call: ServiceRequest,
  resource: ResourceName,
  record: StoredRecord,
): Promise<JsonObject> {
  const { derived, unshown = [] } = traitsOf(call.services.behaviour, resource);
  const { verb } = call.operation;
  const isDerived =
    derived === undefined ||
    (derived === 'on-get' && verb === 'get') ||
    (derived === 'on-write' && verb !== 'get' && verb !== 'delete');
  const derive = isDerived ? rulesOf(resource).derive : undefined;
  const own = withoutKeys({ id: record.id, ...record.body }, (field) => unshown.includes(field));
  return derive ? { ...own, ...(await derive(record, call)) } : own;
}

/** The answer that shows a record. */
export const shownAnswer = async (call: ServiceRequest, resource: ResourceName, record: StoredRecord) => ({
  data: await shownRecord(call, resource, record),
  record,
});

/** A record as lists show it: its id and the resource's list fields; the whole record where there are none. */
export async function summarised(
  call: ServiceRequest,
  resource: ResourceName,
  record: StoredRecord,
): Promise<JsonObject> {
  const { listFields } = resourceByName(resource);
  if (listFields.length === 0) return shownRecord(call, resource, record);
  const { unlisted = [], alsoListed = [], listed } = traitsOf(call.services.behaviour, resource);
  const fields = [...listFields.filter((field) => !unlisted.includes(field)), ...alsoListed];
  const whole = { ...listed, ...record.body, ...(await rulesOf(resource).summary?.(record, call)) };
  return { ...(unlisted.includes('id') ? {} : { id: record.id }), ...pick(whole, fields) };
}
