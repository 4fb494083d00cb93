import { ignoreFailure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { firstHeader } from '../../client/api/exchange.ts';
import type { ServiceBehaviour } from '../../client/session/learned-facts.ts';
import { operationOf, resources } from '../../contract/catalogue.ts';
import { isPrivateKey } from '../../contract/name-lists.ts';
import type { Operation, Resource } from '../../contract/types.ts';
import { repliedData } from './replies.ts';
import { type MadeIds, quietSample, reasonAgainst, referenceCount, type Writer } from './writes.ts';

/** Behaviors of a service. Unknown behaviors are missing. */
export type Behaviours = Partial<Readonly<Record<ServiceBehaviour, boolean>>>;

/** The name of a field that no service has. */
const strange = 'x_telctl_conformance';

/** Detects behaviors that only writes show, using created records. `ownId` is an unused id. */
export async function learnBehaviours(writer: Writer, made: MadeIds, ownId: string): Promise<Behaviours> {
  const plain = resources.find((each) => isPlain(each, made));
  const asked: readonly (() => Promise<Behaviours>)[] = [
    ...(plain === undefined
      ? []
      : [() => learnFromCreates(writer, plain, ownId), () => learnFromPatches(writer, plain, made)]),
    () => learnFromNumbers(writer, made),
  ];
  let habits: Behaviours = {};
  // If a reply is lost, the behavior stays unknown.
  for (const ask of asked) habits = { ...habits, ...(await ignoreFailure(ask())) };
  return habits;
}

/** Returns true for created records without conflicts and references. */
const isPlain = ({ name, kind, unique, idParameter }: Resource, made: MadeIds): boolean =>
  kind === 'collection' &&
  unique.length === 0 &&
  referenceCount(name) === 0 &&
  idParameter !== undefined &&
  made.has(idParameter) &&
  ['create', 'get', 'patch', 'delete'].every((verb) => operationOf(name, verb) !== undefined);

/** Creates a record with a chosen id, and creates it again if that succeeds. Deletes the records. */
async function learnFromCreates(
  { send, secret }: Writer,
  { name, idParameter = '' }: Resource,
  ownId: string,
): Promise<Behaviours> {
  const [create, remove] = [operationOf(name, 'create'), operationOf(name, 'delete')];
  if (create === undefined || remove === undefined) return {};
  const data = { ...quietSample(name, new Map(), secret), id: ownId };
  const createRecord = async () => {
    const incoming = await send(create, {}, data);
    const record = incoming.status < 300 ? repliedData(incoming) : undefined;
    const id = isObject(record) && typeof record.id === 'string' ? record.id : undefined;
    return { status: incoming.status, id };
  };
  const ids = new Set<string>();
  const first = await createRecord();
  if (first.id === undefined) return {};
  ids.add(first.id);
  const isTaken = first.id === ownId;
  const second = isTaken ? await createRecord() : undefined;
  if (second?.id !== undefined) ids.add(second.id);
  for (const id of ids) await send(remove, { [idParameter]: id });
  return {
    takes_own_ids: isTaken,
    ...(second === undefined ? {} : { refuses_taken_ids: second.status === 409 }),
  };
}

/** Changes a field of a record in ways that services treat differently. */
async function learnFromPatches(
  { send }: Writer,
  { name, idParameter = '' }: Resource,
  made: MadeIds,
): Promise<Behaviours> {
  const [patch, get] = [operationOf(name, 'patch'), operationOf(name, 'get')];
  const id = made.get(idParameter);
  if (patch === undefined || get === undefined || id === undefined) return {};
  const path = { [idParameter]: id };
  /**
   * Reads the field after a change. `field` is `undefined` if the record does not have it. Returns `undefined` if the
   * record cannot be read.
   */
  const fieldAfter = async (value: Json): Promise<{ readonly field: Json | undefined } | undefined> => {
    const written = await send(patch, path, { [strange]: value });
    if (written.status >= 300) return undefined;
    const read = await send(get, path);
    const record = repliedData(read.status < 300 ? read : written);
    return isObject(record) ? { field: record[strange] } : undefined;
  };
  const wrong = await send(patch, path, {}, { 'if-match': '"no-such-revision"' });
  const conditional: Behaviours =
    wrong.status === 412 ? { honours_if_match: true } : wrong.status < 300 ? { honours_if_match: false } : {};
  const kept = await fieldAfter({ kept: true });
  if (kept === undefined) return conditional;
  if (!isObject(kept.field)) return { ...conditional, keeps_unknown_fields: false };
  const emptied = await fieldAfter({});
  const removed = await fieldAfter(null);
  return {
    ...conditional,
    keeps_unknown_fields: true,
    ...(emptied === undefined ? {} : { patch_replaces_by_empty_objects: !holdsAnything(emptied.field) }),
    ...(removed === undefined ? {} : { patch_removes_by_null: removed.field === undefined }),
  };
}

const holdsAnything = (value: Json | undefined): boolean => isObject(value) && Object.keys(value).length > 0;

/** An unused number, as people write it and as calls use it. */
const written = '+1 (415) 555-0124';
const dialled = '+14155550124';

/** Adds a number as people write it to a callflow. */
async function learnFromNumbers({ send }: Writer, made: MadeIds): Promise<Behaviours> {
  const patch = operationOf('callflows', 'patch');
  const id = made.get('callflow_id');
  if (patch === undefined || id === undefined) return {};
  const incoming = await send(patch, { callflow_id: id }, { numbers: [written] });
  const record: Json | undefined = repliedData(incoming);
  const numbers: JsonObject[string] = isObject(record) ? record.numbers : undefined;
  if (incoming.status >= 300 || !Array.isArray(numbers)) return {};
  if (numbers.includes(dialled)) return { normalises_numbers: true };
  return numbers.includes(written) ? { normalises_numbers: false } : {};
}

/** Updates that services treat differently by kind of record, by operation id. */
export interface ChangeBehaviours {
  /** Operations that refuse (412) the current revision of the record. */
  readonly refusesTags: readonly string[];
  /** Patches that replace nested objects completely. */
  readonly mergesOneLevel: readonly string[];
}

/** Returns the name of an object field that accepts any keys, for patches with two keys. */
const extensibleField = ({ schema: { properties = {} } }: Resource): string =>
  Object.hasOwn(properties, 'custom_data') ? 'custom_data' : 'x_telctl_conformance';

/** Detects how a service updates each created record and the account. */
export async function learnChangeBehaviours(writer: Writer, made: MadeIds): Promise<ChangeBehaviours> {
  const refusesTags: string[] = [];
  const mergesOneLevel: string[] = [];
  for (const resource of resources) {
    const { name, kind } = resource;
    const [get, update, patch] = ['get', 'update', 'patch'].map((verb) => operationOf(name, verb));
    const path = get && pathParameters(get, made);
    if (!get || !path || (kind === 'singleton' && name !== 'accounts') || reasonAgainst(get)) continue;
    const one: One = { writer, get, path };
    for (const operation of [update, patch])
      if (operation && (await refusesRevision(one, operation))) refusesTags.push(operation.id);
    if (patch && (await replacesObject(one, patch, extensibleField(resource)))) mergesOneLevel.push(patch.id);
  }
  return { refusesTags, mergesOneLevel };
}

/** Returns path parameters of created records. Returns `undefined` if a record was not created. */
function pathParameters({ path }: Operation, made: MadeIds): Readonly<Record<string, string>> | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'account_id');
  const ids = names.flatMap((name) => made.get(name) ?? []);
  return ids.length < names.length
    ? undefined
    : Object.fromEntries(names.map((name, at) => [name, ids[at] ?? '']));
}

