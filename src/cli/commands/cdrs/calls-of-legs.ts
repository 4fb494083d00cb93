import { type JsonObject, textOrUndefined } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import {
  type CallOutcome,
  callOutcome,
  type EndedLeg,
  talkingLegs,
} from '../../../contract/call-outcomes.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';

/** A call, combined from its legs. Durations are in seconds, and `begin` is in Unix time. */
export interface CountedCall {
  readonly begin: number;
  readonly outcome: CallOutcome;
  /** Seconds that the caller talked with a person or an external number. */
  readonly talk: number;
  readonly ring: number;
  readonly cost: number;
  /** Id of the user who answered, was rung first, or placed the call. Empty if no user took part. */
  readonly user: string;
  readonly users: ReadonlySet<string>;
  /** Number of the external caller, or else the dialed number. */
  readonly number: string;
  readonly destination: string;
  readonly cause: string;
  readonly carrier: string;
  /** All numbers of the call, in E.164 if possible. */
  readonly numbers: ReadonlySet<string>;
}

/** Returns true if the caller left a message on the leg. */
export type MessageLookup = (legId: string) => boolean | Promise<boolean>;

type Leg = ReturnType<typeof legOf>;

const toNumber = (value: JsonObject[string]): number => Number(value ?? 0) || 0;
const unitsOfOne = 10_000;

/** Returns the fields of a leg that determine the outcome of its call. */
export function endedLeg(record: JsonObject): EndedLeg {
  const text = (key: string): string => textOrUndefined(record[key]) ?? '';
  return {
    id: text('call_id'),
    isFirst: text('call_id') === text('bridge_id') || text('bridge_id') === '',
    billed: toNumber(record.billing_seconds),
    other: text('other_leg_call_id'),
  };
}

/** Returns the start of a leg in Unix time. */
export const beginOfLeg = ({ unix_timestamp: unix, timestamp }: JsonObject): number =>
  unix === undefined ? toNumber(timestamp) - gregorianOffset : toNumber(unix);

function legOf(record: JsonObject) {
  const text = (key: string): string => textOrUndefined(record[key]) ?? '';
  const isCaller = text('direction') === 'inbound';
  const owner = text('owner_id');
  return {
    ...endedLeg(record),
    begin: beginOfLeg(record),
    length: toNumber(record.duration_seconds),
    isCaller,
    cost: toNumber(record.cost),
    user: owner,
    from: text('calling_from') || text('caller_id_number'),
    to: text('dialed_number') || text('callee_id_number'),
    cause: text('hangup_cause'),
    carrier: text('call_type') === '' && owner !== '' ? '' : text('authorizing_id'),
  };
}

async function isMessageLeftOn(legs: readonly Leg[], isLeft: MessageLookup): Promise<boolean> {
  for (const { id, billed } of legs) if (billed > 0 && (await isLeft(id))) return true;
  return false;
}

async function startCall(legs: readonly [Leg, ...Leg[]], isLeft: MessageLookup): Promise<CountedCall> {
  const first =
    legs.find(({ isFirst, isCaller }) => isFirst && isCaller) ??
    legs.find(({ isFirst }) => isFirst) ??
    legs[0];
  const called = legs.filter((leg) => leg !== first && !leg.isCaller);
  const talking = talkingLegs(legs);
  const taken = talking.find((leg) => called.includes(leg)) ?? talking[0];
  const isLeftHere = taken === undefined && (await isMessageLeftOn(legs, isLeft));
  const isFromOutside = first.user === '';
  return {
    begin: first.begin,
    outcome: callOutcome(legs, isLeftHere),
    talk: taken?.billed ?? 0,
    ring: first.length - first.billed,
    cost: legs.reduce((sum, { cost }) => sum + cost, 0) / unitsOfOne,
    user: isFromOutside ? ((taken ?? called.find(({ user }) => user !== ''))?.user ?? '') : first.user,
    users: new Set(legs.map(({ user }) => user)),
    number: isFromOutside ? first.from : first.to,
    destination: first.to,
    cause: first.cause,
    carrier: legs.find(({ carrier }) => carrier !== '')?.carrier ?? '',
    numbers: new Set(legs.flatMap(({ from, to }) => [from, to].map(normalisedNumber))),
  };
}

/** Limit of open calls in memory. Above it, the oldest calls count as ended. */
const mostOpen = 5000;

/** Combines legs, sorted by time, to calls. The legs of a call are close together, so few calls are in memory. */
export async function* callsOfLegs(
  records: AsyncIterable<JsonObject>,
  isLeft: MessageLookup,
): AsyncGenerator<CountedCall> {
  const open = new Map<string, [Leg, ...Leg[]]>();
  for await (const record of records) {
    const id = textOrUndefined(record.interaction_id) || textOrUndefined(record.call_id) || '';
    const legs = open.get(id);
    if (legs) legs.push(legOf(record));
    else open.set(id, [legOf(record)]);
    if (open.size <= mostOpen) continue;
    for (const [oldest, all] of open) {
      open.delete(oldest);
      yield await startCall(all, isLeft);
      if (open.size <= mostOpen / 2) break;
    }
  }
  for (const all of open.values()) yield await startCall(all, isLeft);
}
