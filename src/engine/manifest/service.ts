import { Failure } from '../../base/failure.ts';
import { isObject, type JsonObject, omitUndefined } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import type { Api, QueryParameters, Reply, SentFile } from '../../client/api/api.ts';
import { timestampMs } from '../../client/api/unwrap.ts';
import type { Operation } from '../../contract/types.ts';
import { withMergePatch } from './canonical.ts';
import type { Kind } from './kinds.ts';
import type { EndingRequest } from './plan.ts';
import { sendable, withTextsBeside } from './sendable.ts';

export type { SentFile };

/** The result of a call. */
export interface ServiceAnswer {
  /** The record; `undefined` where the service answered with something else, or nothing. */
  readonly record: JsonObject | undefined;
  readonly requestId: string | undefined;
  /** Time of the service's answer, by its own clock, in Gregorian seconds; `undefined` where it does not say. */
  readonly atSeconds: number | undefined;
  /** Charges that were accepted with it, as text. */
  readonly charges?: string | undefined;
}

/** The result of reading one record. `not-offered`: the service has no such call. */
export type Got = ({ readonly found: 'record' } & ServiceAnswer) | { readonly found: 'none' | 'not-offered' };

export interface ServiceList {
  /** Objects as lists show them, each with its `id`. */
  readonly items: readonly JsonObject[];
  /** Time of the service's first answer, as in `Answer`. */
  readonly atSeconds: number | undefined;
}

/** Options that choose the part of a list to read. */
export interface ListOptions {
  /** Filters. */
  readonly query?: QueryParameters;
  /** Number of objects after which no further page is read. */
  readonly atMost?: number;
}

/**
 * An account as manifests see it: objects of kinds. Methods throw `Failure`; a kind without the call that is asked
 * for is a bug. `id` of what an account has once is not looked at.
 */
export interface Service {
  readonly accountId: string;
  /** Tells whether the service may have a call; a call found missing is remembered from then on. */
  offers(kind: Kind, call: keyof Kind['calls']): boolean;
  /** All objects of a kind, or those asked for; `undefined` where the service has no such list. */
  list(kind: Kind, options?: ListOptions): Promise<ServiceList | undefined>;
  get(kind: Kind, id: string): Promise<Got>;
  /** `id`: where objects of the kind are named by who makes them (phone numbers). */
  create(kind: Kind, id: string | undefined, data: JsonObject): Promise<ServiceAnswer>;
  /** Merges a part into a record; where the service has no PATCH, it is read, merged and replaced. */
  patch(kind: Kind, id: string, data: JsonObject): Promise<ServiceAnswer>;
  replace(kind: Kind, id: string, data: JsonObject): Promise<ServiceAnswer>;
  remove(kind: Kind, id: string): Promise<ServiceAnswer>;
  /** Ends something live of the account. */
  end(call: EndingRequest): Promise<ServiceAnswer>;
  /** Gives an object its file, in place of the one that it has. */
  upload(kind: Kind, id: string, file: SentFile): Promise<ServiceAnswer>;
  /** The file of an object; `undefined` if it has none, or if the service has no such call. */
  download(kind: Kind, id: string): Promise<Uint8Array | undefined>;
}

/** Objects that one page of a list holds at most: big, since whole lists are read. */
const pageSize = '1000';

