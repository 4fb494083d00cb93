import { awaited, pause, type Task } from './clock.ts';
import { type CallRoute, hear } from './outcome.ts';
import { type CallRun, endLeg, type Leg } from './run.ts';
import type { Act } from './types.ts';

/** How keys are collected, after a prompt or medium if there is one. Times in seconds. */
interface Collecting {
  readonly prompt?: string;
  readonly most: number;
  readonly timeout?: number;
  readonly interdigit?: number;
  readonly terminators?: string;
}

/**
 * Lets the caller hear a prompt, and returns what he presses then: the next of his answers, without the key that ends
 * it. Nothing where he presses nothing until the time is over, and in calls of others.
 */
export function* collect(
  route: CallRoute,
  { prompt, most, timeout = 5, interdigit = 2, terminators = '#' }: Collecting,
): Task<string> {
  const { run, leg } = route;
  if (prompt !== undefined) yield* hear(route, prompt);
  const isCaller = leg === run.legs[0] || leg.loop !== undefined;
  const signs = [...((isCaller && run.presses.shift()) || '')];
  if (signs.length === 0) {
    yield* pause(run.clock, timeout);
    return '';
  }
  const end = signs.findIndex((sign) => terminators.includes(sign));
  const taken = signs.slice(0, end < 0 ? most : Math.min(end, most));
  // Who has pressed fewer keys than there may be is waited for.
  if (taken.length < most && end < 0) yield* pause(run.clock, interdigit);
  return taken.join('');
}

/** Asks for a PIN, as often as `tries`; after a wrong one the caller hears `wrong`. */
export function* knowsPin(
  route: CallRoute,
  pin: string | undefined,
  how: Collecting & { readonly tries: number; readonly wrong: string },
): Task<boolean> {
  for (let left = how.tries; left > 0; left -= 1) {
    if ((yield* collect(route, how)) === pin) return true;
    yield* hear(route, how.wrong);
  }
  return false;
}

/** Seconds for which callers stay with somebody who took their call. */
const talkSeconds = 30;
/** Least that a caller stays where the whole call was to end before, in seconds. */
const leastSeconds = 3;

/** The time at which a caller who was connected at a moment, or is to do something then, hangs up. */
export const endOfStay = ({ input, legs }: CallRun, leg: Leg, since: number): number =>
  input.lasts === undefined || leg !== legs[0]
    ? since + talkSeconds
    : Math.max(input.lasts, since + leastSeconds);

/** The caller gives up where nobody has taken the call by the time that it is to last. */
export function giveUpInTime({ run, leg }: CallRoute): void {
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
export function* stay(route: CallRoute): Task<void> {
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
export function forever(route: CallRoute): Task<void> {
  giveUpInTime(route);
  return awaited<void>(() => () => {});
}
