import { createHash } from 'node:crypto';
import { Failure, ignoreFailure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { isPrivateKey } from '../../contract/name-lists.ts';
import { resourceOf } from '../../contract/resource.ts';
import { redact } from '../../contract/secrets.ts';
import type { Operation } from '../../contract/types.ts';
import type { ApiParts, ApiRequest, Reply } from './api.ts';
import type { Sending } from './client.ts';
import { firstHeader } from './exchange.ts';

export interface ReadRevision {
  readonly etag: string;
  readonly digests: Digests;
}

type Digests = ReadonlyMap<string, string>;

export type KnownRevisions = Map<string, ReadRevision>;

/** Retries after a conflict that the service caused itself. */
const repeats = 3;

/** These methods change a record at the path where it was read. */
const changes: ReadonlySet<string> = new Set(['PATCH', 'POST']);

export const readOperationOf = ({ resource, path }: Operation): Operation | undefined =>
  resourceOf({ resource }).operations.find((each) => each.method === 'GET' && each.path === path);

/** Ignores fields that only the service writes, because they may change at any time. */
function fieldDigests(record: JsonObject, { resource }: Operation): Digests {
  const { properties = {} } = resourceOf({ resource }).schema;
  const shown = Object.entries(record).filter(
    ([key, value]) => value !== undefined && !isPrivateKey(key) && properties[key]?.readOnly !== true,
  );
  return new Map(
    shown.map(([key, value]) => [key, createHash('sha1').update(JSON.stringify(value)).digest('base64')]),
  );
}

const changedFields = (before: Digests, now: Digests): readonly string[] =>
  [...new Set([...before.keys(), ...now.keys()])].filter((key) => before.get(key) !== now.get(key));

/** Returns true if removed fields are gone and other fields have their values. */
function isApplied(record: Json | undefined, wanted: Json | undefined): boolean {
  if (wanted === undefined) return true;
  if (wanted === null) return record === undefined || record === null;
  if (isObject(wanted))
    return Object.entries(wanted).every(([key, inner]) =>
      isApplied(isObject(record) && Object.hasOwn(record, key) ? record[key] : undefined, inner),
    );
  return JSON.stringify(record) === JSON.stringify(wanted);
}

/**
 * Guards changes of read records against lost updates. If the service returned an ETag, the change is sent with
 * `If-Match`. `read` reads a record again. `send` accepts additional headers. Throws a `Failure` of kind `conflict`
 * if others changed the record.
 */
export function createUpdateGuard(
  { baseUrl, revisions: known = new Map(), learned }: Pick<ApiParts, 'baseUrl' | 'revisions' | 'learned'>,
  read: (call: ApiRequest) => Promise<Reply>,
): (request: ApiRequest, sending: Sending, send: (sending: Sending) => Promise<Reply>) => Promise<Reply> {
  const recordAddress = ({ path }: Sending): string => baseUrl + path;

  const rememberRevision = (sending: Sending, reply: Reply): void => {
    const { method, operation } = sending;
    if (method !== 'GET') known.delete(recordAddress(sending));
    const etag = firstHeader(reply.headers, 'etag');
    if (method !== 'GET' || etag === undefined || operation?.reply.kind !== 'record') return;
    if (isObject(reply.data))
      known.set(recordAddress(sending), { etag, digests: fieldDigests(reply.data, operation) });
  };
  const refusingOperations = new Set<string>();
  const refusesTag = ({ id, resource, method }: Operation): boolean =>
    refusingOperations.has(id) ||
    learned?.refusesTags?.includes(id) === true ||
    resourceOf({ resource }).refusesTag?.includes(method) === true;

  async function sendGuarded(
    request: ApiRequest,
    sending: Sending,
    send: (sending: Sending) => Promise<Reply>,
  ) {
    for (let again = 0; ; again += 1) {
      const before = changes.has(sending.method) ? known.get(recordAddress(sending)) : undefined;
      const isBare = before !== undefined && refusesTag(request.operation);
      if (isBare) await refuseChanged(request, before);
      const headers = before && !isBare ? { ...sending.headers, 'if-match': before.etag } : sending.headers;
      try {
        const reply = await send({ ...sending, headers });
        rememberRevision(sending, reply);
        return reply;
      } catch (error) {
        if (!(error instanceof Failure) || !isRevisionConflict(error, request.operation)) throw error;
        const reading = readOperationOf(request.operation);
        const now = reading && (await ignoreFailure(read({ operation: reading, path: request.path ?? {} })));
        if (!now || !isObject(now.data)) throw error;
        if (error.inDoubt && isApplied(now.data, request.data)) return now;
        const theirs =
          before === undefined
            ? []
            : changedFields(before.digests, fieldDigests(now.data, request.operation));
        if (theirs.length > 0) throw overtakenFailure(request, now.data, theirs, error);
        if (again >= repeats) throw error;
        // Not a conflict, because no one changed the record.
        if (error.status === 412 && before?.etag === known.get(recordAddress(sending))?.etag)
          refusingOperations.add(request.operation.id);
      }
    }
  }

  /** Reads a record again just before a write without revision. Throws `Failure` (`conflict`) if it has changed. */
  async function refuseChanged(request: ApiRequest, before: ReadRevision): Promise<void> {
    const reading = readOperationOf(request.operation);
    const now = reading && (await read({ operation: reading, path: request.path ?? {} }));
    if (!now || !isObject(now.data)) return;
    const theirs = changedFields(before.digests, fieldDigests(now.data, request.operation));
    if (theirs.length > 0) throw overtakenFailure(request, now.data, theirs);
  }

  return sendGuarded;
}

/** A 409 can also be about a unique value. */
const isRevisionConflict = ({ status, code }: Failure, { method }: Operation): boolean =>
  changes.has(method) && (status === 412 || (status === 409 && code === 'datastore_conflict'));

/** Includes the current values of the fields that another user changed. */
function overtakenFailure(
  { operation }: ApiRequest,
  record: JsonObject,
  theirs: readonly string[],
  clash?: Failure,
): Failure {
  const { singular, schema } = resourceOf(operation);
  const current = redact(schema, record);
  const shown = theirs.map((field) => {
    const value = isObject(current) ? current[field] : undefined;
    return `  ${field}: ${value === undefined ? '(none)' : JSON.stringify(value)}`;
  });
  return new Failure(
    'conflict',
    [
      `The ${singular} was changed by somebody else since it was read. Nothing was overwritten.`,
      'It now has:',
      ...shown,
    ],
    {
      status: clash?.status,
      code: clash?.code,
      requestId: clash?.requestId,
      details: { current, changed: theirs },
      hint: 'Check the new values, and then repeat your change.',
      cause: clash,
    },
  );
}

const hasEmptyObject = (data: JsonObject): boolean =>
  Object.values(data).some(
    (value) => isObject(value) && (Object.keys(value).length === 0 || hasEmptyObject(value)),
  );

/**
 * Removes empty objects from a patch if the record has fields there. A merge would not change them, but services
 * replace the record's value, so `children: {}` would remove all branches of a flow.
 */
export function omitEmptyParts(part: JsonObject, record: JsonObject): JsonObject {
  const entries = Object.entries(part).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
    const stored = Object.hasOwn(record, key) ? record[key] : undefined;
    if (value === undefined) return [];
    if (!isObject(value) || !isObject(stored) || Object.keys(stored).length === 0) return [[key, value]];
    const left = omitEmptyParts(value, stored);
    return Object.keys(left).length === 0 ? [] : [[key, left]];
  });
  return Object.fromEntries(entries);
}

