import type { ParsedInput } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../contract/json.ts';
import type { Resource } from '../../contract/types.ts';
import { oneLine } from '../../contract/wording.ts';
import type { Result } from '../../terminal/result.ts';
import { inBulk } from '../bulk.ts';
import { changedFields, same, wouldSend } from '../change.ts';
import { accountName, labelOf } from '../labels.ts';
import { asRecord, operationFor, pathTo } from './find-record.ts';
import { readInputRecord } from './input.ts';
import { filterQuery } from './list.ts';

/** Records and failures that are shown to people; scripts get all of them. */
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
  const one = found.length === 1 ? resource.singular : resource.name;
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
        : `Nothing to change: ${found.length} ${one} looked at.`;
    return { kind: 'done', message, value: [], resource: name };
  }
  for (const record of changing.slice(0, shownAtMost))
    context.notices.say(
      `${labelOf(resource, record)}: ${changedFields(schema, record, data)
        .map((line) => line.trim())
        .join(', ')}`,
    );
  if (changing.length > shownAtMost) context.notices.say(`… and ${changing.length - shownAtMost} more`);
  const { profile } = await context.session();
  if (changing.some(({ id }) => id === profile.ownerId))
    context.notices.warn('The user who is signed in is among them.');
  const question = `Change ${changing.length} of ${found.length} ${one} in ${await accountName(context)}?`;
  if (!(await context.ask.confirm(question, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
  const outcomes = await inBulk(context, changing, name, async (record) =>
    asRecord(resource, (await api.call(callFor(record))).data),
  );
  const changed = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.result] : []));
  const failed = outcomes.flatMap((outcome, index) => {
    const record = changing[index];
    return outcome.ok || !record ? [] : [{ record: labelOf(resource, record), failure: outcome.failure }];
  });
  const before = found.length - changing.length;
  const failure = failureOf(failed, changed.length);
  if (failure && changed.length === 0) throw failure;
  const parts = [
    `Changed ${changed.length} ${changed.length === 1 ? resource.singular : name}`,
    ...(before === 0 ? [] : [`${before} ${before === 1 ? 'was' : 'were'} so already`]),
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
  ];
  return {
    kind: 'done',
    message: `${parts.join(', ')}.`,
    value: changed,
    resource: name,
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
  const lines = failed.map(({ record, failure: { message, requestId } }) => {
    const request = requestId ? ` (request ${requestId})` : '';
    return `failed  ${record}: ${oneLine(message)}${request}`;
  });
  const more = lines.length - shownAtMost;
  return new Failure(
    interrupted ? 'interrupted' : done > 0 ? 'partial' : first.failure.kind,
    [
      ...lines.slice(0, shownAtMost),
      ...(more > 0 ? [`… and ${more} more; -o json has all of them`] : []),
    ].join('\n'),
    {
      hint: 'Repeat the same line: what is changed already is left alone.',
      sentence: `${failed.length} of ${failed.length + done} failed. ${lines[0]?.replace(/^failed {2}/, 'The first: ')}`,
      details: {
        failed: failed.map(({ record, failure: { kind, message, status, requestId } }) => ({
          record,
          error: { kind, message, status, request_id: requestId },
        })),
      },
    },
  );
}
