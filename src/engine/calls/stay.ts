import { awaited, type Task } from './clock.ts';
import type { Route } from './outcome.ts';
import { endLeg, type Leg } from './run.ts';
import type { Act } from './types.ts';

/** Seconds for which callers stay with somebody who took their call. */
export const talkSeconds = 30;

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
    const end = since + (caller === run.legs[0] ? lastAct : 0) + talkSeconds;
    return run.clock.at(end, () => endLeg(run, caller, 'NORMAL_CLEARING'));
  });
}

/** The leg of who calls: behind the loop of a forward, where there is one. */
const callerBehind = (leg: Leg): Leg => {
  const behind = leg.loop?.partner;
  return behind ? callerBehind(behind) : leg;
};

/** Waits for ever: something else ends the leg. */
export const forever = (): Task<void> => awaited<void>(() => () => {});
