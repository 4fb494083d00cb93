import { Failure } from '../base/failure.ts';
import { isObject, type Json, type JsonObject, omitUndefined } from '../base/json.ts';
import type { Consent } from '../cli/command/context.ts';
import type { Agreement } from '../client/api/accept-charges.ts';
import type { Api, ApiRequest, QueryParameters, Reply, SentFile } from '../client/api/api.ts';
import { operations } from '../contract/catalogue.ts';
import { isListed } from '../contract/resource.ts';
import type { Operation } from '../contract/types.ts';
import type {
  AcceptCharges,
  CallOptions,
  Client,
  ProfileOptions,
  Records,
  Replied,
  Sent,
} from './client-types.ts';
import { runForProgram, toProgramFailure } from './for-programs.ts';

/** Sends the calls of a client. */
export interface ClientSender {
  /** Returns the API of an account (default: the client's account). */
  apiFor(account: string | undefined): Promise<Api>;
  /** Returns the consent to charges of one call. */
  agreementBy(accept: AcceptCharges): Agreement;
  accountId(): Promise<string>;
  close(): Promise<void>;
}

/** The property of a client that holds its options. Other entry points, which are bundled separately, read it. */
const key = Symbol.for('telctl.client');

/** Returns the options of a client from any entry point. Throws `usage` for other values. */
export function optionsOf(client: Client): ProfileOptions {
  const options: unknown = Reflect.get(client, key);
  if (typeof options !== 'function')
    throw new Failure('usage', 'This is not a client that connect returned.');
  return options();
}

/** Creates a client with a method for each operation. */
export function clientOf(speaker: ClientSender, options: ProfileOptions): Client {
  const byResource = Map.groupBy(offeredOperations, ({ resource }) => resource);
  const nouns = [...byResource].map(([name, operations]) => [
    name,
    Object.fromEntries(operations.map((each) => [methodName(each), methodOf(each, speaker)])),
  ]);
  // The types are generated from the same operations. Only this cast is unchecked.
  const client = {
    ...Object.fromEntries(nouns),
    accountId: () => runForProgram(() => speaker.accountId()),
    close: () => speaker.close(),
  } as Client;
  return Object.defineProperty(client, key, { value: () => options });
}

type Method = (...given: readonly Given[]) => Records<JsonObject> | Sent<Given>;

function methodOf(operation: Operation, speaker: ClientSender): Method {
  return (...given) => {
    const { call, each } = callOf(operation, given);
    const api = () => apiFor(speaker, each);
    return isListed(operation) ? recordsOf(call, api) : startCall(call, api);
  };
}

function startCall(call: ApiRequest, api: () => Promise<Api>): Sent<Given> {
  const came = runForProgram(async () => (await api()).call(call));
  const data = came.then((reply) => dataOf(call, reply));
  return Object.assign(data, {
    async reply(): Promise<Replied<Given>> {
      // A caller that requests the complete response gets the failure from there.
      data.catch(() => undefined);
      const reply = await came;
      const { status, headers, requestId } = reply;
      return { data: dataOf(call, reply), status, headers, requestId };
    },
  });
}

function dataOf({ operation }: ApiRequest, { data, text, bytes, headers }: Reply): Given {
  if (operation.reply.kind === 'empty') return undefined;
  if (bytes) return { type: String(headers['content-type'] ?? ''), bytes };
  return text ?? data;
}

function recordsOf(call: ApiRequest, api: () => Promise<Api>): Records<JsonObject> {
  const query = { ...call.operation.listed?.everything, ...call.query };
  async function* pages(): AsyncIterable<readonly JsonObject[]> {
    try {
      yield* (await api()).pages({ ...call, query });
    } catch (error) {
      throw error instanceof Failure ? toProgramFailure(error) : error;
    }
  }
  async function* each(): AsyncGenerator<JsonObject> {
    for await (const page of pages()) yield* page;
  }
  return {
    pages,
    [Symbol.asyncIterator]: each,
    async all() {
      const records: JsonObject[] = [];
      for await (const page of pages()) records.push(...page);
      return records;
    },
  };
}

