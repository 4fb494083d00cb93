import { clearDoubt, Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { formatCount, humanize } from '../../../base/wording.ts';
import type { Api, ApiRequest } from '../../../client/api/api.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { pluralIn } from '../../../contract/resource.ts';
import type { Operation, ResourceName } from '../../../contract/types.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { bulkFailure, changeInBulk, type LookupResult, lookupApi } from '../bulk/bulk.ts';
import { changeResult, dryRunResult } from '../change.ts';
import { labelOf } from '../labels.ts';
import { type FoundRecord, findNamed, pathTo } from '../records/find-named.ts';
import { recordIfThere } from '../records/listed-records.ts';
import type { OperationCommandFacts, Request } from './operation-command.ts';

export interface RecordChange {
  readonly call: ApiRequest;
  readonly message: (data: Json) => string;
  readonly resource?: ResourceName;
  /** Returns the record if the call was carried out although its response was lost, or else `undefined`. */
  readonly lookUp?: (api: Api) => Promise<Json | undefined>;
}

/** Sends one change, or shows it in a dry run. If the response was lost, looks up the result. */
export async function sendChange(context: Context, deed: RecordChange): Promise<Result> {
  const { call, message, resource } = deed;
  const api = await context.api();
  if (context.options.dryRun) return dryRunResult(context, [{ call }]);
  const done = (data: Json, how: string): Result => ({
    kind: 'done',
    message: `${how}${message(data)}`,
    value: data,
    ...(resource ? { resource } : {}),
  });
  try {
    return done((await api.call(call)).data, '');
  } catch (error) {
    if (!(error instanceof Failure) || !error.inDoubt) throw error;
    return done(
      await lookUpResult(context, deed, error),
      'The service sent no valid response, so telctl checked: ',
    );
  }
}

/** Checks the state after a call without a proper response. Throws `lost` with the result of the check. */
async function lookUpResult(context: Context, { lookUp }: RecordChange, lost: Failure): Promise<Json> {
  if (lookUp === undefined) throw lost;
  const found = await lookupApi(context)
    .then(lookUp)
    .catch((error: unknown) => {
      throw error instanceof Failure ? lost : error;
    });
  if (found === undefined) throw clearDoubt(lost);
  return found;
}

type EachFacts = Pick<OperationCommandFacts, 'isDone'> & {
  readonly each: NonNullable<OperationCommandFacts['each']>;
};

/** Calls an operation for each record, with the same body and one report. Throws `Failure` if no call succeeded. */
export async function changeEachRecord(
  context: Context,
  operation: Operation,
  facts: EachFacts,
  names: readonly string[],
  request: Request,
): Promise<Result> {
  const resource = resourceByName(operation.resource);
  const found = new Map<string, FoundRecord>();
  for (const name of names) {
    const record = await findNamed(context, resource, name, [], request.path);
    found.set(record.id, record);
  }
  const changes = [...found.values()].map((record) => recordChange(operation, facts, request, record));
  const [first] = changes;
  if (first === undefined) throw new Failure('usage', `No ${humanize(resource.singular)} was given.`);
  if (changes.length === 1) return sendChange(context, first);
  if (context.options.dryRun)
    return dryRunResult(
      context,
      changes.map(({ call, label }) => ({ call, notes: [`of ${label}`] })),
    );
  const outcomes = await changeInBulk(context, changes, {
    doing: `${humanize(operation.verb)} ${resource.name}`,
    send: async (api, { call }) => (await api.call(call)).data,
    lookUp: async (api, lost) =>
      Promise.all(
        lost.map(async ({ lookUp }): Promise<LookupResult<Json>> => {
          const result = await lookUp(api);
          return result === undefined ? { end: 'not done' } : { end: 'done', result };
        }),
      ),
  });
  const results = outcomes.flatMap((outcome) => (outcome.end === 'done' ? [outcome.result] : []));
  const { done } = facts.each;
  const failure = bulkFailure(changes, outcomes, {
    label: ({ label }) => label,
    noun: resource.name,
    done: done.toLowerCase(),
    hint: () => undefined,
  });
  if (failure && results.length === 0) throw failure;
  const count = formatCount(results.length, resource.singular, pluralIn(resource));
  return changeResult(resource, `${done} ${count}.`, results, failure);
}

function recordChange(
  operation: Operation,
  { each: { done, state }, isDone }: EachFacts,
  { path, data }: Request,
  { id, summary }: FoundRecord,
) {
  const resource = resourceByName(operation.resource);
  const known: JsonObject = { ...summary, id };
  const body = data === undefined && operation.body === undefined ? {} : { data: data ?? {} };
  return {
    label: labelOf(resource, known),
    call: { operation, path: { ...path, ...pathTo(resource, id) }, ...body },
    message(reply: Json) {
      // Some services respond with only a part of the record.
      const now = isObject(reply) ? reply : {};
      const reached = state === undefined ? undefined : now[state];
      return `${done} ${labelOf(resource, { ...known, ...now })}${typeof reached === 'string' ? ` (${reached})` : ''}.`;
    },
    resource: resource.name,
    async lookUp(api: Api) {
      const record = await recordIfThere(api, resource, id, path);
      return isDone?.(record, data ?? {}) ? (record ?? {}) : undefined;
    },
  };
}
