import type { Handler, ParsedInput } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Operation, Resource } from '../../contract/types.ts';
import { counted } from '../../contract/wording.ts';
import type { InputRecord } from '../../manifest/input/read-records.ts';
import type { Result } from '../../terminal/result.ts';
import { inBulk, type Outcome } from '../bulk.ts';
import { wouldSend } from '../change.ts';
import { failedLines, whyNot } from '../failed-lines.ts';
import { labelOf, nameOf } from '../labels.ts';
import { asRecord, operationFor } from './find-record.ts';
import { readInputRecords } from './input.ts';
import { missingSecrets } from './missing-answers.ts';

/** Makes the handler of `create`: one record, or many with one report. */
export function createHandler(resource: Resource): Handler<ParsedInput> {
  const operation = operationFor(resource, 'create');
  return async (input, context) => {
    const records = await readInputRecords(context, resource, 'create', input);
    if (context.options.dryRun) {
      const api = await context.api();
      const { schema } = resource;
      return wouldSend(
        context,
        records.map(({ value }) => ({ request: api.plan({ operation, data: value }), schema })),
      );
    }
    const [first] = records;
    return records.length === 1 && first
      ? createOne(context, resource, operation, first)
      : createMany(context, resource, operation, records);
  };
}

async function createOne(
  context: Context,
  resource: Resource,
  operation: Operation,
  { value }: InputRecord,
): Promise<Result> {
  const api = await context.api();
  const { data } = await api.call({ operation, data: value }).catch(async (refusal: unknown) => {
    // A create that was refused has done nothing, so that it may be sent again with what it lacked.
    const answers = await missingSecrets(context, resource, refusal);
    return api.call({ operation, data: { ...value, ...answers } });
  });
  const created = asRecord(resource, data);
  const known = { ...value, ...created };
  // A fax has no other name than its id, which then stands there once.
  const id =
    typeof created.id === 'string' && created.id !== nameOf(resource, known) ? `  ${created.id}` : '';
  return {
    kind: 'done',
    message: `Created ${labelOf(resource, known)}${id}`,
    value: created,
    resource: resource.name,
  };
}

async function createMany(
  context: Context,
  resource: Resource,
  operation: Operation,
  records: readonly InputRecord[],
): Promise<Result> {
  const api = await context.api();
  const outcomes = await inBulk(context, records, resource.name, async ({ value }) =>
    asRecord(resource, (await api.call({ operation, data: value })).data),
  );
  const created = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.result] : []));
  const failed = failuresOf(resource, records, outcomes);
  const [first] = failed;
  if (first === undefined)
    return {
      kind: 'done',
      message: `Created ${created.length} ${resource.name}.`,
      value: created,
      resource: resource.name,
    };
  const sum = `${failed.length} of ${records.length} ${resource.name} ${failed.length === 1 ? 'was' : 'were'} not created.`;
  const isInterrupted = failed.some(({ failure: { kind } }) => kind === 'interrupted');
  const failure = new Failure(
    isInterrupted ? 'interrupted' : created.length > 0 ? 'partial' : first.failure.kind,
    [...failedLines(failed.map(({ what }) => what)), sum],
    {
      sentence: `${sum} The first is ${first.what}`,
      details: { created: created.length, failed: failed.map(({ details }) => details) },
    },
  );
  if (created.length === 0) throw failure;
  return {
    kind: 'done',
    message: `Created ${counted(created.length, resource.singular, resource.name)}, failed ${failed.length}.`,
    value: created,
    resource: resource.name,
    failure,
  };
}

/** The failed records with where they stood in the input, in its order. */
function failuresOf(
  resource: Resource,
  records: readonly InputRecord[],
  outcomes: readonly Outcome<JsonObject>[],
) {
  return records.flatMap((record, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined || outcome.ok) return [];
    const { failure } = outcome;
    const { kind, message, status, code, requestId } = failure;
    const what = whyNot(`${labelOf(resource, record.value)} (${record.place()})`, failure);
    return [
      {
        failure,
        what,
        details: {
          index,
          place: record.place(),
          record: labelOf(resource, record.value),
          error: { kind, message, status, code, request_id: requestId },
        },
      },
    ];
  });
}
