import { isObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { faxes } from '../../contract/resources/faxes.ts';
import { act } from '../act.ts';
import { findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import type { faxArguments } from './commands.ts';

/** Sends a fax of the outbox again; the new job has an id of its own. */
export async function resubmitFax(
  { id: word }: InputOf<Record<never, never>, typeof faxArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findRecord(context, faxes, word);
  return act(context, {
    call: { operation: operationFor(faxes, 'resubmit'), path: pathTo(faxes, id) },
    message: (data) =>
      isObject(data) && typeof data.id === 'string' && data.id !== id
        ? `Sent fax ${id} again, as ${data.id}.`
        : `Sent fax ${id} again.`,
    resource: 'faxes',
  });
}