function mergePart(stored: JsonObject, part: JsonObject): JsonObject {
  const changed = Object.entries(part).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
    if (value === null || value === undefined) return [];
    const here = Object.hasOwn(stored, key) ? stored[key] : undefined;
    return [[key, isObject(value) ? mergePart(isObject(here) ? here : {}, value) : value]];
  });
  const kept = Object.entries(stored).filter(([key]) => !Object.hasOwn(part, key));
  return Object.fromEntries([...kept, ...changed]);
}

/** Replaces the record with the merged one, for services without patches. */
export function toReplacement(request: ApiRequest, record: JsonObject, always = false): ApiRequest {
  const { operation, data } = request;
  if (operation.body?.kind !== 'partial' || !(operation.body.whole || always) || !isObject(data))
    return request;
  const { name, operations, schema } = resourceOf(operation);
  const update = operations.find(({ verb }) => verb === 'update');
  if (update === undefined) throw new Error(`${name} cannot be replaced.`);
  const { properties = {} } = schema;
  const stored = Object.entries(record).filter(
    ([key]) => key !== 'id' && !isPrivateKey(key) && properties[key]?.readOnly !== true,
  );
  return { ...request, operation: update, data: mergePart(Object.fromEntries(stored), data) };
}

/** Returns a patch with complete nested values, for services that only merge top-level fields. */
function withWholeValues(request: ApiRequest, record: JsonObject): ApiRequest {
  const { data } = request;
  if (!isObject(data)) return request;
  // Some services store a nested null instead of removing the field.
  if (Object.values(data).some(hasNestedNull)) return toReplacement(request, record, true);
  const whole = Object.entries(data).map(([key, value]) => {
    const stored = Object.hasOwn(record, key) ? record[key] : undefined;
    return [key, isObject(value) && isObject(stored) ? mergePart(stored, value) : value] as const;
  });
  return { ...request, data: Object.fromEntries(whole) };
}

const hasNestedNull = (value: Json | undefined): boolean =>
  isObject(value) && Object.values(value).some((inner) => inner === null || hasNestedNull(inner));

/**
 * Makes a merge mean the same on every service. Reads the record if an empty object could replace data, or if omitted
 * data would be lost. `oneLevel` contains operations that only merge top-level fields.
 */
export async function completeMerges(
  request: ApiRequest,
  read: (call: ApiRequest) => Promise<Reply>,
  oneLevel: readonly string[] = [],
): Promise<ApiRequest> {
  const { operation, path = {}, data } = request;
  if (operation.body?.kind !== 'partial' || !isObject(data)) return request;
  const { whole } = operation.body;
  const reading = readOperationOf(operation);
  const isFlat = resourceOf(operation).mergesOneLevel === true || oneLevel.includes(operation.id);
  const holdsParts = isFlat && Object.values(data).some((value) => isObject(value));
  if (!reading || !(whole || holdsParts || hasEmptyObject(data))) return request;
  try {
    const { data: record } = await read({ operation: reading, path });
    if (!isObject(record)) return request;
    if (whole) return toReplacement(request, record);
    const part = { ...request, data: omitEmptyParts(data, record) };
    return isFlat ? withWholeValues(part, record) : part;
  } catch (error) {
    // A service without this read merges as specified. If the record is missing, the change fails.
    if (error instanceof Failure && (error.status === 404 || error.status === 405)) return request;
    throw error;
  }
}
