import { bounded } from '../../../base/bounded.ts';
import { Failure, withFacts } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { pluralIn } from '../../../contract/resource.ts';
import type { Resource } from '../../../contract/types.ts';
import { problemsFailure } from '../../../engine/input/document.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { whyNot } from '../bulk.ts';
import { type Filter, filterQuery, fits, readFilters } from './filters.ts';
import { operationFor } from './find-named.ts';
import { byId, readInputRecord, readInputRecords } from './input.ts';
import { recordIfThere } from './listed-records.ts';

/** A stored record, and the fields that are merged into it. */
export interface Change {
  readonly before: JsonObject;
  readonly data: JsonObject;
  /** Place in the file: `numbers.csv:3`. */
  readonly place?: string;
}

/** The same fields for every record of an account, or those that filters choose. */
export async function sameForAll(
  resource: Resource,
  input: ParsedInput,
  context: Context,
): Promise<readonly Change[]> {
  const filters = readFilters(resource, input, context);
  let read: Promise<readonly JsonObject[]> | undefined;
  const stored = () => {
    read ??= chosenBefore(resource, filters, context);
    return read;
  };
  const { value: data } = await readInputRecord(context, resource, 'patch', input, stored);
  return (await stored()).map((before) => ({ before, data }));
}

/**
 * The fields that each record of a file gives to the one whose `id` it has. Throws `Failure`: `usage` where none has an
 * id, `invalid` with every row that lacks one, repeats one, or names a record that is not there.
 */
export async function ownOfEach(
  resource: Resource,
  input: ParsedInput,
  context: Context,
): Promise<readonly Change[]> {
  const { singular } = resource;
  const known = new Map<string, Promise<JsonObject | undefined>>();
  const storedAt = (id: string): Promise<JsonObject | undefined> => {
    const read = known.get(id) ?? context.api().then((api) => recordIfThere(api, resource, id));
    known.set(id, read);
    return read;
  };
  const atOnce = context.settings.concurrency.value;
  const stored = async (values: readonly JsonObject[]): Promise<readonly JsonObject[]> => {
    const ids = values.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
    return (await bounded(ids, atOnce, storedAt)).flatMap((record) => (record ? [record] : []));
  };
  const given = { ...input, [byId]: true };
  const records = await readInputRecords(context, resource, 'patch', given, stored);
  if (records.every(({ value }) => value.id === undefined))
    throw new Failure('usage', 'Give ID or --all, or let each record of the file say its id.');
  const seen = new Set<string>();
  const changes = await bounded(records, atOnce, async (record) => {
    const { id, ...data } = record.value;
    if (typeof id !== 'string' || id === '')
      return record.problem('', `"id" is missing: it says which ${singular} is changed`);
    if (seen.has(id)) return record.problem('id', `${singular} ${id} stands in the input twice`);
    seen.add(id);
    const before = await storedAt(id).catch((error: unknown) => {
      throw error instanceof Failure && error.kind !== 'interrupted'
        ? withFacts(error, { lines: whyNot(`${singular} ${id} (${record.place()})`, error) })
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

/** The whole records that filters choose; a list shows only parts of them. */
async function chosen(
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
  const read = await bounded(ids, context.settings.concurrency.value, async (id) => {
    // One that was deleted since the list was read leaves nothing to change.
    const record = await recordIfThere(api, resource, id);
    context.notices.progress(++over, ids.length, `read ${pluralIn(resource)}`);
    return record && fits(record, filters) ? [record] : [];
  });
  return read.flat();
}

/** The same. Throws `Failure`: after Ctrl-C with the word that nothing was changed. */
async function chosenBefore(...given: Parameters<typeof chosen>): Promise<readonly JsonObject[]> {
  try {
    return await chosen(...given);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'interrupted') throw error;
    throw new Failure('interrupted', 'Interrupted while reading. Nothing was changed.', { cause: error });
  }
}
