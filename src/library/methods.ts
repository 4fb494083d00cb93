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

export interface ClientSender {
  /** Default: the client's account. */
  apiFor(account: string | undefined): Promise<Api>;
  createAgreement(accept: AcceptCharges): Agreement;
  accountId(): Promise<string>;
  close(): Promise<void>;
}

/** The property of a client that contains its options. Entry points are bundled separately and share it. */
const key = Symbol.for('telctl.client');

/** Throws `usage` for a value that is not a client. */
export function clientOptions(client: Client): ProfileOptions {
  const options: unknown = Reflect.get(client, key);
  if (typeof options !== 'function')
    throw new Failure('usage', 'This is not a client that connect returned.');
  return options();
}

export function createClient(speaker: ClientSender, options: ProfileOptions): Client {
  const byResource = Map.groupBy(offeredOperations, ({ resource }) => resource);
  const nouns = [...byResource].map(([name, operations]) => [
    name,
    Object.fromEntries(operations.map((each) => [methodName(each), createMethod(each, speaker)])),
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

function createMethod(operation: Operation, speaker: ClientSender): Method {
  return (...given) => {
    const { call, each } = toCall(operation, given);
    const api = () => apiFor(speaker, each);
    return isListed(operation) ? createRecords(call, api) : startCall(call, api);
  };
}

function startCall(call: ApiRequest, api: () => Promise<Api>): Sent<Given> {
  const came = runForProgram(async () => (await api()).call(call));
  const data = came.then((reply) => replyData(call, reply));
  return Object.assign(data, {
    async reply(): Promise<Replied<Given>> {
      // A caller that requests the complete response gets the failure there.
      data.catch(() => undefined);
      const reply = await came;
      const { status, headers, requestId } = reply;
      return { data: replyData(call, reply), status, headers, requestId };
    },
  });
}

function replyData({ operation }: ApiRequest, { data, text, bytes, headers }: Reply): Given {
  if (operation.reply.kind === 'empty') return undefined;
  if (bytes) return { type: String(headers['content-type'] ?? ''), bytes };
  return text ?? data;
}

function createRecords(call: ApiRequest, api: () => Promise<Api>): Records<JsonObject> {
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

/** Excludes sign-ins, because the client signs in itself. */
export const offeredOperations: readonly Operation[] = operations.filter(
  ({ authenticated }) => authenticated,
);

/** `rotateApiKey` for `accounts.rotate-api-key`. */
export const methodName = ({ verb }: Operation): string =>
  verb.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Returns the ids that a call takes before its data, in the order of its path. Includes the account id only if the
 * account is the record.
 */
export function idParameters({ path, resource, verb }: Operation): readonly string[] {
  const isAccount = resource === 'accounts' && path === '/accounts/{account_id}' && verb !== 'create';
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    name === 'account_id' && !isAccount ? [] : [name],
  );
}

export const takesData = ({ body }: Operation): boolean =>
  body !== undefined && body.kind !== 'file' && (body.kind !== 'action' || body.data !== undefined);

export const takesFile = ({ body }: Operation): boolean => body?.kind === 'file';

interface EachCall extends Pick<CallOptions, 'account' | 'signal' | 'timeout' | 'retries'> {
  readonly accept?: AcceptCharges | undefined;
}

/** Throws `usage` for invalid numbers. */
async function apiFor(
  speaker: ClientSender,
  { account, accept, timeout, retries, signal }: EachCall,
): Promise<Api> {
  refuseInvalidNumbers({ timeout, retries });
  const api = await speaker.apiFor(account);
  const agreement = accept && (async () => speaker.createAgreement(accept));
  return api.withTerms(omitUndefined({ timeoutMs: timeout, retries, signal, agreement }));
}

/** Longest timeout of a timer, in milliseconds. */
const longest = 2 ** 31 - 1;

/** Throws `usage` for a number that is not a valid timeout or count. */
export function refuseInvalidNumbers(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(numbers))
    if (value !== undefined && (!Number.isInteger(value) || value < 0 || value > longest))
      throw new Failure('usage', `${name} must be a whole number from 0 to ${longest}, not ${value}.`);
}

/** Only `true` accepts charges. */
export const toConsent = (accept: AcceptCharges): Consent => ({
  kind: 'decide',
  decide: async (charges) => (await accept(charges)) === true,
});

export type Given = Json | SentFile | CallOptions | undefined;

const isFile = (given: Given): given is SentFile =>
  typeof given === 'object' && given !== null && 'bytes' in given && given.bytes instanceof Uint8Array;

/** Returns true for an argument at the position of the data. Its content is validated later. */
const isData = (given: Given): given is Json => given !== undefined && !isFile(given);

const isOptions = (given: Given): given is CallOptions => !isFile(given) && isObject(given);

/** Splits the arguments of a method into ids, data and options. */
function toCall(
  operation: Operation,
  values: readonly Given[],
): { readonly call: ApiRequest; readonly each: EachCall } {
  const names = idParameters(operation);
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
        query: isObject(query) ? toQuery(query) : undefined,
        accept: typeof accept === 'string' ? accept : undefined,
        confirm: typeof confirm === 'string' ? confirm : undefined,
      }),
    },
  };
}

const toQuery = (given: Readonly<Record<string, Json | undefined>>): QueryParameters =>
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
