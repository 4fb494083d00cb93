import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import type { Resource } from '../../contract/types.ts';
import { wouldSend } from '../change.ts';
import { labelOf } from '../labels.ts';
import { changedRecord, type Found, findRecord, operationFor, pathTo } from './find-record.ts';
import { readInputRecord } from './input.ts';
import { namedRecord, readIfOffered, sentOrPutBack } from './stored-record.ts';

/** Makes the handler of `patch`: sends the given fields and no others. */
export function patchHandler(resource: Resource): Handler<ParsedInput> {
  return async (input, context) => {
    if (input.all === true) return (await import('./patch-all.ts')).patchAll(resource, input, context);
    if (input.id === undefined)
      throw new Failure('usage', `Say which ${resource.singular}: its id or name, or --all.`);
    const look = () => findRecord(context, resource, String(input.id));
    return patchNamed(context, resource, input, look);
  };
}

/** Merges the fields of the input into the record that `look` finds. */
export async function patchNamed(
  context: Context,
  resource: Resource,
  input: ParsedInput,
  look: () => Promise<Found>,
): Promise<Result> {
  const named = namedRecord(context, resource, look, 'which other fields it has is not known.');
  const { value } = await readInputRecord(context, resource, 'patch', input, named.stored);
  return patchRecord(context, resource, await named.find(), value, 'Changed');
}

/** Merges fields into a stored record, or shows what that would send. `done` begins the message: `Enabled`. */
export async function patchRecord(
  context: Context,
  resource: Resource,
  { id, summary }: Found,
  data: JsonObject,
  done: string,
): Promise<Result> {
  const api = await context.api();
  const path = pathTo(resource, id);
  const call = { operation: operationFor(resource, 'patch'), path, data };
  if (context.options.dryRun) {
    const before = await readIfOffered(
      context,
      api,
      { operation: operationFor(resource, 'get'), path },
      'what the fields are now is not known.',
    );
    const change = { request: api.plan(call), schema: resource.schema };
    return wouldSend(context, [before ? { ...change, before } : change]);
  }
  // What a refusal may have changed all the same is known only to those who have read it before.
  const before = resource.storesRefused
    ? await readIfOffered(
        context,
        api,
        { operation: operationFor(resource, 'get'), path },
        'it cannot be set back.',
      )
    : undefined;
  const changed = changedRecord(resource, (await sentOrPutBack(context, resource, call, before)).data);
  return {
    kind: 'done',
    // A service may answer a patch with nothing.
    message: `${done} ${labelOf(resource, { id, ...summary, ...changed })}.`,
    value: changed,
    resource: resource.name,
  };
}

/** Makes the handler that turns a record on or off. */
export function switchHandler(resource: Resource, enabled: boolean): Handler<ParsedInput> {
  return async ({ id }, context) => {
    const found = await findRecord(context, resource, String(id));
    return patchRecord(context, resource, found, { enabled }, enabled ? 'Enabled' : 'Disabled');
  };
}
