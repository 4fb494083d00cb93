import { Failure } from '../../base/failure.ts';
import { isObject, type JsonObject, omitUndefined } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import type { Api, QueryParameters, Reply, SentFile } from '../../client/api/api.ts';
import { timestampMs } from '../../client/api/unwrap.ts';
import type { Operation } from '../../contract/types.ts';
import { withMergePatch } from './canonical.ts';
import type { Kind } from './kinds.ts';
import type { EndingRequest } from './plan.ts';
import { toSendable } from './sendable.ts';
import { withTextFields } from './text-fields.ts';

export type { SentFile };

export interface ServiceAnswer {
  /** `undefined` if the response contains something else. */
  readonly record: JsonObject | undefined;
  readonly requestId: string | undefined;
  /** Service clock, in Gregorian seconds. */
  readonly atSeconds: number | undefined;
  readonly charges?: string | undefined;
}

/** `not-offered` if the service has no such operation. */
export type Got = ({ readonly found: 'record' } & ServiceAnswer) | { readonly found: 'none' | 'not-offered' };

export interface ServiceList {
  readonly items: readonly JsonObject[];
  /** Time of the first response, in Gregorian seconds. */
  readonly atSeconds: number | undefined;
}

export interface ListOptions {
  readonly query?: QueryParameters;
  /** Stops after this number of objects. */
  readonly atMost?: number;
}

/** Methods throw `Failure`. They ignore the `id` of objects that an account has once. */
export interface Service {
  readonly accountId: string;
  /** Returns false if the service is known to lack the operation. */
  offers(kind: Kind, call: keyof Kind['calls']): boolean;
  /** Returns `undefined` if the service has no such list. */
  list(kind: Kind, options?: ListOptions): Promise<ServiceList | undefined>;
  get(kind: Kind, id: string): Promise<Got>;
  /** `id` is set for kinds whose objects the caller names, such as phone numbers. */
  create(kind: Kind, id: string | undefined, data: JsonObject): Promise<ServiceAnswer>;
  /** If the service has no PATCH, reads and replaces the record. */
  patch(kind: Kind, id: string, data: JsonObject): Promise<ServiceAnswer>;
  replace(kind: Kind, id: string, data: JsonObject): Promise<ServiceAnswer>;
  remove(kind: Kind, id: string): Promise<ServiceAnswer>;
  end(call: EndingRequest): Promise<ServiceAnswer>;
  /** Replaces an existing file. */
  upload(kind: Kind, id: string, file: SentFile): Promise<ServiceAnswer>;
  /** Returns `undefined` if there is no file, or if the service has no such operation. */
  download(kind: Kind, id: string): Promise<Uint8Array | undefined>;
}

/** Objects per page. Large, because whole lists are read. */
const pageSize = '1000';

interface Connection {
  readonly api: Api;
  readonly accountId: string;
  readonly missing: Set<string>;
  readonly readable: Set<string>;
}

type CallName = keyof Kind['calls'];

type Sent = Pick<Parameters<Api['call']>[0], 'data' | 'file' | 'accept'>;

export function createService(api: Api, accountId: string): Service {
  const connection: Connection = { api, accountId, missing: new Set(), readable: new Set() };
  const call = (kind: Kind, name: CallName, id: string | undefined, sent?: Sent) =>
    callAndAnswer(connection, kind, name, id, sent);
  const plain: Service = {
    accountId,
    offers: (kind, name) => kind.calls[name] !== undefined && !isMissing(connection, kind, name),
    list: (kind, options) => listKind(connection, kind, options),
    get: (kind, id) => getRecord(connection, kind, id),
    create: (kind, id, data) => call(kind, 'create', id, { data: isInBody(kind) ? { id, ...data } : data }),
    patch: (kind, id, data) => patchOrReplace(connection, kind, id, data),
    replace: (kind, id, data) => call(kind, 'replace', id, { data }),
    remove: (kind, id) => call(kind, 'delete', id),
    async end({ operation: name, path, data }) {
      // Loaded on use, because a read needs only its own resource.
      const { operationById } = await import('../../contract/catalogue.ts');
      const operation = operationById(name);
      const sent = { operation, path: { account_id: accountId, ...path }, ...omitUndefined({ data }) };
      return toAnswer(operation, await api.call(sent));
    },
    upload: (kind, id, file) => call(kind, 'upload', id, { file }),
    download: (kind, id) => downloadFile(connection, kind, id),
  };
  return withTextFields(plain, {
    async read(kind, id, accept) {
      const { text, bytes } = await request(connection, kind, 'get', id, { accept });
      return text ?? Buffer.from(bytes ?? []).toString();
    },
    send: (kind, id, file) => request(connection, kind, 'text', id, { file }),
  });
}

function request(
  { api, accountId }: Connection,
  kind: Kind,
  name: CallName,
  id: string | undefined,
  sent: Sent = {},
): Promise<Reply> {
  const operation = operationFor(kind, name);
  return api.call({ operation, path: operationPath(kind, operation, accountId, id), ...sent });
}

const callAndAnswer = async (
  connection: Connection,
  kind: Kind,
  name: CallName,
  id: string | undefined,
  sent?: Sent,
): Promise<ServiceAnswer> =>
  toAnswer(operationFor(kind, name), await request(connection, kind, name, id, sent));

const isMissing = ({ missing }: Connection, kind: Kind, name: CallName): boolean =>
  missing.has(`${kind.name}.${name}`);

