import { mapWithConcurrency, memoize } from '../../../base/concurrency.ts';
import { clearDoubt, createHint, Failure, nextStep, withHint } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { humanize } from '../../../base/wording.ts';
import { commandWordsOf, pluralIn } from '../../../contract/resource.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import type { InputRecord } from '../../../engine/input/read-records.ts';
import { holdsSent } from '../../../engine/manifest/canonical.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { lookupApi } from '../bulk/bulk.ts';
import { changeResult, dryRunResult } from '../change.ts';
import { labelOf, nameOf } from '../labels.ts';
import { asRecord, operationFor } from '../records/find-named.ts';
import { bestKey, isUniqueKey, listRecords, recordIfThere } from '../records/listed-records.ts';
import { missingSecrets } from './assignments.ts';
import { createMany, type ExistingRecords, listExisting } from './create-many.ts';
import { readInputRecords } from './input.ts';

/** Creates one record, or many with one report. */
export function createHandler(resource: Resource): Handler<ParsedInput> {
  const operation = operationFor(resource, 'create');
  return async (given, context) => {
    const input = context.ask.available
      ? await (await import('./ask-fields.ts')).askMissing(context, resource, given)
      : given;
    const existing = existingTreatment(input);
    const list = memoize(() => listExisting(context, resource, existing ?? 'fail'));
    const stored = async (values: readonly JsonObject[]): Promise<readonly JsonObject[]> => {
      const known = await list();
      const atOnce = context.settings.concurrency.value;
      return (
        await mapWithConcurrency(values, atOnce, async (value) => {
          const [id, ...more] = (await known?.find(value)) ?? [];
          return known && id !== undefined && more.length === 0 ? [await known.read(id)] : [];
        })
      ).flat();
    };
    // Stored values of an existing record are sent back unchanged.
    const read = existing === 'update' ? stored : undefined;
    const records = await readInputRecords(context, resource, 'create', input, read);
    if (records.length > 1 && existing === undefined)
      (await import('./convention-rules.ts')).checkClashes(resource, records);
    if (context.options.dryRun)
      return dryRunResult(
        context,
        records.map(({ value }) => ({ call: { operation, data: value } })),
      );
    const [first] = records;
    // The service detects the duplicate of a single record, unless `--existing` is set.
    return records.length === 1 && first && existing === undefined
      ? createOne(context, resource, operation, first)
      : createMany(context, resource, records, { existing: existing ?? 'fail', list });
  };
}

const existingTreatment = ({ existing }: ParsedInput): ExistingRecords | undefined =>
  existing === 'fail' || existing === 'skip' || existing === 'update' ? existing : undefined;

async function createOne(
  context: Context,
  resource: Resource,
  operation: Operation,
  { value }: InputRecord,
): Promise<Result> {
  const api = await context.api();
  const create = async (data: JsonObject): Promise<JsonObject> =>
    asRecord(resource, (await api.call({ operation, data })).data);
  try {
    const created = await create(value).catch(async (refusal: unknown) => {
      // A refused create had no effect, so it can be repeated with the missing values.
      const answers = await missingSecrets(context, resource, refusal);
      return create({ ...value, ...answers });
    });
    return changeResult(resource, `Created ${labelWithId(resource, { ...value, ...created })}`, created);
  } catch (error) {
    if (!(error instanceof Failure) || !error.inDoubt) throw error;
    return findAfterLostReply(context, resource, value, error);
  }
}

/** The id appears once if it is also the name. */
function labelWithId(resource: Resource, record: JsonObject): string {
  const { id } = record;
  const shownId = typeof id === 'string' && id !== nameOf(resource, record) ? `  ${id}` : '';
  return `${labelOf(resource, record)}${shownId}`;
}

/**
 * Looks up a record whose create had no valid response. A record with a unique name and the sent values counts as
 * created, although it may have existed before. Otherwise throws `lost` with the result of the lookup.
 */
export async function findAfterLostReply(
  context: Context,
  resource: Resource,
  value: JsonObject,
  lost: Failure,
): Promise<Result> {
  const found = await findMatching(context, resource, value).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  if (found === undefined) throw lost;
  const [record, ...more] = found;
  if (record === undefined) throw clearDoubt(lost);
  // A create is refused if the account already has a record that exists once.
  const isOne = resource.kind === 'singleton' || isUniqueKey(resource, bestKey(resource, value));
  if (more.length === 0 && isOne)
    return changeResult(
      resource,
      `There was no valid response, so telctl checked: ${labelWithId(resource, { ...value, ...record })} exists with the sent values.`,
      record,
    );
  const [first, ...others] = found.map(({ id }) => String(id));
  const which =
    others.length === 0
      ? `One ${humanize(resource.singular)} with all that was sent exists (${first})`
      : `Several ${humanize(pluralIn(resource))} with all that was sent exist (${[first, ...others].join(', ')})`;
  const each = others.length === 0 ? 'It' : 'Each';
  throw withHint(
    lost,
    createHint`${which}. ${each} may be from before, because names of ${humanize(pluralIn(resource))} are not unique. Check before you repeat the command: ${nextStep`${commandWordsOf(resource)} get ${String(first)}`}`,
  );
}

/** Returns the records with all sent values that the service shows, or `undefined` if it has no list. */
async function findMatching(
  context: Context,
  resource: Resource,
  value: JsonObject,
): Promise<readonly JsonObject[] | undefined> {
  const api = await lookupApi(context);
  if (resource.kind === 'singleton') {
    const record = await recordIfThere(api, resource, '');
    return record && holdsSent(resource, record, value) ? [record] : [];
  }
  const listed = await listRecords(api, resource, context.settings.concurrency.value);
  if (listed === undefined) return undefined;
  const records = await Promise.all((await listed.find(value)).map((id) => recordIfThere(api, resource, id)));
  return records.flatMap((record) => (record && holdsSent(resource, record, value) ? [record] : []));
}
