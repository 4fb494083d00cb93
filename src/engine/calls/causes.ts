import { childOf, type FlowStep, type Outcome, on } from './outcome.ts';
import type { Cause } from './types.ts';

/** SIP codes of the causes with which calls fail. */
const codes: ReadonlyMap<Cause, number> = new Map([
  ['UNALLOCATED_NUMBER', 404],
  ['NO_ROUTE_DESTINATION', 404],
  ['USER_BUSY', 486],
  ['NO_ANSWER', 480],
  ['ALLOTTED_TIMEOUT', 480],
  ['SUBSCRIBER_ABSENT', 480],
  ['NO_USER_RESPONSE', 408],
  ['CALL_REJECTED', 603],
  ['INVALID_NUMBER_FORMAT', 484],
  ['NORMAL_TEMPORARY_FAILURE', 503],
  ['NORMAL_CIRCUIT_CONGESTION', 503],
  ['SWITCH_CONGESTION', 503],
  ['NETWORK_OUT_OF_ORDER', 503],
  ['OUTGOING_CALL_BARRED', 403],
  ['INCOMING_CALL_BARRED', 403],
  ['ORIGINATOR_CANCEL', 487],
  ['LOSE_RACE', 487],
  ['PROGRESS_TIMEOUT', 486],
  ['RECOVERY_ON_TIMER_EXPIRE', 504],
  ['DESTINATION_OUT_OF_ORDER', 502],
  ['NUMBER_CHANGED', 410],
  ['NORMAL_CLEARING', 200],
]);

export const codeOf = (cause: Cause): string => `sip:${codes.get(cause) ?? 480}`;

export function causeOf(code: number): Cause {
  if (code === 480) return 'NO_ANSWER';
  if (code === 404) return 'UNALLOCATED_NUMBER';
  if (code === 503) return 'NORMAL_TEMPORARY_FAILURE';
  return [...codes].find(([, each]) => each === code)?.[0] ?? 'NORMAL_CLEARING';
}

/** The branch of a step for a cause: that of its name, else that of its SIP code; `undefined` where there is neither. */
export const causeKey = (step: FlowStep, cause: Cause): string | undefined =>
  [cause, codeOf(cause)].find((key) => childOf(step, key) !== undefined);

/** Leaves a step that rang in vain by the branch of the cause, else by `_`. */
export const failed = (step: FlowStep, cause: Cause): Outcome =>
  on(causeKey(step, cause) ?? '_', `Nobody took the call: ${cause}.`);
