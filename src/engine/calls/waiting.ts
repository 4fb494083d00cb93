import { awaited, pause, type Task } from './clock.ts';
import type { Route } from './outcome.ts';
import { endLeg, heard, type Leg, type Run } from './run.ts';
import type { Act } from './types.ts';

/** Seconds that prompts of the service, and media, take. */
export const promptSeconds = 3;

/** How keys are collected. Times in seconds. */
export interface Collecting {
  /** Prompt or medium that is heard first. */
  readonly prompt?: string;
  readonly most: number;
  readonly timeout: number;
  readonly interdigit: number;
  readonly terminators?: string;
}

/**
 * Lets the caller hear a prompt, and returns what he presses then: the next of his answers, without the key that ends
 * it. Nothing where he presses nothing until the time is over.
 */
export function* collect(route: Route, how: Collecting): Task<string> {
  const { run, leg } = route;
  if (how.prompt !== undefined) {
    heard(run, leg, how.prompt);
    yield* pause(run.clock, promptSeconds);
  }
  const pressed = nextPresses(route);
  if (pressed === undefined || pressed === '') {
    yield* pause(run.clock, how.timeout);
    return '';
  }
  const terminators = how.terminators ?? '#';
  const signs = [...pressed];
  const end = signs.findIndex((sign) => terminators.includes(sign));
  const taken = signs.slice(0, end < 0 ? how.most : Math.min(end, how.most));
  // Who has pressed fewer keys than there may be is waited for.
  if (taken.length < how.most && end < 0) yield* pause(run.clock, how.interdigit);
  return taken.join('');
}

/** What the caller presses when he is asked next; calls of others press nothing. */
function nextPresses({ run, leg }: Route): string | undefined {
  const isCaller = leg === run.legs[0] || leg.loop !== undefined;
  return isCaller ? run.presses.shift() : undefined;
}

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
