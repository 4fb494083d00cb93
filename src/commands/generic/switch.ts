import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Resource } from '../../contract/types.ts';
import { findRecord } from './find-record.ts';
import { patchRecord } from './patch.ts';

/** Makes the handler that turns a record on or off. */
export function switchHandler(resource: Resource, enabled: boolean): Handler<ParsedInput> {
  return async ({ id }, context) => {
    const found = await findRecord(context, resource, String(id));
    return patchRecord(context, resource, found, { enabled }, enabled ? 'Enabled' : 'Disabled');
  };
}
