import type { JsonObject } from '../../base/json.ts';
import { resourceByName, resources } from '../../contract/catalogue.ts';
import type { GenericVerb, ResourceName } from '../../contract/types.ts';
import { traitsOf } from '../behaviour.ts';
import { merged, mergedFlat, mergedKeeping, pick, textAt, without } from '../fields.ts';
import { newId } from '../made-values.ts';
import { Refusal, unknownId } from '../refusal.ts';
import { accountOf, type Call, type Handler, parameter } from '../requests/call.ts';
import { rulesOf } from '../rules/rules-by-resource.ts';
import { newRecord, type RecordName, type StoredRecord } from '../store/store.ts';
import { noteRemoval } from './ask-charges.ts';
import { answerList } from './lists.ts';
import { acceptable, checked, prepared, shownRecord, write } from './records.ts';

/** The location of the records of a resource, where that is not simply the account in the path. */
export interface Placing {
  /** Scope of the records; the account in the path where left out. */
  readonly scope?: string;
}

const scopeOf = (call: Call, { scope }: Placing): string => scope ?? accountOf(call).id;

function recordName(call: Call, name: ResourceName, placing: Placing): RecordName {
  const { idParameter } = resourceByName(name);
  if (idParameter === undefined) throw new Error(`${name} has no ids.`);
  return { kind: name, scope: scopeOf(call, placing), id: parameter(call, idParameter) };
}

const known = (call: Call, name: ResourceName, placing: Placing): Promise<StoredRecord | undefined> =>
  call.services.store.get(recordName(call, name, placing));

/** The record that the path names. Refuses (404) where there is none. */
export async function namedRecord(
  call: Call,
  name: ResourceName,
  placing: Placing = {},
): Promise<StoredRecord> {
  const record = await known(call, name, placing);
  if (record) return record;
  const missing = recordName(call, name, placing);
  if (!traitsOf(call.services.behaviour, name).anyId || call.operation.method !== 'GET')
    throw unknownId(missing.id);
  return newRecord(missing, checked(call, name, {}), 0);
}

/** The id that the caller chose for a new record, so that a create that is sent twice makes one. */
function idOfItsOwn(call: Call, name: ResourceName): string | undefined {
  const { behaviour } = call.services;
  const own = rulesOf(name).ownId?.(call.data);
  const given =
    behaviour.writes.ownIds === 'dropped' || traitsOf(behaviour, name).neverOwnId ? undefined : call.data;
  return (own ?? textAt(given ?? {}, 'id') ?? textAt(given ?? {}, '_id')) || undefined;
}

/** Refuses (409) an id that any record has there, after all that is wrong with the record (Errors). */
async function refuseTaken({ services: { store } }: Call, { scope, id }: RecordName): Promise<void> {
  const found = await Promise.all(resources.map(({ name: kind }) => store.get({ kind, scope, id })));
  if (found.some((record) => record !== undefined))
    throw new Refusal(409, 'datastore_conflict', 'A record with this id is there already.');
}

/** The six verbs of collections, the same for every resource (Conventions, Life cycle of a record). */
export function collectionHandlers(name: ResourceName, placing: Placing = {}): Record<GenericVerb, Handler> {
  /** Writes what a change makes of the record that the path names. */
  const change = async (call: Call, bodyFrom: (before: JsonObject, sent: JsonObject) => JsonObject) => {
    const sent = acceptable(call, name);
    const before = await known(call, name, placing);
    if (!before && traitsOf(call.services.behaviour, name).checkedFirst) {
      const as = resourceByName(name).operations.some(({ verb }) => verb === 'create') ? 'create' : 'update';
      checked(call, name, sent, as);
      await prepared(call, { name: recordName(call, name, placing), resource: name, body: sent });
    }
    if (!before) throw unknownId(recordName(call, name, placing).id);
    const keeps = traitsOf(call.services.behaviour, name).keepsWhatIsLeftOut;
    if (keeps && call.operation.verb === 'update') checked(call, name, sent, 'update');
    const body = keeps ? mergedKeeping(before.body, sent) : bodyFrom(before.body, sent);
    const record = await write(call, { name: before, resource: name, body, before });
    return { data: await shownRecord(call, name, record), record };
  };
  return {
    list: (call) => answerList(call, { resource: name, scope: scopeOf(call, placing) }),
    get: async (call) => {
      const record = await namedRecord(call, name, placing);
      const data = await shownRecord(call, name, record);
      // What was never stored has no revision.
      return record.createdAt === 0 ? { data } : { data, record };
    },
    create: async (call) => {
      const { alsoTaken = [] } = traitsOf(call.services.behaviour, name);
      const own = idOfItsOwn(call, name);
      const id = own ?? newId(call.services.random);
      const named = { kind: name, scope: scopeOf(call, placing), id };
      const record = await write(call, {
        name: named,
        resource: name,
        body: { ...acceptable(call, name), ...pick(call.data, alsoTaken) },
      });
      if (own !== undefined) await refuseTaken(call, named);
      return { data: await shownRecord(call, name, record), record, created: id };
    },
    update: (call) => change(call, (_, sent) => sent),
    patch: (call) => {
      const { behaviour } = call.services;
      const emptyReplaces = behaviour.writes.emptyObjects === 'replacing';
      return change(call, (before, sent) => {
        const part = traitsOf(behaviour, name).partsAreWhole ? checked(call, name, sent, 'create') : sent;
        const isFlat = emptyReplaces && resourceByName(name).mergesOneLevel === true;
        return isFlat ? mergedFlat(before, part) : merged(before, part, emptyReplaces);
      });
    },
    delete: async (call) => {
      const record = await namedRecord(call, name, placing);
      return removal(call, name, record);
    },
  };
}

/** Removes a record and answers what it was; `should_soft_delete=false` takes it out of the database. */
export async function removal(call: Call, name: ResourceName, record: StoredRecord) {
  const { kind, scope, id }: RecordName = record;
  rulesOf(name).refuseRemoval?.(record, call);
  await noteRemoval(call, name, record);
  const data = await shownRecord(call, name, record);
  const softly = call.query.get('should_soft_delete') ?? call.data.should_soft_delete;
  const erase = softly === 'false' || softly === false;
  call.changes.push({ change: 'remove', record: { kind, scope, id }, erase });
  call.changes.push(...((await rulesOf(name).follow?.(record, undefined, call)) ?? []));
  const { unshownRemoved = [] } = traitsOf(call.services.behaviour, name);
  const told = { ...data, _read_only: { deleted: true } };
  return { data: without(told, (field) => unshownRemoved.includes(field)), record };
}
