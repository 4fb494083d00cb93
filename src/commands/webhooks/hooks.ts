import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { webhooks } from '../../contract/resources/webhooks.ts';
import { operationFor } from '../generic/find-record.ts';
import { flattened } from '../generic/list.ts';

/** Lists the hooks that the service offers; its list is the authority (Events). */
export async function listHooks(_: unknown, context: Context): Promise<ListResult> {
  const api = await context.api();
  return {
    kind: 'list',
    items: flattened(api.pages({ operation: operationFor(webhooks, 'hooks') })),
    columns: [
      { header: 'HOOK', paths: ['id'] },
      { header: 'NAME', paths: ['name'] },
      { header: 'DESCRIPTION', paths: ['description'] },
    ],
    noun: 'hooks',
  };
}
