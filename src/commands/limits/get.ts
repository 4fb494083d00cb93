import type { JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import type { ItemResult } from '../../command/result.ts';
import { limits } from '../../contract/resources/limits.ts';
import { storedAcceptance } from '../charges/stored-acceptance.ts';
import { asRecord, operationFor } from '../generic/find-record.ts';

/** The limits of the account acted on. */
export async function readLimits(context: Context): Promise<JsonObject> {
  const { data } = await (await context.api()).call({ operation: operationFor(limits, 'get') });
  return asRecord(limits, data);
}

/** Shows the limits of the account acted on. */
export async function getLimits(_: unknown, context: Context): Promise<ItemResult> {
  const value = await readLimits(context);
  const stored = storedAcceptance('the limits', value);
  if (stored) context.notices.warn(`${stored.finding} ${stored.remedy}`);
  return { kind: 'item', value, resource: 'limits' };
}
