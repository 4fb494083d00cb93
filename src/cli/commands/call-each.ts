import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { inWords } from '../../base/wording.ts';
import type { Api } from '../../client/api/api.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { Operation } from '../../contract/types.ts';
import type { Context } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import { actMany } from './act-many.ts';
import type { CallFacts, Request } from './call-command.ts';
import { type Found, findNamed, pathTo } from './generic/find-named.ts';
import { recordIfThere } from './generic/listed-records.ts';
import { labelOf } from './labels.ts';

/** Calls an operation for each record that words name, with the same body, and gives one report. */
export async function callEach(
  context: Context,
  operation: Operation,
  { done, state }: NonNullable<CallFacts['each']>,
  {
    names,
    request,
    isDone,
  }: { names: readonly string[]; request: Request; isDone: CallFacts['isDone'] | undefined },
): Promise<Result> {
  const resource = resourceByName(operation.resource);
  const { path: above, data } = request;
  const body = data === undefined && operation.body === undefined ? {} : { data: data ?? {} };
  const named = new Map<string, Found>();
  for (const word of names) {
    const found = await findNamed(context, resource, word, [], above);
    named.set(found.id, found);
  }
  const deeds = [...named.values()].map(({ id, summary }) => {
    const known: JsonObject = { ...summary, id };
    return {
      label: labelOf(resource, known),
      call: { operation, path: { ...above, ...pathTo(resource, id) }, ...body },
      message(answer: Json) {
        const now = isObject(answer) ? answer : {};
        const reached = state === undefined ? undefined : now[state];
        // A service may answer with less than the whole record.
        return `${done} ${labelOf(resource, { ...known, ...now })}${typeof reached === 'string' ? ` (${reached})` : ''}.`;
      },
      resource: resource.name,
      async lookUp(api: Api) {
        const record = await recordIfThere(api, resource, id, above);
        return isDone?.(record, data ?? {}) ? (record ?? {}) : undefined;
      },
    };
  });
  return actMany(context, resource, deeds, { doing: `${inWords(operation.verb)} ${resource.name}`, done });
}
