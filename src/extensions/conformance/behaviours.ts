import { unlessFailed } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { headerOf } from '../../client/api/exchange.ts';
import type { ServiceBehaviour } from '../../client/session/learned-facts.ts';
import { operationOf, resources } from '../../contract/catalogue.ts';
import { isPrivateKey } from '../../contract/name-lists.ts';
import type { Operation, Resource } from '../../contract/types.ts';
import { repliedData } from './replies.ts';
import { type MadeIds, quietSample, reasonAgainst, referenceCount, type Writer } from './writes.ts';

/** The habits that a service was found to have, or not to have. Behaviours that its replies leave open are left out. */
export type Behaviours = Partial<Readonly<Record<ServiceBehaviour, boolean>>>;

/** A field that no service knows. */
const strange = 'x_telctl_conformance';

/** Finds out what only writing shows, on records that were made for it. `ownId` is an id of nobody. */
export async function learnBehaviours(writer: Writer, made: MadeIds, ownId: string): Promise<Behaviours> {
  const plain = resources.find((each) => isPlain(each, made));
  const asked: readonly (() => Promise<Behaviours>)[] = [
    ...(plain === undefined
      ? []
      : [() => onCreates(writer, plain, ownId), () => onPatches(writer, plain, made)]),
    () => onNumbers(writer, made),
  ];
  let habits: Behaviours = {};
  // A lost reply leaves open what it would have said.
  for (const ask of asked) habits = { ...habits, ...(await unlessFailed(ask())) };
  return habits;
}

/** A kind of record that clashes with no other, needs no other, and was made. */
const isPlain = ({ name, kind, unique, idParameter }: Resource, made: MadeIds): boolean =>
  kind === 'collection' &&
  unique.length === 0 &&
  referenceCount(name) === 0 &&
  idParameter !== undefined &&
  made.has(idParameter) &&
  ['create', 'get', 'patch', 'delete'].every((verb) => operationOf(name, verb) !== undefined);

/** Sends an id of its own with a create, and again where it was taken. What comes of it is deleted. */
async function onCreates(
  { send, secret }: Writer,
  { name, idParameter = '' }: Resource,
  ownId: string,
): Promise<Behaviours> {
  const [create, remove] = [operationOf(name, 'create'), operationOf(name, 'delete')];
  if (create === undefined || remove === undefined) return {};
  const data = { ...quietSample(name, new Map(), secret), id: ownId };
  /** Creates the record; gives its id where it was stored. */
  const created = async () => {
    const incoming = await send(create, {}, data);
    const record = incoming.status < 300 ? repliedData(incoming) : undefined;
    const id = isObject(record) && typeof record.id === 'string' ? record.id : undefined;
    return { status: incoming.status, id };
  };
  const ids = new Set<string>();
  const first = await created();
  if (first.id === undefined) return {};
  ids.add(first.id);
  const isTaken = first.id === ownId;
  const second = isTaken ? await created() : undefined;
  if (second?.id !== undefined) ids.add(second.id);
  for (const id of ids) await send(remove, { [idParameter]: id });
  return {
    takes_own_ids: isTaken,
    ...(second === undefined ? {} : { refuses_taken_ids: second.status === 409 }),
  };
}

/** Changes a field of its own on a record, in the changes in which services differ. */
async function onPatches(
  { send }: Writer,
  { name, idParameter = '' }: Resource,
  made: MadeIds,
): Promise<Behaviours> {
  const [patch, get] = [operationOf(name, 'patch'), operationOf(name, 'get')];
  const id = made.get(idParameter);
  if (patch === undefined || get === undefined || id === undefined) return {};
  const path = { [idParameter]: id };
  /** The field after it was set to something; `undefined` where it is gone, `null` where nobody can tell. */
  const after = async (value: Json): Promise<{ readonly field: Json | undefined } | undefined> => {
    const written = await send(patch, path, { [strange]: value });
    if (written.status >= 300) return undefined;
    const read = await send(get, path);
    const record = repliedData(read.status < 300 ? read : written);
    return isObject(record) ? { field: record[strange] } : undefined;
  };
  const wrong = await send(patch, path, {}, { 'if-match': '"no-such-revision"' });
  const conditional: Behaviours =
    wrong.status === 412 ? { honours_if_match: true } : wrong.status < 300 ? { honours_if_match: false } : {};
  const kept = await after({ kept: true });
  if (kept === undefined) return conditional;
  if (!isObject(kept.field)) return { ...conditional, keeps_unknown_fields: false };
  const emptied = await after({});
  const removed = await after(null);
  return {
    ...conditional,
    keeps_unknown_fields: true,
    ...(emptied === undefined ? {} : { patch_replaces_by_empty_objects: !holdsAnything(emptied.field) }),
    ...(removed === undefined ? {} : { patch_removes_by_null: removed.field === undefined }),
  };
}