async function listKind(
  connection: Connection,
  kind: Kind,
  options: ListOptions = {},
): Promise<ServiceList | undefined> {
  const { api, accountId, missing, readable } = connection;
  const operation = kind.calls.list;
  if (!operation || isMissing(connection, kind, 'list')) return undefined;
  try {
    const listing = await listAll(api, operation, { ...options, accountId });
    readable.add(kind.name);
    return listing;
  } catch (error) {
    if (!isNotOffered(error, operation)) throw error;
    missing.add(`${kind.name}.list`);
    return undefined;
  }
}

async function getRecord(connection: Connection, kind: Kind, id: string): Promise<Got> {
  const operation = kind.calls.get;
  if (!operation || isMissing(connection, kind, 'get')) return { found: 'not-offered' };
  try {
    return { found: 'record', ...(await callAndAnswer(connection, kind, 'get', id)) };
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind !== 'not_found' && !isNotOffered(error, operation)))
      throw error;
    const isUnknownId = error.code === 'bad_identifier';
    // A service with a list has records, and reports an unknown id with its own code.
    const isOffered = kind.shape === 'many' && (connection.readable.has(kind.name) || isUnknownId);
    if (isOffered && error.status === 404) return { found: 'none' };
    // Settings may never have been set. Only settings of the account itself always exist.
    if (kind.shape === 'one' && isUnknownId && kind.name !== 'account_settings') return { found: 'none' };
    if (operation.source === 'specification') {
      if (kind.shape === 'many') return { found: 'none' };
      throw error;
    }
    connection.missing.add(`${kind.name}.get`);
    return { found: 'not-offered' };
  }
}

/** If the service has no PATCH, reads the record, merges the fields, and replaces it. */
async function patchOrReplace(
  connection: Connection,
  kind: Kind,
  id: string,
  data: JsonObject,
): Promise<ServiceAnswer> {
  let refused: unknown;
  try {
    if (!isMissing(connection, kind, 'patch'))
      return await callAndAnswer(connection, kind, 'patch', id, { data });
  } catch (error) {
    if (!isNotOffered(error, operationFor(kind, 'patch')) || !kind.calls.replace) throw error;
    connection.missing.add(`${kind.name}.patch`);
    refused = error;
  }
  const { record } = await callAndAnswer(connection, kind, 'get', id);
  if (record === undefined) throw refused ?? new Error(`${kind.name} ${id} has no record.`);
  const replacement = toSendable(kind, withMergePatch(record, data));
  return callAndAnswer(connection, kind, 'replace', id, { data: replacement });
}

async function downloadFile(connection: Connection, kind: Kind, id: string): Promise<Uint8Array | undefined> {
  const operation = kind.calls.download;
  if (!operation) return undefined;
  try {
    return (await request(connection, kind, 'download', id)).bytes;
  } catch (error) {
    const isAbsent =
      error instanceof Failure && (error.kind === 'not_found' || isNotOffered(error, operation));
    if (isAbsent) return undefined;
    throw error;
  }
}

/** For some kinds, the id is in the body of a create instead of its path. */
const isInBody = ({ keys, calls, resource }: Kind): boolean =>
  keys[0] === 'id' && calls.create?.path.includes(`{${resource.idParameter}}`) === false;

/** Uses the selected account by default. Throws `Failure`. */
export async function listAll(
  api: Api,
  operation: Operation,
  {
    accountId,
    query = {},
    atMost = Number.POSITIVE_INFINITY,
  }: ListOptions & { readonly accountId?: string } = {},
): Promise<ServiceList> {
  const items: JsonObject[] = [];
  let atSeconds: number | undefined;
  const path = accountId === undefined ? {} : { account_id: accountId };
  const own = operation.path.includes('{account_id}') ? {} : path;
  const call = {
    operation,
    path,
    query: { page_size: pageSize, ascending: 'true', ...own, ...operation.listed?.everything, ...query },
  };
  const pages = api.pages(call, ({ envelope }) => {
    atSeconds ??= gregorianSeconds(envelope.timestamp);
  });
  for await (const page of pages) {
    for (const item of page) items.push(item);
    if (items.length >= atMost) break;
  }
  return { items, atSeconds };
}

/** Returns true if the service lacks an operation that only compatible services have. */
export const isNotOffered = (error: unknown, { source }: Operation): boolean =>
  error instanceof Failure &&
  source === 'convention' &&
  ((error.status === 404 && (error.code === undefined || error.code === 'not_found')) ||
    error.status === 405 ||
    error.status === 501);

function operationFor(kind: Kind, name: keyof Kind['calls']): Operation {
  const operation = kind.calls[name];
  if (!operation) throw new Error(`${kind.name} has no call ${name}.`);
  return operation;
}

function operationPath(
  { resource, shape, name }: Kind,
  { path }: Operation,
  accountId: string,
  id: string | undefined,
): Readonly<Record<string, string>> {
  const own = { account_id: accountId };
  if (shape === 'one' || id === undefined || resource.idParameter === undefined) return own;
  const isChild = name === 'accounts' && path === '/accounts/{account_id}';
  return isChild ? { account_id: id } : { ...own, [resource.idParameter]: id };
}

function toAnswer({ reply }: Operation, { data, requestId, envelope, charges }: Reply): ServiceAnswer {
  const record = isObject(data) && reply.kind !== 'empty' ? data : undefined;
  return { record, requestId, atSeconds: gregorianSeconds(envelope.timestamp), charges };
}

function gregorianSeconds(timestamp: JsonObject[string]): number | undefined {
  const ms = timestampMs(timestamp);
  return ms === undefined ? undefined : Math.floor(ms / 1000) + gregorianOffset;
}
