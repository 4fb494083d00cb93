import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject, textOrUndefined } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { missingName } from '../../../base/wording.ts';
import { formatDay, localTime } from '../../../base/zoned-time.ts';
import type { ApiRequest, QueryParameters } from '../../../client/api/api.ts';
import { callOutcome, type callOutcomes } from '../../../contract/call-outcomes.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { cdrs } from '../../../contract/resources/cdrs.ts';
import { users } from '../../../contract/resources/users.ts';
import type { Column } from '../../../contract/types.ts';
import type { InputOf, ParsedInput, ParsedValue } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { filterItems, filterQuery, limitList, readFilters, readOrder } from '../generic/chosen-records.ts';
import { flattenPages } from '../generic/list.ts';
import { nameOf } from '../labels.ts';
import { accountZone, readServiceRange, serviceNowMs } from '../records/account-time.ts';
import { findNamed, operationFor, pathTo } from '../records/find-named.ts';
import { beginOfLeg, endedLeg, type MessageLookup } from './calls-of-legs.ts';
import type { cdrOptions, listOptions, summaryOptions } from './commands.ts';
import { messageLookup } from './message-lookup.ts';

type CdrFilters = Pick<InputOf<typeof cdrOptions>, 'since' | 'until' | 'user' | 'direction' | 'cause'>;

/** Reads the call records that match the options, oldest first. `more` adds filters. */
export async function* readCdrs(
  context: Context,
  { since, until, user, direction, cause }: CdrFilters,
  {
    calls = false,
    more = {},
    bounds,
  }: { readonly calls?: boolean | undefined; readonly more?: QueryParameters; readonly bounds?: Bounds } = {},
): AsyncGenerator<JsonObject> {
  const verb = calls ? 'interactions' : user === undefined ? 'list' : 'of-user';
  const operation = operationFor(cdrs, calls && user !== undefined ? 'interactions-of-user' : verb);
  const path = user === undefined ? {} : pathTo(users, (await findNamed(context, users, user)).id);
  const query = {
    ...(direction === undefined ? {} : { filter_call_direction: direction }),
    ...(cause === undefined ? {} : { filter_hangup_cause: cause }),
    ...more,
  };
  const range = bounds ?? (await readBounds(context, { since, until }));
  yield* recordsWithin(context, { operation, path, query }, range);
}

export async function listCdrs(input: InputOf<typeof listOptions>, context: Context): Promise<ListResult> {
  const given: ParsedInput = input;
  const filters = await readFilters(cdrs, given, context);
  const found = readCdrs(context, input, { calls: input.calls, more: filterQuery(cdrs, filters) });
  const fitting = filterItems(cdrs, filters, withNumber(found, input.number));
  const order = readOrder(cdrs, given, context);
  const chosen = limitList(fitting, cdrs, { order, search: undefined, limit: input.limit });
  return { kind: 'list', ...chosen, resource: 'cdrs', noun: input.calls ? 'calls' : 'legs' };
}

const numberFields = ['calling_from', 'dialed_number', 'caller_id_number', 'callee_id_number'];

async function* withNumber(
  records: AsyncIterable<JsonObject>,
  number: string | undefined,
): AsyncGenerator<JsonObject> {
  const wanted = number === undefined ? undefined : normalisedNumber(number);
  for await (const record of records) {
    const hasNumber = (key: string): boolean =>
      normalisedNumber(textOrUndefined(record[key]) ?? '') === wanted;
    if (wanted === undefined || numberFields.some(hasNumber)) yield record;
  }
}

/** Longest range of one request, in seconds: 31 days and an hour (Conventions, time-ranged lists). */
const maxWindowS = 2_682_000;

interface TypedRange {
  readonly since?: ParsedValue;
  readonly until?: ParsedValue;
}

/** Inclusive bounds in Gregorian seconds. */
interface Bounds {
  readonly from: number;
  readonly to: number;
}

const secondsOf = (ms: number): number => Math.floor(ms / 1000) + gregorianOffset;

/** Parses a time range by the clock of the service. The default is the last 31 days. Throws `usage`. */
async function readBounds(context: Context, { since, until }: TypedRange): Promise<Bounds> {
  const typed = {
    from: textOrUndefined(since),
    to: textOrUndefined(until),
    options: ['--since', '--until'],
  } as const;
  const { fromMs, toMs } = await readServiceRange(context, typed);
  const to = secondsOf(toMs ?? (await serviceNowMs(context)));
  const from = fromMs === undefined ? to - maxWindowS : secondsOf(fromMs);
  if (from <= to) return { from, to };
  throw new Failure('usage', '--since is later than --until.');
}

/** Seconds after a range in which legs that started in it can end. */
const maxLegS = 86_400;

/** Services select by the end of a leg, so `bounds` are wider than the range, and `isWithin` checks the start. */
export async function countedRange(context: Context, range: TypedRange) {
  const { from, to } = await readBounds(context, range);
  return {
    bounds: { from, to: range.until === undefined ? to : to + maxLegS },
    isWithin: (beginS: number): boolean => beginS + gregorianOffset >= from && beginS + gregorianOffset <= to,
  };
}

function* splitIntoWindows({ from, to }: Bounds): Generator<QueryParameters> {
  for (let start = from; start <= to; start += maxWindowS + 1)
    yield { created_from: String(start), created_to: String(Math.min(start + maxWindowS, to)) };
}

/** The default of services is 50 without a maximum, and fewer requests are faster (Conventions). */
const pageSize = '500';

/** Yields the records of a time range, with one page in memory. */
export async function* recordsOfTime(
  context: Context,
  call: ApiRequest,
  range: TypedRange,
): AsyncGenerator<JsonObject> {
  yield* recordsWithin(context, call, await readBounds(context, range));
}

