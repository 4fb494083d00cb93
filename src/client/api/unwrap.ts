import { Failure } from '../../base/failure.ts';
import { deepest, isDeeperThan, isObject, type Json, type JsonObject } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import { counted } from '../../base/wording.ts';
import { isPrivateKey } from '../../contract/known-names.ts';
import type { Call, Reply } from './api.ts';
import { headerOf, type Incoming } from './exchange.ts';

/** The form that a success reply may have. */
export interface Expected {
  /** The reply may be empty. */
  readonly mayBeEmpty: boolean;
  /** Another representation than JSON was asked for, or anything may come. */
  readonly mayBeText: boolean;
  /** `data` is an object: one record. */
  readonly isRecord?: boolean;
  /** `data` holds records. */
  readonly isList?: boolean;
  /** A file comes back, bare. */
  readonly isFile?: boolean;
  /** Field that has the id of a record without `id`. */
  readonly idElsewhere?: string | undefined;
  /** `data` may be the value of this field alone, where it has none of the fields of the record. */
  readonly bare?: { readonly field: string; readonly fields: readonly string[] };
}

export interface Unwrapped {
  readonly reply: Reply;
  readonly token: string | undefined;
}

/**
 * Takes a success reply out of its envelope and the echoed token out of both. Throws `Failure` (`failed`) where the
 * body is not what the service answers with: HTML, nothing, broken JSON, JSON without envelope.
 */
export function unwrap(incoming: Incoming, expected: Expected, origin: string): Unwrapped {
  const { status, headers, text, bytes } = incoming;
  const { mayBeEmpty, mayBeText, isFile, isRecord } = expected;
  const requestId = headerOf(headers, 'x-request-id');
  const type = headerOf(headers, 'content-type') ?? '';
  const bare = (reply: Partial<Reply>): Unwrapped => ({
    reply: { status, data: {}, requestId, envelope: {}, headers, ...reply },
    token: undefined,
  });
  if (bytes) {
    if (!mayBeText && !isFile) throw strange('sound where data was due', origin);
    return bare({ bytes });
  }
  if (isFile) throw strange('something that is not the file that was asked for', origin);
  if (text === '') {
    if (!mayBeEmpty && !mayBeText) throw strange(`an empty body where data was due`, origin);
    return bare({});
  }
  if (mayBeText && !/json/i.test(type)) return bare({ data: text, text });
  const body = parsedBody(text, type, origin);
  if (isDeeperThan(body, deepest)) throw strange(`JSON that is nested deeper than ${deepest} levels`, origin);
  if (!isObject(body) || !isSuccess(body, expected)) {
    if (mayBeText && body !== null) return bare({ data: withoutToken(body) });
    throw strange('JSON that is not the expected envelope of status and data', origin);
  }
  const { auth_token: token, data = {}, status: _, ...envelope } = body;
  if (isRecord && !isObject(data)) throw strange('something that is not a record', origin);
  return {
    reply: {
      status,
      data: withoutToken(publicData(data, expected)),
      requestId: typeof body.request_id === 'string' ? body.request_id : requestId,
      envelope,
      headers,
    },
    token: typeof token === 'string' ? token : undefined,
  };
}

/** True for an envelope with data, and for a bare success where nothing is due (the answer to a reset). */
function isSuccess(body: JsonObject, { mayBeEmpty }: Expected): boolean {
  if ((body.status ?? 'success') !== 'success') return false;
  return Object.hasOwn(body, 'data') || (mayBeEmpty && body.status === 'success');
}

function parsedBody(text: string, type: string, origin: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/html/i.test(type) || /^\s*</.test(text))
      throw strange('an HTML page instead of JSON', origin, error);
    if (/json/i.test(type))
      throw strange(
        `JSON that breaks off or is damaged (${counted(text.length, 'character')})`,
        origin,
        error,
      );
    throw strange('something that is not JSON', origin, error);
  }
}

function strange(what: string, origin: string, cause?: unknown): Failure {
  return new Failure('failed', `${origin} answered with ${what}.`, {
    hint: 'Check that this is the address of the service, and look for a proxy or gateway in between.',
    cause,
  });
}

/**
 * Records without the names that a service keeps to itself. Some replies are of records as the service stores them,
 * with `_id` in place of `id` (Conventions, Faxes), or have the id under the name of something that belongs to it.
 */
function publicData(data: Json, { isRecord, isList, idElsewhere, bare }: Expected): Json {
  if (bare && isObject(data) && !bare.fields.some((field) => Object.hasOwn(data, field)))
    return { [bare.field]: data };
  const shownItem = (item: JsonObject): JsonObject => {
    const record = publicRecord(item);
    const id = idElsewhere === undefined ? undefined : record[idElsewhere];
    return id === undefined || record.id !== undefined ? record : { id, ...record };
  };
  if (isRecord && isObject(data)) return shownItem(data);
  return isList && Array.isArray(data)
    ? data.map((item: Json) => (isObject(item) ? shownItem(item) : item))
    : data;
}

