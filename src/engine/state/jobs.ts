/** A job that this process has taken: one account of a rollout. */
export interface Job {
  readonly id: string;
  /** Position of the account in its rollout. */
  readonly position: number;
  /** Number of times that it was tried before. */
  readonly retryCount: number;
}

/**
 * Jobs of rollouts, shared by all processes that use one state. Each rollout has a queue of its own. A job whose
 * process dies is given to another one; one that failed comes back after a while.
 */
export interface Jobs {
  /** Adds a job for each account that has none; those that are waiting or under way stay as they are. */
  add(
    rollout: string,
    accounts: readonly { readonly position: number; readonly accountId: string }[],
  ): Promise<void>;
  take(rollout: string, atMost: number): Promise<readonly Job[]>;
  /** Says that this process still works on jobs. */
  touch(rollout: string, jobs: readonly Job[]): Promise<void>;
  /** Ends a job. */
  done(rollout: string, job: Job): Promise<void>;
  /** Gives a job back, to be taken again later. */
  retry(rollout: string, job: Job, why: string): Promise<void>;
  close(): Promise<void>;
}
