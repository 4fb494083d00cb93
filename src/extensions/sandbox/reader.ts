import type { Json, JsonObject } from '../../base/json.ts';
import type { RolloutFailure, ShownRollout } from '../../cli/commands/extension.ts';
import type { callOutcomes } from '../../contract/call-outcomes.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { AuditedAccount } from '../../engine/html/audit-page.ts';

/** A record of an account as its service shows it. */
export interface ReadRecord {
  readonly id: string;
  readonly body: JsonObject;
  /** Gregorian seconds; left out where the service does not say. */
  readonly createdAt?: number;
  /** Gregorian seconds; left out where the service does not say. */
  readonly modifiedAt?: number;
  /** Number of times it was written; left out where the service does not say. */
  readonly revision?: number;
}

/** An account with its place in the tree. */
export interface ReadAccount extends ReadRecord {
  /** Ids of the accounts above it, the topmost first. */
  readonly above: readonly string[];
}

/** A part of the list of one kind of records. */
export interface ListRequest {
  readonly accountId: string;
  readonly kind: ResourceName;
  readonly limit: number;
  /** The position to go on from: `next` or `previous` of another part. The beginning where left out. */
  readonly from?: string | undefined;
  /** Accepts the records that are wanted; all where left out. */
  readonly isWanted?: (record: ReadRecord) => boolean;
}

/** The records found, and where the parts before and after them begin. */
export interface ListPart {
  readonly records: readonly ReadRecord[];
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
  /** Reason why there are no records: a sentence. */
  readonly missing?: string;
}

/** The number of records of one kind. */
export interface Count {
  readonly count: number;
  readonly isMore?: boolean;
}

/** A change that telctl made, as its log has it. Nothing secret is in it. */
export interface ReadRun {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly who: string;
  readonly account: string;
  readonly line: string;
  readonly changed: string;
  readonly note?: string;
  /** Word for its end, where that was not a good one. */
  readonly trouble?: string;
}

/** One field that a plan changes. Values name objects as manifests do. */
export interface PlannedChange {
  /** Dotted; steps of a flow are `flow/2/_`. */
  readonly path: string;
  /** `set`, `changed`, `removed`, `added` or `moved` */
  readonly how: string;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** The values are left out. */
  readonly secret?: boolean;
  readonly sources?: readonly string[];
  /** Others changed it. */
  readonly drift?: boolean;
  /** Path at which a moved branch stood. */
  readonly from?: string;
}

export interface PlannedStep {
  readonly key: string;
  /** Section of the manifest. */
  readonly kind: string;
  readonly label: string;
  /** `create`, `update`, `unchanged`, `delete` or `unverifiable` */
  readonly action: string;
  readonly id?: string;
  readonly changes: readonly PlannedChange[];
  readonly notes: readonly string[];
}

export interface AccountOnPage {
  /** Left out: the plan makes it first. */
  readonly id?: string;
  readonly name: string;
  readonly origin: string;
  /** It is an account of the service that is read here. */
  readonly isHere: boolean;
  readonly steps: readonly PlannedStep[];
  /** Reason why it would be refused. */
  readonly refused?: string;
}

export interface PlanOnPage {
  readonly name: string;
  readonly accounts: readonly AccountOnPage[];
}

/** An attempt to deliver an event to a webhook. */
export interface ShownAttempt {
  /** Gregorian seconds. */
  readonly timestamp: number;
  readonly body: JsonObject;
}

/** A request that the service answered, or a delivery that it made. Nothing secret is in it. */
export interface LogEntry {
  /** Counts up from 1. */
  readonly sequence: number;
  readonly kind: 'request' | 'delivery';
  /** ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** Path of a request, target of a delivery. */
  readonly path: string;
  /** `null` where there was no reply. */
  readonly status: number | null;
  readonly ms: number;
  readonly account_id: string | null;
  readonly request_id: string | null;
  /** Event and webhook of a delivery. */
  readonly hook?: string;
  readonly webhook_id?: string;
  /** Sender of a request. */
  readonly by?: string;
  /** Reason of a failure. */
  readonly note?: string;
}

export interface ShownCalls {
  readonly live: readonly JsonObject[];
  readonly minutes: readonly Readonly<Record<keyof typeof callOutcomes, number>>[];
}

/** A call that was thought through: nobody was rung. */
export interface FollowedCall {
  /** Its time by the clocks of the account: `2026-12-25T10:00`. */
  readonly at: string;
  /** What comes of it. Left out where no time was asked for. */
  readonly sentence?: string;
  /** Places of the steps of the callflow that it came to: `flow.children.1`. */
  readonly reached: ReadonlySet<string>;
}

/**
 * Reads what the views show. The sandbox reads its store; another implementation may ask a service. Kinds are those of
 * accounts (`kindsOfAccounts`). A read of something that is not there gives `undefined` or nothing, and no failure.
 */
export interface Reader {
  /** The service's clock, in Unix milliseconds. */
  now(): number;
  accounts(): Promise<readonly ReadAccount[]>;
  record(accountId: string, kind: ResourceName, id: string): Promise<ReadRecord | undefined>;
  /** A record as lists show it, where that costs less than the whole: enough to name it. */
  readonly brief?: (accountId: string, kind: ResourceName, id: string) => Promise<ReadRecord | undefined>;
  /** `undefined` where the service does not show such records. */
  count(accountId: string, kind: ResourceName): Promise<Count | undefined>;
  list(request: ListRequest): Promise<ListPart>;
  /** Messages of a voicemail box, newest first. */
  messages(accountId: string, boxId: string, limit: number): Promise<readonly ReadRecord[]>;
  /** Attempts to deliver to a webhook, newest first. */
  attempts(accountId: string, webhookId: string, limit: number): Promise<readonly ShownAttempt[]>;
  /** Live legs, and the calls that ended in each minute of the last hour, where somebody knows them. */
  readonly calls?: (accountId: string) => Promise<ShownCalls>;
  /** The last requests and deliveries, oldest first. Left out where nobody knows them: the page then has no log. */
  readonly log?: () => readonly LogEntry[];
  /** Finds what is weak, lost or left over in an account. Left out where nobody does. */
  readonly audit?: (account: { readonly id: string; readonly name: string }) => Promise<AuditedAccount>;
  /** Follows a call to a callflow; without a time, says which one it is now. Left out where nobody does. */
  readonly follow?: (
    accountId: string,
    callflowId: string,
    asked: { readonly at?: string | undefined; readonly presses?: string | undefined },
  ) => Promise<FollowedCall>;
  /** The last changes by telctl, newest first. Left out where nobody knows them. */
  readonly runs?: () => Promise<readonly ReadRun[]>;
  /** Rollouts of this service and these accounts, newest first. Left out where nobody knows them. */
  readonly rollouts?: () => AsyncIterable<ShownRollout>;
  /** Accounts in which a rollout failed, in their order. */
  readonly rolloutFailures?: (id: string) => AsyncIterable<RolloutFailure>;
  readonly plan?: PlanOnPage;
}
