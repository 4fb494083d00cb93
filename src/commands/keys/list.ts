import { Failure } from '../../base/failure.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { keys } from '../../contract/resources/keys.ts';
import { operationFor } from '../generic/find-record.ts';

/** Lists the ids of the signing keys; the service gives an array of texts. */
export async function listKeys(_: unknown, context: Context): Promise<ListResult> {
  const { data } = await (await context.api()).call({ operation: operationFor(keys, 'list') });
  if (!Array.isArray(data))
    throw new Failure('failed', 'The service answered with something that is no list of keys.');
  const ids: readonly unknown[] = data;
  return { kind: 'list', items: ids.map((id) => ({ id: String(id) })), resource: 'keys', noun: 'keys' };
}
