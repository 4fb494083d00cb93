import { Failure } from '../../base/failure.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Kind } from './kinds.ts';
import { sendable } from './sendable.ts';
import type { Answer, Got, SentFile, Service } from './service.ts';

interface TextCalls {
  /** The text of that content type. */
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

  const withTexts = (answer: Answer, texts: JsonObject): Answer =>
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
  const entries = Object.entries(data);
  return [
    Object.fromEntries(entries.filter(([key]) => Object.hasOwn(texts, key))),
    Object.fromEntries(entries.filter(([key]) => !Object.hasOwn(texts, key))),
  ];
}

const isOwn = ({ inherited }: Kind, record: JsonObject): boolean =>
  inherited === undefined || inherited.marks.some((mark) => record[mark] === true);

/** Lists mark only some of an account's own records; the others lack what the service gives to inherited ones. */
const mayBeOwn = (kind: Kind, item: JsonObject): boolean =>
  isOwn(kind, item) || (kind.inherited !== undefined && item[kind.inherited.named] === undefined);
