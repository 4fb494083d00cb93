import { isObject, type Json } from '../base/json.ts';
import type { Call, Query, SentFile } from '../client/api/api.ts';
import { operations } from '../contract/catalogue.ts';
import type { Operation } from '../contract/types.ts';
import type { AcceptCharges, CallOptions } from './client-types.ts';

/** The operations that a client offers: all but the sign-ins, which it makes by itself. */
export const offered: readonly Operation[] = operations.filter(({ authenticated }) => authenticated);

/** The name of an operation's method: `rotateApiKey` for `accounts.rotate-api-key`. */
export const methodName = ({ verb }: Operation): string =>
  verb.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The ids that a call of an operation takes before its data, in the order of its path. The account is an option, but
 * where it is the record itself.
 */
export function idsOf({ path, resource, verb }: Operation): readonly string[] {
  const isAccount = resource === 'accounts' && path === '/accounts/{account_id}' && verb !== 'create';
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    name === 'account_id' && !isAccount ? [] : [name],
  );
}

/** True where a call takes data after its ids. */
export const takesData = ({ body }: Operation): boolean =>
  body !== undefined && body.kind !== 'file' && (body.kind !== 'action' || body.data !== undefined);

/** True where a call takes a file after its ids. */
export const takesFile = ({ body }: Operation): boolean => body?.kind === 'file';

/** What one call says for itself, beside what is sent. */
export interface EachCall extends Pick<CallOptions, 'account' | 'signal' | 'timeout' | 'retries'> {
  readonly accept?: AcceptCharges | undefined;
}

/** An argument of a method. */
export type Given = Json | SentFile | CallOptions | undefined;

const isFile = (given: Given): given is SentFile =>
  typeof given === 'object' && given !== null && 'bytes' in given && given.bytes instanceof Uint8Array;

/** True for what stands in the place of data: what it holds is checked by whoever sends it. */
const isData = (given: Given): given is Json => given !== undefined && !isFile(given);

const isOptions = (given: Given): given is CallOptions => !isFile(given) && isObject(given);

/** The call that the arguments of a method mean: its ids, its data, its options. */
export function callOf(
  operation: Operation,
  given: readonly Given[],
): { readonly call: Call; readonly each: EachCall } {
  const names = idsOf(operation);
  const path = Object.fromEntries(names.map((name, index) => [name, String(given[index] ?? '')]));
  const rest = given.slice(names.length);
  const data = takesData(operation) ? rest.shift() : undefined;
  const [file] = takesFile(operation) ? rest.splice(0, 1) : [];
  const [options] = rest;
  const { query, accept, account, confirm, signal, timeout, retries }: CallOptions = isOptions(options)
    ? options
    : {};
  return {
    each: {
      ...(account === undefined ? {} : { account }),
      ...(signal === undefined ? {} : { signal }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(retries === undefined ? {} : { retries }),
      ...(typeof accept === 'function' ? { accept } : {}),
    },
    call: {
      operation,
      path,
      ...(isData(data) ? { data } : {}),
      ...(isFile(file) ? { file } : {}),
      ...(isObject(query) ? { query: queryOf(query) } : {}),
      ...(typeof accept === 'string' ? { accept } : {}),
      ...(typeof confirm === 'string' ? { confirm } : {}),
    },
  };
}

const queryOf = (given: Readonly<Record<string, Json | undefined>>): Query =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map(String)
        : value === undefined || value === null
          ? undefined
          : String(value),
    ]),
  );
