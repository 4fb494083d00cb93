import { Failure } from '../base/failure.ts';
import type { JsonObject } from '../base/json.ts';
import type { Api, Call, Reply } from '../client/api/api.ts';
import { isListed } from '../contract/operations.ts';
import type { Operation } from '../contract/types.ts';
import type { Client, ProfileOptions, Records, Replied, Sent } from './client-types.ts';
import { forPrograms, telling } from './for-programs.ts';
import { callOf, type EachCall, type Given, methodName, offered } from './operation-call.ts';

/** Whoever sends the calls of a client. */
export interface Speaker {
  /** Returns the service as one call speaks to it. */
  apiFor(each: EachCall): Promise<Api>;
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
    const api = () => speaker.apiFor(each);
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
