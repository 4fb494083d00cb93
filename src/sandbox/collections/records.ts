import { resourceByName } from '../../contract/catalogue.ts';
import { isObject, type JsonObject } from '../../contract/json.ts';
import { isPrivateKey } from '../../contract/private-key.ts';
import { requiredFields } from '../../contract/schema.ts';
import type { Resource, ResourceName } from '../../contract/types.ts';
import { createNormaliser, sourcesOf } from '../../contract/validate.ts';
import { pick, without } from '../fields.ts';
import { gregorianSeconds } from '../moments.ts';
import type { Call } from '../requests/call.ts';
import { invalid } from '../requests/refusal.ts';
import { rulesOf } from '../rules/rules-by-resource.ts';
import type { RecordName, StoredRecord } from '../store/store.ts';
import { askCharges, withoutAcceptance } from './ask-charges.ts';
import { putOf, refuseClashes } from './placement.ts';

/** What callers may not set: private names, ids, and what the service works out. */
function isMade(resource: Resource): (key: string) => boolean {
  const properties: Readonly<Record<string, { readonly readOnly?: boolean }>> =
    resource.schema.properties ?? {};
  const made = new Set(Object.keys(properties).filter((key) => properties[key]?.readOnly === true));
  return (key) => key === 'id' || isPrivateKey(key) || made.has(key);
}

const filters = new Map<ResourceName, (key: string) => boolean>();
const checks = new Map<string, ReturnType<typeof createNormaliser>>();

/** What was sent, without what callers may not set, in the form in which it is kept. */
export function acceptable(name: ResourceName, data: JsonObject): JsonObject {
  const drop = filters.get(name) ?? isMade(resourceByName(name));
  filters.set(name, drop);
  return rulesOf(name).normalise?.(without(data, drop)) ?? without(data, drop);
}

/**
 * A record with its defaults, held against its schema. Refuses (400) what breaks it, what it needs to be created or
 * updated included; `as` left out, nothing has to be there.
 */
export function checked(
  { services }: Call,
  name: ResourceName,
  body: JsonObject,
  as?: 'create' | 'update',
): JsonObject {
  const resource = resourceByName(name);
  const anyModuleData = services.behaviour.wrongModuleData === 'stored';
  const key = `${name} ${as} ${anyModuleData}`;
  const check =
    checks.get(key) ??
    createNormaliser(resource.schema, 'conventions', {
      required: as === undefined ? [] : requiredFields(resource, as, sourcesOf.conventions),
      anyModuleData,
    });
  checks.set(key, check);
  const { value, problems } = check(body);
  if (problems.length > 0) throw invalid(problems);
  return isObject(value) ? without(value, (field) => field === 'id') : {};
}

/** A record to be written. */
export interface Writing {
  readonly name: RecordName;
  readonly resource: ResourceName;
  readonly body: JsonObject;
  /** Hidden values of a new record. */
  readonly hidden?: JsonObject;
  /** What it replaces; left out: it is new. */
  readonly before?: StoredRecord | undefined;
}

/**
 * Checks a whole record with its defaults and notes its write among the call's changes. Refuses (400) what breaks
 * the schema, the resource's own rules or uniqueness, and (402) what adds charges that are not accepted.
 */
export async function write(
  call: Call,
  { name, resource, body, hidden, before }: Writing,
): Promise<StoredRecord> {
  const now = gregorianSeconds(call.services.clock);
  const fits = checked(
    call,
    resource,
    { id: name.id, ...withoutAcceptance(call, body) },
    before ? 'update' : 'create',
  );
  const draft = { body: fits, hidden: before?.hidden ?? hidden ?? {} };
  const record: StoredRecord = {
    ...name,
    ...(rulesOf(resource).refine?.(draft, before, call) ?? draft),
    createdAt: before?.createdAt ?? now,
    modifiedAt: now,
    revision: before?.revision ?? 0,
  };
  await refuseClashes(record, resource, call.services.store);
  await askCharges(call, resource, record, before);
  call.changes.push(putOf(record, resource));
  return record;
}

/** Notes a change of a record's hidden values alone. */
export function writeHidden(
  call: Call,
  record: StoredRecord,
  resource: ResourceName,
  hidden: JsonObject,
): void {
  const changed = { ...record, hidden: { ...record.hidden, ...hidden } };
  call.changes.push(putOf(changed, resource));
}

/** A record as callers see it. */
export async function shown(call: Call, resource: ResourceName, record: StoredRecord): Promise<JsonObject> {
  const derive = rulesOf(resource).derive;
  const own = { id: record.id, ...record.body };
  return derive ? { ...own, ...(await derive(record, call)) } : own;
}

/** A record as lists show it: its id and the resource's list fields; the whole record where there are none. */
export async function summarised(
  call: Call,
  resource: ResourceName,
  record: StoredRecord,
): Promise<JsonObject> {
  const { listFields } = resourceByName(resource);
  if (listFields.length === 0) return shown(call, resource, record);
  const whole = { ...record.body, ...(await rulesOf(resource).summary?.(record, call)) };
  return { id: record.id, ...pick(whole, listFields) };
}
