import { join, resolve } from 'node:path';
import { createHint, Failure, nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { Ledger, LedgerChange } from './ledger.ts';
import type { LogLine } from './log.ts';
import type { Rollouts } from './rollouts.ts';

/** An account of a service. The state is stored per account. */
export interface Account {
  readonly origin: string;
  readonly accountId: string;
}

/**
 * The state that telctl keeps between runs. Every implementation passes `test/support/state-suite.ts`. Methods throw
 * `Failure` if the state cannot be read or written.
 */
export interface State {
  /** Location for messages. Never contains a password. */
  readonly shown: string;
  /**
   * `file` is a file that the user named, or a folder (with a slash at its end) with one file per account. Throws
   * `Failure` of kind `usage` for a device or a pipe.
   */
  ledger(account: Account, file?: string): LedgerStore;
  /**
   * Locks an account against all processes that use the same state. Returns `undefined` if the wait is too long. A
   * dead holder is replaced. After a lost lock, no run of this process begins a change.
   */
  lock(account: Account, wait: LockWait): Promise<Lease | undefined>;
  /** Returns the lock's holder with the time, or `undefined`. */
  holder(account: Account): Promise<string | undefined>;
  /** Returns the database user, or `undefined` if the state is not in a database. */
  user(): Promise<string | undefined>;
  accounts(): Promise<readonly Account[]>;
  readonly log: Log;
  readonly plans: PlanStore;
  readonly rollouts: Rollouts;
  /** Missing if only one process can carry out a rollout. */
  readonly shared?: SharedParts;
  close(): Promise<void>;
}

/** Used by several processes that work on one rollout. */
export interface SharedParts {
  jobs(): Promise<Jobs>;
}

export interface LedgerStore extends Account {
  /** The option's value, or the location in the state. */
  readonly shown: string;
  /** Absolute path of a file that the user named. Such a ledger may leave this machine. */
  readonly file: string | undefined;
  /** Base folder of the ledger's paths. `undefined` if they are absolute, because other machines do not read them. */
  readonly seenFrom: string | undefined;
  /**
   * Returns `undefined` if the ledger does not exist. Throws `Failure`: `invalid` if the file is not a ledger,
   * `conflict` if it belongs to another account or service. Such files are never overwritten.
   */
  read(): Promise<Ledger | undefined>;
  /**
   * Changes or creates the ledger, one process at a time. Entries are hashed with its salt. If the ledger was
   * replaced meanwhile, `change` gets one with another salt.
   */
  update(change: (ledger: Ledger) => LedgerChange): Promise<Ledger>;
  /** Stores a ledger of another state with its salt. Throws `Failure` of kind `conflict` if one exists. */
  take(ledger: Ledger): Promise<void>;
  /** Returns an interrupted run whose changes this ledger may not contain yet. */
  behind(): Promise<string | undefined>;
  /** Records that a run is about to change the account. `undefined` means that the ledger is complete. */
  setBehind(run: string | undefined): Promise<void>;
}

export interface LockWait {
  readonly signal: AbortSignal;
  /** Shown to other waiting processes: `alice@laptop`. */
  readonly who: string;
  /** Longest wait in milliseconds. */
  readonly forMs: number;
  /** Called once before the first wait, with the holder and its time, if known. */
  readonly waiting: (holder: string | undefined) => void;
}

export interface Lease {
  release(): Promise<void>;
}

export const lostLockFailure = ({ accountId }: Account, why: string): Failure =>
  new Failure('conflict', `The lock on account ${accountId} was lost: ${why}. Nothing more was sent.`, {
    hint: createHint`${nextStep`log`} shows the changes. When the other process has ended, apply again.`,
  });

/** Another state passed an item that exists. */
export const alreadyExistsFailure = (what: string): Failure =>
  new Failure('conflict', `The state already has ${what}. Nothing was changed.`);

/** `claimed` is the user according to its process. */
export const formatWriter = (writer: string, claimed: string): string => `${writer} [${claimed}]`;

export interface LogFilter {
  /** Runs that this account started or that changed it. */
  readonly account?: Account;
  /** Database user that wrote them. */
  readonly by?: string;
  /** Texts that `searchableTexts` must all contain, in any case. A state can return other runs also. */
  readonly words?: readonly string[];
  /** Earliest and latest start. A state can return other runs also. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** Only start lines are needed. A state can return other lines also. */
  readonly startsOnly?: boolean;
}

export interface StoredRun {
  readonly id: string;
  /** Database user that wrote it. Missing if the state is not in a database. */
  readonly writer?: string;
  /** Clock of the database. Missing if the state is not in a database. */
  readonly atMs?: number;
  readonly lines: readonly LogLine[];
  /** Complete lines that cannot be read. */
  readonly damaged: number;
  /** True if the run has a complete line. Requests are sent only after that. */
  readonly begun: boolean;
  /** False if the process has ended. Missing if only the process's machine can tell. */
  readonly alive?: boolean;
}

/** Later runs have greater numbers. */
export interface Log {
  /** Starts a run. Removes runs older than the retention time. */
  begin(): Promise<RunWriter>;
  read(id: string): Promise<StoredRun | undefined>;
  newest(filter?: LogFilter): AsyncIterable<StoredRun>;
  /** Returns runs that were not closed, because they are active or their process has died. */
  open(): Promise<readonly string[]>;
  /** Marks an interrupted run as reported. */
  settle(id: string): Promise<void>;
  /** Stores a run of another state under its number. Throws `Failure` of kind `conflict` if the number is used. */
  take(run: StoredRun): Promise<void>;
  last(): Promise<string>;
  /** Returns the numbers of all runs, or of those after a run, oldest first. */
  ids(after?: string): Promise<readonly string[]>;
}

export interface RunWriter {
  readonly id: string;
  /**
   * Adds a line, which survives the end of this process when this resolves. The end of a change may only be stored
   * with the next line. If that fails, the next `write` or `flush` throws. Throws `Failure` of kind `conflict` for a
   * new change after this process has lost a lock.
   */
  write(line: LogLine): Promise<void>;
  /** Resolves when all lines survive a power loss. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** By name. In a state of files, the name is a path relative to the working folder. */
export interface PlanStore {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
}

/** Returns the folder of `file:DIR`, relative to the working folder (default: the state folder). */
export const stateFolder = (
  { cwd, folders }: Pick<Host, 'cwd' | 'folders'>,
  address: string | undefined,
): string => (address === undefined ? folders.state : resolve(cwd, address.replace(/^file:(?:\/\/)?/, '')));

/** Contains a mark for each run in progress. */
export const openRunsFolder = (folder: string): string => join(folder, 'log', 'open');

/** Returns true if a run of a folder is active or was interrupted. Most commands only need to read this folder. */
export function hasOpenRuns({ files, cwd, folders }: Host, address: string | undefined): boolean {
  try {
    return files.list(openRunsFolder(stateFolder({ cwd, folders }, address))).length > 0;
  } catch {
    // Commands that need the state report that it is unreadable.
    return false;
  }
}

export type DoJob = (job: {
  /** Position of the account in its rollout. */
  readonly position: number;
  readonly begun: number;
}) => Promise<string | undefined>;

/**
 * Jobs of rollouts, shared by all processes that use one state. Each rollout has its own queue. The job of a dead
 * process is given to another one. A job to repeat returns to the queue after a while.
 */
export interface Jobs {
  /** Adds a job for each account without one. Waiting and running jobs are unchanged. */
  add(
    rollout: string,
    accounts: readonly { readonly position: number; readonly accountId: string }[],
  ): Promise<void>;
  /** Runs at most `atOnce` jobs in parallel. Returns a function that stops after the running jobs. */
  work(rollout: string, atOnce: number, work: DoJob): Promise<() => Promise<void>>;
  /** Returns the reason why jobs of dead processes cannot be found. Other processes would wait for them forever. */
  refusal(): Error | undefined;
  close(): Promise<void>;
}
