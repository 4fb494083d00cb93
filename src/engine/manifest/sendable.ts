import { Failure } from '../../base/failure.ts';
import {
  isEqualJson,
  isObject,
  type Json,
  type JsonObject,
  omitKeys,
  ownValue,
  splitPath,
} from '../../base/json.ts';
import { isPrivateKey } from '../../contract/name-lists.ts';
import { childOf, resolved, type SchemaNode } from '../../contract/schema-node.ts';
import { mergePatch } from './canonical.ts';
import type { Kind } from './kinds.ts';
import type { Step } from './plan.ts';
import type { Got, SentFile, Service, ServiceAnswer } from './service.ts';

/** The part of a record that can be sent: nothing that the service makes, no private names, no `null`. */
export function sendable(kind: Kind, record: JsonObject): JsonObject {
  const visit = (node: SchemaNode, value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => withoutNull(item));
    if (!isObject(value)) return value;
    const kept: [string, Json][] = [];
    let isWhole = true;
    for (const key of Object.keys(value)) {
      const inner = value[key];
      const child = inner === undefined || inner === null ? undefined : childOf(kind.schema, node, key);
      const part = inner === undefined || child?.readOnly === true ? null : visit(child ?? {}, inner);
      isWhole &&= part === inner && part !== null;
      if (part !== null) kept.push([key, part]);
    }
    // Of thousands of records most are sent as they are, and a copy of each would cost time and memory.
    return isWhole ? value : Object.fromEntries(kept);
  };
  const isOwn = (key: string): boolean => key === 'id' || isPrivateKey(key);
  const whole = visit(resolved(kind.schema, kind.schema), record);
  if (!isObject(whole)) return {};
  return Object.keys(whole).some(isOwn)
    ? Object.fromEntries(Object.entries(whole).filter(([key]) => !isOwn(key)))
    : whole;
}

/** An item of a list without the keys for which `null` says that there is nothing. */
export const withoutNull = (item: Json): Json =>
  isObject(item)
    ? Object.fromEntries(Object.entries(item).filter(([, value]) => (value ?? null) !== null))
    : item;

/** A part of a record without what stands at some dotted paths. */
export function withoutPaths(fields: JsonObject, paths: readonly string[]): JsonObject {
  return paths.reduce((left, path) => withoutKeys(left, splitPath(path)), fields);
}

function withoutKeys(value: JsonObject, [key, ...below]: readonly string[]): JsonObject {
  if (key === undefined || !Object.hasOwn(value, key)) return value;
  const inner = value[key];
  const others = omitKeys(value, [key]);
  return below.length > 0 && isObject(inner) ? { ...others, [key]: withoutKeys(inner, below) } : others;
}

/** The part that is sent, or the whole record where the service takes no parts. */
export function sending(
  kind: Kind,
  record: JsonObject,
  next: JsonObject,
  wanted: JsonObject,
): Required<Pick<Step, 'send' | 'by'>> {
  if (kind.calls.patch) {
    const patch = mergePatch(record, next);
    // A new username is taken only together with a password (Conventions, users).
    const password = kind.name === 'users' && Object.hasOwn(patch, 'username') ? wanted.password : undefined;
    return { send: password === undefined ? patch : { ...patch, password }, by: 'patch' };
  }
  // Only the fields that are sent are replaced (Conventions, service plans).
  if (kind.assigned) return { send: sendable(kind, mergePatch(record, next)), by: 'replace' };
  // Fields that the service keeps to itself would be lost if they were not sent again.
  const kept = Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => value !== null && !Object.hasOwn(record, key)),
  );
  return { send: sendable(kind, { ...kept, ...next }), by: 'replace' };
}

/** Assigned records by id: as a manifest lists them (ids, or objects with an id), or as services show them. */
function assignedById(value: Json | undefined): ReadonlyMap<string, JsonObject> {
  if (isObject(value))
    return new Map(Object.entries(value).map(([id, item]) => [id, isObject(item) ? item : {}]));
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  return new Map(
    items.flatMap((item): readonly (readonly [string, JsonObject])[] => {
      if (typeof item === 'string') return [[item, {}]];
      if (!isObject(item) || typeof item.id !== 'string') return [];
      const { id, ...rest } = item;
      return [[item.id, rest]];
    }),
  );
}

/**
 * Returns a record with its assigned records as a manifest lists them. The account that they belong to is left out,
 * since only the reseller of the account assigns them.
 */
export function withAssignedListed({ assigned }: Kind, record: JsonObject): JsonObject {
  const value = assigned && record[assigned.all];
  if (assigned === undefined || !isObject(value)) return record;
  const items = [...assignedById(value)].map(([id, { vendor_id: _, ...rest }]) =>
    Object.keys(rest).length === 0 ? id : { id, ...rest },
  );
  return { ...record, [assigned.all]: items.length === 0 ? undefined : items };
}

