import { Failure } from '../base/failure.ts';
import { given, isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Consent } from '../cli/command/context.ts';
import type { Agreement } from '../client/api/accept-charges.ts';
import type { Api, Call, Query, Reply, SentFile } from '../client/api/api.ts';
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
import { forPrograms, telling } from './for-programs.ts';

/** Whoever sends the calls of a client. */
export interface Speaker {
  /** The service, spoken to in an account: that of the client where none is named. */
  apiFor(account: string | undefined): Promise<Api>;
  /** The word about charges of one call. */
  agreementBy(accept: AcceptCharges): Agreement;
  accountId(): Promise<string>;
  close(): Promise<void>;
}

/** The key of a client under which the other doors, which are bundled apart, find its options. */
const key = Symbol.for('telctl.client');

/** Returns the options of a client, whichever door opened it. Throws `Failure` of kind `usage` for what is no client. */
export function optionsOf(client: Client): ProfileOptions {
  const options: unknown = Reflect.get(client, key);
  if (typeof options !== 'function')
    throw new Failure('usage', 'This is not a client that connect returned.');
  return options();
}

/** Makes a client: a method for each operation. */
export function clientOf(speaker: Speaker, options: ProfileOptions): Client {
  const byResource = Map.groupBy(offered, ({ resource }) => resource);
  const nouns = [...byResource].map(([name, operations]) => [
    name,
    Object.fromEntries(operations.map((each) => [methodName(each), methodOf(each, speaker)])),
  ]);
  // The types are made from the same operations: this is the one place where that is said and not checked.
  const client = {
    ...Object.fromEntries(nouns),
    accountId: () => telling(() => speaker.accountId()),
    close: () => speaker.close(),
  } as Client;
  return Object.defineProperty(client, key, { value: () => options });
}

type Method = (...given: readonly Given[]) => Records<JsonObject> | Sent<Given>;

function methodOf(operation: Operation, speaker: Speaker): Method {
  return (...given) => {
    const { call, each } = callOf(operation, given);
    const api = () => apiFor(speaker, each);
    return isListed(operation) ? recordsOf(call, api) : sent(call, api);
  };
}

function sent(call: Call, api: () => Promise<Api>): Sent<Given> {
  const came = telling(async () => (await api()).call(call));
  const data = came.then((reply) => dataOf(call, reply));
  return Object.assign(data, {
    async reply(): Promise<Replied<Given>> {
      // Whoever asks for the whole reply gets its failure from there.
      data.catch(() => undefined);
      const reply = await came;
      const { status, headers, requestId } = reply;
      return { data: dataOf(call, reply), status, headers, requestId };
    },
  });
}

function dataOf({ operation }: Call, { data, text, bytes, headers }: Reply): Given {
  if (operation.reply.kind === 'empty') return undefined;
  if (bytes) return { type: String(headers['content-type'] ?? ''), bytes };
  return text ?? data;
}

function recordsOf(call: Call, api: () => Promise<Api>): Records<JsonObject> {
  const query = { ...call.operation.listed?.everything, ...call.query };
  async function* pages(): AsyncIterable<readonly JsonObject[]> {
    try {
      yield* (await api()).pages({ ...call, query });
    } catch (error) {
      throw error instanceof Failure ? forPrograms(error) : error;
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

/** The operations that a client offers: all but the sign-ins, which it makes by itself. */
export const offered: readonly Operation[] = operations.filter(({ authenticated }) => authenticated);

/** The name of an operation's method: `rotateApiKey` for `accounts.rotate-api-key`. */
export const methodName = ({ verb }: Operation): string =>
  verb.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The ids that a call takes before its data, in the order of its path; the account only as the record. */
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
interface EachCall extends Pick<CallOptions, 'account' | 'signal' | 'timeout' | 'retries'> {
  readonly accept?: AcceptCharges | undefined;
}

/** The service as one call speaks to it. Throws `Failure` of kind `usage` for a number that says nothing. */
async function apiFor(
  speaker: Speaker,
  { account, accept, timeout, retries, signal }: EachCall,
): Promise<Api> {
  refuseOddNumbers({ timeout, retries });
  const api = await speaker.apiFor(account);
  const agreement = accept && (async () => speaker.agreementBy(accept));
  return api.apart(given({ timeoutMs: timeout, retries, signal, agreement }));
}

/** Longest wait of a timer, in milliseconds. */
const longest = 2 ** 31 - 1;

/** Throws `Failure` of kind `usage` for a number that no timer and no count can be. */
export function refuseOddNumbers(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(numbers))
    if (value !== undefined && (!Number.isInteger(value) || value < 0 || value > longest))
      throw new Failure('usage', `${name} must be a whole number from 0 to ${longest}, not ${value}.`);
}

/** Leaves charges to a function: true alone is a yes. */
export const decidedBy = (accept: AcceptCharges): Consent => ({
  kind: 'decide',
  decide: async (charges) => (await accept(charges)) === true,
});

/** An argument of a method. */
export type Given = Json | SentFile | CallOptions | undefined;

const isFile = (given: Given): given is SentFile =>
  typeof given === 'object' && given !== null && 'bytes' in given && given.bytes instanceof Uint8Array;

/** True for what stands in the place of data: what it holds is checked by whoever sends it. */
const isData = (given: Given): given is Json => given !== undefined && !isFile(given);

const isOptions = (given: Given): given is CallOptions => !isFile(given) && isObject(given);

/** The call that the arguments of a method mean: its ids, its data, its options. */
function callOf(
  operation: Operation,
  values: readonly Given[],
): { readonly call: Call; readonly each: EachCall } {
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
    each: given({
      account,
      signal,
      timeout,
      retries,
      accept: typeof accept === 'function' ? accept : undefined,
    }),
    call: {
      operation,
      path,
      ...given({
        data: isData(data) ? data : undefined,
        file: isFile(file) ? file : undefined,
        query: isObject(query) ? queryOf(query) : undefined,
        accept: typeof accept === 'string' ? accept : undefined,
        confirm: typeof confirm === 'string' ? confirm : undefined,
      }),
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
