import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { headerOf, type Incoming } from '../../../client/api/exchange.ts';
import { operationOf, resources } from '../../../contract/catalogue.ts';
import { isPrivateKey } from '../../../contract/known-names.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import { dataOf } from './replies.ts';
import { type MadeIds, reasonAgainst } from './samples.ts';
import type { Writer } from './writes.ts';

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

/** The reply to a request; `undefined` where none came. Only Ctrl-C ends the run. */
async function replyTo(asked: Promise<Incoming>): Promise<Incoming | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return undefined;
  }
}

/** The fields of a record that a change may send back. */
const sentBack = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== 'id' && !isPrivateKey(key)));

async function recordOf({ writer, get, path }: One) {
  const read = await replyTo(writer.send(get, path));
  const record: Json | undefined = read && read.status < 300 ? dataOf(read) : undefined;
  return read && isObject(record) ? { record, tag: headerOf(read.headers, 'etag') } : undefined;
}

/** True where the same change is refused with the revision just read, and taken without one. */
async function refusesTag(one: One, operation: Operation): Promise<boolean> {
  const read = await recordOf(one);
  if (read?.tag === undefined) return false;
  const data = operation.body?.kind === 'partial' ? {} : sentBack(read.record);
  const told = await replyTo(one.writer.send(operation, one.path, data, { 'if-match': read.tag }));
  if (told?.status !== 412) return false;
  const untold = await replyTo(one.writer.send(operation, one.path, data));
  return untold !== undefined && untold.status < 300;
}

/** True where a second key of an object that is patched takes the first one away. */
async function losesParts(one: One, patch: Operation, field: string): Promise<boolean> {
  for (const key of ['first', 'second']) {
    const told = await replyTo(one.writer.send(patch, one.path, { [field]: { [key]: 'kept' } }));
    if (told === undefined || told.status >= 300) return false;
  }
  const kept = (await recordOf(one))?.record[field];
  return isObject(kept) && Object.hasOwn(kept, 'second') && !Object.hasOwn(kept, 'first');
}
