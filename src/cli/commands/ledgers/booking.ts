import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Command } from '../../command/command.ts';
import { type CallFacts, callCommand, type Request } from '../call-command.ts';
import { operationFor } from '../generic/find-named.ts';

/** The entries or payments among which a new one would stand; none where the service has none of their source. */
async function bookedBeside(api: Api, resource: Resource, { data }: Request): Promise<readonly JsonObject[]> {
  const source = isObject(data) ? data.source : undefined;
  const operation = operationFor(resource, 'list');
  const path = isObject(source) ? { source_service: String(source.service) } : {};
  const found: JsonObject[] = [];
  try {
    for await (const page of api.pages({ operation, path })) found.push(...page);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'not_found') throw error;
  }
  return found;
}

/** Makes a command that moves money of an account, once it was asked about. */
export const bookingCommand = (
  resource: Resource,
  verb: string,
  { asks, says, ...words }: Pick<CallFacts, 'summary' | 'examples'> & { asks: string; says: string },
): Command =>
  callCommand({
    ...words,
    path: [resource.name, verb],
    operation: operationFor(resource, verb),
    body: resource,
    async data({ data }) {
      if (isObject(data) && typeof data.amount === 'number') return data;
      throw new Failure('usage', 'Say the amount: --amount 25, or amount in the file.');
    },
    asks: `${asks.replace('#', '{data.amount}')} {account}?`,
    says: `${says.replace('#', '{data.amount}')} {account}.`,
    // Two bookings may be alike.
    beside: {
      records: (api, request) => bookedBeside(api, resource, request),
      isIt: ({ amount }, request) => Math.abs(Number(amount)) === valueAt(request.data, 'amount'),
    },
  });
