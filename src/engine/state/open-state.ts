import { join, resolve } from 'node:path';
import { Failure, type FailureKind } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { readOrFail } from '../../base/read-errors.ts';
import { accountsIn, ledgerFile, unwritable } from './files/ledger-file.ts';
import { logFiles } from './files/log-files.ts';
import { rolloutFiles } from './files/rollout-files.ts';
import { accountFile } from './ledger.ts';
import { type Account, type Lease, type Log, lostLock, type PlanStore, type State } from './state.ts';

export interface StateParts {
  readonly host: Host;
  readonly folder: string;
  /** True for a kind of objects that this telctl knows. */
  knows(kind: string): boolean;
  /** Time for which runs are kept in the log, in milliseconds. */
  readonly keepMs: number;
}

export interface DatabaseAddress {
  /** Name or address of the server, or the folder of its socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Speak TLS and check the certificate. */
  readonly tls: boolean;
  /** The address for people, without a password. */
  readonly shown: string;
}

/** What a state in a database is opened with. */
export interface DatabaseStateParts extends StateParts {
  readonly address: DatabaseAddress;
  /** Returns `undefined` if the password is in `~/.pgpass`. */
  password(): Promise<string | undefined>;
  /** Certificates to trust; those of the system if it is missing. */
  readonly ca: readonly string[] | undefined;
  /** Time after which a lock expires if it is not renewed, in milliseconds. */
  readonly livesMs?: number;
}

/** State in files of one folder. Files are read or created only when they are needed. */
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
        if (!host.files.isLocked(error)) throw unwritable(path, error);
        return undefined;
      }
    },
    log: guarded(logFiles({ host, state: folder, keepMs }), lost),
    plans: planFiles(host),
    rollouts,
    close: rollouts.close,
  };
}

const pidIn = (word: string): number => Number.parseInt(word, 10);

/** Identity of the process that left a word with its lock; its number alone where the system does not tell more. */
const identityIn = (word: string): string => word.split(' ', 1).join();

const isAlive = ({ processes }: Pick<Host, 'processes'>, word: string): boolean =>
  processes.isAlive(pidIn(word)) && !processes.hasEnded(identityIn(word));

/** Describes the holder of a lock from its record; only by its process if an earlier telctl wrote it. */
function holderIn(word: string): string {
  const [, since, ...who] = word.split(' ');
  const process = `process ${pidIn(word)}`;
  return since === undefined ? process : `${who.join(' ')} (${process}), since ${since}`;
}

/** The log. It refuses to start changes after this process has lost a lock. */
const guarded = (log: Log, lost: ReadonlySet<Account>): Log => ({
  ...log,
  async begin() {
    const run = await log.begin();
    return {
      ...run,
      async write(line) {
        const [account] = lost;
        if (line.line === 'begin' && account)
          throw lostLock(account, 'this process was stopped for too long');
        await run.write(line);
      },
    };
  },
});

/** Plans as files of the names that people give them. */
const planFiles = (host: Host): PlanStore => ({
  read: async (name) =>
    readOrFail(name, () => {
      const path = resolve(host.cwd, name);
      return host.files.kindOf(path) === 'file' ? host.files.readLargeText(path)?.text : undefined;
    }),
  write: async (name, text) => host.files.writePrivate(resolve(host.cwd, name), text),
});

export interface StateTroubles {
  /** Kinds of all of them, whatever was made of them. */
  readonly kinds: Set<FailureKind>;
  /** The first that nobody was told of: it came with the end of what was done. */
  untold: Failure | undefined;
}

/** Methods that end something: what was done before stays done, so that they never fail what they end. */
const ends: ReadonlySet<PropertyKey> = new Set(['close', 'release']);

/**
 * Returns the same state, whose failures are noted on their way. This is the one place through which all of them come,
 * so that one rule holds for every command: where something was sent to the service, its exit code says that some was
 * done, and its result is shown all the same.
 */
export function watchedState(state: State, troubles: StateTroubles): State {
  const noted = (error: unknown, method: PropertyKey): undefined => {
    const failure = error instanceof Failure ? error : unwritable(state.shown, error);
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

/** True for a part of the state, and for pages that are read one by one; false for what was kept in it. */
const holdsMethods = (value: object): boolean =>
  Symbol.asyncIterator in value || Object.values(value).some((member) => typeof member === 'function');
