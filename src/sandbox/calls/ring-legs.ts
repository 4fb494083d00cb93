import { type JsonObject, valueAt } from '../../base/json.ts';
import { newId } from '../made-values.ts';
import type { Simulation } from './simulation.ts';

/** The party at one end of a leg, as it shows itself. */
export interface Party {
  readonly name: string;
  readonly number: string;
}

/** A leg of a call: from a phone or the public network to the service, or from it to a phone or the network. */
export interface Leg {
  readonly callId: string;
  /** Seen from the service. */
  readonly direction: 'inbound' | 'outbound';
  readonly caller: Party;
  readonly callee: Party;
  /** Destination that the leg was made for: a number, or a user's phone. */
  readonly destination: string;
  /** User whose phone it is. */
  readonly ownerId?: string | undefined;
  /** By whose right it is there. */
  readonly authorizing?: { readonly id: string; readonly type: string } | undefined;
  readonly isForwarded?: boolean;
  /** A loop-back leg: it leads back into the service. */
  readonly isInternal?: boolean;
}

/** Reasons why a leg ends, with the status code of the signalling (Conventions, payloads). */
const codes = {
  NORMAL_CLEARING: 200,
  NO_ANSWER: 480,
  USER_NOT_REGISTERED: 480,
  USER_BUSY: 486,
  ORIGINATOR_CANCEL: 487,
  LOSE_RACE: 487,
  UNALLOCATED_NUMBER: 404,
  CALL_REJECTED: 603,
  OUTGOING_CALL_BARRED: 403,
  EXCHANGE_ROUTING_ERROR: 483,
  NORMAL_UNSPECIFIED: 500,
} as const;

export type HangupCause = keyof typeof codes;

/** The cause with which an answer of the signalling ends a call. */
export function causeOf(code: number): HangupCause {
  if (code === 600) return 'USER_BUSY';
  const known = Object.entries(codes).find(([, each]) => each === code)?.[0];
  return causes.find((each) => each === known) ?? 'NORMAL_UNSPECIFIED';
}

const causes: readonly HangupCause[] = [
  'USER_BUSY',
  'NO_ANSWER',
  'UNALLOCATED_NUMBER',
  'CALL_REJECTED',
  'OUTGOING_CALL_BARRED',
  'EXCHANGE_ROUTING_ERROR',
  'ORIGINATOR_CANCEL',
  'NORMAL_CLEARING',
];

/** `sip:486`. */
export const codeOf = (cause: HangupCause): string => `sip:${codes[cause]}`;

/** Something that happens to a leg. */
export interface Moment {
  readonly hook: 'channel_create' | 'channel_answer' | 'channel_bridge' | 'channel_destroy';
  /** Seconds since the call came. */
  readonly at: number;
  readonly leg: Leg;
  /** The other leg, as far as there is one by then. */
  readonly other: Leg | undefined;
  /** Variables that callflows set. */
  readonly variables: JsonObject;
  /** Keys of this hook alone. */
  readonly more: JsonObject;
}

/** After how many seconds people answer, and phones say that they are busy. */
const answersAfter = 6;
const busyAfter = 1;

/** Returns the caller's identity as shown outside: the user's, else the account's, else the caller's own. */
function shownOutside({ caller, records }: Simulation): Party {
  const { name, number, user } = caller;
  const said = (key: string): string | undefined =>
    [user, records.account]
      .map((each) => user && each && valueAt(each.body, `caller_id.external.${key}`))
      .find((value) => typeof value === 'string' && value !== '')
      ?.toString();
  return { name: said('name') ?? name, number: said('number') ?? number };
}

/** A leg to the public network. */
export const legOut = (call: Simulation, number: string, more: Partial<Leg> = {}): Leg => ({
  callId: newId(call.services.random),
  direction: 'outbound',
  caller: shownOutside(call),
  callee: { name: number, number },
  destination: number,
  ownerId: call.caller.user?.id,
  authorizing: { id: 'sandbox-carrier', type: 'resource' },
  ...more,
});

/** Returns how long the legs ring, and the end of those that nobody answers. */
function fateOf({ request }: Simulation, timeout: number): { after: number; cause?: HangupCause } {
  if (request.answering === 'busy') return { after: Math.min(busyAfter, timeout), cause: 'USER_BUSY' };
  if (request.answering === 'no-answer') return { after: timeout, cause: 'NO_ANSWER' };
  return { after: Math.min(answersAfter, timeout) };
}

/** A leg that is to ring, after a delay in seconds. */
export interface Ringer {
  readonly leg: Leg;
  readonly delay: number;
  /** The loop-back leg by which a forwarded call comes back into the service; it is gone once somebody answers. */
  readonly through?: Leg;
}

/** Lets legs ring at once: the first is answered, or none is. Gives the one that was, bridged with the caller. */
export function ringLegs(call: Simulation, legs: readonly Ringer[], timeout: number): Leg | undefined {
  const { timeline, now } = call;
  const inOrder = legs.filter(({ delay }) => delay < timeout).toSorted((one, two) => one.delay - two.delay);
  const { after, cause } = fateOf(call, timeout);
  const [first] = inOrder;
  if (!first) return undefined;
  const start = ({ leg, delay, through }: Ringer): void => {
    if (through) timeline.create(through, now + delay, call.leg);
    timeline.create(leg, now + delay, call.leg);
  };
  const end = ({ leg, through }: Ringer, at: number, why: HangupCause): void => {
    timeline.destroy(leg, at, why);
    if (through) timeline.destroy(through, at, why);
  };
  if (cause !== undefined) {
    const endOf = (delay: number): number => now + Math.max(Math.min(delay + after, timeout), delay);
    for (const each of inOrder) start(each);
    for (const each of inOrder) end(each, endOf(each.delay), cause);
    call.now = Math.max(...inOrder.map(({ delay }) => endOf(delay)));
    call.cause = cause;
    return undefined;
  }
  const at = now + Math.min(first.delay + after, timeout);
  const rung = inOrder.filter(({ delay }) => now + delay < at);
  for (const each of rung) start(each);
  call.now = at;
  timeline.answer(first.leg, at, call.leg);
  if (first.through) timeline.answer(first.through, at);
  timeline.answer(call.leg, at, first.leg);
  timeline.bridge(call.leg, first.leg, at);
  if (first.through) timeline.destroy(first.through, at, 'NORMAL_CLEARING');
  for (const each of rung) if (each !== first) end(each, at, 'LOSE_RACE');
  return first.leg;
}
