import { isObject, type JsonObject } from '../../../base/json.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { isPrivateKey } from '../../../contract/name-lists.ts';
import { requiredFields } from '../../../contract/schema.ts';
import type { Resource, ResourceName } from '../../../contract/types.ts';
import { createNormaliser, sourcesByRules } from '../../../contract/validate.ts';
import { traitsOf } from '../behaviour.ts';
import { pick, withoutKeys } from '../fields.ts';
import { buildPut, findClaimConflicts } from '../placement.ts';
import { detailedProblems, invalid, serviceFault } from '../refusal.ts';
import { accountOf, nowOf, recordIn, type ServiceRequest } from '../requests/service-request.ts';
import { rulesOf } from '../rules/rules-by-resource.ts';
import { newRecord, type RecordName, replacementFor, type StoredRecord } from '../store/store.ts';
import { askCharges, withoutAcceptance } from './accept-charges.ts';

/** Returns a test for fields that callers cannot set: private names, ids and derived fields. */
function isReadOnlyField(resource: Resource): (key: string) => boolean {
  const properties: Readonly<Record<string, { readonly readOnly?: boolean }>> =
    resource.schema.properties ?? {};
  const made = new Set(Object.keys(properties).filter((key) => properties[key]?.readOnly === true));
  return (key) => key === 'id' || isPrivateKey(key) || made.has(key);
}

const readOnlyTests = new Map<ResourceName, (key: string) => boolean>();

/** Returns normalized data without fields that callers cannot set. */
export function writableFields(
  call: ServiceRequest,
  name: ResourceName,
  data: JsonObject = call.data,
): JsonObject {
  const drop = readOnlyTests.get(name) ?? isReadOnlyField(resourceByName(name));
  readOnlyTests.set(name, drop);
  const kept = withoutKeys(data, drop);
  return rulesOf(name).normalize?.(kept, call.services.behaviour) ?? kept;
}

/** Adds missing values, also inside objects. */
function fillMissing(record: JsonObject, missing: JsonObject): JsonObject {
  const filled = Object.entries(missing).map(([key, value]) => {
    const here = Object.hasOwn(record, key) ? record[key] : undefined;
    if (here === undefined) return [key, value] as const;
    return [key, isObject(here) && isObject(value) ? fillMissing(here, value) : here] as const;
  });
  return { ...record, ...Object.fromEntries(filled) };
}

/** Validates a record and sets defaults. `as` selects the required fields. Refuses (400) invalid records. */
export function validateRecord(
  call: ServiceRequest,
  name: ResourceName,
  body: JsonObject,
  as?: 'create' | 'update',
): JsonObject {
  const resource = resourceByName(name);
  const { callflows, records } = call.services.behaviour;
  const {
    extraDefaults = {},
    optional = [],
    omittedDefaults = [],
    unchecked = [],
    escapesKeys = false,
    faultPattern,
    alternatives,
  } = traitsOf(call.services.behaviour, name);
  const required = as === undefined ? [] : requiredFields(resource, as, sourcesByRules[records.rules]);
  const { value, problems } = createNormaliser(resource.schema, records.rules, {
    required: required.filter((field) => !optional.includes(field)),
    anyModuleData: callflows.wrongModuleData === 'stored',
    roundsFractions: records.fractions === 'rounded',
  })(fillMissing(body, extraDefaults));
  const isChecked = ({ path, rule }: (typeof problems)[number]): boolean =>
    rule === 'required' || !unchecked.some((start) => `${path}:${rule}`.startsWith(start));
  const wrong = problems.filter(isChecked);
  if (faultPattern && wrong.some(({ path, rule }) => faultPattern.test(`${path}:${rule}`)))
    throw serviceFault('The service failed.');
  if (wrong.length > 0) {
    const how = { kind: name, escapesKeys, alternatives };
    throw invalid(records.problems === 'brief' ? wrong : detailedProblems(wrong, value, how));
  }
  const isDropped = (field: string): boolean =>
    field === 'id' || (omittedDefaults.includes(field) && !Object.hasOwn(body, field));
  return isObject(value) ? withoutKeys(value, isDropped) : {};
}

/** Returns the existing record. Returns `undefined` for the name of a new record. */
const existingRecord = (place: RecordName | StoredRecord): StoredRecord | undefined =>
  'revision' in place ? place : undefined;

