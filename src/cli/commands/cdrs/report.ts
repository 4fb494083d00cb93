import { type NextStep, nextStep } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { requireDuration } from '../../../base/moment.ts';
import { formatCount, missingName } from '../../../base/wording.ts';
import { localTime, secondsOfDay } from '../../../base/zoned-time.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { users } from '../../../contract/resources/users.ts';
import type { Column } from '../../../contract/types.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { accountZone } from '../records/account-time.ts';
import { findNamed } from '../records/find-named.ts';
import { type CountedCall, callsOfLegs } from './calls-of-legs.ts';
import type { reportOptions } from './commands.ts';
import { countedRange, outcomeColumns, readCdrs, usernames } from './list.ts';
import { messageLookup } from './message-lookup.ts';

type Grouping = NonNullable<InputOf<typeof reportOptions>['by']>;

const noCalls = {
  calls: 0,
  answered: 0,
  messages: 0,
  reached_service: 0,
  missed: 0,
  unknown: 0,
  talk_seconds: 0,
  longest_ring_seconds: 0,
  cost: 0,
};
type Sums = typeof noCalls;

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const twoDigits = (value: number): string => String(value).padStart(2, '0');
const hourRange = (hour: number): string => `${twoDigits(hour)}-${twoDigits((hour + 1) % 24)}`;

/** In the time zone of the account. */
function localTimeOf(zone: string, { begin }: CountedCall) {
  const { day, second } = localTime(zone, begin);
  const date = new Date(day * secondsOfDay * 1000);
  return {
    day: date.toISOString().slice(0, 10),
    weekday: weekdays[date.getUTCDay()] ?? '',
    hour: hourRange(Math.floor(second / 3600)),
  };
}

const groupKey = (by: Grouping, zone: string, call: CountedCall): string =>
  by === 'hour' || by === 'weekday' || by === 'day' ? localTimeOf(zone, call)[by] : call[by];

function sortGroups(by: Grouping, sums: ReadonlyMap<string, Sums>): readonly (readonly [string, Sums])[] {
  const rows = [...sums];
  if (by === 'weekday') return rows.toSorted(([one], [other]) => mondayFirst(one) - mondayFirst(other));
  if (by === 'hour' || by === 'day') return rows.toSorted(([one], [other]) => one.localeCompare(other));
  return rows.toSorted(([a, one], [b, other]) => other.calls - one.calls || a.localeCompare(b));
}

const mondayFirst = (weekday: string): number => (weekdays.indexOf(weekday) + 6) % 7;

function callFilter(
  input: InputOf<typeof reportOptions>,
  userId: string | undefined,
): (call: CountedCall) => boolean {
  const over =
    input.unansweredOver === undefined
      ? undefined
      : requireDuration(input.unansweredOver, '--unanswered-over') / 1000;
  const number = input.number === undefined ? undefined : normalisedNumber(input.number);
  return ({ outcome, ring, numbers, users }) =>
    !(input.missed && outcome !== 'missed') &&
    (over === undefined || (outcome !== 'answered' && outcome !== 'unknown' && ring > over)) &&
    (number === undefined || numbers.has(number)) &&
    (userId === undefined || users.has(userId));
}

const columns = (by: Grouping, { unknown }: Sums, more: readonly Column[]): readonly Column[] => [
  { header: by.toUpperCase(), paths: ['key'] },
  { header: 'CALLS', paths: ['calls'] },
  ...outcomeColumns,
  ...(unknown > 0 ? [{ header: 'UNKNOWN', paths: ['unknown'] }] : []),
  ...more,
];

const plainColumns = [
  { header: 'TALK', paths: ['talk_seconds'] },
  { header: 'LONGEST RING', paths: ['longest_ring_seconds'] },
  { header: 'COST', paths: ['cost'] },
];

