/** One account of a rollout as work of this process. Gives the reason why it is to come back later, if it is. */
export type DoJob = (job: {
  /** Position of the account in its rollout. */
  readonly position: number;
  /** Number of times that it was given to a process before. */
  readonly begun: number;
}) => Promise<string | undefined>;

/**
 * Jobs of rollouts, shared by all processes that use one state. Each rollout has a queue of its own. A job whose
 * process dies is given to another one; one that comes back does so after a while.
 */
export interface Jobs {
  /** Adds a job for each account that has none; those that are waiting or under way stay as they are. */
  add(
    rollout: string,
    accounts: readonly { readonly position: number; readonly accountId: string }[],
  ): Promise<void>;
  /** Works on the jobs of a rollout, so many at once, until the function that it gives is called. That finishes what is under way. */
  work(rollout: string, atOnce: number, work: DoJob): Promise<() => Promise<void>>;
  /** The reason why jobs of processes that died cannot be found; others would wait for them for ever. */
  refusal(): Error | undefined;
  close(): Promise<void>;
}
