import type { Context } from '../../cli/context.ts';
import type { JsonObject } from '../../contract/json.ts';
import { limits } from '../../contract/resources/limits.ts';
import type { ItemResult } from '../../terminal/result.ts';
import { asRecord, operationFor } from '../generic/find-record.ts';

/** The limits of the account acted on. */
export async function readLimits(context: Context): Promise<JsonObject> {
  const { data } = await (await context.api()).call({ operation: operationFor(limits, 'get') });
  return asRecord(limits, data);
}

/** Shows the limits of the account acted on. */
export async function getLimits(_: unknown, context: Context): Promise<ItemResult> {
  return { kind: 'item', value: await readLimits(context), resource: 'limits' };
}
