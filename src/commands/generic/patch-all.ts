import type { ParsedInput } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../contract/json.ts';
import type { Resource } from '../../contract/types.ts';
import { counted } from '../../contract/wording.ts';
import type { Result } from '../../terminal/result.ts';
import { inBulk, type Outcome } from '../bulk.ts';
import { changedFields, same, wouldSend } from '../change.ts';
import { failedLines, whyNot } from '../failed-lines.ts';
import { accountName, labelOf } from '../labels.ts';
import { asRecord, operationFor, pathTo } from './find-record.ts';
import { readInputRecord } from './input.ts';
import { filterQuery } from './list.ts';

/** Records whose change is said before the question; more are counted. */
const shownAtMost = 20;

/**
 * Merges the same fields into every record of an account, or those that filters choose: reads all of them first, says
 * what would change in each, asks once, and leaves alone those that are so already. Filters are held against the
 * records themselves, since compatible services may ignore them. Throws `Failure`: `interrupted` for a no, and what
 * the list and the input throw, before anything is sent.
 */
export async function patchAll(resource: Resource, input: ParsedInput, context: Context): Promise<Result> {
  const { value: data } = await readInputRecord(context, resource, 'patch', input);
  const filters = filterQuery(Array.isArray(input.filters) ? input.filters.map(String) : []);
  const found = await chosen(resource, filters, context);
  const changing = found.filter((record) => differs(record, data));
  const { schema, name } = resource;
  const api = await context.api();
  const callFor = ({ id }: JsonObject) => ({
    operation: operationFor(resource, 'patch'),
    path: pathTo(resource, String(id)),
    data,
  });
  if (context.options.dryRun)
    return wouldSend(
      context,
      changing.map((before) => ({
        request: api.plan(callFor(before)),
        schema,
        before,
        notes: [`of ${labelOf(resource, before)}`],
      })),
    );
  if (changing.length === 0) {
    const message =
      found.length === 0
        ? `There are no ${name} to change.`
        : `Nothing to change: ${countOf(resource, found)} looked at.`;
    return { kind: 'done', message, value: [], resource: name };
  }
  await askToChange(context, resource, { found, changing, data });
  const outcomes = await inBulk(context, changing, name, async (record) =>
    asRecord(resource, (await api.call(callFor(record))).data),
  );
  return resultOf(resource, { found, changing, outcomes });
}

const countOf = ({ singular, name }: Resource, { length }: readonly unknown[]): string =>
  counted(length, singular, name);

/** Says what would change in each record and asks once. Throws `Failure` of kind `interrupted` for a no. */
async function askToChange(
  context: Context,
  resource: Resource,
  facts: {
    readonly found: readonly JsonObject[];
    readonly changing: readonly JsonObject[];
    readonly data: JsonObject;
  },
): Promise<void> {
  const { found, changing, data } = facts;
  for (const record of changing.slice(0, shownAtMost)) {
    const changes = changedFields(resource.schema, record, data).map((line) => line.trim());
    context.notices.say(`${labelOf(resource, record)}: ${changes.join(', ')}`);
  }
  if (changing.length > shownAtMost) context.notices.say(`… and ${changing.length - shownAtMost} more`);
  const { profile } = await context.session();
  if (changing.some(({ id }) => id === profile.ownerId))
    context.notices.warn('The user who is signed in is among them.');
  const question = `Change ${changing.length} of ${countOf(resource, found)} in ${await accountName(context)}?`;
  if (!(await context.ask.confirm(question, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
}

/** What became of it. Throws `Failure` where nothing was changed. */
function resultOf(
  resource: Resource,
  facts: {
    readonly found: readonly JsonObject[];
    readonly changing: readonly JsonObject[];
    readonly outcomes: readonly Outcome<JsonObject>[];
  },
): Result {
  const { found, changing, outcomes } = facts;
  const changed = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.result] : []));
  const failed = outcomes.flatMap((outcome, index) => {
    const record = changing[index];
    return outcome.ok || !record ? [] : [{ record: labelOf(resource, record), failure: outcome.failure }];
  });
  const failure = failureOf(failed, changed.length);
  if (failure && changed.length === 0) throw failure;
  const before = found.length - changing.length;
  const parts = [
    `Changed ${countOf(resource, changed)}`,
    ...(before === 0 ? [] : [`${before} ${before === 1 ? 'was' : 'were'} so already`]),
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
  ];
  return {
    kind: 'done',
    message: `${parts.join(', ')}.`,
    value: changed,
    resource: resource.name,
    ...(failure ? { failure } : {}),
  };
}

/** The whole records that filters choose; a list shows only parts of them. */
async function chosen(
  resource: Resource,
  filters: Readonly<Record<string, readonly string[]>>,
  context: Context,
): Promise<readonly JsonObject[]> {
  const api = await context.api();
  const operation = operationFor(resource, 'list');
  const query = { ascending: 'true', ...operation.listed?.everything, ...filters };
  const ids: string[] = [];
  for await (const page of api.pages({ operation, query }))
    ids.push(...page.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])));
  const read = await inBulk(context, ids, resource.name, async (id) => {
    const { data } = await api.call({ operation: operationFor(resource, 'get'), path: pathTo(resource, id) });
    return { ...asRecord(resource, data), id };
  });
  return read.flatMap((outcome): readonly JsonObject[] => {
    // Deleted since the list was read: nothing is left to change.
    if (!outcome.ok && outcome.failure.kind === 'not_found') return [];
    if (!outcome.ok) throw outcome.failure;
    return fits(outcome.result, filters) ? [outcome.result] : [];
  });
}

const fits = (record: JsonObject, filters: Readonly<Record<string, readonly string[]>>): boolean =>
  Object.entries(filters).every(([name, wanted]) => {
    const value = valueAt(record, name.replace(/^filter_/, ''));
    const texts = (Array.isArray(value) ? value : [value]).map((each) => String(each));
    return wanted.some((text) => texts.includes(text));
  });

/** Whether merging `data` into a record would leave it another; what cannot be read, such as a secret, counts. */
function differs(record: Json | undefined, data: Json): boolean {
  if (!isObject(data)) return data === null ? record !== undefined && record !== null : !same(record, data);
  return Object.entries(data).some(([key, value]) =>
    value === undefined
      ? false
      : differs(isObject(record) && Object.hasOwn(record, key) ? record[key] : undefined, value),
  );
}

function failureOf(
  failed: readonly { readonly record: string; readonly failure: Failure }[],
  done: number,
): Failure | undefined {
  const [first] = failed;
  if (!first) return undefined;
  const interrupted = failed.some(({ failure }) => failure.kind === 'interrupted');
  const reasons = failed.map(({ record, failure }) => whyNot(record, failure));
  return new Failure(
    interrupted ? 'interrupted' : done > 0 ? 'partial' : first.failure.kind,
    failedLines(reasons),
    {
      hint: 'Repeat the same line: what is changed already is left alone.',
      sentence: `${failed.length} of ${failed.length + done} failed. The first: ${reasons[0]}`,
      details: {
        failed: failed.map(({ record, failure: { kind, message, status, requestId } }) => ({
          record,
          error: { kind, message, status, request_id: requestId },
        })),
      },
    },
  );
}
