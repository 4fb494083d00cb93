import { isObject, type Json, type JsonObject, ownValue } from '../../../base/json.ts';
import { pause, type Task } from './clock.ts';
import type { LegOwner, ShownId } from './parties.ts';
import { type CallRecords, type FoundFlow, mapAt, nameByKind, recordId } from './records.ts';
import { type CallRun, type Leg, recordEvent, recordHeard } from './run.ts';
import type { Cause } from './types.ts';

export interface FlowStep {
  readonly callflow: string;
  readonly place: readonly string[];
  readonly node: JsonObject;
}

/** The state of a call between steps. */
export interface CallRoute {
  readonly run: CallRun;
  readonly records: CallRecords;
  readonly leg: Leg;
  /** True if the call came from a carrier. */
  readonly isOffnet: boolean;
  readonly party: LegOwner;
  came: ShownId;
  /** True if forwards keep the caller's number and name. */
  readonly retainsId: boolean;
  readonly isForwarded: boolean;
  readonly referredBy?: string | undefined;
  req: string;
  to: string;
  capture?: string | undefined;
  named: Readonly<Record<string, string>>;
  isNoMatch: boolean;
  flow: JsonObject | undefined;
  dynamicId?: ShownId;
  rewriteId?: ShownId | undefined;
  prefixes: readonly ShownId[];
  hides?: 'full' | 'name' | 'number';
  /** True if the phone's own privacy setting also applies. */
  mergesPrivacy?: boolean;
  exported?: Readonly<Record<string, Json>>;
  /** True if a conference, queue or fax machine keeps the leg. */
  isTakenOver?: boolean;
  isAutoAnswered?: boolean;
  alertInfo?: string;
  afterBridge?: { readonly action: string; readonly target: string | undefined };
  owner?: string | undefined;
  module?: string;
  /** The recorded step. Modules add the reason why the call was answered. */
  step?: { why?: string };
  lastModule?: string;
  readonly variables: Record<string, Json>;
  readonly collections: Record<string, string>;
  readonly recordings: (() => void)[];
  readonly stack: FlowStep[];
  branches: number;
  /** Functions to call when the caller's leg has ended. */
  readonly atEnd: Map<string, (cause: Cause) => void>;
  isMessageLeft?: boolean;
}

/** How the call continues after a step. */
export type FlowOutcome =
  /** Takes the branch of the key, or else `_`. The flow ends if neither exists. */
  | {
      readonly go: 'on';
      readonly key: string;
      readonly why?: string | undefined;
      readonly word?: string | undefined;
      readonly words?: readonly string[] | undefined;
    }
  /** Enters another flow, which returns to the `_` branch of the step. */
  | {
      readonly go: 'branch';
      readonly step: FlowStep | undefined;
      readonly key?: string | undefined;
      readonly why: string;
    }
  /** Ends the flow. The call returns to the flow on the stack, or the caller's leg ends. */
  | { readonly go: 'stop'; readonly cause?: Cause | undefined; readonly why?: string | undefined }
  | { readonly go: 'end'; readonly cause?: Cause }
  /** Another party or device took over the leg. */
  | { readonly go: 'leave' };

export const takeBranch = (key = '_', why?: string): FlowOutcome => ({ go: 'on', key, why });
export const stop = (why?: string, cause?: Cause): FlowOutcome => ({ go: 'stop', why, cause });
export const leave: FlowOutcome = { go: 'leave' };

export const dataOf = ({ node }: FlowStep): JsonObject => mapAt(node, 'data');

/** Returns the step of a branch. Returns `undefined` if it is missing or empty. */
export function branchStep(step: FlowStep, key: string): FlowStep | undefined {
  const child = ownValue(step.node.children, key);
  if (!isObject(child) || Object.keys(child).length === 0) return undefined;
  return { callflow: step.callflow, place: [...step.place, 'children', key], node: child };
}

export const childKeys = (step: FlowStep): readonly string[] =>
  Object.keys(mapAt(step.node, 'children')).filter((key) => branchStep(step, key) !== undefined);

export function firstStep(flow: JsonObject): FlowStep | undefined {
  const node = mapAt(flow, 'flow');
  return Object.keys(node).length === 0 ? undefined : { callflow: recordId(flow), place: ['flow'], node };
}

/** Enters another flow, which returns to the branch `key` of the step. */
export function enterFlow(
  route: CallRoute,
  { flow, why }: Pick<FoundFlow, 'flow' | 'why'>,
  key?: string,
): FlowOutcome {
  noteFlow(route, flow, why);
  return { go: 'branch', step: firstStep(flow), key, why };
}

export function noteFlow(route: CallRoute, flow: JsonObject, why: string): void {
  const { run, leg } = route;
  route.flow = flow;
  recordEvent(run, {
    kind: 'flow',
    callflow: recordId(flow),
    word: nameByKind('callflows', flow),
    leg: leg.id,
    why,
  });
}

/** Length of prompts and media, in seconds. */
export const promptSeconds = 3;

export function* playSound({ run, leg }: CallRoute, what: string, seconds = promptSeconds): Task<void> {
  recordHeard(run, leg, what);
  yield* pause(run.clock, seconds);
}

export function* playAndLeave(route: CallRoute, prompt: string, outcome: FlowOutcome): Task<FlowOutcome> {
  yield* playSound(route, prompt);
  return outcome;
}

export interface RouteSeed {
  readonly records: CallRecords;
  readonly dialled: string;
  readonly party: LegOwner;
  readonly isOffnet: boolean;
  readonly came: ShownId;
  /** True if the call can use carriers through the no_match callflow. */
  readonly isAuthorised: boolean;
  readonly isForwarded?: boolean;
  readonly retainsId?: boolean;
  readonly referredBy?: string;
  /** The callflow to run, regardless of the dialed number. */
  readonly flow?: JsonObject | undefined;
}

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

/** Returns the key of the branch for a cause, by its name or its SIP code. Returns `undefined` if neither exists. */
export const causeKey = (step: FlowStep, cause: Cause): string | undefined =>
  [cause, codeOf(cause)].find((key) => branchStep(step, key) !== undefined);

/** Leaves a step through the branch of the cause, or else through `_`. */
export const failWith = (step: FlowStep, cause: Cause): FlowOutcome =>
  takeBranch(causeKey(step, cause) ?? '_', `The call was not answered: ${cause}.`);

/** A module of callflows, with the meaning of each data key in the simulation. */
export interface CallModule {
  readonly run: (route: CallRoute, step: FlowStep) => Task<FlowOutcome> | FlowOutcome;
  /** Simulated keys, separated by blanks. */
  readonly simulated?: string;
  /** Keys that are not simulated, with the reason. Calls report them as gaps. */
  readonly named?: Readonly<Record<string, string>>;
  /** Keys without effect on calls, with the reason. */
  readonly none?: Readonly<Record<string, string>>;
}

export type CallModules = Readonly<Record<string, CallModule>>;
