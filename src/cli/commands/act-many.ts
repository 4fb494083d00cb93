import { Failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import { counted, inWords } from '../../base/wording.ts';
import type { Resource } from '../../contract/types.ts';
import type { Context } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import { act, bodySchema, type Deed } from './act.ts';
import { bulkFailure, inBulk, type LookedUp } from './bulk.ts';
import { wouldSend } from './change.ts';

/** A deed, and what it is done to: `number +15551230000`. */
export interface NamedDeed extends Deed {
  readonly label: string;
}

/**
 * Makes the same call for several things: one as `act` does, more with one report. Charges are asked about, or held
 * against the run's budget, for each call by itself. Throws `Failure` where nothing was done.
 */
export async function actMany(
  context: Context,
  resource: Resource,
  deeds: readonly NamedDeed[],
  { doing, done }: { readonly doing: string; readonly done: string },
): Promise<Result> {
  const [first] = deeds;
  if (first === undefined) throw new Failure('usage', `No ${inWords(resource.singular)} was given.`);
  if (deeds.length === 1) return act(context, first);
  if (context.options.dryRun) {
    const api = await context.api();
    return wouldSend(
      context,
      deeds.map(({ call, label }) => ({
        request: api.plan(call),
        schema: bodySchema(call),
        notes: [`of ${label}`],
      })),
    );
  }
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
  return {
    kind: 'done',
    message: `${done} ${counted(results.length, resource.singular, resource.name)}.`,
    value: results,
    resource: resource.name,
    ...(failure ? { failure } : {}),
  };
}