export function serviceOf(api: Api, accountId: string): Service {
  const missing = new Set<string>();
  const readable = new Set<string>();

  type Sent = Pick<Parameters<Api['call']>[0], 'data' | 'file' | 'accept'>;
  const request = (kind: Kind, name: keyof Kind['calls'], id: string | undefined, sent: Sent = {}) => {
    const operation = operationFor(kind, name);
    return api.call({ operation, path: pathOf(kind, operation, accountId, id), ...sent });
  };
  const call = async (kind: Kind, name: keyof Kind['calls'], id: string | undefined, sent?: Sent) =>
    answerOf(operationFor(kind, name), await request(kind, name, id, sent));
  const found = (kind: Kind, name: keyof Kind['calls']): boolean => !missing.has(`${kind.name}.${name}`);

  /** Sends a PATCH; if the service turns out to have none, reads the record, merges, and replaces it. */
  const patch = async (kind: Kind, id: string, data: JsonObject): Promise<ServiceAnswer> => {
    let refused: unknown;
    try {
      if (found(kind, 'patch')) return await call(kind, 'patch', id, { data });
    } catch (error) {
      if (!isNotOffered(error, operationFor(kind, 'patch')) || !kind.calls.replace) throw error;
      missing.add(`${kind.name}.patch`);
      refused = error;
    }
    const { record } = await call(kind, 'get', id);
    if (record === undefined) throw refused ?? new Error(`${kind.name} ${id} has no record.`);
    return call(kind, 'replace', id, { data: sendable(kind, withMergePatch(record, data)) });
  };

  const plain: Service = {
    accountId,
    offers: (kind, name) => kind.calls[name] !== undefined && found(kind, name),
    async list(kind, options = {}) {
      const operation = kind.calls.list;
      if (!operation || !found(kind, 'list')) return undefined;
      try {
        const listing = await listAll(api, operation, { ...options, accountId });
        readable.add(kind.name);
        return listing;
      } catch (error) {
        if (!isNotOffered(error, operation)) throw error;
        missing.add(`${kind.name}.list`);
        return undefined;
      }
    },
    async get(kind, id) {
      const operation = kind.calls.get;
      if (!operation || !found(kind, 'get')) return { found: 'not-offered' };
      try {
        return { found: 'record', ...(await call(kind, 'get', id)) };
      } catch (error) {
        if (!(error instanceof Failure) || (error.kind !== 'not_found' && !isNotOffered(error, operation)))
          throw error;
        // Where there is a list, there are records; and a record that is missing has a code word of its own.
        const offered = kind.shape === 'many' && (readable.has(kind.name) || error.code === 'bad_identifier');
        if (offered && error.status === 404) return { found: 'none' };
        // What an account has once may never have been set. The account itself must be there.
        const isUnset = error.code === 'bad_identifier' && kind.name !== 'account_settings';
        if (kind.shape === 'one' && isUnset) return { found: 'none' };
        if (operation.source === 'specification') {
          if (kind.shape === 'many') return { found: 'none' };
          throw error;
        }
        missing.add(`${kind.name}.get`);
        return { found: 'not-offered' };
      }
    },
    create: (kind, id, data) => call(kind, 'create', id, { data: isInBody(kind) ? { id, ...data } : data }),
    patch,
    replace: (kind, id, data) => call(kind, 'replace', id, { data }),
    remove: (kind, id) => call(kind, 'delete', id),
    async end({ operation: name, path, data }) {
      // A read loads this file, and only its own resource.
      const { operationById } = await import('../../contract/catalogue.ts');
      const operation = operationById(name);
      const sent = { operation, path: { account_id: accountId, ...path }, ...omitUndefined({ data }) };
      return answerOf(operation, await api.call(sent));
    },
    upload: (kind, id, file) => call(kind, 'upload', id, { file }),
    async download(kind, id) {
      const operation = kind.calls.download;
      if (!operation) return undefined;
      try {
        return (await request(kind, 'download', id)).bytes;
      } catch (error) {
        const isNone =
          error instanceof Failure && (error.kind === 'not_found' || isNotOffered(error, operation));
        if (isNone) return undefined;
        throw error;
      }
    },
  };
  return withTextsBeside(plain, {
    async read(kind, id, accept) {
      const { text, bytes } = await request(kind, 'get', id, { accept });
      return text ?? Buffer.from(bytes ?? []).toString();
    },
    send: (kind, id, file) => request(kind, 'text', id, { file }),
  });
}

/** True for kinds whose id is in the body of a create instead of its path. */
const isInBody = ({ keys, calls, resource }: Kind): boolean =>
  keys[0] === 'id' && calls.create?.path.includes(`{${resource.idParameter}}`) === false;

/** Lists a collection of an account, by default of the account acted on, in large pages. Throws `Failure`. */
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
    atSeconds ??= secondsOf(envelope.timestamp);
  });
  for await (const page of pages) {
    for (const item of page) items.push(item);
    if (items.length >= atMost) break;
  }
  return { items, atSeconds };
}

/** Tells whether a failure says that the service lacks a call which only compatible services have. */
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

/** Path parameters of a call. A sub-account is named by the parameter that names the account elsewhere. */
function pathOf(
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

function answerOf({ reply }: Operation, { data, requestId, envelope, charges }: Reply): ServiceAnswer {
  const record = isObject(data) && reply.kind !== 'empty' ? data : undefined;
  return { record, requestId, atSeconds: secondsOf(envelope.timestamp), charges };
}

/** The service's time of a reply, in Gregorian seconds. */
function secondsOf(timestamp: JsonObject[string]): number | undefined {
  const ms = timestampMs(timestamp);
  return ms === undefined ? undefined : Math.floor(ms / 1000) + gregorianOffset;
}
