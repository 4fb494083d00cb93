import type { Handler, ParsedInput } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import type { Resource } from '../../contract/types.ts';
import type { Result } from '../../terminal/result.ts';
import { wouldSend } from '../change.ts';
import { accountName, describe, labelOf } from '../labels.ts';
import { asRecord, findRecord, operationFor, pathTo } from './find-record.ts';
import { usersOf } from './used-by.ts';

/** Makes the handler of `delete`. */
export function deleteHandler(resource: Resource): Handler<ParsedInput> {
  return async (input, context) => {
    const { id } = await findRecord(context, resource, String(input.id));
    return deleteRecord(context, resource, id);
  };
}

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
  const { data } = await api.call({ operation, path });
  return {
    kind: 'done',
    message: `Deleted ${labelOf(resource, record)}.`,
    value: data,
    resource: resource.name,
  };
}
