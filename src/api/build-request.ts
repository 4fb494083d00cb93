import { Failure } from '../base/failure.ts';
import { isObject, type Json } from '../base/json.ts';
import { resourceByName } from '../contract/catalogue.ts';
import { dialledDigits, withDialledNumbers } from '../contract/phone-number.ts';
import type { Operation } from '../contract/types.ts';
import type { Call, Query } from './api.ts';
import { RequestBody } from './request-body.ts';

/** A request before it has an address, headers and a token. */
export interface RequestDraft {
  /** Path with prefix, every segment encoded. */
  readonly path: string;
  /** With its `?`; empty without query. */
  readonly search: string;
  readonly body: RequestBody | undefined;
}

/** The target of a request: the values of the prefix and the account of paths. */
export interface Place {
  readonly prefix: string;
  readonly accountId: string | undefined;
}

/** Prefix of the operations that the specification writes with one (Versioning 1). */
const alwaysPrefix = '/v2';

/** A path parameter that is a phone number, which services take without blanks and marks alone. */
const numberParameter = resourceByName('numbers').idParameter;

/**
 * Encodes a value as one segment of a path. Refuses (`invalid`) what cannot be one: nothing, `.`, `..`, and text that
 * is no valid Unicode.
 */
function pathSegment(name: string, value: string): string {
  const refuse = (why: string, cause?: unknown) =>
    new Failure(
      'invalid',
      `${JSON.stringify(value)} cannot be used as ${name.replaceAll('_', ' ')}: ${why}.`,
      {
        cause,
      },
    );
  if (value === '') throw refuse('it is empty');
  if (value === '.' || value === '..') throw refuse('it has a meaning of its own in a path');
  try {
    return encodeURIComponent(value);
  } catch (error) {
    throw refuse('it is not valid text', error);
  }
}

/** The path of an operation with its parameters filled in. A missing parameter is a bug, but for the account. */
function filledPath(operation: Operation, values: Readonly<Record<string, string>>): string {
  return operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value !== undefined)
      return pathSegment(name, name === numberParameter ? dialledDigits(value) : value);
    if (name === 'account_id') throw new Failure('usage', 'No account is chosen. Name one with --account.');
    throw new Error(`${operation.id} needs ${name}.`);
  });
}

/** A query string with its `?`, or nothing. */
export function searchOf(query: Query | undefined): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) parameters.append(name, each);
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Data with its numbers as services match them. */
function sent({ resource, body }: Operation, data: Json): Json {
  const schema = body?.kind === 'value' ? body.schema : resourceByName(resource).schema;
  return isObject(data) ? withDialledNumbers(schema, data) : data;
}

/** The envelope that carries a call's data (Conventions, Request envelope). */
function bodyOf({ operation, data = {}, isVerbatim }: Call): RequestBody | undefined {
  if (operation.body === undefined) return undefined;
  return RequestBody.of(
    operation.body.kind === 'action'
      ? { action: operation.body.action, data }
      : { data: isVerbatim ? data : sent(operation, data) },
  );
}

/** Turns a call into a request. Throws `Failure` where a path parameter cannot stand in a path. */
export function buildRequest(call: Call, place: Place): RequestDraft {
  const { operation } = call;
  const own = place.accountId === undefined ? {} : { account_id: place.accountId };
  const path = filledPath(operation, { ...own, ...call.path });
  return {
    path: `${operation.prefix === 'always' ? alwaysPrefix : place.prefix}${path}`,
    search: searchOf(call.query),
    body: bodyOf(call),
  };
}
