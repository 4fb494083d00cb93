import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Resource } from '../../contract/types.ts';
import { getRecord } from './find-record.ts';

/** Makes the handler of `get`: one record by id or natural key. */
export function getHandler(resource: Resource): Handler<ParsedInput> {
  return async ({ id }, context) => ({
    kind: 'item',
    value: await getRecord(context, resource, String(id)),
    resource: resource.name,
  });
}
