import { type JsonObject, textOf } from '../../../base/json.ts';
import type { Query } from '../../../client/api/api.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { cdrs } from '../../../contract/resources/cdrs.ts';
import { users } from '../../../contract/resources/users.ts';
import type { InputOf, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { chosenFrom, readOrder } from '../generic/chosen-records.ts';
import { filterQuery, fittingItems, readFilters } from '../generic/filters.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import type { cdrOptions, listOptions } from './commands.ts';
import { recordsOfTime } from './time-windows.ts';

type Chosen = Pick<InputOf<typeof cdrOptions>, 'since' | 'until' | 'user' | 'direction' | 'cause'>;

/** The call records that options choose, oldest first. `more`: other filters. */
export async function* cdrsOf(
  context: Context,
  { since, until, user, direction, cause }: Chosen,
  { calls = false, more = {} }: { readonly calls?: boolean | undefined; readonly more?: Query } = {},
): AsyncGenerator<JsonObject> {
  const verb = calls ? 'interactions' : user === undefined ? 'list' : 'of-user';
  const operation = operationFor(cdrs, calls && user !== undefined ? 'interactions-of-user' : verb);
  const path = user === undefined ? {} : pathTo(users, (await findNamed(context, users, user)).id);
  const query = {
    ...(direction === undefined ? {} : { filter_call_direction: direction }),
    ...(cause === undefined ? {} : { filter_hangup_cause: cause }),
    ...more,
  };
  yield* recordsOfTime(context, { operation, path, query }, { since, until });
}

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