/** Returns the wanted fields without those that ask for assignments which the record has already. */
export function withoutAssigned({ assigned }: Kind, wanted: JsonObject, record: JsonObject): JsonObject {
  if (assigned === undefined) return wanted;
  const { all, added, removed } = assigned;
  const live = assignedById(record[all]);
  const isAssigned = ([id, item]: readonly [string, JsonObject]): boolean => {
    const found = live.get(id);
    return (
      found !== undefined &&
      Object.keys(item).every((key) => isEqualJson(ownValue(item, key), ownValue(found, key)))
    );
  };
  const settled: string[] = [];
  const items = [...assignedById(wanted[all])];
  if (items.length === live.size && items.every(isAssigned)) settled.push(all);
  if ([...assignedById(wanted[added])].every(isAssigned)) settled.push(added);
  if ([...assignedById(wanted[removed]).keys()].every((id) => !live.has(id))) settled.push(removed);
  return omitKeys(wanted, settled);
}

interface TextCalls {
  read(kind: Kind, id: string, type: string): Promise<string>;
  send(kind: Kind, id: string, text: SentFile): Promise<unknown>;
}

/**
 * A service whose records have the texts that stand beside them as fields, and which shows an account's own records
 * alone, where it inherits others. A record that becomes the account's own begins as what it was until then.
 */
export function withTextsBeside(plain: Service, { read, send }: TextCalls): Service {
  /** Ids of listed records that accounts inherit, by kind. */
  const inherited = new Map<string, ReadonlySet<string>>();

  async function textsOf(kind: Kind, id: string, record: JsonObject): Promise<JsonObject> {
    const { templates } = record;
    if (kind.texts === undefined) return record;
    const texts = Object.entries(kind.texts).filter(
      ([, type]) => !isObject(templates) || Object.hasOwn(templates, type),
    );
    const found = texts.map(async ([field, type]) => [field, await read(kind, id, type)] as const);
    return { ...record, ...Object.fromEntries(await Promise.all(found)) };
  }

  async function sendTexts(kind: Kind, id: string, texts: JsonObject): Promise<void> {
    for (const [field, type] of Object.entries(kind.texts ?? {})) {
      const text = texts[field];
      if (typeof text === 'string') await send(kind, id, { type, bytes: Buffer.from(text) });
    }
  }

  /** The record that an account inherits, as far as it can be sent. */
  async function factsOf(kind: Kind, id: string): Promise<JsonObject> {
    if (kind.inherited === undefined || inherited.get(kind.name)?.has(id) === false) return {};
    try {
      const got = await plain.get(kind, id);
      return got.found === 'record' && got.record ? sendable(kind, got.record) : {};
    } catch (error) {
      // A service may fail over a record that there is not; what is missing then, it says itself.
      if (error instanceof Failure && error.status !== undefined && error.kind !== 'auth') return {};
      throw error;
    }
  }

  const withTexts = (answer: ServiceAnswer, texts: JsonObject): ServiceAnswer =>
    answer.record ? { ...answer, record: { ...answer.record, ...texts } } : answer;

  return {
    ...plain,
    async list(kind, options) {
      const listing = await plain.list(kind, options);
      if (listing === undefined || kind.inherited === undefined) return listing;
      const own = listing.items.filter((item) => mayBeOwn(kind, item));
      const ids = new Set(own.map(({ id }) => id));
      inherited.set(
        kind.name,
        new Set(listing.items.flatMap(({ id }) => (typeof id === 'string' && !ids.has(id) ? [id] : []))),
      );
      return { ...listing, items: own };
    },
    async get(kind, id): Promise<Got> {
      const got = await plain.get(kind, id);
      if (got.found !== 'record' || got.record === undefined) return got;
      if (!isOwn(kind, got.record)) return { found: 'none' };
      return { ...got, record: await textsOf(kind, id, got.record) };
    },
    async create(kind, id, data) {
      if (kind.texts === undefined || id === undefined) return plain.create(kind, id, data);
      const [texts, rest] = parted(kind, data);
      const answer = await plain.create(kind, id, { ...(await factsOf(kind, id)), ...rest });
      await sendTexts(kind, id, texts);
      return withTexts(answer, texts);
    },
    async replace(kind, id, data) {
      if (kind.texts === undefined) return plain.replace(kind, id, data);
      const [texts, rest] = parted(kind, data);
      const answer = await plain.replace(kind, id, rest);
      await sendTexts(kind, id, texts);
      return withTexts(answer, texts);
    },
  };
}

function parted({ texts = {} }: Kind, data: JsonObject): readonly [texts: JsonObject, rest: JsonObject] {
  const rest = omitKeys(data, Object.keys(texts));
  return [omitKeys(data, Object.keys(rest)), rest];
}

const isOwn = ({ inherited }: Kind, record: JsonObject): boolean =>
  inherited === undefined || inherited.marks.some((mark) => record[mark] === true);

/** Lists mark only some of an account's own records; the others lack what the service gives to inherited ones. */
const mayBeOwn = (kind: Kind, item: JsonObject): boolean =>
  isOwn(kind, item) || (kind.inherited !== undefined && item[kind.inherited.named] === undefined);
