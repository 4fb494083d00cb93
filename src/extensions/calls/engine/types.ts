import type { JsonObject } from '../../../base/json.ts';
import type { NumberClass } from '../../../contract/number-classes.ts';
import type { ResourceName } from '../../../contract/types.ts';

/**
 * Records of one account, as a call reads them. A manifest's desired state, the API and the store of the sandbox each
 * have a reader that makes one. `of` and `get` give whole records as the service keeps them, each with its `id`.
 */
export interface CallAccount {
  readonly id: string;
  /** The record of the account itself: `name`, `realm`, `timezone`, `call_restriction`, `preflow`. */
  readonly record: JsonObject;
  readonly of: (kind: ResourceName) => readonly JsonObject[];
  readonly get: (kind: ResourceName, id: string) => JsonObject | undefined;
  /** Kinds that the source can not give: a step that needs one is a gap. */
  readonly unknown: ReadonlySet<ResourceName>;
  /** Classes of numbers of its service; the contract's own if they are unknown. */
  readonly classes?: readonly NumberClass[] | undefined;
  /** Country in two letters by which people outside it dial; `undefined` if it is unknown. */
  readonly country?: string | undefined;
  /** Numbers that people in the account dial for help; those of every country if they are unknown. */
  readonly emergency?: readonly string[] | undefined;
  /** True where no carriers are in reach, so that one is assumed which takes every call. */
  readonly assumesCarrier: boolean;
  /** The place of a record or of one of its steps, to be shown: `office.yaml:31`. */
  readonly placeOf?:
    | ((kind: ResourceName, id: string, path?: readonly (string | number)[]) => string | undefined)
    | undefined;
  /** Another account that a number of its own leads into; left out where only this one is known. */
  readonly owning?: (number: string) => CallAccount | undefined;
}

/** A person at a phone, or all phones of a person. `after`: seconds of ringing. */
export type PhoneBehaviour =
  | {
      readonly does: 'answers';
      readonly after: number;
      /** They do not press the key by which forwarded calls are taken. */
      readonly pressesNothing?: true;
    }
  | { readonly does: 'does not answer' | 'busy' | 'declines' | 'not registered' };

/** Something that somebody does in a running call. `after`: seconds since the far end answered, or else since the begin. */
export interface Act {
  readonly after: number;
  readonly does:
    | 'transfer'
    | 'attended transfer'
    | 'park'
    | 'presses'
    | 'hangs up'
    | 'hold'
    | 'calls'
    | 'runs';
  /** A number, the id of a callflow (`runs`), keys, or a side of the call: `caller`, `callee`. What `calls` dials: `*3101` retrieves a parked call. */
  readonly argument?: string | undefined;
  readonly from?: Caller;
  /** The leg that does it, by its id; without it the called one for what a phone does, and the caller's for keys. */
  readonly leg?: string;
  /** `begin`: `after` counts from the begin of the call, whoever answered. */
  readonly since?: 'begin';
}

/** Who makes a call: a number outside, or a user or device of the account by id. */
export interface Caller {
  readonly number?: string | undefined;
  readonly user?: string | undefined;
  readonly device?: string | undefined;
  readonly name?: string | undefined;
}

export interface CallInput {
  readonly account: CallAccount;
  /** Begin in milliseconds since 1970. */
  readonly at: number;
  readonly from: Caller;
  readonly to: string;
  /** Id of the callflow that the call is sent into, whatever was dialled. */
  readonly flow?: string;
  /**
   * What people do, by id of user or device; a device comes before its user. Carriers by id of their record, people
   * outside by their number.
   */
  readonly people: ReadonlyMap<string, PhoneBehaviour>;
  readonly others: PhoneBehaviour;
  /** True where phones without an entry in `people` are reached only if they are registered by `registered`. */
  readonly registered?: ReadonlySet<string>;
  /** Devices that are in other calls: who has no call waiting is busy. */
  readonly inCalls?: ReadonlySet<string>;
  /** One answer for each time that keys are asked for. */
  readonly presses: readonly string[];
  readonly hangsUpAfter?: number | undefined;
  /**
   * Seconds that the call lasts in all: talks, messages and waits of the caller end then, but not before 3 s. Without
   * it they end by themselves after the usual time.
   */
  readonly lasts?: number;
  /** Seconds of the message that the caller leaves; without it the caller hangs up at the tone. */
  readonly leaves?: number | undefined;
  /** What is done in the course of the call: `then` of a case file. */
  readonly acts: readonly Act[];
  /**
   * States of agents, by id of their user: `ready`, `paused`, `logged_out`; who was asked longest ago stands first.
   * Without it agents are ready in their queues.
   */
  readonly agents?: ReadonlyMap<string, string>;
  /** Seconds that callers wait in a queue on average, by its id. */
  readonly averageWait?: ReadonlyMap<string, number>;
  /** Messages that boxes hold already, by id of the box: a full one takes no more. */
  readonly messages?: ReadonlyMap<string, number>;
  /** People who are in conferences by other calls, by id of the conference. */
  readonly participants?: ReadonlyMap<string, number>;
  /** A fax machine calls; `false` for a person. Without it faxes are received where a flow takes them. */
  readonly sendsFax?: boolean;
  /** Limits, money and rates; without it calls are not authorised, and cost nothing. */
  readonly money?: CallMoney | undefined;
  /** Replies of pivots by address. */
  readonly pivots: ReadonlyMap<string, JsonObject>;
  /** Gives numbers from 0 to below 1; seeded, so that the same input gives the same events. */
  readonly random: () => number;
}

