import type { Handler, ParsedInput } from '../../cli/command.ts';
import { Failure } from '../../contract/failure.ts';
import type { Resource } from '../../contract/types.ts';
import { wouldSend } from '../change.ts';
import { accountName, describe, labelOf } from '../labels.ts';
import { asRecord, findRecord, operationFor, pathTo } from './find-record.ts';
import { usersOf } from './used-by.ts';

/** Makes the handler of `delete`: asks first, naming the record and what still refers to it. */
export function deleteHandler(resource: Resource): Handler<ParsedInput> {
  const operation = operationFor(resource, 'delete');
  return async (input, context) => {
    const { id } = await findRecord(context, resource, String(input.id));
    const api = await context.api();
    const path = pathTo(resource, id);
    const record = asRecord(
      resource,
      (await api.call({ operation: operationFor(resource, 'get'), path })).data,
    );
    if (context.options.dryRun)
      return wouldSend(context, [{ call: { operation, path }, schema: resource.schema }]);
    // Where nobody will read the question, what it would say need not be found out.
    const used = context.options.yes || !context.ask.available ? [] : await usersOf(context, id);
    const place = operation.path.includes('{account_id}') ? ` from ${await accountName(context)}` : '';
    const uses = used.length === 0 ? '' : ` Used by ${used.join(', ')}.`;
    const agreed = await context.ask.confirm(`Delete ${describe(resource, record)}${place}?${uses}`, {
      option: '--yes',
    });
    if (!agreed) throw new Failure('interrupted', 'Nothing was deleted.');
    const { data } = await api.call({ operation, path });
    return {
      kind: 'done',
      message: `Deleted ${labelOf(resource, record)}.`,
      value: data,
      resource: resource.name,
    };
  };
}
