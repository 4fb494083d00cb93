import type { JsonObject } from '../../base/json.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { Event } from '../events/event.ts';
import { textAt } from '../fields.ts';
import type { Services } from '../services.ts';
import type { Change, StoredRecord } from '../store/store.ts';
import type { AccountRecords } from '../telephony/account-records.ts';
import type { CallLimits } from './call-limits.ts';
import type { CallRequest } from './call-request.ts';
import type { HangupCause, Leg } from './ring-legs.ts';
import type { Caller, Match } from './routing.ts';
import type { Timeline } from './timeline.ts';

/** A step that the call went through. */
export interface PathStep {
  /** On what the call came here: dialled digits, `_`; `→` into another callflow. Left out for the first step. */
  readonly key: string | undefined;
  /** `user "alice"`. */
  readonly label: string;
  readonly module: string | undefined;
  /** Id in `data.id`. */
  readonly id: string | undefined;
  /** Seconds since the call came. */
  readonly at: number;
  /** Note on what happened there. */
  readonly note: string | undefined;
}

/** The way in which a call ends. */
export type End =
  /** The parties talk, or the caller hears something, until the call has lasted as long as it should. */
  | {
      readonly kind: 'talk';
      readonly other?: Leg;
      readonly words: string;
      /** Kept with the call while it is under way. */
      readonly kept?: JsonObject;
      readonly facts?: JsonObject;
    }
  | { readonly kind: 'message'; readonly box: StoredRecord }
  /** The voicemail box takes no further message, and that is told. */
  | { readonly kind: 'full'; readonly box: StoredRecord; readonly told: Event }
  | {
      readonly kind: 'conference';
      readonly conference: StoredRecord;
      readonly isModerator: boolean;
      readonly waits: boolean;
    }
  | { readonly kind: 'hangup'; readonly cause: HangupCause; readonly words: string };

/** The result of a step: the branch that the call takes, another flow, or the end. */
export type Outcome = { readonly note?: string | undefined } & (
  | { readonly go: string }
  | { readonly flow: StoredRecord; readonly key?: string }
  | { readonly end: End }
);

/** A recording that a call began, and its settings. `from`, `until`: seconds since the call came. */
export interface Recorded {
  readonly from: number;
  readonly until?: number;
  readonly data: JsonObject;
  /** What asked for it, in words. */
  readonly origin: string;
}

/** A call that is being simulated. */
export interface Simulation {
  readonly services: Services;
  readonly request: CallRequest;
  readonly records: AccountRecords;
  caller: Caller;
  /** Match of the dialled number with a callflow; left out where none takes it. */
  readonly match: Match | undefined;
  readonly limits: CallLimits;
  readonly timeline: Timeline;
  /** The caller's leg. */
  readonly leg: Leg;
  /** Changes that steps make to records; kept when the call is over. */
  readonly changes: Change[];
  /** Seconds since the call came. */
  now: number;
  /** Digits that the caller has yet to dial. */
  readonly digits: string[];
  /** Recordings in the order in which they began; the last may still run. */
  readonly recorded: Recorded[];
  /** Reason why nobody answered so far. */
  cause: HangupCause;
}

/** A step of a flow, with its data. */
export interface FlowStep {
  readonly step: JsonObject;
  readonly data: JsonObject;
}

/** The service answers the caller, to play something: after that nothing is unanswered. */
export function pickUp(call: Simulation): void {
  if (call.timeline.isAnswered(call.leg)) return;
  call.now += 1;
  call.timeline.answer(call.leg, call.now);
}

/** Greetings take this long, in seconds; so does each choice, and waiting for one that does not come. */
export const greeting = 3;
export const choosing = 2;
export const waiting = 10;

/** Function that performs a module's step on a call. */
export type Act = (call: Simulation, step: FlowStep) => Outcome | Promise<Outcome>;

/** Returns the `data.id` of a step; empty where it names nothing. */
export const idOf = ({ data }: FlowStep): string => textAt(data, 'id') ?? '';

/** Goes on by `_`. */
export const onwards = (note?: string): Outcome => ({ go: '_', note });

/** Goes on by `_`, since what the step names is not there. */
export const missing = (call: Simulation, what: string): Outcome => {
  call.cause = 'UNALLOCATED_NUMBER';
  return onwards(`there is no such ${what}`);
};

/** Reads the record that a step names. */
export const found = (call: Simulation, kind: ResourceName, step: FlowStep) =>
  call.records.get(kind, idOf(step));

/** Returns a function that gives the caller's next digits; dialling takes a moment, not dialling takes longer. */
export const dialNext = (call: Simulation) => (): string | undefined => {
  const dialled = call.digits.shift();
  call.now += dialled === undefined ? waiting : choosing;
  return dialled;
};

/** Ends a call that is not let in. */
export const turnedAway = (words: string | undefined): Outcome => ({
  note: words,
  end: { kind: 'hangup', cause: 'NORMAL_CLEARING', words: 'Turned away' },
});