const isHidden = (key: string): boolean => isPrivateKey(key) && key !== '_read_only';

function publicRecord(record: JsonObject): JsonObject {
  if (!Object.keys(record).some(isHidden)) return record;
  const shown = Object.fromEntries(Object.entries(record).filter(([key]) => !isHidden(key)));
  return record.id === undefined && typeof record._id === 'string' ? { id: record._id, ...shown } : shown;
}

/** A value without the token that some services put beside the account's data. */
function withoutToken(data: Json): Json {
  if (!isObject(data)) return data;
  const { auth_token: _, ...rest } = data;
  return rest;
}

/** The time of an envelope in Unix milliseconds: RFC 3339, UTC without a zone, or Gregorian seconds. */
export function timestampMs(timestamp: Json | undefined): number | undefined {
  if (typeof timestamp === 'number') return (Math.floor(timestamp) - gregorianOffset) * 1000;
  if (typeof timestamp !== 'string') return undefined;
  const ms = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(timestamp) ? timestamp : `${timestamp}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** The time of the answer in Unix milliseconds: the reply's own, else its `Date`. */
export function replyTimeMs({ envelope, headers }: Pick<Reply, 'envelope' | 'headers'>): number | undefined {
  const own = timestampMs(envelope.timestamp);
  if (own !== undefined || typeof headers.date !== 'string') return own;
  const ms = Date.parse(headers.date);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Pages and ids that are remembered at least, so that a list of any length needs no more memory than a short one. */
const pagesKept = 5_000;
const idsKept = 10_000;

/** Remembers the last values that it was given: at least `count` of them, at most twice as many. */
function lately<T>(count: number) {
  let before: ReadonlySet<T> = new Set();
  let now = new Set<T>();
  return {
    has: (value: T): boolean => now.has(value) || before.has(value),
    add(value: T): void {
      if (now.size >= count) {
        before = now;
        now = new Set();
      }
      now.add(value);
    },
  };
}

/** Pages in a row that may bring nothing new: a filter can leave some of them empty. */
const idlePagesAtMost = 50;

/**
 * All pages of a list, following `next_start_key` to the page without one (Conventions, paging). Throws `Failure`
 * where a reply is no list, where the service leads back to a page that was already read, or where its pages do not end.
 */
export async function* eachPage(
  send: (call: Call) => Promise<Reply>,
  call: Call,
): AsyncIterable<readonly JsonObject[]> {
  const seen = lately<string>(pagesKept);
  const known = lately<Json>(idsKept);
  let idle = 0;
  let query = call.query;
  for (;;) {
    const { data, envelope } = await send(query === undefined ? call : { ...call, query });
    const items = itemsOf(data, call);
    yield items;
    const next = keyText(envelope.next_start_key);
    if (next === undefined) return;
    const isNew = items.some(({ id }) => id === undefined || !known.has(id));
    for (const { id } of items) if (id !== undefined) known.add(id);
    idle = isNew ? 0 : idle + 1;
    if (seen.has(next) || idle > idlePagesAtMost) throw endless();
    seen.add(next);
    query = { ...call.query, start_key: next };
  }
}

const endless = (): Failure =>
  new Failure(
    'failed',
    'The pages of the list refer to each other in a circle; the list cannot be read completely.',
  );

/** The records of a page, wherever they stand in it. Throws `Failure` where it is no list. */
export function itemsOf(data: Json, { operation }: Call): readonly JsonObject[] {
  // A service with nothing to list may say so with the empty object of its envelope.
  if (isObject(data) && Object.keys(data).length === 0) return [];
  const { listed, reply } = operation;
  const isEither = reply.kind === 'value' && reply.schema.anyOf !== undefined;
  const byKey = isEither && isObject(data) && Object.values(data).every(isObject) ? data : undefined;
  const held = isObject(data) && listed && listed.as !== 'groups' ? data[listed.key] : byKey;
  if (listed?.as === 'field' && Array.isArray(held)) return held.filter(isObject);
  if (isObject(held))
    return Object.entries(held).flatMap(([id, item]) => (isObject(item) ? [{ id, ...item }] : []));
  if (Array.isArray(data) && data.every(isObject))
    return listed?.as === 'groups' ? data.flatMap((group) => membersOf(group, listed.key)) : data;
  throw new Failure(
    'failed',
    `The service answered ${operation.id} with something that is not a list of records.`,
  );
}

/** Returns the records of a group; a record that stands alone is its own group. */
function membersOf(group: JsonObject, key: string): readonly JsonObject[] {
  const members = group[key];
  return Array.isArray(members) ? members.filter(isObject) : [group];
}

/** The key of the next page as a query parameter; arrays go as JSON. */
function keyText(key: Json | undefined): string | undefined {
  if (key === undefined || key === null || key === '') return undefined;
  return typeof key === 'string' ? key : JSON.stringify(key);
}
