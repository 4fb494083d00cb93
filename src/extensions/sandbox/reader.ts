import type { Json, JsonObject } from '../../base/json.ts';
import type { RolloutFailure, ShownRollout } from '../../cli/commands/extension.ts';
import type { callOutcomes } from '../../contract/call-outcomes.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { AuditedAccount } from '../../engine/html/audit-page.ts';

/** A record of an account as its service shows it. */
export interface ReadRecord {
  readonly id: string;
  readonly body: JsonObject;
  /** Gregorian seconds. */
  readonly createdAt?: number;
  /** Gregorian seconds. */
  readonly modifiedAt?: number;
  readonly revision?: number;
}

/** An account with its place in the tree. */
export interface ReadAccount extends ReadRecord {
  /** Ids of the ancestors, topmost first. */
  readonly above: readonly string[];
}

export interface ListRequest {
  readonly accountId: string;
  readonly kind: ResourceName;
  readonly limit: number;
  /** `next` or `previous` of another page (default: the first page). */
  readonly from?: string | undefined;
  /** Filters records (default: all). */
  readonly isWanted?: (record: ReadRecord) => boolean;
}

export interface ListPart {
  readonly records: readonly ReadRecord[];
  readonly next?: string | undefined;
  readonly previous?: string | undefined;
  /** Explains why there are no records. */
  readonly missing?: string;
}

export interface Count {
  readonly count: number;
  readonly isMore?: boolean;
}

/** A change in the log of telctl. It contains no secrets. */
export interface ReadRun {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly who: string;
  readonly account: string;
  readonly line: string;
  readonly changed: string;
  readonly note?: string;
  readonly trouble?: string;
}

/** A field in a plan. Values refer to objects by names, like manifests. */
export interface PlannedChange {
  /** A dotted path. Flow steps are `flow/2/_`. */
  readonly path: string;
  /** `set`, `changed`, `removed`, `added` or `moved` */
  readonly how: string;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** True if the values are secret and omitted. */
  readonly secret?: boolean;
  readonly sources?: readonly string[];
  /** True if another user or program changed the field. */
  readonly drift?: boolean;
  /** Former path of a moved branch. */
  readonly from?: string;
}

export interface PlannedStep {
  readonly key: string;
  readonly kind: string;
  readonly label: string;
  /** `create`, `update`, `unchanged`, `delete` or `unverifiable` */
  readonly action: string;
  readonly id?: string;
  readonly changes: readonly PlannedChange[];
  readonly notes: readonly string[];
}

export interface AccountOnPage {
  /** Missing if the plan creates the account. */
  readonly id?: string;
  readonly name: string;
  readonly origin: string;
  /** True if the account is in the service that this reader reads. */
  readonly isHere: boolean;
  readonly steps: readonly PlannedStep[];
  readonly refused?: string;
}

export interface PlanOnPage {
  readonly name: string;
  readonly accounts: readonly AccountOnPage[];
}

export interface ShownAttempt {
  /** Gregorian seconds. */
  readonly timestamp: number;
  readonly body: JsonObject;
}

/** A request or a delivery in the log of the sandbox. It contains no secrets. */
export interface LogEntry {
  /** Starts at 1. */
  readonly sequence: number;
  readonly kind: 'request' | 'delivery';
  /** ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** Path of a request, or target of a delivery. */
  readonly path: string;
  /** `null` without a response. */
  readonly status: number | null;
  readonly ms: number;
  readonly account_id: string | null;
  readonly request_id: string | null;
  readonly hook?: string;
  readonly webhook_id?: string;
  readonly by?: string;
  /** Why the request or delivery failed. */
  readonly note?: string;
}

export interface ShownCalls {
  readonly live: readonly JsonObject[];
  readonly minutes: readonly Readonly<Record<keyof typeof callOutcomes, number>>[];
}

/** A simulated call through a callflow. */
export interface FollowedCall {
  /** Local time of the account, such as `2026-12-25T10:00`. */
  readonly at: string;
  /** The outcome, if a time was given. */
  readonly sentence?: string;
  /** Paths of the visited steps, such as `flow.children.1`. */
  readonly reached: ReadonlySet<string>;
}

/**
 * Reads the data of the pages, from the store of a sandbox or from a real service. Methods return `undefined` or an
 * empty list for missing objects. Optional methods are missing if the source does not have the data.
 */
export interface Reader {
  /** Time of the service in Unix milliseconds. */
  now(): number;
  accounts(): Promise<readonly ReadAccount[]>;
  record(accountId: string, kind: ResourceName, id: string): Promise<ReadRecord | undefined>;
  /** Reads the fields that name a record, if that costs less than reading the whole record. */
  readonly brief?: (accountId: string, kind: ResourceName, id: string) => Promise<ReadRecord | undefined>;
  /** Returns `undefined` if the service does not offer such records. */
  count(accountId: string, kind: ResourceName): Promise<Count | undefined>;
  list(request: ListRequest): Promise<ListPart>;
  messages(accountId: string, boxId: string, limit: number): Promise<readonly ReadRecord[]>;
  attempts(accountId: string, webhookId: string, limit: number): Promise<readonly ShownAttempt[]>;
  /** Returns live legs, and the calls that ended in each minute of the last hour. */
  readonly calls?: (accountId: string) => Promise<ShownCalls>;
  /** Returns the latest requests and deliveries, oldest first. */
  readonly log?: () => readonly LogEntry[];
  /** Audits the security and consistency of an account. */
  readonly audit?: (account: { readonly id: string; readonly name: string }) => Promise<AuditedAccount>;
  /** Follows a call through a callflow. Without a time, only returns the current callflow. */
  readonly follow?: (
    accountId: string,
    callflowId: string,
    asked: { readonly at?: string | undefined; readonly presses?: string | undefined },
  ) => Promise<FollowedCall>;
  /** Returns the latest changes by telctl, newest first. */
  readonly runs?: () => Promise<readonly ReadRun[]>;
  /** Yields rollouts of these accounts, newest first. */
  readonly rollouts?: () => AsyncIterable<ShownRollout>;
  /** Yields the accounts in which a rollout failed, in order. */
  readonly rolloutFailures?: (id: string) => AsyncIterable<RolloutFailure>;
  readonly plan?: PlanOnPage;
}
