import { type JsonObject, textOf } from '../../../base/json.ts';
import type { Query } from '../../../client/api/api.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { cdrs } from '../../../contract/resources/cdrs.ts';
import { users } from '../../../contract/resources/users.ts';
import type { Resource } from '../../../contract/types.ts';
import type { InputOf, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { chosenFrom, readOrder } from '../generic/chosen-records.ts';
import { filterQuery, fittingItems, readFilters } from '../generic/filters.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';
import type { cdrOptions, legsArguments, listOptions } from './commands.ts';
import { boundsOf, type TypedRange, windowsOf } from './time-windows.ts';

/**
 * Records of a page. Services give 50 where nobody asks, and know no maximum (Conventions, paging): a month of calls
 * would take thousands of requests, each of which costs more than the records in it.
 */
const pageSize = '500';

/** Records of a range of time, of the account or of a user, window by window; a page of them in memory. */
export async function* recordsOfTime(
  context: Context,
  resource: Resource,
  whose: {
    readonly verb: string;
    /** Verb for the records of one user, where there is one. */
    readonly verbOfUser?: string;
    readonly user?: string | undefined;
    readonly range: TypedRange;
    readonly query: Query;
  },
): AsyncGenerator<JsonObject> {
  const { verb, verbOfUser = verb, user, range, query } = whose;
  const path = user === undefined ? {} : pathTo(users, (await findNamed(context, users, user)).id);
  const operation = operationFor(resource, user === undefined ? verb : verbOfUser);
  const bounds = await boundsOf(context, range);
  context.host.processes.keepHeapSmall();
  const api = await context.api();
  for (const window of windowsOf(bounds))
    for await (const page of api.pages({
      ...{ operation, path, query: { ascending: 'true', page_size: pageSize, ...query, ...window } },
    })) {
      yield* page;
    }
}

type Chosen = Pick<InputOf<typeof cdrOptions>, 'since' | 'until' | 'user' | 'direction' | 'cause'>;

/** The call records that options choose, oldest first. `more`: other filters. */
export const cdrsOf = (
  context: Context,
  { since, until, user, direction, cause }: Chosen,
  { calls = false, more = {} }: { readonly calls?: boolean | undefined; readonly more?: Query } = {},
): AsyncGenerator<JsonObject> =>
  recordsOfTime(context, cdrs, {
    verb: calls ? 'interactions' : 'list',
    verbOfUser: calls ? 'interactions-of-user' : 'of-user',
    user,
    range: { since, until },
    query: {
      ...(direction === undefined ? {} : { filter_call_direction: direction }),
      ...(cause === undefined ? {} : { filter_hangup_cause: cause }),
      ...more,
    },
  });

export async function listCdrs(input: InputOf<typeof listOptions>, context: Context): Promise<ListResult> {
  const given: ParsedInput = input;
  const filters = readFilters(cdrs, given, context);
  const found = cdrsOf(context, input, { calls: input.calls, more: filterQuery(cdrs, filters) });
  const fitting = fittingItems(cdrs, filters, ofNumber(found, input.number));
  const order = readOrder(cdrs, given, context);
  const chosen = chosenFrom(fitting, cdrs, { order, search: undefined, limit: input.limit });
  return { kind: 'list', ...chosen, resource: 'cdrs', noun: input.calls ? 'calls' : 'legs' };
}

const ends = ['calling_from', 'dialed_number', 'caller_id_number', 'callee_id_number'];

/** Records in which a number called or was called, however it is written. */
async function* ofNumber(
  records: AsyncIterable<JsonObject>,
  number: string | undefined,
): AsyncGenerator<JsonObject> {
  const wanted = number === undefined ? undefined : normalisedNumber(number);
  for await (const record of records) {
    const isOf = (key: string): boolean => normalisedNumber(textOf(record[key]) ?? '') === wanted;
    if (wanted === undefined || ends.some(isOf)) yield record;
  }
}

/** Lists the legs of one call. They are whole records, whose names differ from those of lists. */
export async function listLegs(
  { id }: InputOf<Record<never, never>, typeof legsArguments>,
  context: Context,
): Promise<ListResult> {
  const api = await context.api();
  const pages = api.pages({ operation: operationFor(cdrs, 'legs'), path: { interaction_id: id } });
  return {
    kind: 'list',
    items: flattened(pages),
    resource: 'cdrs',
    noun: 'legs',
    columns: [
      { header: 'END', paths: ['timestamp'], show: 'time' },
      { header: 'DIRECTION', paths: ['call_direction'] },
      { header: 'FROM', paths: ['caller_id_number'] },
      { header: 'TO', paths: ['callee_id_number'] },
      { header: 'LENGTH', paths: ['duration_seconds'] },
      { header: 'BILLED', paths: ['billing_seconds'] },
      { header: 'CAUSE', paths: ['hangup_cause'] },
      { header: 'ID', paths: ['id'], show: 'id' },
    ],
  };
}
