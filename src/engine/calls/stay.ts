import { awaited, type Task } from './clock.ts';
import type { Route } from './outcome.ts';
import { endLeg, type Leg, type Run } from './run.ts';
import type { Act } from './types.ts';

/** Seconds for which callers stay with somebody who took their call. */
const talkSeconds = 30;
/** Least that a caller stays where the whole call was to end before, in seconds. */
const leastSeconds = 3;

/** The time at which a caller who was connected at a moment, or is to do something then, hangs up. */
export const endOfStay = ({ input, legs }: Run, leg: Leg, since: number): number =>
  input.lasts === undefined || leg !== legs[0]
    ? since + talkSeconds
    : Math.max(input.lasts, since + leastSeconds);

/** The caller gives up where nobody has taken the call by the time that it is to last. */
export function giveUpInTime({ run, leg }: Route): void {
  if (run.input.lasts === undefined || leg !== run.legs[0] || run.input.hangsUpAfter !== undefined) return;
  run.clock.at(endOfStay(run, leg, run.clock.now()), () => {
    if (!leg.partner) endLeg(run, leg, 'NORMAL_CLEARING');
  });
}

/**
 * Tells whether a caller who would hang up waits for an act. Those with a time of their own come into a call that goes
 * on already, and change nothing of what was before them.
 */
export const waitsFor = ({ does, since }: Act): boolean => does !== 'hangs up' && since !== 'begin';

/** The caller stays where he is, and hangs up after the usual time, or when the call says. */
export function* stay(route: Route): Task<void> {
  const { run, leg } = route;
  const caller = callerBehind(leg);
  const isTimed = caller === run.legs[0] && run.input.hangsUpAfter !== undefined;
  const lastAct = run.input.acts.filter(waitsFor).reduce((last, { after }) => Math.max(last, after), 0);
  const since = run.clock.now();
  yield* awaited<void>(() => {
    if (isTimed) return () => {};
    const from = since + (caller === run.legs[0] ? lastAct : 0);
    return run.clock.at(endOfStay(run, caller, from), () => endLeg(run, caller, 'NORMAL_CLEARING'));
  });
}

const callerBehind = (leg: Leg): Leg => {
  const behind = leg.loop?.partner;
  return behind ? callerBehind(behind) : leg;
};

/** Waits until something else ends the leg. */
export function forever(route: Route): Task<void> {
  giveUpInTime(route);
  return awaited<void>(() => () => {});
}