async function* recordsWithin(
  context: Context,
  call: ApiRequest,
  bounds: Bounds,
): AsyncGenerator<JsonObject> {
  context.host.processes.keepHeapSmall();
  const api = await context.api();
  for (const window of splitIntoWindows(bounds)) {
    const query = { ascending: 'true', page_size: pageSize, ...call.query, ...window };
    for await (const page of api.pages({ ...call, query })) yield* page;
  }
}

const noLegs = {
  legs: 0,
  answered: 0,
  messages: 0,
  reached_service: 0,
  missed: 0,
  seconds: 0,
  billed: 0,
};

export const outcomeColumns: readonly Column[] = [
  { header: 'ANSWERED', paths: ['answered'] },
  { header: 'MESSAGES', paths: ['messages'] },
  { header: 'SERVICE', paths: ['reached_service'] },
  { header: 'MISSED', paths: ['missed'] },
];

/** Returns the outcome of a leg as if it were a call. An unanswered leg is missed. */
async function outcomeOfLeg(record: JsonObject, isLeft: MessageLookup): Promise<keyof typeof callOutcomes> {
  const leg = { ...endedLeg(record), isFirst: true };
  const outcome = callOutcome([leg], false);
  if (outcome === 'unknown') return 'missed';
  return outcome === 'reached_service' && (await isLeft(leg.id)) ? 'messages' : outcome;
}

const secondsIn = (record: JsonObject, key: string): number => Number(record[key] ?? 0) || 0;

const groupOfLeg: Readonly<Record<'user' | 'direction' | 'cause', (record: JsonObject) => string>> = {
  user: ({ owner_id: owner }) => String(owner ?? ''),
  direction: ({ direction }) => String(direction ?? ''),
  cause: ({ hangup_cause: cause }) => String(cause ?? ''),
};

const startDay = (zone: string, record: JsonObject): string =>
  formatDay(localTime(zone, beginOfLeg(record)).day);

const summaryColumns = (heading: string): readonly Column[] => [
  { header: heading, paths: ['name'] },
  { header: 'LEGS', paths: ['legs'] },
  ...outcomeColumns,
  { header: 'SECONDS', paths: ['seconds'] },
  { header: 'BILLED', paths: ['billed'] },
];

/** Counts call records by group. Keeps only the sums in memory. */
export async function summariseCdrs(
  input: InputOf<typeof summaryOptions>,
  context: Context,
): Promise<ListResult> {
  const { by = 'user' } = input;
  if (by === 'carrier') return serviceSummary(input, context);
  const zone = by === 'day' ? await accountZone(context) : '';
  const sums = new Map<string, typeof noLegs>();
  const messages = messageLookup(context);
  const { bounds, isWithin } = await countedRange(context, input);
  for await (const record of readCdrs(context, input, { bounds })) {
    if (!isWithin(beginOfLeg(record))) continue;
    const word = by === 'day' ? startDay(zone, record) : groupOfLeg[by](record);
    const sum = sums.get(word) ?? { ...noLegs };
    const billed = secondsIn(record, 'billing_seconds');
    sum.legs += 1;
    sum[await outcomeOfLeg(record, messages.hasMessage)] += 1;
    sum.seconds += secondsIn(record, 'duration_seconds');
    sum.billed += billed;
    sums.set(word, sum);
  }
  const names = by === 'user' ? await usernames(context) : undefined;
  const missingLabel = (word: string): string => (word === '' ? '(none)' : names ? missingName(word) : word);
  const rows = [...sums].map(
    ([word, sum]): JsonObject => ({
      [by]: word,
      name: names?.get(word) ?? missingLabel(word),
      ...sum,
      ...(messages.isUnknown() ? { messages: null } : {}),
    }),
  );
  const items =
    by === 'day'
      ? rows.toSorted((one, other) => String(one.day).localeCompare(String(other.day)))
      : rows.toSorted((one, other) => Number(other.billed) - Number(one.billed));
  return { kind: 'list', items, columns: summaryColumns(by.toUpperCase()), noun: 'rows' };
}

export async function usernames(context: Context): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const api = await context.api();
  for await (const user of flattenPages(api.pages({ operation: operationFor(users, 'list') })))
    if (isObject(user) && typeof user.id === 'string') names.set(user.id, nameOf(users, user) ?? user.id);
  return names;
}

/** Shows the service's totals of calls from and to carriers: seconds by address and kind of number. */
async function serviceSummary(input: InputOf<typeof summaryOptions>, context: Context): Promise<ListResult> {
  if (input.user ?? input.direction ?? input.cause)
    throw new Failure('usage', 'The service computes the summary by carrier, and can only limit it by time.');
  const api = await context.api();
  const sums = new Map<string, JsonObject & { seconds: number }>();
  for (const query of splitIntoWindows(await readBounds(context, input))) {
    const { data } = await api.call({ operation: operationFor(cdrs, 'summary'), query });
    for (const direction of ['inbound', 'outbound'] as const)
      for (const [address, kinds] of objectEntries(isObject(data) ? data[direction] : undefined))
        for (const [kind, totals] of objectEntries(kinds)) {
          const key = JSON.stringify([direction, address, kind]);
          const sum = sums.get(key) ?? { direction, address, kind, seconds: 0 };
          sum.seconds += isObject(totals) ? secondsIn(totals, 'total') : 0;
          sums.set(key, sum);
        }
  }
  const columns: readonly Column[] = ['direction', 'address', 'kind', 'seconds'].map((path) => ({
    header: path.toUpperCase(),
    paths: [path],
  }));
  return { kind: 'list', items: [...sums.values()], columns, noun: 'rows' };
}

const objectEntries = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
