import { mapWithConcurrency, memoize } from '../../../base/concurrency.ts';
import { Failure, withFacts } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { formatCount, humanize, shownAtMost } from '../../../base/wording.ts';
import { toReplacement } from '../../../client/api/revisions.ts';
import { holdsRights, lossByVerb } from '../../../contract/guards.ts';
import { pluralIn } from '../../../contract/resource.ts';
import type { Resource } from '../../../contract/types.ts';
import { problemsFailure } from '../../../engine/input/document.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import {
  appendCounts,
  type BulkOutcome,
  bulkFailure,
  changeInBulk,
  countOutcomes,
  itemFailureText,
} from '../bulk/bulk.ts';
import { changedFields, changeResult, changesRecord, confirmChange, dryRunResult } from '../change.ts';
import { findNeededAdministrators, lockoutFailure } from '../guards/lockout-guard.ts';
import { labelOf, quotedAccount } from '../labels.ts';
import { asRecord, operationFor, pathTo } from '../records/find-named.ts';
import { recordIfThere } from '../records/listed-records.ts';
import { type Filter, filterQuery, matchesFilters, readFilters } from './chosen-records.ts';
import { byId, readInputRecord, readInputRecords } from './input.ts';

const maxNamed = 3;
/**
 * Merges fields into many records: the same fields into all or filtered records of an account, or those of a file
 * into each of its records. Reads all records first, shows the changes, asks once, and skips records that already
 * have the values. Applies filters itself, because compatible services may ignore them. Throws `interrupted` if the
 * answer is no, and failures of the list and the input, before the first change.
 */
export async function patchMany(resource: Resource, input: ParsedInput, context: Context): Promise<Result> {
  const found = await (input.all === true ? patchesFromOptions : patchesFromFile)(resource, input, context);
  const changing = found.filter(({ before, data }) => changesRecord(before, data));
  const { name } = resource;
  const callFor = ({ before, data }: RecordPatch) => ({
    operation: operationFor(resource, 'patch'),
    path: pathTo(resource, String(before.id)),
    data,
  });
  if (context.options.dryRun)
    return dryRunResult(
      context,
      changing.map((change) => ({
        call: toReplacement(callFor(change), change.before),
        before: change.before,
        notes: [`of ${labelOf(resource, change.before)}`],
      })),
    );
  if (changing.length === 0) {
    const message =
      found.length === 0
        ? `There are no ${humanize(name)} to change.`
        : `Nothing to change in ${countOf(resource, found)}.`;
    return { kind: 'done', message, value: [], resource: name };
  }
  if (holdsRights(resource)) await refuseLockout(context, changing);
  await askToChange(context, resource, found, changing);
  const outcomes = await changeInBulk(context, changing, {
    doing: `change ${humanize(name)}`,
    send: async (bulk, change) => asRecord(resource, (await bulk.call(callFor(change))).data),
    lookUp: async (looking, lost) =>
      mapWithConcurrency(lost, context.settings.concurrency.value, async ({ before, data }) => {
        const record = await recordIfThere(looking, resource, String(before.id));
        return record && !changesRecord(record, data) ? { end: 'done', result: record } : { end: 'not done' };
      }),
  });
  return patchResult(resource, found, changing, outcomes);
}

/** Throws `refused` if the change removes rights of the last administrator or the current user. */
async function refuseLockout(context: Context, changing: readonly RecordPatch[]): Promise<void> {
  const losers = changing.flatMap(({ before, data }) => {
    const loss = lossByVerb('patch', data);
    return loss === undefined ? [] : [{ id: String(before.id), record: before, loss }];
  });
  if (losers.length === 0) return;
  const [api, accountId, { profile }] = await Promise.all([
    context.api(),
    context.accountId(),
    context.session(),
  ]);
  const failure = lockoutFailure(
    await findNeededAdministrators({ api, accountId, ownId: profile.ownerId }, losers),
  );
  if (failure) throw failure;
}

const countOf = (resource: Resource, { length }: readonly unknown[]): string =>
  formatCount(length, resource.singular, pluralIn(resource));

function describeRecords(resource: Resource, records: readonly RecordPatch[]): string {
  const names = records.slice(0, maxNamed).map(({ before }) => labelOf(resource, before));
  const more = records.length - names.length;
  return more > 0 ? `${countOf(resource, records)} (${names.join(', ')}, … ${more} more)` : names.join(', ');
}

/** Shows the changes of each record and asks once. Throws `interrupted` if the answer is no. */
async function askToChange(
  context: Context,
  resource: Resource,
  found: readonly RecordPatch[],
  changing: readonly RecordPatch[],
): Promise<void> {
  const alike = Map.groupBy(changing, ({ before, data }) =>
    changedFields(resource.schema, before, data)
      .map((line) => line.trim())
      .join(', '),
  );
  for (const [changes, those] of [...alike].slice(0, shownAtMost))
    context.notices.say(`${describeRecords(resource, those)}: ${changes}`);
  const more = [...alike.values()].slice(shownAtMost).flat().length;
  if (more > 0) context.notices.say(`… and ${more} more`);
  const { profile } = await context.session();
  if (changing.some(({ before }) => before.id === profile.ownerId))
    context.notices.warn('The change includes your own user.');
  const question = `Change ${changing.length} of ${countOf(resource, found)} in ${await quotedAccount(context)}?`;
  await confirmChange(context, question);
}