/** The operations of a client. Sign-ins are not included, because the client signs in itself. */
export const offeredOperations: readonly Operation[] = operations.filter(
  ({ authenticated }) => authenticated,
);

/** The method name of an operation: `rotateApiKey` for `accounts.rotate-api-key`. */
export const methodName = ({ verb }: Operation): string =>
  verb.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The ids that a call takes before its data, in the order of its path. The account id is only included if it is the
 * record.
 */
export function idsOf({ path, resource, verb }: Operation): readonly string[] {
  const isAccount = resource === 'accounts' && path === '/accounts/{account_id}' && verb !== 'create';
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    name === 'account_id' && !isAccount ? [] : [name],
  );
}

/** Returns true if a call takes data after its ids. */
export const takesData = ({ body }: Operation): boolean =>
  body !== undefined && body.kind !== 'file' && (body.kind !== 'action' || body.data !== undefined);

/** Returns true if a call takes a file after its ids. */
export const takesFile = ({ body }: Operation): boolean => body?.kind === 'file';

/** Options that one call can override. */
interface EachCall extends Pick<CallOptions, 'account' | 'signal' | 'timeout' | 'retries'> {
  readonly accept?: AcceptCharges | undefined;
}

/** Returns the API with the options of one call. Throws `usage` for invalid numbers. */
async function apiFor(
  speaker: ClientSender,
  { account, accept, timeout, retries, signal }: EachCall,
): Promise<Api> {
  refuseInvalidNumbers({ timeout, retries });
  const api = await speaker.apiFor(account);
  const agreement = accept && (async () => speaker.agreementBy(accept));
  return api.withTerms(omitUndefined({ timeoutMs: timeout, retries, signal, agreement }));
}

/** Longest time that a timer can wait, in milliseconds. */
const longest = 2 ** 31 - 1;

/** Throws `usage` for a number that is not a valid timeout or count. */
export function refuseInvalidNumbers(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(numbers))
    if (value !== undefined && (!Number.isInteger(value) || value < 0 || value > longest))
      throw new Failure('usage', `${name} must be a whole number from 0 to ${longest}, not ${value}.`);
}

/** Lets a function decide on charges. Only `true` accepts them. */
export const toConsent = (accept: AcceptCharges): Consent => ({
  kind: 'decide',
  decide: async (charges) => (await accept(charges)) === true,
});

/** An argument of a method. */
export type Given = Json | SentFile | CallOptions | undefined;

const isFile = (given: Given): given is SentFile =>
  typeof given === 'object' && given !== null && 'bytes' in given && given.bytes instanceof Uint8Array;

/** Returns true if an argument is in the position of data. Its content is validated later. */
const isData = (given: Given): given is Json => given !== undefined && !isFile(given);

const isOptions = (given: Given): given is CallOptions => !isFile(given) && isObject(given);

/** Converts the arguments of a method to a call: ids, data and options. */
function callOf(
  operation: Operation,
  values: readonly Given[],
): { readonly call: ApiRequest; readonly each: EachCall } {
  const names = idsOf(operation);
  const path = Object.fromEntries(names.map((name, index) => [name, String(values[index] ?? '')]));
  const rest = values.slice(names.length);
  const data = takesData(operation) ? rest.shift() : undefined;
  const [file] = takesFile(operation) ? rest.splice(0, 1) : [];
  const [options] = rest;
  const { query, accept, account, confirm, signal, timeout, retries }: CallOptions = isOptions(options)
    ? options
    : {};
  return {
    each: omitUndefined({
      account,
      signal,
      timeout,
      retries,
      accept: typeof accept === 'function' ? accept : undefined,
    }),
    call: {
      operation,
      path,
      ...omitUndefined({
        data: isData(data) ? data : undefined,
        file: isFile(file) ? file : undefined,
        query: isObject(query) ? queryOf(query) : undefined,
        accept: typeof accept === 'string' ? accept : undefined,
        confirm: typeof confirm === 'string' ? confirm : undefined,
      }),
    },
  };
}

const queryOf = (given: Readonly<Record<string, Json | undefined>>): QueryParameters =>
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
