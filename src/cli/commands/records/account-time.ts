import { Failure, nextStep } from '../../../base/failure.ts';
import { isObject, textOrUndefined } from '../../../base/json.ts';
import { parseMoment } from '../../../base/moment.ts';
import { formatDay, isTimeZone, parseDay, startOfDay } from '../../../base/zoned-time.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import type { Context } from '../../command/context.ts';
import { operationFor } from './find-named.ts';

type TimeContext = Pick<Context, 'api' | 'host' | 'notices'>;

/** Returns Unix milliseconds by the service's clock, from any reply of this run, or else from the account. */
export async function serviceNowMs(context: Pick<Context, 'api' | 'host'>): Promise<number> {
  const api = await context.api();
  if (api.serviceNowMs() === undefined) await api.call({ operation: operationFor(accounts, 'get') });
  return api.serviceNowMs() ?? context.host.clock.now();
}

/** Returns the zone of the account. If it is missing or unknown, returns UTC with a warning. */
export function zoneOrAssumed(named: unknown, { notices }: Pick<Context, 'notices'>): string {
  const zone = textOrUndefined(named) ?? '';
  if (zone !== '' && isTimeZone(zone)) return zone;
  const trouble =
    zone === ''
      ? 'The account has no time zone'
      : `The account's time zone ${JSON.stringify(zone)} is unknown`;
  notices.warn(
    `${trouble}; assuming UTC. To set it: ${nextStep`accounts patch --set timezone=America/New_York`}`,
  );
  return 'UTC';
}

const zones = new WeakMap<TimeContext, Promise<string>>();

async function readZone(context: TimeContext): Promise<string> {
  const { data } = await (await context.api()).call({ operation: operationFor(accounts, 'get') });
  return zoneOrAssumed(isObject(data) ? data.timezone : undefined, context);
}

/** Returns the account's time zone, read once in a run, or UTC with a warning. */
export function accountZone(context: TimeContext): Promise<string> {
  const known = zones.get(context) ?? readZone(context);
  zones.set(context, known);
  return known;
}

/** Returns the time zone for dates that are shown, or `undefined` if the account cannot be read. */
export async function displayZone(context: TimeContext): Promise<string | undefined> {
  try {
    return await accountZone(context);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return undefined;
  }
}

/** Both bounds are included, in milliseconds since the Unix epoch. */
export interface TimeRange {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

interface TypedTimes {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly options: readonly [from: string, to: string];
}

/** Both are looked up on first use. */
interface Clocks {
  readonly nowMs: () => number | Promise<number>;
  readonly zone: () => Promise<string>;
}

/** A date is the start of that day in a zone, so the range excludes the day of its end. Throws `usage`. */
async function readRange({ from, to, options }: TypedTimes, clocks: Clocks): Promise<TimeRange> {
  const read = async (text: string, option: string, before: 0 | 1): Promise<number> => {
    const day = parseDay(text);
    if (day !== undefined) return startOfDay(await clocks.zone(), day) * 1000 - before;
    return parseMoment(text, await clocks.nowMs(), option);
  };
  const fromMs = from === undefined ? undefined : await read(from, options[0], 0);
  const toMs = to === undefined ? undefined : await read(to, options[1], 1);
  if (fromMs === undefined || toMs === undefined || fromMs <= toMs) return { fromMs, toMs };
  const day = from === to ? parseDay(to ?? '') : undefined;
  if (day === undefined) throw new Failure('usage', `${options[0]} is later than ${options[1]}.`);
  throw new Failure('usage', `The range is empty, because ${options[1]} ${to} is the start of that day.`, {
    hint: `For the whole day: ${options[0]} ${from} ${options[1]} ${formatDay(day + 1)}`,
  });
}

/** Reads a range for records of the service: times by its clock, dates in the account's time zone. */
export const readServiceRange = (context: TimeContext, typed: TypedTimes): Promise<TimeRange> =>
  readRange(typed, { nowMs: () => serviceNowMs(context), zone: () => accountZone(context) });

/** Reads a range for local records. Without a session or a connection, dates are UTC, with a warning. */
export const readLocalRange = (context: TimeContext, typed: TypedTimes): Promise<TimeRange> =>
  readRange(typed, {
    nowMs: () => context.host.clock.now(),
    async zone() {
      try {
        return await accountZone(context);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        context.notices.warn('Could not read the time zone of the account; dates are in UTC.');
        return 'UTC';
      }
    },
  });