/** Throws `Failure` if no record was changed. */
function patchResult(
  resource: Resource,
  found: readonly RecordPatch[],
  changing: readonly RecordPatch[],
  outcomes: readonly BulkOutcome<JsonObject>[],
): Result {
  const changed = outcomes.flatMap((outcome) => (outcome.end === 'done' ? [outcome.result] : []));
  const failure = bulkFailure(changing, outcomes, {
    label: ({ before }) => labelOf(resource, before),
    ...(changing.some(({ place }) => place !== undefined) ? { place: ({ place = '' }) => place } : {}),
    noun: resource.name,
    done: 'changed',
    hint: () => 'Repeat the command. It skips records that are already changed.',
  });
  if (failure && changed.length === 0) throw failure;
  const before = found.length - changing.length;
  const { failed, skipped, unknown } = countOutcomes(outcomes);
  const message = appendCounts(`Changed ${countOf(resource, changed)}`, {
    '# unchanged': before,
    '# failed': failed,
    '# never sent': skipped,
    '# unknown': unknown,
  });
  return changeResult(resource, message, changed, failure);
}

export interface RecordPatch {
  readonly before: JsonObject;
  readonly data: JsonObject;
  /** Place in the file: `numbers.csv:3`. */
  readonly place?: string;
}

async function patchesFromOptions(
  resource: Resource,
  input: ParsedInput,
  context: Context,
): Promise<readonly RecordPatch[]> {
  const filters = await readFilters(resource, input, context);
  const stored = memoize(() => readMatchingFirst(resource, filters, context));
  const { value: data } = await readInputRecord(context, resource, 'patch', input, stored);
  return (await stored()).map((before) => ({ before, data }));
}

/** Matches the records of a file by `id`. Throws `usage` without ids, and `invalid` with every wrong row. */
async function patchesFromFile(
  resource: Resource,
  input: ParsedInput,
  context: Context,
): Promise<readonly RecordPatch[]> {
  const { singular } = resource;
  const known = new Map<string, Promise<JsonObject | undefined>>();
  const readStoredRecord = (id: string): Promise<JsonObject | undefined> => {
    const read = known.get(id) ?? context.api().then((api) => recordIfThere(api, resource, id));
    known.set(id, read);
    return read;
  };
  const atOnce = context.settings.concurrency.value;
  const stored = async (values: readonly JsonObject[]): Promise<readonly JsonObject[]> => {
    const ids = values.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
    return (await mapWithConcurrency(ids, atOnce, readStoredRecord)).flatMap((record) =>
      record ? [record] : [],
    );
  };
  const given = { ...input, [byId]: true };
  const records = await readInputRecords(context, resource, 'patch', given, stored);
  if (records.every(({ value }) => value.id === undefined))
    throw new Failure('usage', 'Pass ID or --all, or include an id in each record of the file.');
  const seen = new Set<string>();
  const changes = await mapWithConcurrency(records, atOnce, async (record) => {
    const { id, ...data } = record.value;
    if (typeof id !== 'string' || id === '')
      return record.problem('', `"id" of the ${singular} to change is missing`);
    if (seen.has(id)) return record.problem('id', `${singular} ${id} is in the input twice`);
    seen.add(id);
    const before = await readStoredRecord(id).catch((error: unknown) => {
      throw error instanceof Failure && error.kind !== 'interrupted'
        ? withFacts(error, { lines: itemFailureText(`${singular} ${id} (${record.place()})`, error) })
        : error;
    });
    return before
      ? { before, data, place: record.place() }
      : record.problem('id', `there is no ${singular} ${id}`);
  });
  const problems = changes.flatMap((change) => ('before' in change ? [] : [change]));
  if (problems.length > 0) throw problemsFailure(problems);
  return changes.flatMap((change) => ('before' in change ? [change] : []));
}

/** Reads the complete records that match the filters, because a list shows only parts of them. */
async function readMatching(
  resource: Resource,
  filters: readonly Filter[],
  context: Context,
): Promise<readonly JsonObject[]> {
  const api = await context.api();
  const operation = operationFor(resource, 'list');
  const query = { ascending: 'true', ...operation.listed?.everything, ...filterQuery(resource, filters) };
  const ids: string[] = [];
  for await (const page of api.pages({ operation, query }))
    ids.push(...page.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])));
  let over = 0;
  const read = await mapWithConcurrency(ids, context.settings.concurrency.value, async (id) => {
    // Skips records that were deleted since the list was read.
    const record = await recordIfThere(api, resource, id);
    context.notices.progress(++over, ids.length, `read ${pluralIn(resource)}`);
    return record && matchesFilters(record, filters) ? [record] : [];
  });
  return read.flat();
}

/** Like `readMatching`, but throws a `Failure` after Ctrl-C, which reports that no record was changed. */
async function readMatchingFirst(...given: Parameters<typeof readMatching>): Promise<readonly JsonObject[]> {
  try {
    return await readMatching(...given);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'interrupted') throw error;
    throw new Failure('interrupted', 'Interrupted while reading. Nothing was changed.', { cause: error });
  }
}
