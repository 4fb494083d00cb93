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
  /** The other half of a loop that forwards a call. Loops have no record. */
  loop?: Leg;
  partner?: Leg | undefined;
  /** Continues the call after the connection ends. Without it, the leg ends. */
  whenAlone?: (() => void) | undefined;
  stop?: () => void;
  readonly onEnd: ((cause: Cause) => void)[];
  readonly onAnswer: (() => void)[];
}

export type NewLeg = Pick<Leg, 'side' | 'to' | 'callerId'> &
  Partial<Pick<Leg, 'user' | 'device' | 'carrier' | 'call'>> & {
    readonly facts?: JsonObject | undefined;
    readonly isHidden?: boolean;
  };

/** The place of a caller, for `ends_in`. */
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
  readonly presses: string[];
  readonly places: Map<Leg, CallerPlace>;
  /** Why the caller's flow ended without an answer. */
  readonly reasons: Map<Leg, string>;
  /** Fields that steps wrote, by kind and id, for later steps. */
  readonly written: Map<string, JsonObject>;
  readonly queues: Map<string, readonly Leg[]>;
  readonly keyListeners: Map<Leg, (keys: string) => void>;
  /** Sends a leg to a number as if the number were dialed. */
  readonly startRoute: (run: CallRun, leg: Leg, seed: RouteSeed) => void;
  routes: number;
  readonly onBridge: ((one: Leg, other: Leg) => void)[];
  readonly done: Set<Act>;
  connectedAt?: number;
  onFirstAnswer?: () => void;
  nextA: number;
  nextB: number;
}

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

export function recordEvent(run: CallRun, event: WithoutTime<CallEvent>): void {
  run.events.push({ at: run.clock.now(), ...event });
}

/** Records that a leg hears a sound. Behind a forward, the connected leg hears it. */
export function recordHeard(run: CallRun, leg: Leg, what: string): void {
  recordEvent(run, { kind: 'hears', leg: (visibleFrom(leg) ?? leg).id, what });
}

/** Records that the simulation does not cover part of the call. */
export function reportGap(
  run: CallRun,
  what: string,
  at?: { readonly callflow: string; readonly place: readonly string[] },
): void {
  const isKnown = run.events.some((each) => each.kind === 'gap' && each.what === what);
  if (!isKnown) recordEvent(run, { kind: 'gap', what, ...at });
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
  recordEvent(run, { kind: 'leg', leg: id });
  return leg;
}

const isShown = (leg: Leg): boolean => leg.id !== 'loop';

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
  if (isShown(leg)) recordEvent(run, { kind: 'answer', leg: leg.id });
  else if (leg.side === 'A' && leg.loop) answer(run, leg.loop);
  if (leg === run.legs[0]) run.onFirstAnswer?.();
  for (const told of leg.onAnswer.splice(0)) told();
}

/** Returns the visible leg at the other end of loops. */
export function visibleLeg(leg: Leg | undefined): Leg | undefined {
  if (leg === undefined || isShown(leg)) return leg;
  return visibleLeg(leg.loop?.partner);
}

export function bridge(run: CallRun, one: Leg, other: Leg): void {
  for (const leg of [one, other]) if (leg.partner) disconnect(run, leg);
  one.partner = other;
  other.partner = one;
  const [left, right] = [visibleFrom(one), visibleFrom(other)];
  // The caller also hears the sounds that the forward played when it answered.
  for (const [index, event] of other.loop ? run.events.entries() : [])
    if (event.kind === 'hears' && event.leg === 'loop' && event.at === run.clock.now())
      run.events[index] = { ...event, leg: (left ?? one).id };
  if (!left || !right) return;
  left.other = right.id;
  right.other = left.id;
  recordEvent(run, { kind: 'bridge', leg: left.id, other: right.id });
  for (const told of run.onBridge) told(left, right);
}

/** Disconnects a leg from its partner. Both legs continue separately. */
export function disconnect(run: CallRun, leg: Leg): Leg | undefined {
  const { partner } = leg;
  if (!partner) return undefined;
  const [left, right] = [visibleFrom(leg), visibleFrom(partner)];
  leg.partner = undefined;
  partner.partner = undefined;
  if (left && right && left.ended === undefined && right.ended === undefined)
    recordEvent(run, { kind: 'unbridge', leg: left.id, other: right.id });
  return partner;
}

const visibleFrom = (leg: Leg): Leg | undefined => (isShown(leg) ? leg : visibleLeg(leg.loop?.partner));

export function endLeg(run: CallRun, leg: Leg, cause: Cause): void {
  if (leg.ended !== undefined) return;
  const { partner, loop } = leg;
  disconnect(run, leg);
  leg.ended = run.clock.now();
  leg.cause = cause;
  if (isShown(leg)) recordEvent(run, { kind: 'end', leg: leg.id });
  leg.stop?.();
  for (const told of leg.onEnd.splice(0)) told(cause);
  if (loop) endLeg(run, loop, cause);
  if (!partner || partner.ended !== undefined || partner.partner) return;
  const { whenAlone } = partner;
  partner.whenAlone = undefined;
  if (whenAlone) whenAlone();
  else endLeg(run, partner, 'NORMAL_CLEARING');
}

/** Records the place of a leg for `ends_in`. For a leg in a loop, the place of its caller. */
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