interface One {
  readonly writer: Writer;
  readonly get: Operation;
  readonly path: Readonly<Record<string, string>>;
}

const sendUnchanged = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== 'id' && !isPrivateKey(key)));

async function readRecord({ writer, get, path }: One) {
  const read = await ignoreFailure(writer.send(get, path));
  const record: Json | undefined = read && read.status < 300 ? repliedData(read) : undefined;
  return read && isObject(record) ? { record, tag: firstHeader(read.headers, 'etag') } : undefined;
}

/** Returns true if an update is refused with the current revision, but accepted without one. */
async function refusesRevision(one: One, operation: Operation): Promise<boolean> {
  const read = await readRecord(one);
  if (read?.tag === undefined) return false;
  const data = operation.body?.kind === 'partial' ? {} : sendUnchanged(read.record);
  const told = await ignoreFailure(one.writer.send(operation, one.path, data, { 'if-match': read.tag }));
  if (told?.status !== 412) return false;
  const untold = await ignoreFailure(one.writer.send(operation, one.path, data));
  return untold !== undefined && untold.status < 300;
}

/** Returns true if patching a second key of an object removes the first key. */
async function replacesObject(one: One, patch: Operation, field: string): Promise<boolean> {
  for (const key of ['first', 'second']) {
    const told = await ignoreFailure(one.writer.send(patch, one.path, { [field]: { [key]: 'kept' } }));
    if (told === undefined || told.status >= 300) return false;
  }
  const kept = (await readRecord(one))?.record[field];
  return isObject(kept) && Object.hasOwn(kept, 'second') && !Object.hasOwn(kept, 'first');
}
