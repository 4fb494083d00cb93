import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { operationById } from '../../contract/catalogue.ts';
import { masked } from '../../contract/secrets.ts';

/** Shows the account's API key, masked unless it is to be revealed. */
export async function showApiKey(_: unknown, context: Context): Promise<Result> {
  const api = await context.api();
  const { data } = await api.call({ operation: operationById('accounts.api-key') });
  const apiKey = keyOf(data);
  return {
    kind: 'item',
    value: await apiKeyValue(context, apiKey),
    // Masked it names nothing.
    ...(context.options.reveal ? { named: apiKey } : {}),
  };
}

/** The key of a reply. Throws `Failure` (`failed`) where there is none. */
export function keyOf(data: Json): string {
  if (isObject(data) && typeof data.api_key === 'string' && data.api_key !== '') return data.api_key;
  throw new Failure('failed', 'The service answered without an API key.');
}

/** An API key as a result: masked unless it is to be revealed. */
export async function apiKeyValue(context: Context, apiKey: string): Promise<JsonObject> {
  return {
    account_id: await context.accountId(),
    api_key: context.options.reveal ? apiKey : masked,
  };
}
