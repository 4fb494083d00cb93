import { join, resolve } from 'node:path';
import { createHint, Failure, nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { Ledger, LedgerChange } from './ledger.ts';
import type { LogLine } from './log.ts';
import type { Rollouts } from './rollouts.ts';

/** An account of a service. Everything that is remembered is kept by it. */
export interface Account {
  readonly origin: string;
  readonly accountId: string;
}

/**
 * The state that telctl remembers between runs. One interface for every way of keeping it, each of which passes the
 * suite of `test/support/state-suite.ts`. Methods throw `Failure` where the state cannot be read or written.
 */
export interface State {
  /** Location of the state, for messages. It never contains a password. */
  readonly shown: string;
  /**
   * The ledger of an account. `file`: one that the user named, a folder (with a slash at its end) for one file an
   * account. Throws `Failure` of kind `usage` for a device or a pipe.
   */
  ledger(account: Account, file?: string): LedgerStore;
  /**
   * Locks an account for this process, against all that use the same state. Waits for the holder; `undefined` where
   * it outlasts the wait. A holder that died does not. Once a lock was lost, no run of this process begins a change.
   */
  lock(account: Account, wait: LockWait): Promise<Lease | undefined>;
  /** The holder of the lock of an account, with the time; `undefined` if it is not locked. */
  holder(account: Account): Promise<string | undefined>;
  /** The database user of this process; `undefined` if the state is not in a database. */
  user(): Promise<string | undefined>;
  accounts(): Promise<readonly Account[]>;
  readonly log: Log;
  readonly plans: PlanStore;
  readonly rollouts: Rollouts;
  /** Work that several processes share; absent if only one process at a time can carry out a rollout. */
  readonly shared?: SharedParts;
  /** Ends connections. */
  close(): Promise<void>;
}

/** Things that processes share while they work on one rollout. */
export interface SharedParts {
  /** Jobs of rollouts; opened on the first call. */
  jobs(): Promise<Jobs>;
}

export interface LedgerStore extends Account {
  /** As people know it: the option's value, or where the state keeps it. */
  readonly shown: string;
  /** Absolute path of the file that the user named: such a ledger may leave this machine. */
  readonly file: string | undefined;
  /** Folder from which it keeps paths of manifests; whole ones where other machines do not read it. */
  readonly seenFrom: string | undefined;
  /**
   * The ledger; `undefined` where none was written yet. Throws `Failure`: `invalid` where the file is no ledger,
   * `conflict` where it is that of another account or service. Neither is ever written over.
   */
  read(): Promise<Ledger | undefined>;
  /**
   * Changes the ledger as it is now, whatever others wrote into it meanwhile; makes it where there is none. Waits for
   * others that do the same. Entries are hashed with its salt: where it was made anew, `change` gets another one.
   */
  update(change: (ledger: Ledger) => LedgerChange): Promise<Ledger>;
  /** Stores a ledger of another state with its salt. Throws `Failure` of kind `conflict` if one exists. */
  take(ledger: Ledger): Promise<void>;
  /** Id of the run whose changes this ledger may not know yet: it was cut off. */
  behind(): Promise<string | undefined>;
  /** Notes that a run is about to change the account, or (`undefined`) that the ledger knows all that was done. */
  setBehind(run: string | undefined): Promise<void>;
}

export interface LockWait {
  /** Ends the wait, with its reason. */
  readonly signal: AbortSignal;
  /** Who wants it, for those who wait later: `alice@laptop`. */
  readonly who: string;
  /** Longest wait, in milliseconds. */
  readonly forMs: number;
  /** Told once, before the first wait: who holds it, and since when, as far as it is known. */
  readonly waiting: (holder: string | undefined) => void;
}

/** A lock that is held. */
export interface Lease {
  release(): Promise<void>;
}

export const lostLock = ({ accountId }: Account, why: string): Failure =>
  new Failure('conflict', `The lock on account ${accountId} was lost: ${why}. Nothing more was sent.`, {
    hint: createHint`${nextStep`log`} shows what was done. When the other has ended, apply again.`,
  });

/** Returns the failure of a state that has something already which another one gives it. */
export const alreadyThere = (what: string): Failure =>
  new Failure('conflict', `There is ${what} already. It was left as it is.`);

/** Names a user of the database, with what its process says of itself in brackets. */
export const byDatabase = (writer: string, claimed: string): string => `${writer} [${claimed}]`;

export interface LogFilter {
  /** Runs that were begun as this account, or changed it. */
  readonly account?: Account;
  /** User of the database that wrote them. */
  readonly by?: string;
  /** Texts that all stand in what `wordsOf` gives, in any case. A state may let others through. */
  readonly words?: readonly string[];
  /** Runs that began from then on, and until then. A state may let others through. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** Only the start lines are needed. A state may return the others as well. */
  readonly startsOnly?: boolean;
}

export interface StoredRun {
  readonly id: string;
  /** Database user that wrote it; absent if the state is not in a database. */
  readonly writer?: string;
  /** Time of its beginning by the clock of the database; left out where no database tells. */
  readonly atMs?: number;
  /** A last one that was broken off is left out. */
  readonly lines: readonly LogLine[];
  /** Count of lines that were written whole and cannot be read. */
  readonly damaged: number;
  /** A line was written whole: before that nothing is sent. */
  readonly begun: boolean;
  /** False where the state knows that its process does not go on; left out where only its machine could tell. */
  readonly alive?: boolean;
}

/** The one log of all that was changed. Runs have numbers, the newest the greatest. */
export interface Log {
  /** Begins a run under a number of its own, and removes those that are older than the log is kept. */
  begin(): Promise<RunWriter>;
  read(id: string): Promise<StoredRun | undefined>;
  /** Runs, newest first; each is read when it is asked for. */
  newest(filter?: LogFilter): AsyncIterable<StoredRun>;
  /** Runs that were begun and not closed: those that go on, and those whose process ended before. */
  open(): Promise<readonly string[]>;
  /** A run that was cut off was told of. */
  settle(id: string): Promise<void>;
  /** Keeps a run of another state under its number. Throws `Failure` of kind `conflict` where there is one. */
  take(run: StoredRun): Promise<void>;
  last(): Promise<string>;
  /** Numbers of all runs, or of those after one, oldest first. */
  ids(after?: string): Promise<readonly string[]>;
}

/** A run that is being written. */
export interface RunWriter {
  readonly id: string;
  /**
   * Adds a line; it outlives this process when this resolves. How a change ended may follow with the next line; what
   * goes wrong with it then, that line throws, or `flush`. Throws `Failure` of kind `conflict` for a change that is about
   * to begin while a lock of this process is lost.
   */
  write(line: LogLine): Promise<void>;
  /** Resolves when all that was written outlives a loss of power, too. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Plans that were kept to be applied later, by name: that of a file, seen from the working folder, where state is kept in files. */
export interface PlanStore {
  read(name: string): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
}

/** The folder of `file:DIR`, seen from the working folder; the state folder where no address was given. */
export const stateFolder = (
  { cwd, folders }: Pick<Host, 'cwd' | 'folders'>,
  address: string | undefined,
): string => (address === undefined ? folders.state : resolve(cwd, address.replace(/^file:(?:\/\/)?/, '')));

/** Folder with a mark for each run that goes on. */
export const openRunsIn = (folder: string): string => join(folder, 'log', 'open');

/** True where some run of a folder goes on, or was cut off. Reads one folder, which is all that most commands have to do. */
export function mayBeCutOff({ files, cwd, folders }: Host, address: string | undefined): boolean {
  try {
    return files.list(openRunsIn(stateFolder({ cwd, folders }, address))).length > 0;
  } catch {
    // A state that cannot be read says so when it is needed.
    return false;
  }
}

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
