import { textOf } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import { localTime, secondsOfDay, timesOf } from '../../base/zoned-time.ts';
import { makeCall } from '../calls/make-call.ts';
import { calledName, texts } from '../calls/records.ts';
import { seededNumbers } from '../calls/seeded-numbers.ts';
import type { Behaviour, Call, CallAccount } from '../calls/types.ts';

/** A call from outside that is tried. */
export interface Trial {
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly presses: readonly string[];
  readonly people: ReadonlyMap<string, Behaviour>;
  readonly others: Behaviour;
}

export const outsideNumber = '+13125550100';

export const tryCall = (account: CallAccount, { to, at, presses, people, others }: Trial): Call =>
  makeCall({
    account,
    at,
    to,
    presses,
    people,
    others,
    acts: [],
    pivots: new Map(),
    from: { number: outsideNumber },
    random: seededNumbers(1),
  });

/** Numbers that lead to a callflow of the account, with the callflow's name. */
export const numbersOf = (
  account: CallAccount,
): readonly { readonly number: string; readonly name: string }[] =>
  account.of('callflows').flatMap((flow) =>
    texts(flow.numbers)
      .filter((number) => number !== 'no_match')
      .map((number) => ({ number, name: calledName('callflows', flow) })),
  );

export const zoneOf = ({ record }: CallAccount): string => textOf(record.timezone) ?? 'UTC';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `Monday 12:30` by the clocks of a zone. */
export function weekdayAndTime(zone: string, ms: number): string {
  const { day, second } = localTime(zone, Math.floor(ms / 1000));
  const shown = new Date((day * secondsOfDay + second) * 1000);
  return `${weekdays[shown.getUTCDay()]} ${shown.toISOString().slice(11, 16)}`;
}

/** `2026-11-23 12:30` by the clocks of a zone. */
export function dateAndTime(zone: string, ms: number): string {
  const { day, second } = localTime(zone, Math.floor(ms / 1000));
  return new Date((day * secondsOfDay + second) * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

/** The first moment of the year in which the latest rule of time begins: the same one whatever the date. */
export function beginOfTime(account: CallAccount): number {
  const starts = account.of('temporal_rules').map(({ start_date: at }) => (typeof at === 'number' ? at : 0));
  const latest = new Date((Math.max(0, ...starts) - gregorianOffset) * 1000);
  const year = Math.max(firstYear, latest.getUTCFullYear());
  const [begin = Date.UTC(year, 0, 1) / 1000] = timesOf(zoneOf(account), {
    day: Date.UTC(year, 0, 1) / 1000 / secondsOfDay,
    second: 0,
  });
  return begin * 1000;
}

const firstYear = 2026;
