import { join, resolve } from 'node:path';
import { Failure, type FailureKind } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { readOrFail } from '../../base/read-errors.ts';
import { ledgerFile, listLedgerAccounts, toWriteFailure } from './files/ledger-file.ts';
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
  const lockPath = (account: Account): string => join(folder, 'locks', accountFile(account));
  const lost = new Set<Account>();
  const rollouts = rolloutFiles({ host, state: folder, keepMs });
  const ledgers = { host, folder: join(folder, 'ledgers'), knows };
  return {
    shown: folder,
    ledger: (account, file) => ledgerFile(ledgers, account, file),
    accounts: async () => readOrFail(ledgers.folder, () => listLedgerAccounts(ledgers)),
    user: async () => undefined,
    async holder(account) {
      const word = host.files.readLargeText(lockPath(account))?.text;
      return word !== undefined && isAlive(host, word) ? describeHolder(word) : undefined;
    },
    async lock(account, { signal, waiting, who, forMs }): Promise<Lease | undefined> {
      const path = lockPath(account);
      const nowText = new Date(host.clock.now()).toISOString().replace(/\.\d+/, '');
      try {
        const release = await host.files.lock(path, {
          signal,
          forMs,
          note: `${host.processes.identityOf(host.processes.pid) ?? host.processes.pid} ${nowText} ${who}`,
          isGone: (word) => !isAlive(host, word),
          hasEnded: (word) => host.processes.hasEnded(parseIdentity(word)),
          waiting: (word) => waiting(word === undefined ? undefined : describeHolder(word)),
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

const parsePid = (word: string): number => Number.parseInt(word, 10);

/** Returns only the process id if the system provides no identity. */
const parseIdentity = (word: string): string => word.split(' ', 1).join();

const isAlive = ({ processes }: Pick<Host, 'processes'>, word: string): boolean =>
  processes.isAlive(parsePid(word)) && !processes.hasEnded(parseIdentity(word));

/** Describes the holder from the note of its lock. Notes of earlier versions only contain the process. */
function describeHolder(word: string): string {
  const [, since, ...who] = word.split(' ');
  const process = `process ${parsePid(word)}`;
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
  const noteFailure = (error: unknown, method: PropertyKey): undefined => {
    const failure = error instanceof Failure ? error : toWriteFailure(state.shown, error);
    if (!(failure instanceof Failure)) throw failure;
    troubles.kinds.add(failure.kind);
    if (!ends.has(method)) throw failure;
    troubles.untold ??= failure;
  };
  const watchValue = <T>(value: T): T => {
    if (typeof value !== 'object' || value === null || !holdsMethods(value)) return value;
    return new Proxy(value, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return watchValue(member);
        return (...given: readonly unknown[]): unknown => {
          try {
            const result: unknown = Reflect.apply(member, target, given);
            if (!(result instanceof Promise))
              return result === target ? watchValue(target) : watchValue(result);
            return result.then(watchValue, (error: unknown) => noteFailure(error, name));
          } catch (error) {
            return noteFailure(error, name);
          }
        };
      },
    });
  };
  return watchValue(state);
}

/** Returns true for a part of the state and for pages of records, and false for stored data. */
const holdsMethods = (value: object): boolean =>
  Symbol.asyncIterator in value || Object.values(value).some((member) => typeof member === 'function');
