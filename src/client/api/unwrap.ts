import { Failure } from '../../base/failure.ts';
import { isDeeperThan, isObject, type Json, type JsonObject, maxDepth } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import { formatCount } from '../../base/wording.ts';
import { isPrivateKey } from '../../contract/name-lists.ts';
import type { Reply } from './api.ts';
import { firstHeader, type IncomingReply } from './exchange.ts';

export interface Expected {
  readonly mayBeEmpty: boolean;
  /** Allows bodies that are not JSON. */
  readonly mayBeText: boolean;
  readonly isRecord?: boolean;
  readonly isList?: boolean;
  /** The body has no envelope. */
  readonly isFile?: boolean;
  /** Field that contains the id of a record without `id`. */
  readonly idElsewhere?: string | undefined;
  /** `data` without any of `fields` is the value of `field`, not a record. */
  readonly bare?: { readonly field: string; readonly fields: readonly string[] };
}

export interface Unwrapped {
  readonly reply: Reply;
  readonly token: string | undefined;
}

/**
 * Returns the data of a success response without the repeated token. Throws `Failure` (`failed`) if the body is not a
 * service response: HTML, empty, broken JSON, or JSON without envelope.
 */
export function unwrap(incoming: IncomingReply, expected: Expected, origin: string): Unwrapped {
  const { status, headers, text, bytes } = incoming;
  const { mayBeEmpty, mayBeText, isFile, isRecord } = expected;
  const requestId = firstHeader(headers, 'x-request-id');
  const type = firstHeader(headers, 'content-type') ?? '';
  const toUnwrapped = (reply: Partial<Reply>): Unwrapped => ({
    reply: { status, data: {}, requestId, envelope: {}, headers, ...reply },
    token: undefined,
  });
  if (bytes) {
    if (!mayBeText && !isFile) throw unexpectedBody('audio instead of data', origin);
    return toUnwrapped({ bytes });
  }
  if (isFile) throw unexpectedBody('something other than the requested file', origin);
  if (text === '') {
    if (!mayBeEmpty && !mayBeText) throw unexpectedBody('an empty body instead of data', origin);
    return toUnwrapped({});
  }
  if (mayBeText && !/json/i.test(type)) return toUnwrapped({ data: text, text });
  const body = parseBody(text, type, origin);
  if (isDeeperThan(body, maxDepth))
    throw unexpectedBody(`JSON that is nested deeper than ${maxDepth} levels`, origin);
  if (!isObject(body) || !isSuccess(body, expected)) {
    if (mayBeText && body !== null) return toUnwrapped({ data: withoutToken(body) });
    throw unexpectedBody('JSON that is not the expected envelope of status and data', origin);
  }
  const { auth_token: token, data = {}, status: _, ...envelope } = body;
  if (isRecord && !isObject(data)) throw unexpectedBody('something that is not a record', origin);
  return {
    reply: {
      status,
      data: withoutToken(toPublicData(data, expected)),
      requestId: typeof body.request_id === 'string' ? body.request_id : requestId,
      envelope,
      headers,
    },
    token: typeof token === 'string' ? token : undefined,
  };
}

function isSuccess(body: JsonObject, { mayBeEmpty }: Expected): boolean {
  if ((body.status ?? 'success') !== 'success') return false;
  return Object.hasOwn(body, 'data') || (mayBeEmpty && body.status === 'success');
}

function parseBody(text: string, type: string, origin: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/html/i.test(type) || /^\s*</.test(text))
      throw unexpectedBody('an HTML page instead of JSON', origin, error);
    if (/json/i.test(type))
      throw unexpectedBody(
        `incomplete or damaged JSON (${formatCount(text.length, 'character')})`,
        origin,
        error,
      );
    throw unexpectedBody('a body that is not JSON', origin, error);
  }
}

function unexpectedBody(what: string, origin: string, cause?: unknown): Failure {
  return new Failure('failed', `${origin} responded with ${what}.`, {
    hint: 'Check that this is the address of the service, and look for a proxy or gateway in between.',
    cause,
  });
}

/**
 * Some responses contain records as stored by the service, with `_id` instead of `id` (Conventions, Faxes), or with
 * the id under the name of a related record.
 */
function toPublicData(data: Json, { isRecord, isList, idElsewhere, bare }: Expected): Json {
  if (bare && isObject(data) && !bare.fields.some((field) => Object.hasOwn(data, field)))
    return { [bare.field]: data };
  const shownItem = (item: JsonObject): JsonObject => {
    const record = toPublicRecord(item);
    const id = idElsewhere === undefined ? undefined : record[idElsewhere];
    return id === undefined || record.id !== undefined ? record : { id, ...record };
  };
  if (isRecord && isObject(data)) return shownItem(data);
  return isList && Array.isArray(data)
    ? data.map((item: Json) => (isObject(item) ? shownItem(item) : item))
    : data;
}

const isHidden = (key: string): boolean => isPrivateKey(key) && key !== '_read_only';

function toPublicRecord(record: JsonObject): JsonObject {
  if (!Object.keys(record).some(isHidden)) return record;
  const shown = Object.fromEntries(Object.entries(record).filter(([key]) => !isHidden(key)));
  return record.id === undefined && typeof record._id === 'string' ? { id: record._id, ...shown } : shown;
}

/** Some services return the token next to the account's data. */
function withoutToken(data: Json): Json {
  if (!isObject(data)) return data;
  const { auth_token: _, ...rest } = data;
  return rest;
}

/** Parses RFC 3339, UTC without a zone, or Gregorian seconds. Returns Unix milliseconds. */
export function timestampMs(timestamp: Json | undefined): number | undefined {
  if (typeof timestamp === 'number') return (Math.floor(timestamp) - gregorianOffset) * 1000;
  if (typeof timestamp !== 'string') return undefined;
  const ms = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(timestamp) ? timestamp : `${timestamp}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns Unix milliseconds from the envelope, or from the `Date` header. */
export function replyTimeMs({ envelope, headers }: Pick<Reply, 'envelope' | 'headers'>): number | undefined {
  const own = timestampMs(envelope.timestamp);
  if (own !== undefined || typeof headers.date !== 'string') return own;
  const ms = Date.parse(headers.date);
  return Number.isNaN(ms) ? undefined : ms;
}
