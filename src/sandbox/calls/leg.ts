import type { JsonObject } from '../../base/json.ts';

/** Who is at one end of a leg, as it shows itself. */
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
  /** What the leg was made for: a number, or a user's phone. */
  readonly destination: string;
  /** User whose phone it is. */
  readonly ownerId?: string | undefined;
  /** By whose right it is there. */
  readonly authorizing?: { readonly id: string; readonly type: string } | undefined;
  readonly isForwarded?: boolean;
  /** A loop-back leg: it leads back into the service. */
  readonly isInternal?: boolean;
}

/** Why a leg ends, with the answer of the signalling to it (Conventions, payloads). */
const codes = {
  NORMAL_CLEARING: 200,
  NO_ANSWER: 480,
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
  /** What callflows set. */
  readonly variables: JsonObject;
  /** Keys of this hook alone. */
  readonly more: JsonObject;
}
