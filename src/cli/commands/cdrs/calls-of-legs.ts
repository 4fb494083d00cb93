import { type JsonObject, textOf } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import {
  type CallOutcome,
  callOutcome,
  type EndedLeg,
  talkingLegs,
} from '../../../contract/call-outcomes.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';

/** A call, made of the records of its legs. Times in seconds, the begin since 1970. */
export interface CountedCall {
  readonly begin: number;
  readonly outcome: CallOutcome;
  /** Seconds that the caller talked with a person or a number outside. */
  readonly talk: number;
  /** From the begin until somebody or something answered, or until it was over. */
  readonly ring: number;
  /** Sum of the legs, in the currency of the account. */
  readonly cost: number;
  /** Id of the user who took it, was rung first, or called out; empty where none had part in it. */
  readonly user: string;
  /** Ids of the users of all legs. */
  readonly users: ReadonlySet<string>;
  /** The number at the far end, as people know it: of who called from outside, else what was dialled. */
  readonly number: string;
  readonly destination: string;
  /** Why the caller's leg ended. */
  readonly cause: string;
  readonly carrier: string;
  /** Every number of the call, in E.164 where it can be. */
  readonly numbers: ReadonlySet<string>;
}

/** Tells whether a message was left on a leg, by its call id. */
export type MessageLookup = (legId: string) => boolean | Promise<boolean>;

type Leg = ReturnType<typeof legOf>;

const figure = (value: JsonObject[string]): number => Number(value ?? 0) || 0;
const unitsOfOne = 10_000;

/** The facts of a leg that decide how its call ended, as lists show them. */
export function endedLeg(record: JsonObject): EndedLeg {
  const text = (key: string): string => textOf(record[key]) ?? '';
  return {
    id: text('call_id'),
    isFirst: text('call_id') === text('bridge_id') || text('bridge_id') === '',
    billed: figure(record.billing_seconds),
    other: text('other_leg_call_id'),
  };
}

/** The begin of a leg in seconds since 1970. */
export const beginOfLeg = ({ unix_timestamp: unix, timestamp }: JsonObject): number =>
  unix === undefined ? figure(timestamp) - gregorianOffset : figure(unix);

function legOf(record: JsonObject) {
  const text = (key: string): string => textOf(record[key]) ?? '';
  const isCaller = text('direction') === 'inbound';
  const owner = text('owner_id');
  return {
    ...endedLeg(record),
    begin: beginOfLeg(record),
    length: figure(record.duration_seconds),
    isCaller,
    cost: figure(record.cost),
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

async function callOf(legs: readonly [Leg, ...Leg[]], isLeft: MessageLookup): Promise<CountedCall> {
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

/** So many calls are waited for at once: of more, those that began first are taken as over. */
const mostOpen = 5000;

/** Makes calls of legs in order of time: legs of a call are near one another, so few calls are in memory. */
export async function* callsOfLegs(
  records: AsyncIterable<JsonObject>,
  isLeft: MessageLookup,
): AsyncGenerator<CountedCall> {
  const open = new Map<string, [Leg, ...Leg[]]>();
  for await (const record of records) {
    const id = textOf(record.interaction_id) || textOf(record.call_id) || '';
    const legs = open.get(id);
    if (legs) legs.push(legOf(record));
    else open.set(id, [legOf(record)]);
    if (open.size <= mostOpen) continue;
    for (const [oldest, all] of open) {
      open.delete(oldest);
      yield await callOf(all, isLeft);
      if (open.size <= mostOpen / 2) break;
    }
  }
  for (const all of open.values()) yield await callOf(all, isLeft);
}
