import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { counted, inWords } from '../../base/wording.ts';
import type { Api } from '../../client/api/api.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import { pluralIn } from '../../contract/resource.ts';
import type { Operation, Resource } from '../../contract/types.ts';
import type { Context } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import { act, type Deed } from './act.ts';
import { bulkFailure, inBulk, type LookedUp } from './bulk.ts';
import type { CallFacts, Request } from './call-command.ts';
import { changeResult, wouldSend } from './change.ts';
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

/** A deed, and what it is done to: `number +15551230000`. */
interface NamedDeed extends Deed {
  readonly label: string;
}

/**
 * Makes the same call for several things: one as `act` does, more with one report. Charges are asked about, or held
 * against the run's budget, for each call by itself. Throws `Failure` where nothing was done.
 */
async function actMany(
  context: Context,
  resource: Resource,
  deeds: readonly NamedDeed[],
  { doing, done }: { readonly doing: string; readonly done: string },
): Promise<Result> {
  const [first] = deeds;
  if (first === undefined) throw new Failure('usage', `No ${inWords(resource.singular)} was given.`);
  if (deeds.length === 1) return act(context, first);
  if (context.options.dryRun)
    return wouldSend(
      context,
      deeds.map(({ call, label }) => ({ call, notes: [`of ${label}`] })),
    );
  const outcomes = await inBulk<NamedDeed, Json>(context, deeds, {
    doing,
    send: async (api, { call }) => (await api.call(call)).data,
    lookUp: async (api, lost) =>
      Promise.all(
        lost.map(async ({ lookUp }): Promise<LookedUp<Json>> => {
          if (lookUp === undefined) return { end: 'unknown' };
          const found = await lookUp(api);
          return found === undefined ? { end: 'not done' } : { end: 'done', result: found };
        }),
      ),
  });
  const results = outcomes.flatMap((outcome) => (outcome.end === 'done' ? [outcome.result] : []));
  const failure = bulkFailure(deeds, outcomes, {
    label: ({ label }) => label,
    noun: resource.name,
    done: done.toLowerCase(),
    hint: () => undefined,
  });
  if (failure && results.length === 0) throw failure;
  const count = counted(results.length, resource.singular, pluralIn(resource));
  return changeResult(resource, `${done} ${count}.`, results, failure);
}
