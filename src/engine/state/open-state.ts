import { join, resolve } from 'node:path';
import { Failure, type FailureKind } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { readOrFail } from '../../base/read-errors.ts';
import { accountsIn, ledgerFile, toWriteFailure } from './files/ledger-file.ts';
import { logFiles } from './files/log-files.ts';
import { rolloutFiles } from './files/rollout-files.ts';
import { accountFile } from './ledger.ts';
import { type Account, type Lease, type Log, lostLockFailure, type PlanStore, type State } from './state.ts';

export interface StateParts {
  readonly host: Host;
  readonly folder: string;
  /** Returns true if this telctl version has the kind of objects. */
  knows(kind: string): boolean;
  /** Milliseconds to keep runs in the log. */
  readonly keepMs: number;
}

export interface DatabaseAddress {
  /** Name or address of the server, or the folder of its socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly tls: boolean;
  readonly shown: string;
}

export interface DatabaseStateParts extends StateParts {
  readonly address: DatabaseAddress;
  /** Returns `undefined` if the password is in `~/.pgpass`. */
  password(): Promise<string | undefined>;
  /** Default: the certificates of the system. */
  readonly ca: readonly string[] | undefined;
  /** Milliseconds until a lock expires if it is not renewed. */
  readonly livesMs?: number;
}

/** Keeps the state in files of one folder. Files are only read or created when needed. */
export function openState({ host, folder, knows, keepMs }: StateParts): State {
  const lockOf = (account: Account): string => join(folder, 'locks', accountFile(account));
  const lost = new Set<Account>();
  const rollouts = rolloutFiles({ host, state: folder, keepMs });
  const ledgers = { host, folder: join(folder, 'ledgers'), knows };
  return {
    shown: folder,
    ledger: (account, file) => ledgerFile(ledgers, account, file),
    accounts: async () => readOrFail(ledgers.folder, () => accountsIn(ledgers)),
    user: async () => undefined,
    async holder(account) {
      const word = host.files.readLargeText(lockOf(account))?.text;
      return word !== undefined && isAlive(host, word) ? holderIn(word) : undefined;
    },
    async lock(account, { signal, waiting, who, forMs }): Promise<Lease | undefined> {
      const path = lockOf(account);
      const nowText = new Date(host.clock.now()).toISOString().replace(/\.\d+/, '');
      try {
        const release = await host.files.lock(path, {
          signal,
          forMs,
          note: `${host.processes.identityOf(host.processes.pid) ?? host.processes.pid} ${nowText} ${who}`,
          isGone: (word) => !isAlive(host, word),
          hasEnded: (word) => host.processes.hasEnded(identityIn(word)),
          waiting: (word) => waiting(word === undefined ? undefined : holderIn(word)),
          onLost: () => lost.add(account),
        });
        return {
          release() {
            lost.delete(account);
            return release();
          },
        };
      } catch (error) {
        if (!host.files.isLocked(error)) throw toWriteFailure(path, error);
        return undefined;
      }
    },
    log: refuseAfterLostLock(logFiles({ host, state: folder, keepMs }), lost),
    plans: planFiles(host),
    rollouts,
    close: rollouts.close,
  };
}

const pidIn = (word: string): number => Number.parseInt(word, 10);

/** Returns only the process id if the system provides no identity. */
const identityIn = (word: string): string => word.split(' ', 1).join();

const isAlive = ({ processes }: Pick<Host, 'processes'>, word: string): boolean =>
  processes.isAlive(pidIn(word)) && !processes.hasEnded(identityIn(word));

/** Describes the holder from the note of its lock. Notes of earlier versions only contain the process. */
function holderIn(word: string): string {
  const [, since, ...who] = word.split(' ');
  const process = `process ${pidIn(word)}`;
  return since === undefined ? process : `${who.join(' ')} (${process}), since ${since}`;
}

/** Refuses changes after this process has lost a lock. */
const refuseAfterLostLock = (log: Log, lost: ReadonlySet<Account>): Log => ({
  ...log,
  async begin() {
    const run = await log.begin();
    return {
      ...run,
      async write(line) {
        const [account] = lost;
        if (line.line === 'begin' && account)
          throw lostLockFailure(account, 'this process was stopped for too long');
        await run.write(line);
      },
    };
  },
});

const planFiles = (host: Host): PlanStore => ({
  read: async (name) =>
    readOrFail(name, () => {
      const path = resolve(host.cwd, name);
      return host.files.kindOf(path) === 'file' ? host.files.readLargeText(path)?.text : undefined;
    }),
  write: async (name, text) => host.files.writePrivate(resolve(host.cwd, name), text),
});

export interface StateTroubles {
  readonly kinds: Set<FailureKind>;
  /** The first failure while closing, which no command reported. */
  untold: Failure | undefined;
}

/** Never throw, because the work before them is already done. */
const ends: ReadonlySet<PropertyKey> = new Set(['close', 'release']);

/**
 * Records failures of the state in `troubles`, so that one rule applies to every command: if changes were sent to the
 * service, the exit code reports partial work, and the result is shown.
 */
export function watchedState(state: State, troubles: StateTroubles): State {
  const noted = (error: unknown, method: PropertyKey): undefined => {
    const failure = error instanceof Failure ? error : toWriteFailure(state.shown, error);
    if (!(failure instanceof Failure)) throw failure;
    troubles.kinds.add(failure.kind);
    if (!ends.has(method)) throw failure;
    troubles.untold ??= failure;
  };
  const watched = <T>(value: T): T => {
    if (typeof value !== 'object' || value === null || !holdsMethods(value)) return value;
    return new Proxy(value, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return watched(member);
        return (...given: readonly unknown[]): unknown => {
          try {
            const result: unknown = Reflect.apply(member, target, given);
            if (!(result instanceof Promise)) return result === target ? watched(target) : watched(result);
            return result.then(watched, (error: unknown) => noted(error, name));
          } catch (error) {
            return noted(error, name);
          }
        };
      },
    });
  };
  return watched(state);
}

/** Returns true for a part of the state and for pages of records, and false for stored data. */
const holdsMethods = (value: object): boolean =>
  Symbol.asyncIterator in value || Object.values(value).some((member) => typeof member === 'function');
