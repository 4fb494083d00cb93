import { valueAt } from '../../base/json.ts';
import { newId } from '../identifiers.ts';
import type { HangupCause, Leg, Party } from './leg.ts';
import type { Simulation } from './simulation.ts';

/** After how many seconds people answer, and phones say that they are busy. */
const answersAfter = 6;
const busyAfter = 1;

/** How a caller shows itself outside: as its user says, else as the account does, else as it is. */
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

/** How long the legs ring, and what becomes of those whom nobody answers. */
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
