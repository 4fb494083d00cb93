import type { Json, JsonObject } from '../../../base/json.ts';
import { type CallClock, makeClock } from './clock.ts';
import type { RouteSeed } from './outcome.ts';
import type { Act, CallEnd, CallEvent, CallInput, CallLeg, Cause } from './types.ts';

export interface Leg {
  readonly id: string;
  readonly call: string;
  readonly side: 'A' | 'B';
  readonly user?: string | undefined;
  readonly device?: string | undefined;
  readonly carrier?: string | undefined;
  callerId: { readonly number?: string; readonly name?: string };
  readonly to: string;
  readonly began: number;
  answered?: number;
  ended?: number;
  cause?: Cause;
  other?: string;
  readonly facts: Record<string, Json | undefined>;
  /** The other half of a loop into the account, by which calls are forwarded: no record is kept of it. */
  loop?: Leg;
  /** The leg that it is connected with now. */
  partner?: Leg | undefined;
  /** Continues when the leg is no longer connected; without it the leg ends. */
  whenAlone?: (() => void) | undefined;
  /** Stops what the leg walks through. */
  stop?: () => void;
  readonly onEnd: ((cause: Cause) => void)[];
  readonly onAnswer: (() => void)[];
}

/** What is known of a leg when it begins. */
export type NewLeg = Pick<Leg, 'side' | 'to' | 'callerId'> &
  Partial<Pick<Leg, 'user' | 'device' | 'carrier' | 'call'>> & {
    readonly facts?: JsonObject | undefined;
    readonly isHidden?: boolean;
  };

/** Where a caller is now, in the words of `ends_in`. */
export type CallerPlace = Pick<CallEnd, 'in' | 'name'>;

export interface Slot {
  readonly leg: Leg;
  readonly taken: (by: Leg) => void;
}

export interface CallRun {
  readonly input: CallInput;
  readonly clock: CallClock;
  readonly events: CallEvent[];
  readonly legs: Leg[];
  readonly slots: Map<string, Slot>;
  /** Answers to the next requests for keys. */
  readonly presses: string[];
  /** Where each leg is that walks through a flow. */
  readonly places: Map<Leg, CallerPlace>;
  /** Why the caller's flow ended, where nobody took the call. */
  readonly reasons: Map<Leg, string>;
  /** Fields that steps wrote, by kind and id, so that later steps see them. */
  readonly written: Map<string, JsonObject>;
  /** Callers who wait in queues, by id of the queue. */
  readonly queues: Map<string, readonly Leg[]>;
  /** What is done when a leg presses keys without being asked. */
  readonly keyListeners: Map<Leg, (keys: string) => void>;
  /** Takes a leg to a number, as if it were dialled. */
  readonly startRoute: (run: CallRun, leg: Leg, seed: RouteSeed) => void;
  routes: number;
  /** Called whenever two legs that people see are connected. */
  readonly onBridge: ((one: Leg, other: Leg) => void)[];
  readonly done: Set<Act>;
  connectedAt?: number;
  /** Called when the caller's leg is answered. */
  onFirstAnswer?: () => void;
  nextA: number;
  nextB: number;
}

/** Prepares a call in which nothing has happened yet. */
export const makeRun = (input: CallInput, startRoute: CallRun['startRoute']): CallRun => ({
  input,
  clock: makeClock(),
  events: [],
  legs: [],
  slots: new Map(),
  presses: [...input.presses],
  places: new Map(),
  reasons: new Map(),
  written: new Map(),
  queues: new Map(),
  done: new Set(),
  keyListeners: new Map(),
  routes: 0,
  onBridge: [],
  nextA: 1,
  nextB: 1,
  startRoute,
});

type WithoutTime<E> = E extends CallEvent ? Omit<E, 'at'> : never;

/** Writes down an event of this moment. */
export function note(run: CallRun, event: WithoutTime<CallEvent>): void {
  run.events.push({ at: run.clock.now(), ...event });
}

/** Lets a leg hear something: whoever is connected through the loop of a forward hears it there. */
export function heard(run: CallRun, leg: Leg, what: string): void {
  note(run, { kind: 'hears', leg: (seenFrom(leg) ?? leg).id, what });
}

/** Reports something that is passed over, since it is not simulated. */
export function gap(
  run: CallRun,
  what: string,
  at?: { readonly callflow: string; readonly place: readonly string[] },
): void {
  const isKnown = run.events.some((each) => each.kind === 'gap' && each.what === what);
  if (!isKnown) note(run, { kind: 'gap', what, ...at });
}

