import { isObject, type Json, type JsonObject, ownValue } from '../../../base/json.ts';
import { pause, type Task } from './clock.ts';
import type { LegOwner, ShownId } from './parties.ts';
import { type CallRecords, type FoundFlow, mapAt, nameByKind, recordId } from './records.ts';
import { type CallRun, heard, type Leg, note } from './run.ts';
import type { Cause } from './types.ts';

export interface FlowStep {
  readonly callflow: string;
  readonly place: readonly string[];
  readonly node: JsonObject;
}

/** What a call carries from step to step. */
export interface CallRoute {
  readonly run: CallRun;
  readonly records: CallRecords;
  readonly leg: Leg;
  /** True where the call came from a carrier. */
  readonly isOffnet: boolean;
  readonly party: LegOwner;
  came: ShownId;
  /** The caller's number and name are shown on all the way, by who forwarded. */
  readonly retainsId: boolean;
  readonly isForwarded: boolean;
  /** Device that transferred the call here. */
  readonly referredBy?: string | undefined;
  req: string;
  to: string;
  capture?: string | undefined;
  named: Readonly<Record<string, string>>;
  isNoMatch: boolean;
  /** Number of the flow that runs, for people. */
  flow: JsonObject | undefined;
  dynamicId?: ShownId;
  rewriteId?: ShownId | undefined;
  prefixes: readonly ShownId[];
  /** Parts of the caller's id that later legs hide. */
  hides?: 'full' | 'name' | 'number';
  /** What the phone hides is hidden beside that. */
  mergesPrivacy?: boolean;
  exported?: Readonly<Record<string, Json>>;
  /** Something took the leg over for good: a conference, a queue, a fax machine. */
  isTakenOver?: boolean;
  isAutoAnswered?: boolean;
  alertInfo?: string;
  afterBridge?: { readonly action: string; readonly target: string | undefined };
  owner?: string | undefined;
  module?: string;
  /** The step that runs, as it is written down: who takes the call says so there. */
  step?: { why?: string };
  lastModule?: string;
  readonly variables: Record<string, Json>;
  readonly collections: Record<string, string>;
  /** What stops the recordings that run, the newest last. */
  readonly recordings: (() => void)[];
  readonly stack: FlowStep[];
  branches: number;
  /** What is done once the caller's leg has ended. */
  readonly atEnd: Map<string, (cause: Cause) => void>;
  isMessageLeft?: boolean;
}

/** How a step passes the call on. */
export type FlowOutcome =
  /** The branch of that key, else `_`, else the flow ends. */
  | {
      readonly go: 'on';
      readonly key: string;
      readonly why?: string | undefined;
      readonly word?: string | undefined;
      readonly words?: readonly string[] | undefined;
    }
  /** Another flow; its end comes back to the `_` branch of the step. */
  | {
      readonly go: 'branch';
      readonly step: FlowStep | undefined;
      readonly key?: string | undefined;
      readonly why: string;
    }
  /** The flow ends: what waits on the stack goes on, else the caller's leg ends. */
  | { readonly go: 'stop'; readonly cause?: Cause | undefined; readonly why?: string | undefined }
  /** The call ends at once. */
  | { readonly go: 'end'; readonly cause?: Cause }
  /** Something else has taken the leg over. */
  | { readonly go: 'leave' };

export const on = (key = '_', why?: string): FlowOutcome => ({ go: 'on', key, why });
export const stop = (why?: string, cause?: Cause): FlowOutcome => ({ go: 'stop', why, cause });
export const leave: FlowOutcome = { go: 'leave' };

export const dataOf = ({ node }: FlowStep): JsonObject => mapAt(node, 'data');

/** The step behind a key; `undefined` where there is none, or an empty one. */
export function stepBehind(step: FlowStep, key: string): FlowStep | undefined {
  const child = ownValue(step.node.children, key);
  if (!isObject(child) || Object.keys(child).length === 0) return undefined;
  return { callflow: step.callflow, place: [...step.place, 'children', key], node: child };
}

/** Keys of the branches that lead somewhere. */
export const childKeys = (step: FlowStep): readonly string[] =>
  Object.keys(mapAt(step.node, 'children')).filter((key) => stepBehind(step, key) !== undefined);

export function firstStep(flow: JsonObject): FlowStep | undefined {
  const node = mapAt(flow, 'flow');
  return Object.keys(node).length === 0 ? undefined : { callflow: recordId(flow), place: ['flow'], node };
}

/** Goes on in another flow; its end comes back behind the key of the step. */
export function enter(
  route: CallRoute,
  { flow, why }: Pick<FoundFlow, 'flow' | 'why'>,
  key?: string,
): FlowOutcome {
  noteFlow(route, flow, why);
  return { go: 'branch', step: firstStep(flow), key, why };
}

/** Writes down that the call enters a flow. */
export function noteFlow(route: CallRoute, flow: JsonObject, why: string): void {
  const { run, leg } = route;
  route.flow = flow;
  note(run, {
    kind: 'flow',
    callflow: recordId(flow),
    word: nameByKind('callflows', flow),
    leg: leg.id,
    why,
  });
}

/** Seconds that prompts of the service, and media, take. */
export const promptSeconds = 3;

/** Lets a leg hear something for a time. */
export function* hear({ run, leg }: CallRoute, what: string, seconds = promptSeconds): Task<void> {
  heard(run, leg, what);
  yield* pause(run.clock, seconds);
}

/** Lets a leg hear a prompt before it leaves the step. */
export function* hearThen(route: CallRoute, prompt: string, outcome: FlowOutcome): Task<FlowOutcome> {
  yield* hear(route, prompt);
  return outcome;
}

/** How a leg is taken to a number. */
export interface RouteSeed {
  readonly records: CallRecords;
  readonly dialled: string;
  readonly party: LegOwner;
  readonly isOffnet: boolean;
  readonly came: ShownId;
  /** True where the call may use carriers by the flow that takes all other numbers. */
  readonly isAuthorised: boolean;
  readonly isForwarded?: boolean;
  readonly retainsId?: boolean;
  /** Device that transferred the call. */
  readonly referredBy?: string;
  /** The callflow that it runs, whatever was dialled. */
  readonly flow?: JsonObject | undefined;
}

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
  [cause, codeOf(cause)].find((key) => stepBehind(step, key) !== undefined);

/** Leaves a step that rang in vain by the branch of the cause, else by `_`. */
export const failed = (step: FlowStep, cause: Cause): FlowOutcome =>
  on(causeKey(step, cause) ?? '_', `Nobody took the call: ${cause}.`);

/** A module of callflows: what a step of it does, and what each key of its data means here. */
export interface CallModule {
  readonly run: (route: CallRoute, step: FlowStep) => Task<FlowOutcome> | FlowOutcome;
  /** Keys that have their effect, separated by blanks. */
  readonly simulated?: string;
  /** Keys that are passed over, and why; a call that meets one says so. */
  readonly named?: Readonly<Record<string, string>>;
  /** Keys without an effect on calls, and why. */
  readonly none?: Readonly<Record<string, string>>;
}

export type CallModules = Readonly<Record<string, CallModule>>;
