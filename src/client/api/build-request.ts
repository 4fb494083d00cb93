import { Failure } from '../../base/failure.ts';
import {
  halfPair,
  isObject,
  type Json,
  type JsonObject,
  malformedAt,
  omitUndefined,
} from '../../base/json.ts';
import { dialledDigits, withDialledNumbers } from '../../contract/phone-number.ts';
import { acceptance, requestSchema } from '../../contract/resource.ts';
import { numbers } from '../../contract/resources/numbers.ts';
import type { Operation } from '../../contract/types.ts';
import type { ApiParts, ApiRequest, QueryParameters, RawCall } from './api.ts';
import type { Sending } from './client.ts';

/** Prefix of operations whose path has one in the specification (Versioning 1). */
const alwaysPrefix = '/v2';

/** Services only accept phone numbers in paths without spaces and punctuation. */
export const numberParameter = numbers.idParameter ?? '';

/** Encodes a value as one path segment. Throws `invalid` for empty text, `.`, `..` and invalid Unicode. */
function pathSegment(name: string, value: string): string {
  const invalidValueFailure = (why: string) =>
    new Failure(
      'invalid',
      `${JSON.stringify(value)} cannot be used as ${name.replaceAll('_', ' ')}: ${why}.`,
    );
  if (value === '') throw invalidValueFailure('it is empty');
  if (value === '.' || value === '..') throw invalidValueFailure('it has a special meaning in a path');
  if (!value.isWellFormed()) throw invalidValueFailure(`it ${halfPair}`);
  return encodeURIComponent(value);
}

/** Throws `invalid` for text that is not valid Unicode, because the service would store other text. */
function refuseMalformed(value: Json): void {
  const path = malformedAt(value);
  if (path === undefined) return;
  const what = path === '' ? JSON.stringify(value) : `"${path}"`;
  throw new Failure('invalid', `${what} ${halfPair}. The request was not sent.`);
}

function fillPath(operation: Operation, values: Readonly<Record<string, string>>): string {
  return operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value !== undefined)
      return pathSegment(name, name === numberParameter ? dialledDigits(value) : value);
    if (name === 'account_id') throw new Failure('usage', 'No account is chosen. Pass one with --account.');
    throw new Error(`${operation.id} needs ${name}.`);
  });
}