/** `2:11:05` */
const formatLength = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(Math.floor(seconds) % 60)}`;

const barWidth = 16;

function rowsForPeople(
  by: Grouping,
  rows: readonly JsonObject[],
  {
    isGone,
    isTerminal,
    all,
  }: {
    readonly isGone: (key: string) => boolean;
    readonly isTerminal: boolean;
    readonly all: Sums;
  },
) {
  const most = Math.max(1, ...rows.map(({ calls }) => Number(calls)));
  const hasCost = rows.some(({ cost }) => cost !== 0);
  const bar = (calls: number): string => '▇'.repeat(Math.max(1, Math.round((calls / most) * barWidth)));
  return {
    items: rows.map(
      (row): JsonObject => ({
        ...row,
        key: row.key === '' ? '(none)' : isGone(String(row.key)) ? missingName(String(row.key)) : row.key,
        ring: `${row.longest_ring_seconds} s`,
        talk: formatLength(Number(row.talk_seconds)),
        price: Number(row.cost).toFixed(2),
        bar: bar(Number(row.calls)),
      }),
    ),
    columns: columns(by, all, [
      { header: 'LONGEST RING', paths: ['ring'] },
      { header: 'TALK', paths: ['talk'] },
      ...(hasCost ? [{ header: 'COST', paths: ['price'] }] : []),
      ...(isTerminal ? [{ header: ' ', paths: ['bar'] }] : []),
    ]),
  };
}

/** Counts the calls of a time range by group. Keeps only the sums in memory. */
export async function reportCalls(
  input: InputOf<typeof reportOptions>,
  context: Context,
): Promise<ListResult> {
  const { by = 'day' } = input;
  const zone = await accountZone(context);
  const counts = await countCalls(input, context, by, zone);
  const { all, sums, messagesAreUnknown } = counts;
  const names = by === 'user' ? await usernames(context) : undefined;
  const known = names && new Set(names.values());
  const rows = sortGroups(by, sums)
    .slice(0, input.top)
    .map(
      ([key, sum]): JsonObject => ({ key: names?.get(key) ?? key, ...shownSums(sum, messagesAreUnknown) }),
    );
  const end = summaryLine(input, counts);
  const table =
    context.settings.output.value === 'table'
      ? rowsForPeople(by, rows, {
          isGone: (key) => known?.has(key) === false,
          isTerminal: context.host.stdout.isTTY === true,
          all,
        })
      : { items: rows, columns: columns(by, all, plainColumns) };
  return {
    kind: 'list',
    ...table,
    noun: 'calls',
    summary: () => (rows.length === 0 ? 'No calls' : end),
    documents: {
      html: async () =>
        (await import('../../../engine/html/report-pages.ts')).callReportPage({
          by,
          zone,
          end,
          rows,
          sums: shownSums(all, messagesAreUnknown),
          when: new Date(context.host.clock.now()).toISOString().slice(0, 16).replace('T', ' '),
        }),
    },
  };
}

async function countCalls(
  input: InputOf<typeof reportOptions>,
  context: Context,
  by: Grouping,
  zone: string,
) {
  const { user, until, since = '31d' } = input;
  const userId = user === undefined ? undefined : (await findNamed(context, users, user)).id;
  const isChosen = callFilter(input, userId);
  const { bounds, isWithin } = await countedRange(context, { since, until });
  // The legs of one user do not show who else answered, so all legs are read.
  const wanted = { ...input, user: undefined, direction: undefined, cause: undefined };
  const messages = messageLookup(context);
  const all = { ...noCalls };
  const sums = new Map<string, Sums>();
  const days = new Set<string>();
  const hours = new Map<string, number>();
  for await (const call of callsOfLegs(readCdrs(context, wanted, { bounds }), messages.hasMessage)) {
    if (!isChosen(call) || !isWithin(call.begin)) continue;
    const key = groupKey(by, zone, call);
    const sum = sums.get(key) ?? { ...noCalls };
    sums.set(key, sum);
    for (const each of [sum, all]) add(each, call);
    const { day, weekday, hour } = localTimeOf(zone, call);
    days.add(day);
    hours.set(`${weekday} ${hour}`, (hours.get(`${weekday} ${hour}`) ?? 0) + 1);
  }
  return { all, sums, days, hours, messagesAreUnknown: messages.isUnknown() };
}

function summaryLine(
  input: InputOf<typeof reportOptions>,
  { all, days, hours }: Awaited<ReturnType<typeof countCalls>>,
): string {
  const [busiest] = [...hours].toSorted(([, one], [, other]) => other - one);
  const isOfMissed = input.missed || input.unansweredOver !== undefined;
  return [
    `${formatCount(all.calls, 'call')} in ${formatCount(days.size, 'day')}`,
    busiest ? `; busiest: ${busiest[0]} (${busiest[1]}).` : '.',
    all.missed > 0 && !isOfMissed ? ` ${all.missed} missed: ${missedLine(input)}` : '',
  ].join('');
}

/** Suggests the command that lists the missed calls of the same report. */
const missedLine = ({ since = '31d', until, user, number }: InputOf<typeof reportOptions>): NextStep =>
  nextStep`cdrs report --missed --since ${since} ${[
    ...(until === undefined ? [] : ['--until', until]),
    ...(user === undefined ? [] : ['--user', user]),
    ...(number === undefined ? [] : ['--number', number]),
  ]}`;

function add(sum: Sums, { outcome, talk, ring, cost }: CountedCall): void {
  sum.calls += 1;
  sum[outcome] += 1;
  sum.talk_seconds += talk;
  sum.longest_ring_seconds = Math.max(sum.longest_ring_seconds, ring);
  sum.cost += cost;
}

const shownSums = (sums: Sums, messagesAreUnknown: boolean): JsonObject => ({
  ...sums,
  ...(messagesAreUnknown ? { messages: null } : {}),
  cost: Math.round(sums.cost * 10_000) / 10_000,
});
