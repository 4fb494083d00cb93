import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { services } from '../../contract/resources/services.ts';
import { operationFor } from '../generic/find-record.ts';

/** Shows what differs from the plans. */
export async function showOverrides(_: unknown, context: Context): Promise<Result> {
  const { data } = await (await context.api()).call({ operation: operationFor(services, 'overrides') });
  return { kind: 'item', value: data };
}
