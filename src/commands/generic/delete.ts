import type { Handler, ParsedInput } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure, withHint } from '../../contract/failure.ts';
import type { Json } from '../../contract/json.ts';
import type { Resource } from '../../contract/types.ts';
import type { Result } from '../../terminal/result.ts';
import { lookUpApi, mayBeDone } from '../bulk.ts';
import { wouldSend } from '../change.ts';
import { accountName, describe, labelOf } from '../labels.ts';
import { asRecord, findRecord, operationFor, pathTo } from './find-record.ts';
import { recordIfThere } from './listed-records.ts';
import { usersOf } from './used-by.ts';

/** Makes the handler of `delete`. */
export function deleteHandler(resource: Resource): Handler<ParsedInput> {
  return async (input, context) => {
    try {
      const { id } = await findRecord(context, resource, String(input.id));
      return await deleteRecord(context, resource, id);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'not_found') throw error;
      throw withHint(error, error.hint ?? goneAlready);
    }
  };
}

const goneAlready = 'Where an earlier delete of it got no reply, it was carried out.';

/** Deletes a record after asking, with its name and what still refers to it in the question. */
export async function deleteRecord(context: Context, resource: Resource, id: string): Promise<Result> {
  const api = await context.api();
  const operation = operationFor(resource, 'delete');
  const path = pathTo(resource, id);
  const { data: stored } = await api.call({ operation: operationFor(resource, 'get'), path });
  const record = asRecord(resource, stored);
  if (context.options.dryRun) {
    const notes = [`deletes ${describe(resource, record)}`];
    return wouldSend(context, [{ request: api.plan({ operation, path }), schema: resource.schema, notes }]);
  }
  // Where nobody will read the question, what it would say need not be found out.
  const used = context.options.yes || !context.ask.available ? [] : await usersOf(context, id);
  const isPart = operation.path.includes('{account_id}/');
  const question = [
    `Delete ${describe(resource, record)}${isPart ? ` from ${await accountName(context)}` : ''}?`,
    ...(used.length === 0 ? [] : [`Used by ${used.join(', ')}.`]),
  ];
  if (!(await context.ask.confirm(question.join(' '), { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was deleted.');
  const label = labelOf(resource, record);
  const data = await removed(context, resource, id, label);
  const message =
    data === undefined ? `Deleted ${label}: no proper reply came, and it is gone.` : `Deleted ${label}.`;
  return { kind: 'done', message, value: data ?? {}, resource: resource.name };
}

/**
 * Deletes a record that was just read and gives the reply; `undefined` where none came that tells, and the record is
 * gone. Throws `Failure`, after a lost reply with the word whether the record is still there.
 */
async function removed(
  context: Context,
  resource: Resource,
  id: string,
  label: string,
): Promise<Json | undefined> {
  const api = await context.api();
  const call = { operation: operationFor(resource, 'delete'), path: pathTo(resource, id) };
  try {
    return (await api.call(call)).data;
  } catch (error) {
    if (!(error instanceof Failure) || resource.kind === 'singleton' || !mayBeDone(error)) throw error;
    const isThere = await stillThere(context, resource, id);
    if (isThere === false) return undefined;
    throw withHint(
      error,
      isThere
        ? `It was looked up: ${label} is still there. Repeat the command.`
        : `It may have been carried out all the same. Repeat the command: that there is no ${label} then says that it was deleted.`,
    );
  }
}

/** Whether a record is there; `undefined` where the service does not tell. */
async function stillThere(context: Context, resource: Resource, id: string): Promise<boolean | undefined> {
  try {
    return (await recordIfThere(await lookUpApi(context), resource, id)) !== undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