function queryString(query: QueryParameters | undefined): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) {
      refuseMalformed(each);
      parameters.append(name, each);
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

const toServiceNumbers = (operation: Operation, data: Json): Json =>
  isObject(data) ? withDialledNumbers(requestSchema(operation), data) : data;

function buildBody({ operation, data = {}, isVerbatim }: ApiRequest): RequestBody | undefined {
  if (operation.body === undefined || operation.body.kind === 'file') return undefined;
  refuseMalformed(data);
  return RequestBody.fromEnvelope(
    operation.body.kind === 'action'
      ? { action: operation.body.action, data }
      : { data: isVerbatim ? data : toServiceNumbers(operation, data) },
  );
}

/**
 * Returns the path with prefix and encoded segments, the query with its `?`, and the body. Throws `Failure` if a path
 * parameter is invalid.
 */
export function buildRequest(
  call: ApiRequest,
  { prefix, accountId }: Pick<ApiParts, 'prefix' | 'accountId'>,
) {
  const { operation } = call;
  const path = fillPath(operation, { ...omitUndefined({ account_id: accountId }), ...call.path });
  return {
    path: `${operation.prefix === 'always' ? alwaysPrefix : prefix}${path}`,
    search: queryString(call.query),
    body: buildBody(call),
  };
}

/** Throws `usage` for a path that leaves the service. */
export function buildRawRequest(baseUrl: string, call: RawCall): Sending {
  const method = call.method.toUpperCase();
  const isRead = method === 'GET' || method === 'HEAD';
  const { path, search } = parseTarget(baseUrl, call);
  refuseAcceptance(search, call.body);
  refuseMalformed(call.body ?? {});
  return {
    method,
    path,
    search,
    body: call.body && RequestBody.fromEnvelope(call.body),
    headers: call.headers ?? {},
    effect: isRead ? 'read' : method === 'DELETE' ? 'destructive' : 'write',
    repeat: isRead ? 'safe' : 'never',
    authenticated: true,
    expected: { mayBeEmpty: true, mayBeText: true },
  };
}

/** Throws `usage` for a request that accepts charges before the user has seen them. */
function refuseAcceptance(search: string, body: JsonObject | undefined): void {
  const names = Object.entries(body ?? {}).flatMap(([key, part]) => [
    key,
    ...(isObject(part) ? Object.keys(part) : []),
  ]);
  // Services convert the keys of an envelope to lower case.
  const all = [...names, ...new URLSearchParams(search).keys()];
  if (all.every((name) => name.toLowerCase() !== acceptance)) return;
  throw new Failure('usage', `A request cannot accept charges itself. Remove ${acceptance}.`, {
    hint: 'telctl shows the charges first. Accept them with --accept-charges or --accept-charges-up-to AMOUNT.',
  });
}

function parseTarget(baseUrl: string, call: RawCall): Pick<Sending, 'path' | 'search'> {
  const invalidPathFailure = (why: string) =>
    new Failure('usage', `The path ${JSON.stringify(call.path)} ${why}.`, {
      hint: 'Pass a path from the root of the service, such as /v2/accounts/ACCOUNT_ID/users',
    });
  if (!/^\/(?!\/)/.test(call.path)) throw invalidPathFailure('does not start with one slash');
  if (!call.path.isWellFormed()) throw invalidPathFailure(halfPair);
  const base = new URL(baseUrl);
  const folder = base.pathname.replace(/\/$/, '');
  const url = new URL(`${base.origin}${folder}${call.path}`);
  if (url.origin !== base.origin) throw invalidPathFailure('leads to another host');
  const [typed = ''] = call.path.split(/[?#]/, 1);
  if (typed.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    throw invalidPathFailure('contains "." or ".."');
  const more = queryString(call.query);
  const search = url.search === '' ? more : more === '' ? url.search : `${url.search}&${more.slice(1)}`;
  return { path: url.pathname.slice(folder.length), search };
}

export type BodyAcceptance = 'beside-data' | 'in-data';

const withoutAcceptance = (value: Json): Json => {
  if (!isObject(value) || !Object.hasOwn(value, acceptance)) return value;
  const { [acceptance]: _, ...rest } = value;
  return rest;
};

/**
 * The body of a request, including the envelope. `RequestBody.of` creates every body and removes acceptance of
 * charges. Some services store it with the record, and a record that is read and sent back would accept any charges.
 * Only `accept-charges.ts` calls `acceptCharges`, which adds it.
 */
export class RequestBody {
  readonly envelope: JsonObject;

  private constructor(envelope: JsonObject) {
    this.envelope = envelope;
  }

  static fromEnvelope(envelope: JsonObject = { data: {} }): RequestBody {
    const { [acceptance]: _, ...rest } = envelope;
    const { data } = rest;
    return new RequestBody(data === undefined ? rest : { ...rest, data: withoutAcceptance(data) });
  }

  /** Adds acceptance of charges. If the data is not an object, acceptance goes next to it. */
  acceptCharges(place: BodyAcceptance): RequestBody {
    const { data = {} } = this.envelope;
    return new RequestBody(
      place === 'in-data' && isObject(data)
        ? { ...this.envelope, data: { ...data, [acceptance]: true } }
        : { ...this.envelope, [acceptance]: true },
    );
  }
}

/** Returns true if a record contains acceptance of charges, which some services store. */
export const carriesAcceptance = (record: unknown): boolean =>
  isObject(record) &&
  Object.hasOwn(record, acceptance) &&
  (record[acceptance] === true || record[acceptance] === 'true');