/** Facts by which calls are allowed and rated. Amounts in the currency of the account. */
export interface CallMoney {
  /** Record of the limits of the account: trunks, calls, `allow_prepay`, `allow_postpay`, `max_postpay_amount`. */
  readonly limits: JsonObject;
  /** Legs of other calls that use trunks now. */
  readonly inUse: { readonly inbound: number; readonly outbound: number; readonly calls: number };
  readonly balance: number;
  readonly rates: readonly JsonObject[];
}

/** The cause of a leg's end, in the words of the service: `NORMAL_CLEARING`. */
export type Cause = string;

/** One leg of a call. Times in seconds since the begin of the call. */
export interface CallLeg {
  /** `a1`, `b1`, `b2` in order: the same input gives the same ids. */
  readonly id: string;
  /** The caller's leg of the call that it belongs to: its own id for those. */
  readonly call: string;
  readonly side: 'A' | 'B';
  readonly user?: string | undefined;
  readonly device?: string | undefined;
  readonly carrier?: string | undefined;
  /** What the called side shows. */
  readonly callerId: { readonly number?: string; readonly name?: string };
  readonly to: string;
  readonly began: number;
  readonly answered?: number | undefined;
  readonly ended: number;
  readonly cause: Cause;
  /** The leg that it was connected with last. */
  readonly other?: string | undefined;
  /** Fields of the call record that the specification names beside: `billing`, `emergency_resource`, `is_conference`, `call_forward`. */
  readonly facts: JsonObject;
}

export interface CallStep {
  readonly at: number;
  /** Id of the callflow, and the place of the step in it: `['flow', 'children', '_']`. */
  readonly callflow: string;
  readonly place: readonly string[];
  readonly module: string;
  readonly id?: string | undefined;
  /** As people read it: `user "alice"`, and the word of a case file's `path`: `alice`, `Office hours: closed`, `Night menu: 2`. */
  readonly label: string;
  readonly word: string;
  /** The key by which the call left the step: `_`, `2`, `timeout`, the id of a rule. */
  readonly left?: string;
  /** Words of a case file's `path`, where a step has several: each rule that a time route tested. */
  readonly words?: readonly string[];
  /** What decided, in a sentence: `On 2026-11-22 18:05 +01:00 (Sunday) rule "Office hours" matches: wdays has sunday.` */
  readonly why?: string;
}

/** What happens in the course of a call, in order of time. `at`: seconds since the begin. */
export type CallEvent =
  | { readonly at: number; readonly kind: 'leg' | 'answer' | 'end'; readonly leg: string }
  | {
      readonly at: number;
      readonly kind: 'bridge' | 'unbridge';
      readonly leg: string;
      readonly other: string;
    }
  /** The call enters a callflow, by its number or from a step. `word`: its name. */
  | {
      readonly at: number;
      readonly kind: 'flow';
      readonly callflow: string;
      readonly word: string;
      readonly leg: string;
      readonly why: string;
    }
  | { readonly at: number; readonly kind: 'step'; readonly leg: string; readonly step: CallStep }
  /** A prompt, text or medium that a leg hears. */
  | { readonly at: number; readonly kind: 'hears'; readonly leg: string; readonly what: string }
  | {
      readonly at: number;
      readonly kind: 'parked' | 'retrieved' | 'abandoned';
      readonly leg: string;
      readonly slot: string;
    }
  | { readonly at: number; readonly kind: 'hook'; readonly hook: string; readonly facts: JsonObject }
  /** A setting that a step writes, as a change of one record. */
  | {
      readonly at: number;
      readonly kind: 'writes';
      readonly resource: ResourceName;
      readonly id: string;
      readonly fields: JsonObject;
    }
  /** A voice message or a fax that was left, a recording that was made. */
  | {
      readonly at: number;
      readonly kind: 'left';
      readonly what: 'message' | 'fax' | 'recording';
      readonly box?: string | undefined;
      readonly seconds: number;
      readonly facts: JsonObject;
    }
  /** Something that is not simulated: it was passed, and why. */
  | {
      readonly at: number;
      readonly kind: 'gap';
      readonly callflow?: string;
      readonly place?: readonly string[];
      readonly what: string;
    };

/** Where the caller ended, in the words of `ends_in`; `name` is the box, conference, queue or carrier. */
export interface CallEnd {
  readonly in:
    | 'person'
    | 'voicemail'
    | 'carrier'
    | 'conference'
    | 'queue'
    | 'parked'
    | 'fax'
    | 'hangup'
    | 'nobody';
  readonly name?: string | undefined;
  /** Cause of the caller's leg. */
  readonly cause: Cause;
  /** Why it ended there, where nobody took it: `The flow "Main line" ends here.` */
  readonly why?: string | undefined;
}

export interface Call {
  readonly events: readonly CallEvent[];
  /** Legs in order of their begin; the first is the caller's. */
  readonly legs: readonly CallLeg[];
  readonly end: CallEnd;
  /** Seconds from the begin to the end of the last leg. */
  readonly seconds: number;
  /** Answers that nothing asked for. */
  readonly notPressed: readonly string[];
}
