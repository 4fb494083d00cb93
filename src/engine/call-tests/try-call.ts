import { textOf } from '../../base/json.ts';
import { localTime, secondsOfDay } from '../../base/zoned-time.ts';
import { makeCall } from '../calls/make-call.ts';
import { nameOf, texts } from '../calls/records.ts';
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
    ...{ account, at, to, presses, people, others, acts: [], pivots: new Map() },
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
      .map((number) => ({ number, name: nameOf('callflows', flow) })),
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
