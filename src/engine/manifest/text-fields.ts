import { Failure } from '../../base/failure.ts';
import { isObject, type JsonObject, omitKeys } from '../../base/json.ts';
import type { Kind } from './kinds.ts';
import { toSendable } from './sendable.ts';
import type { Got, SentFile, Service, ServiceAnswer } from './service.ts';

/** The service stores each text of a record separately, by content type. */
interface TextCalls {
  read(kind: Kind, id: string, type: string): Promise<string>;
  send(kind: Kind, id: string, text: SentFile): Promise<unknown>;
}

/** Shows texts as fields. A record that becomes the account's own starts with the inherited values. */
export function withTextFields(plain: Service, calls: TextCalls): Service {
  /** By kind. Ids of listed inherited records. */
  const inherited = new Map<string, ReadonlySet<string>>();

  async function sendWithTexts(
    kind: Kind,
    id: string,
    data: JsonObject,
    send: (record: JsonObject) => Promise<ServiceAnswer>,
  ): Promise<ServiceAnswer> {
    const record = omitKeys(data, Object.keys(kind.texts ?? {}));
    const texts = omitKeys(data, Object.keys(record));
    const answer = await send(record);
    await sendTexts(calls, kind, id, texts);
    return answer.record ? { ...answer, record: { ...answer.record, ...texts } } : answer;
  }

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
      if (!isOwnRecord(kind, got.record)) return { found: 'none' };
      return { ...got, record: await readTexts(calls, kind, id, got.record) };
    },
    async create(kind, id, data) {
      if (kind.texts === undefined || id === undefined) return plain.create(kind, id, data);
      const isInherited = kind.inherited !== undefined && inherited.get(kind.name)?.has(id) !== false;
      const base = isInherited ? await inheritedFields(plain, kind, id) : {};
      return sendWithTexts(kind, id, data, (record) => plain.create(kind, id, { ...base, ...record }));
    },
    replace: (kind, id, data) =>
      kind.texts === undefined
        ? plain.replace(kind, id, data)
        : sendWithTexts(kind, id, data, (record) => plain.replace(kind, id, record)),
  };
}

async function readTexts(
  { read }: TextCalls,
  kind: Kind,
  id: string,
  record: JsonObject,
): Promise<JsonObject> {
  if (kind.texts === undefined) return record;
  const { templates } = record;
  const existing = Object.entries(kind.texts).filter(
    ([, type]) => !isObject(templates) || Object.hasOwn(templates, type),
  );
  const texts = existing.map(async ([field, type]) => [field, await read(kind, id, type)] as const);
  return { ...record, ...Object.fromEntries(await Promise.all(texts)) };
}

async function sendTexts({ send }: TextCalls, kind: Kind, id: string, texts: JsonObject): Promise<void> {
  for (const [field, type] of Object.entries(kind.texts ?? {})) {
    const text = texts[field];
    if (typeof text === 'string') await send(kind, id, { type, bytes: Buffer.from(text) });
  }
}

async function inheritedFields(plain: Service, kind: Kind, id: string): Promise<JsonObject> {
  try {
    const got = await plain.get(kind, id);
    return got.found === 'record' && got.record ? toSendable(kind, got.record) : {};
  } catch (error) {
    // Some services fail for a missing record. The create then reports what is missing.
    if (error instanceof Failure && error.status !== undefined && error.kind !== 'auth') return {};
    throw error;
  }
}

const isOwnRecord = ({ inherited }: Kind, record: JsonObject): boolean =>
  inherited === undefined || inherited.marks.some((mark) => record[mark] === true);

/** Lists mark only some of an account's own records. The others lack the field that inherited records have. */
const mayBeOwn = (kind: Kind, item: JsonObject): boolean =>
  isOwnRecord(kind, item) || (kind.inherited !== undefined && item[kind.inherited.named] === undefined);