/** Builds a complete record. Refuses (400) violations of the schema, of the resource's rules and of uniqueness. */
export async function prepareRecord(
  call: ServiceRequest,
  resource: ResourceName,
  place: RecordName | StoredRecord,
  body: JsonObject,
  hidden: JsonObject = {},
): Promise<StoredRecord> {
  const before = existingRecord(place);
  const fits = validateRecord(
    call,
    resource,
    { id: place.id, ...withoutAcceptance(call, body) },
    before ? 'update' : 'create',
  );
  const draft = { body: fits, hidden: before?.hidden ?? hidden };
  const { body: refined, hidden: kept } = rulesOf(resource).refine?.(draft, before, call) ?? draft;
  const record = replacementFor(before, newRecord(place, refined, nowOf(call), kept));
  const clashes = await findClaimConflicts(record, resource, call.services.store);
  if (clashes.length === 0) {
    await rulesOf(resource).refuse?.(record, call);
    return record;
  }
  const { storesConflicts, hidesConflicts } = traitsOf(call.services.behaviour, resource);
  const isStored = before !== undefined && storesConflicts === true;
  if (isStored) call.changes.push(buildPut(record, resource, clashes));
  throw invalid(hidesConflicts ? clashes.map(({ cause: _, ...clash }) => clash) : clashes, { isStored });
}

/** Writes a record in place of an existing one or under a new name. Refuses (402) charges that are not accepted. */
export async function write(
  call: ServiceRequest,
  resource: ResourceName,
  place: RecordName | StoredRecord,
  body: JsonObject,
  hidden?: JsonObject,
): Promise<StoredRecord> {
  const before = existingRecord(place);
  const record = await prepareRecord(call, resource, place, body, hidden);
  await askCharges(call, resource, record, before);
  call.changes.push(buildPut(record, resource));
  const follow = before && rulesOf(resource).followUp;
  if (follow) call.changes.push(...(await follow(before, record, call)));
  return record;
}

/** Returns a setting of the account, or its name if it was never written. */
export const settingPlace = async (
  call: ServiceRequest,
  kind: string,
  id = kind,
): Promise<RecordName | StoredRecord> =>
  (await recordIn(call, kind, id)) ?? { kind, scope: accountOf(call).id, id };

export async function writeUnchecked(
  call: ServiceRequest,
  resource: ResourceName,
  body: JsonObject,
  kind: string = resource,
  id = kind,
) {
  const place = await settingPlace(call, kind, id);
  const record = replacementFor(existingRecord(place), newRecord(place, body, nowOf(call)));
  call.changes.push(buildPut(record, resource));
  return record;
}

export function writeHidden(
  call: ServiceRequest,
  record: StoredRecord,
  resource: ResourceName,
  hidden: JsonObject,
): void {
  const changed = { ...record, hidden: { ...record.hidden, ...hidden } };
  call.changes.push(buildPut(changed, resource));
}

export async function shownRecord(
  call: ServiceRequest,
  resource: ResourceName,
  record: StoredRecord,
): Promise<JsonObject> {
  const { derived, hiddenFields = [] } = traitsOf(call.services.behaviour, resource);
  const { verb } = call.operation;
  const isDerived =
    derived === undefined ||
    (derived === 'on-get' && verb === 'get') ||
    (derived === 'on-write' && verb !== 'get' && verb !== 'delete');
  const derive = isDerived ? rulesOf(resource).derive : undefined;
  const own = withoutKeys({ id: record.id, ...record.body }, (field) => hiddenFields.includes(field));
  return derive ? { ...own, ...(await derive(record, call)) } : own;
}

export const shownAnswer = async (call: ServiceRequest, resource: ResourceName, record: StoredRecord) => ({
  data: await shownRecord(call, resource, record),
  record,
});

/** Returns the list item of a record: its id and list fields, or the whole record if the list has no fields. */
export async function recordSummary(
  call: ServiceRequest,
  resource: ResourceName,
  record: StoredRecord,
): Promise<JsonObject> {
  const { listFields } = resourceByName(resource);
  if (listFields.length === 0) return shownRecord(call, resource, record);
  const { unlisted = [], alsoListed = [], listDefaults } = traitsOf(call.services.behaviour, resource);
  const fields = [...listFields.filter((field) => !unlisted.includes(field)), ...alsoListed];
  const whole = { ...listDefaults, ...record.body, ...(await rulesOf(resource).summary?.(record, call)) };
  return { ...(unlisted.includes('id') ? {} : { id: record.id }), ...pick(whole, fields) };
}
