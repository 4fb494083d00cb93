import { Failure } from '../../../base/failure.ts';
import { type JsonObject, textOf } from '../../../base/json.ts';
import { gregorianOffset, momentOf } from '../../../base/moment.ts';
import type { Call, Query } from '../../../client/api/api.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { cdrs } from '../../../contract/resources/cdrs.ts';
import { users } from '../../../contract/resources/users.ts';
import type { InputOf, ParsedInput, ParsedValue } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { chosenFrom, filterQuery, fittingItems, readFilters, readOrder } from '../generic/filters.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { serviceNowMs } from '../webhooks/health/webhook-health.ts';
import type { cdrOptions, listOptions } from './commands.ts';

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

/** Widest range that services answer at once, in seconds: 31 days and an hour (Conventions, time-ranged lists). */
const widestS = 2_682_000;

/** A range of time as it was typed. */
export interface TypedRange {
  readonly since?: ParsedValue;
  readonly until?: ParsedValue;
}

/** Bounds in Gregorian seconds, both included. */
export interface Bounds {
  readonly from: number;
  readonly to: number;
}

const secondsOf = (ms: number): number => Math.floor(ms / 1000) + gregorianOffset;

/**
 * Reads a range of time, by the service's clock; the last 31 days where nothing was typed. Throws `Failure` (`usage`).
 */
export async function boundsOf(context: Context, { since, until }: TypedRange): Promise<Bounds> {
  const nowMs = await serviceNowMs(context);
  const to = secondsOf(until === undefined ? nowMs : momentOf(String(until), nowMs, '--until'));
  const from = since === undefined ? to - widestS : secondsOf(momentOf(String(since), nowMs, '--since'));
  if (from <= to) return { from, to };
  throw new Failure('usage', '--since is later than --until.');
}

/** The queries for a range: one for each piece that a service answers at once, oldest first. */
export function* windowsOf({ from, to }: Bounds): Generator<Query> {
  for (let start = from; start <= to; start += widestS + 1)
    yield { created_from: String(start), created_to: String(Math.min(start + widestS, to)) };
}

/**
 * Records of a page. Services give 50 where nobody asks, and know no maximum (Conventions, paging): a month of calls
 * would take thousands of requests, each of which costs more than the records in it.
 */
const pageSize = '500';

/** The records that a call lists of a range of time, window by window; a page of them in memory. */
export async function* recordsOfTime(
  context: Context,
  call: Call,
  range: TypedRange,
): AsyncGenerator<JsonObject> {
  const bounds = await boundsOf(context, range);
  context.host.processes.keepHeapSmall();
  const api = await context.api();
  for (const window of windowsOf(bounds)) {
    const query = { ascending: 'true', page_size: pageSize, ...call.query, ...window };
    for await (const page of api.pages({ ...call, query })) yield* page;
  }
}
