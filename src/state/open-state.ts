import { join, resolve } from 'node:path';
import { reading } from '../base/reading.ts';
import type { Host } from '../host/host.ts';
import { accountFile, unwritable } from './files/account-file.ts';
import { ledgerFile } from './files/ledger-file.ts';
import { logFiles } from './files/log-files.ts';
import type { Lease, PlanStore, State } from './state.ts';

/** Parts for opening state. */
export interface StateParts {
  readonly host: Host;
  /** Folder that it is kept in. */
  readonly folder: string;
  /** True for a kind of objects that this telctl knows. */
  knows(kind: string): boolean;
  /** Time for which runs stay in the log, in milliseconds. */
  readonly keepMs: number;
}

/** State in files of one folder. Nothing is read or made before it is needed. */
export function openState({ host, folder, knows, keepMs }: StateParts): State {
  const ledgers = { host, folder: join(folder, 'ledgers'), knows };
  return {
    shown: folder,
    ledger: (account, file) => ledgerFile(ledgers, account, file),
    async lock(account, { signal, waiting }): Promise<Lease | undefined> {
      const path = join(folder, 'locks', accountFile(account));
      try {
        const release = await host.files.lock(path, {
          signal,
          word: String(host.processes.pid),
          isGone: (pid) => !host.processes.isAlive(Number(pid)),
          waiting: (pid) => waiting(pid === undefined ? undefined : `process ${pid}`),
        });
        return { release };
      } catch (error) {
        if (!host.files.isLocked(error)) throw unwritable(path, error);
        return undefined;
      }
    },
    log: logFiles({ host, state: folder, keepMs }),
    plans: planFiles(host),
  };
}

/** Plans as files of the names that people give them. */
const planFiles = (host: Host): PlanStore => ({
  read: async (name) =>
    reading(name, () => {
      const path = resolve(host.cwd, name);
      return host.files.kindOf(path) === 'file' ? host.files.readKept(path)?.text : undefined;
    }),
  write: async (name, text) => host.files.writePrivate(resolve(host.cwd, name), text),
});
