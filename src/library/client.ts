import { Failure, type FailureKind } from '../base/failure.ts';
import type { JsonObject } from '../base/json.ts';
import { findAccount } from '../cli/commands/choose-accounts.ts';
import type { Api, Call } from '../client/api/api.ts';
import type { Operation } from '../contract/types.ts';
import type { Client, ClientOptions, Records } from './client-types.ts';
import { forPrograms, telling } from './for-programs.ts';
import { callOf, type Given, isListed, methodName, offered } from './operation-call.ts';
import { opens, servicesFor } from './services.ts';

export type { AskedCharges, ChargedItem } from '../cli/command/context.ts';
export type {
  AccountName,
  Allowed,
  CallOptions,
  Client,
  ClientOptions,
  ClientSettings,
  Records,
  SentFile,
  SignIn,
} from './client-types.ts';
export type * from './generated/operations.ts';
export { Failure, type FailureKind };

/**
 * A client of a service. Nothing is sent before the first call, which signs in. Throws `Failure` of kind `usage` for
 * options that contradict each other.
 */
export function connect(options: ClientOptions): Client {
  const services = servicesFor(options);
  const apis = new Map<string, Promise<Api>>();
  const apiIn = async (word: string): Promise<Api> => {
    const id = await findAccount(services, word);
    return services.inAccount({ id, word }).api();
  };
  const apiFor = (account: string | undefined): Promise<Api> => {
    if (account === undefined) return services.api();
    const api = apis.get(account) ?? apiIn(account);
    apis.set(account, api);
    return api;
  };
  const byResource = Map.groupBy(offered, ({ resource }) => resource);
  const nouns = [...byResource].map(([name, operations]) => [
    name,
    Object.fromEntries(operations.map((each) => [methodName(each), methodOf(each, apiFor)])),
  ]);
  // The types are made from the same operations: this is the one place where that is said and not checked.
  const client = {
    ...Object.fromEntries(nouns),
    accountId: () => services.accountId(),
    close: () => services.close(),
  } as Client;
  return opens(client, services);
}

type Method = (...given: readonly Given[]) => Records<JsonObject> | Promise<Given>;

function methodOf(operation: Operation, apiFor: (account: string | undefined) => Promise<Api>): Method {
  return (...given) => {
    const { call, account } = callOf(operation, given);
    return isListed(operation) ? recordsOf(call, () => apiFor(account)) : sent(call, apiFor(account));
  };
}

async function sent(call: Call, api: Promise<Api>): Promise<Given> {
  const { data, text, bytes, headers } = await telling(async () => (await api).call(call));
  if (call.operation.reply.kind === 'empty') return undefined;
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
