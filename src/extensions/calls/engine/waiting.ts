import { pause, type Task, waitForValue } from './clock.ts';
import { type CallRoute, playSound } from './outcome.ts';
import { type CallRun, endLeg, type Leg } from './run.ts';
import type { Act } from './types.ts';

/** How keys are collected. Times are in seconds. */
interface Collecting {
  readonly prompt?: string;
  readonly most: number;
  readonly timeout?: number;
  readonly interdigit?: number;
  readonly terminators?: string;
}

/**
 * Plays a prompt and returns the keys that the caller presses, without the terminator. Returns an empty string if no
 * key is pressed in time, or if the leg is not the caller's.
 */
export function* collect(
  route: CallRoute,
  { prompt, most, timeout = 5, interdigit = 2, terminators = '#' }: Collecting,
): Task<string> {
  const { run, leg } = route;
  if (prompt !== undefined) yield* playSound(route, prompt);
  const isCaller = leg === run.legs[0] || leg.loop !== undefined;
  const signs = [...((isCaller && run.presses.shift()) || '')];
  if (signs.length === 0) {
    yield* pause(run.clock, timeout);
    return '';
  }
  const end = signs.findIndex((sign) => terminators.includes(sign));
  const taken = signs.slice(0, end < 0 ? most : Math.min(end, most));
  if (taken.length < most && end < 0) yield* pause(run.clock, interdigit);
  return taken.join('');
}

/** Asks for a PIN up to `tries` times. Plays `wrong` after a wrong PIN. */
export function* askPin(
  route: CallRoute,
  pin: string | undefined,
  how: Collecting & { readonly tries: number; readonly wrong: string },
): Task<boolean> {
  for (let left = how.tries; left > 0; left -= 1) {
    if ((yield* collect(route, how)) === pin) return true;
    yield* playSound(route, how.wrong);
  }
  return false;
}

/** Usual length of a conversation, in seconds. */
const talkSeconds = 30;
/** Minimum stay of a caller if the call should already have ended, in seconds. */
const leastSeconds = 3;

/** Returns the time when the caller hangs up, if the caller was connected or became active at `since`. */
export const endOfStay = ({ input, legs }: CallRun, leg: Leg, since: number): number =>
  input.lasts === undefined || leg !== legs[0]
    ? since + talkSeconds
    : Math.max(input.lasts, since + leastSeconds);

export function giveUpInTime({ run, leg }: CallRoute): void {
  if (run.input.lasts === undefined || leg !== run.legs[0] || run.input.hangsUpAfter !== undefined) return;
  run.clock.at(endOfStay(run, leg, run.clock.now()), () => {
    if (!leg.partner) endLeg(run, leg, 'NORMAL_CLEARING');
  });
}

/** Returns true if a caller delays hanging up until an act. Acts with a fixed time do not delay the call. */
export const delaysHangup = ({ does, since }: Act): boolean => does !== 'hangs up' && since !== 'begin';

export function* stayInCall(route: CallRoute): Task<void> {
  const { run, leg } = route;
  const caller = callerBehind(leg);
  const isTimed = caller === run.legs[0] && run.input.hangsUpAfter !== undefined;
  const lastAct = run.input.acts.filter(delaysHangup).reduce((last, { after }) => Math.max(last, after), 0);
  const since = run.clock.now();
  yield* waitForValue<void>(() => {
    if (isTimed) return () => {};
    const from = since + (caller === run.legs[0] ? lastAct : 0);
    return run.clock.at(endOfStay(run, caller, from), () => endLeg(run, caller, 'NORMAL_CLEARING'));
  });
}

const callerBehind = (leg: Leg): Leg => {
  const behind = leg.loop?.partner;
  return behind ? callerBehind(behind) : leg;
};

/** Waits until another part of the call ends the leg. */
export function waitForEnd(route: CallRoute): Task<void> {
  giveUpInTime(route);
  return waitForValue<void>(() => () => {});
}
