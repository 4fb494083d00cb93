import type { JsonObject } from '../../../base/json.ts';
import type { NumberClass } from '../../../contract/number-classes.ts';
import type { ResourceName } from '../../../contract/types.ts';

/**
 * The records of an account for a call, read from a manifest, the API or the sandbox. `of` and `get` return complete
 * records with their `id`.
 */
export interface CallAccount {
  readonly id: string;
  /** The record of the account: `name`, `realm`, `timezone`, `call_restriction`, `preflow`. */
  readonly record: JsonObject;
  readonly of: (kind: ResourceName) => readonly JsonObject[];
  readonly get: (kind: ResourceName, id: string) => JsonObject | undefined;
  /** Kinds that could not be read. Steps that need them are not simulated. */
  readonly unknown: ReadonlySet<ResourceName>;
  /** Number classes of the service (default: those of the contract). */
  readonly classes?: readonly NumberClass[] | undefined;
  /** Two-letter country whose format callers from outside use, if known. */
  readonly country?: string | undefined;
  /** Emergency numbers of the account (default: those of every country). */
  readonly emergency?: readonly string[] | undefined;
  /** True if no carriers are configured, so that one that accepts every call is assumed. */
  readonly assumesCarrier: boolean;
  /** Returns the place of a record or step for messages, such as `office.yaml:31`. */
  readonly placeOf?:
    | ((kind: ResourceName, id: string, path?: readonly (string | number)[]) => string | undefined)
    | undefined;
  /** Returns the other account that owns a number, if other accounts are known. */
  readonly owning?: (number: string) => CallAccount | undefined;
}

/** The behavior of a person at one phone or at all phones. `after` is the ringing time in seconds. */
export type PhoneBehaviour =
  | {
      readonly does: 'answers';
      readonly after: number;
      /** True if the person does not press the key that accepts a forwarded call. */
      readonly pressesNothing?: true;
    }
  | { readonly does: 'does not answer' | 'busy' | 'declines' | 'not registered' };

/** An action during a call. `after` counts seconds from the first answer, or else from the start. */
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
  /**
   * A number, a callflow id (`runs`), keys, or a side (`caller`, `callee`). For `calls`, the dialed number, such as
   * `*3101` for a parked call.
   */
  readonly argument?: string | undefined;
  readonly from?: Caller;
  /** Id of the leg that acts (default: the called leg for actions of phones, the caller's leg for keys). */
  readonly leg?: string;
  /** If set, `after` counts from the start of the call. */
  readonly since?: 'begin';
}

/** The caller: a number outside, or the id of a user or device. */
export interface Caller {
  readonly number?: string | undefined;
  readonly user?: string | undefined;
  readonly device?: string | undefined;
  readonly name?: string | undefined;
}

export interface CallInput {
  readonly account: CallAccount;
  /** Start, in Unix milliseconds. */
  readonly at: number;
  readonly from: Caller;
  readonly to: string;
  /** Id of the callflow that gets the call, regardless of the dialed number. */
  readonly flow?: string;
  /**
   * Behavior by id of user or device. Devices take precedence. Carriers are identified by id, outside people by
   * number.
   */
  readonly people: ReadonlyMap<string, PhoneBehaviour>;
  readonly others: PhoneBehaviour;
  /** If given, phones without an entry in `people` are reachable only if they are in this set. */
  readonly registered?: ReadonlySet<string>;
  /** Devices in other calls. They are busy unless they have call waiting. */
  readonly inCalls?: ReadonlySet<string>;
  readonly presses: readonly string[];
  readonly hangsUpAfter?: number | undefined;
  /**
   * Duration of the call in seconds, at least 3. Conversations, messages and waits end then. By default they end
   * after their usual time.
   */
  readonly lasts?: number;
  /** Length of the caller's message in seconds. By default the caller hangs up at the tone. */
  readonly leaves?: number | undefined;
  readonly acts: readonly Act[];
  /**
   * State of agents by user id: `ready`, `paused` or `logged_out`, longest waiting first. By default all agents are
   * ready.
   */
  readonly agents?: ReadonlyMap<string, string>;
  /** Average wait of a queue in seconds, by queue id. */
  readonly averageWait?: ReadonlyMap<string, number>;
  /** Number of stored messages by mailbox id. A full mailbox accepts no message. */
  readonly messages?: ReadonlyMap<string, number>;
  /** Number of participants from other calls, by conference id. */
  readonly participants?: ReadonlyMap<string, number>;
  /** True if a fax machine calls, false if a person calls. If absent, steps that receive faxes do so. */
  readonly sendsFax?: boolean;
  /** Limits, balance and rates. Without them, calls are not authorized and cost nothing. */
  readonly money?: CallMoney | undefined;
  readonly pivots: ReadonlyMap<string, JsonObject>;
  /** Returns numbers from 0 to below 1. Use a seed, so that the same input gives the same events. */
  readonly random: () => number;
}