export function beginLeg(run: CallRun, made: NewLeg): Leg {
  const { isHidden = false, facts = {}, call, ...rest } = made;
  const isCaller = made.side === 'A' && !isHidden;
  const number = isCaller ? run.nextA : run.nextB;
  const id = isHidden ? 'loop' : `${made.side.toLowerCase()}${number}`;
  if (isCaller) run.nextA += 1;
  else if (!isHidden) run.nextB += 1;
  const began = run.clock.now();
  const leg: Leg = { ...rest, id, call: call ?? id, began, facts: { ...facts }, onEnd: [], onAnswer: [] };
  if (isHidden) return leg;
  run.legs.push(leg);
  note(run, { kind: 'leg', leg: id });
  return leg;
}

/** Tells whether people see a leg. */
const isShown = (leg: Leg): boolean => leg.id !== 'loop';

/** Two halves of a loop into the account: what one is told, the other knows. */
export function beginLoop(run: CallRun, made: NewLeg): { readonly outer: Leg; readonly inner: Leg } {
  const outer = beginLeg(run, { ...made, side: 'B', isHidden: true });
  const inner = beginLeg(run, { ...made, side: 'A', isHidden: true });
  outer.loop = inner;
  inner.loop = outer;
  return { outer, inner };
}

export function answer(run: CallRun, leg: Leg): void {
  if (leg.answered !== undefined || leg.ended !== undefined) return;
  leg.answered = run.clock.now();
  if (isShown(leg)) note(run, { kind: 'answer', leg: leg.id });
  else if (leg.side === 'A' && leg.loop) answer(run, leg.loop);
  if (leg === run.legs[0]) run.onFirstAnswer?.();
  for (const told of leg.onAnswer.splice(0)) told();
}

/** The leg that people see at the other end, through loops. */
export function seen(leg: Leg | undefined): Leg | undefined {
  if (leg === undefined || isShown(leg)) return leg;
  return seen(leg.loop?.partner);
}

export function bridge(run: CallRun, one: Leg, other: Leg): void {
  for (const leg of [one, other]) if (leg.partner) separate(run, leg);
  one.partner = other;
  other.partner = one;
  const [left, right] = [seenFrom(one), seenFrom(other)];
  // What a forward answered with is heard by the caller who is connected to it now.
  for (const [index, event] of other.loop ? run.events.entries() : [])
    if (event.kind === 'hears' && event.leg === 'loop' && event.at === run.clock.now())
      run.events[index] = { ...event, leg: (left ?? one).id };
  if (!left || !right) return;
  left.other = right.id;
  right.other = left.id;
  note(run, { kind: 'bridge', leg: left.id, other: right.id });
  for (const told of run.onBridge) told(left, right);
}

/** Ends the connection of a leg, and leaves both to what they do next. */
export function separate(run: CallRun, leg: Leg): Leg | undefined {
  const { partner } = leg;
  if (!partner) return undefined;
  const [left, right] = [seenFrom(leg), seenFrom(partner)];
  leg.partner = undefined;
  partner.partner = undefined;
  if (left && right && left.ended === undefined && right.ended === undefined)
    note(run, { kind: 'unbridge', leg: left.id, other: right.id });
  return partner;
}

const seenFrom = (leg: Leg): Leg | undefined => (isShown(leg) ? leg : seen(leg.loop?.partner));

export function endLeg(run: CallRun, leg: Leg, cause: Cause): void {
  if (leg.ended !== undefined) return;
  const { partner, loop } = leg;
  separate(run, leg);
  leg.ended = run.clock.now();
  leg.cause = cause;
  if (isShown(leg)) note(run, { kind: 'end', leg: leg.id });
  leg.stop?.();
  for (const told of leg.onEnd.splice(0)) told(cause);
  if (loop) endLeg(run, loop, cause);
  if (!partner || partner.ended !== undefined || partner.partner) return;
  const { whenAlone } = partner;
  partner.whenAlone = undefined;
  if (whenAlone) whenAlone();
  else endLeg(run, partner, 'NORMAL_CLEARING');
}

/** Writes down where a leg is, for `ends_in`; a leg in a loop stands for the caller behind it. */
export function setPlace(run: CallRun, leg: Leg, place: CallerPlace): void {
  run.places.set(leg, place);
  const behind = leg.loop?.partner;
  if (behind) setPlace(run, behind, place);
}

export function shownLeg(leg: Leg): CallLeg {
  const { id, call, side, user, device, carrier, callerId, to, began, answered, other, facts } = leg;
  const { ended = began, cause = 'NORMAL_CLEARING' } = leg;
  return { id, call, side, user, device, carrier, callerId, to, began, answered, other, ended, cause, facts };
}