const holdsAnything = (value: Json | undefined): boolean => isObject(value) && Object.keys(value).length > 0;

/** A number of nobody, as people write it and as calls name it. */
const written = '+1 (415) 555-0124';
const dialled = '+14155550124';

/** Gives the callflow that was made a number as people write it. */
async function onNumbers({ send }: Writer, made: MadeIds): Promise<Behaviours> {
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

/** Changes in which services differ from one kind of record to the next, by the ids of their operations. */
export interface ChangeBehaviours {
  /** They refuse (412) the revision that the record has. */
  readonly refusesTags: readonly string[];
  /** Patches that put an object in the place of the one that is there, and lose what it leaves out. */
  readonly mergesOneLevel: readonly string[];
}

/** Object of a record whose keys are free, for what only a patch with two of them shows. */
const room = ({ schema: { properties = {} } }: Resource): string =>
  Object.hasOwn(properties, 'custom_data') ? 'custom_data' : 'x_telctl_conformance';

/** Finds out, on each record that was made and on the account, how its changes differ from those of other kinds. */
export async function learnChangeBehaviours(writer: Writer, made: MadeIds): Promise<ChangeBehaviours> {
  const refusesTags: string[] = [];
  const mergesOneLevel: string[] = [];
  for (const resource of resources) {
    const { name, kind } = resource;
    const [get, update, patch] = ['get', 'update', 'patch'].map((verb) => operationOf(name, verb));
    const path = get && pathTo(get, made);
    if (!get || !path || (kind === 'singleton' && name !== 'accounts') || reasonAgainst(get)) continue;
    const one: One = { writer, get, path };
    for (const operation of [update, patch])
      if (operation && (await refusesTag(one, operation))) refusesTags.push(operation.id);
    if (patch && (await losesParts(one, patch, room(resource)))) mergesOneLevel.push(patch.id);
  }
  return { refusesTags, mergesOneLevel };
}

/** Path parameters beside the account's, of what was made; `undefined` where one was not. */
function pathTo({ path }: Operation, made: MadeIds): Readonly<Record<string, string>> | undefined {
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

const sentBack = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== 'id' && !isPrivateKey(key)));

async function recordOf({ writer, get, path }: One) {
  const read = await unlessFailed(writer.send(get, path));
  const record: Json | undefined = read && read.status < 300 ? repliedData(read) : undefined;
  return read && isObject(record) ? { record, tag: headerOf(read.headers, 'etag') } : undefined;
}

/** True where the same change is refused with the revision just read, and taken without one. */
async function refusesTag(one: One, operation: Operation): Promise<boolean> {
  const read = await recordOf(one);
  if (read?.tag === undefined) return false;
  const data = operation.body?.kind === 'partial' ? {} : sentBack(read.record);
  const told = await unlessFailed(one.writer.send(operation, one.path, data, { 'if-match': read.tag }));
  if (told?.status !== 412) return false;
  const untold = await unlessFailed(one.writer.send(operation, one.path, data));
  return untold !== undefined && untold.status < 300;
}

/** True where a second key of an object that is patched takes the first one away. */
async function losesParts(one: One, patch: Operation, field: string): Promise<boolean> {
  for (const key of ['first', 'second']) {
    const told = await unlessFailed(one.writer.send(patch, one.path, { [field]: { [key]: 'kept' } }));
    if (told === undefined || told.status >= 300) return false;
  }
  const kept = (await recordOf(one))?.record[field];
  return isObject(kept) && Object.hasOwn(kept, 'second') && !Object.hasOwn(kept, 'first');
}