/** Facts for authorization and rating. Amounts are in the currency of the account. */
export interface CallMoney {
  /** The limits of the account: trunks, calls, `allow_prepay`, `allow_postpay`, `max_postpay_amount`. */
  readonly limits: JsonObject;
  /** Legs of other calls that currently use trunks. */
  readonly inUse: { readonly inbound: number; readonly outbound: number; readonly calls: number };
  readonly balance: number;
  readonly rates: readonly JsonObject[];
}

export type Cause = string;

/** One leg of a call. Times are in seconds since the start of the call. */
export interface CallLeg {
  /** `a1`, `b1`, `b2` in order. The same input gives the same ids. */
  readonly id: string;
  /** Id of the caller's leg. For that leg, its own id. */
  readonly call: string;
  readonly side: 'A' | 'B';
  readonly user?: string | undefined;
  readonly device?: string | undefined;
  readonly carrier?: string | undefined;
  readonly callerId: { readonly number?: string; readonly name?: string };
  readonly to: string;
  readonly began: number;
  readonly answered?: number | undefined;
  readonly ended: number;
  readonly cause: Cause;
  readonly other?: string | undefined;
  /** Other fields of the call record, such as `billing`, `emergency_resource`, `is_conference`, `call_forward`. */
  readonly facts: JsonObject;
}

export interface CallStep {
  readonly at: number;
  /** Callflow id and the path of the step in it, such as `['flow', 'children', '_']`. */
  readonly callflow: string;
  readonly place: readonly string[];
  readonly module: string;
  readonly id?: string | undefined;
  /**
   * The label, such as `user "alice"`, and the word in the `path` of a case file: `alice`, `Office hours: closed`,
   * `Night menu: 2`.
   */
  readonly label: string;
  readonly word: string;
  /** Key of the branch that the call took: `_`, `2`, `timeout`, or the id of a rule. */
  readonly left?: string;
  /** Words in the `path` of a case file, one for each tested rule, if the step has several. */
  readonly words?: readonly string[];
  /**
   * The reason for the branch, such as `On 2026-11-22 18:05 +01:00 (Sunday) rule "Office hours" matches: wdays has
   * sunday.`
   */
  readonly why?: string;
}

export type CallEvent =
  | { readonly at: number; readonly kind: 'leg' | 'answer' | 'end'; readonly leg: string }
  | {
      readonly at: number;
      readonly kind: 'bridge' | 'unbridge';
      readonly leg: string;
      readonly other: string;
    }
  /** The call enters a callflow by number or from a step. `word` is the name of the callflow. */
  | {
      readonly at: number;
      readonly kind: 'flow';
      readonly callflow: string;
      readonly word: string;
      readonly leg: string;
      readonly why: string;
    }
  | { readonly at: number; readonly kind: 'step'; readonly leg: string; readonly step: CallStep }
  | { readonly at: number; readonly kind: 'hears'; readonly leg: string; readonly what: string }
  | {
      readonly at: number;
      readonly kind: 'parked' | 'retrieved' | 'abandoned';
      readonly leg: string;
      readonly slot: string;
    }
  | { readonly at: number; readonly kind: 'hook'; readonly hook: string; readonly facts: JsonObject }
  | {
      readonly at: number;
      readonly kind: 'writes';
      readonly resource: ResourceName;
      readonly id: string;
      readonly fields: JsonObject;
    }
  | {
      readonly at: number;
      readonly kind: 'left';
      readonly what: 'message' | 'fax' | 'recording';
      readonly box?: string | undefined;
      readonly seconds: number;
      readonly facts: JsonObject;
    }
  /** Part of the call that is not simulated, with the reason. */
  | {
      readonly at: number;
      readonly kind: 'gap';
      readonly callflow?: string;
      readonly place?: readonly string[];
      readonly what: string;
    };

/** Where the caller ended, for `ends_in`. `name` is the mailbox, conference, queue or carrier. */
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
  readonly cause: Cause;
  /** Why the call ended without an answer, such as `The flow "Main line" ends here.` */
  readonly why?: string | undefined;
}

export interface Call {
  readonly events: readonly CallEvent[];
  /** Legs in order of their start. The first is the caller's. */
  readonly legs: readonly CallLeg[];
  readonly end: CallEnd;
  /** Seconds from the start to the end of the last leg. */
  readonly seconds: number;
  /** Keys left over, because no prompt asked for them. */
  readonly notPressed: readonly string[];
}
