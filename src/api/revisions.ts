import { createHash } from 'node:crypto';
import { Failure } from '../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { resourceByName } from '../contract/catalogue.ts';
import { isPrivateKey } from '../contract/private-key.ts';
import { redact } from '../contract/secrets.ts';
import type { Operation } from '../contract/types.ts';
import type { Call, Reply } from './api.ts';
import type { ApiParts } from './api-parts.ts';
import type { Sending } from './client.ts';
import { headerOf } from './exchange.ts';

/** A record as it was read: its ETag, and a digest of what it showed. */
export interface ReadRevision {
  readonly etag: string;
  readonly digest: string;
}

/** Revisions by the addresses of their records. */
export type KnownRevisions = Map<string, ReadRevision>;

/**
 * Number of times that a change is sent again after it clashed with one of the service's own, or with one of a part
 * of the same record.
 */
const repeats = 3;

/** Methods that change a record at the path where it was read. */
const changes: ReadonlySet<string> = new Set(['PATCH', 'POST']);

/** The read of the record that an operation changes at the same path. */
export const readOf = ({ resource, path }: Operation): Operation | undefined =>
  resourceByName(resource).operations.find((each) => each.method === 'GET' && each.path === path);

/** A digest of what people see of a record. Whatever only the service writes may change unasked. */
function digestOf(record: JsonObject, { resource }: Operation): string {
  const { properties = {} } = resourceByName(resource).schema;
  const shown = Object.entries(record)
    .filter(([key]) => !isPrivateKey(key) && properties[key]?.readOnly !== true)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha1').update(JSON.stringify(shown)).digest('base64');
}

/**
 * Tells whether a record holds what a change wanted: fields that it removed are gone, all others have the values
 * sent.
 */
function holds(record: Json | undefined, wanted: Json | undefined): boolean {
  if (wanted === undefined) return true;
  if (wanted === null) return record === undefined || record === null;
  if (isObject(wanted))
    return Object.entries(wanted).every(([key, inner]) =>
      holds(isObject(record) && Object.hasOwn(record, key) ? record[key] : undefined, inner),
    );
  return JSON.stringify(record) === JSON.stringify(wanted);
}

/**
 * Guards changes of records that were read against lost updates: where the service gave an ETag, the change is sent
 * with it as `If-Match`, so that a record that somebody else changed since is not overwritten.
 */
export interface Revisions {
  /** Sends a call by `send`, which takes headers besides the usual ones. Throws `Failure`, `conflict` for a clash. */
  guarded(one: Call, sending: Sending, send: (sending: Sending) => Promise<Reply>): Promise<Reply>;
}

/** Remembers revisions of what is read; `read` reads a record again. */
export function createRevisions(
  { baseUrl, revisions: known = new Map() }: Pick<ApiParts, 'baseUrl' | 'revisions'>,
  read: (call: Call) => Promise<Reply>,
): Revisions {
  const addressOf = ({ path }: Sending): string => baseUrl + path;

  const note = (sending: Sending, reply: Reply): void => {
    const { method, operation } = sending;
    if (method !== 'GET') known.delete(addressOf(sending));
    const etag = headerOf(reply.headers, 'etag');
    if (method !== 'GET' || etag === undefined || operation?.reply.kind !== 'record') return;
    if (isObject(reply.data))
      known.set(addressOf(sending), { etag, digest: digestOf(reply.data, operation) });
  };

  async function guarded(one: Call, sending: Sending, send: (sending: Sending) => Promise<Reply>) {
    for (let again = 0; ; again += 1) {
      const before = changes.has(sending.method) ? known.get(addressOf(sending)) : undefined;
      const headers = before ? { ...sending.headers, 'if-match': before.etag } : sending.headers;
      try {
        const reply = await send({ ...sending, headers });
        note(sending, reply);
        return reply;
      } catch (error) {
        if (!(error instanceof Failure) || !isClash(error, one.operation)) throw error;
        const reading = readOf(one.operation);
        const now = reading && (await readAgain(reading, one, error));
        if (!now || !isObject(now.data)) throw error;
        if (error.inDoubt && holds(now.data, one.data)) return now;
        const isSame = before === undefined || before.digest === digestOf(now.data, one.operation);
        if (!isSame) throw overtaken(one, now.data, error);
        if (again >= repeats) throw error;
      }
    }
  }

  async function readAgain(operation: Operation, { path = {} }: Call, clash: Failure): Promise<Reply> {
    try {
      return await read({ operation, path });
    } catch (error) {
      if (error instanceof Failure && error.kind !== 'interrupted') throw clash;
      throw error;
    }
  }

  return { guarded };
}

/** A change that met another revision than it was made for: 412, or a 409 of the store that is no uniqueness. */
const isClash = ({ status, code }: Failure, { method }: Operation): boolean =>
  changes.has(method) && (status === 412 || (status === 409 && code === 'datastore_conflict'));

/** Somebody else changed the record since it was read: it is shown as it is now, and not overwritten. */
function overtaken({ operation, data }: Call, record: JsonObject, clash: Failure): Failure {
  const { singular, schema } = resourceByName(operation.resource);
  const current = redact(schema, record);
  const fields = isObject(data) ? Object.keys(data) : [];
  const now = isObject(current) ? fields.filter((field) => current[field] !== undefined) : [];
  const shown = now.map(
    (field) => `  ${field}: ${JSON.stringify(isObject(current) ? current[field] : null)}`,
  );
  return new Failure(
    'conflict',
    [
      `The ${singular} was changed by somebody else since it was read. Nothing was overwritten.`,
      ...(shown.length === 0 ? [] : ['It now has:', ...shown]),
    ],
    {
      status: clash.status,
      code: clash.code,
      requestId: clash.requestId,
      details: { current },
      hint: 'Look at it, and make the change again with the new values in mind.',
      cause: clash,
    },
  );
}
