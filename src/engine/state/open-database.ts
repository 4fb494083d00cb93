import { dirname, join } from 'node:path';
import type { Host } from '../../base/host/host.ts';
import { ledgerFile } from './files/ledger-file.ts';
import type { StateParts } from './open-state.ts';
import { asOwner, type ConnectionParts, type Database, openDatabase } from './postgres/database.ts';
import { leaseMs, leaseTable } from './postgres/leases.ts';
import { accountsOf, ledgerRows } from './postgres/ledger-rows.ts';
import { logRows } from './postgres/log-rows.ts';
import { rolloutRows } from './postgres/rollout-rows.ts';
import { migrate } from './postgres/tables.ts';
import type { Jobs, PlanStore, State } from './state.ts';

export interface DatabaseStateParts extends StateParts, Pick<ConnectionParts, 'address' | 'password' | 'ca'> {
  /** Time for which a lock lives without being renewed, in milliseconds; half a minute where left out. */
  readonly livesMs?: number;
}

/** Opens state in a PostgreSQL database. Tables are made, or brought up to date, before this resolves. */
export async function openDatabaseState(parts: DatabaseStateParts): Promise<State> {
  const { host, address, password, ca, knows, keepMs, folder, livesMs = leaseMs } = parts;
  const database = openDatabase({ address, password, ca, timers: host.timers });
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  let jobs: Promise<Jobs> | undefined;
  let user: Promise<readonly { readonly name: string }[]> | undefined;
  const leases = leaseTable({ database, host, livesMs });
  return {
    shown: address.shown,
    ledger: (account, file) =>
      file === undefined
        ? ledgerRows({ database, random: host.random, knows, seenFrom: checkoutOf(host) }, account)
        : ledgerFile({ host, folder, knows }, account, file),
    lock: leases.lock,
    holder: leases.holder,
    async user() {
      user ??= database.query<{ readonly name: string }>('SELECT session_user AS name');
      return (await user)[0]?.name;
    },
    accounts: () => accountsOf(database),
    log: logRows({ database, leases, timers: host.timers, keepMs, livesMs }),
    plans: planRows(database, keepMs),
    rollouts: rolloutRows({ database, keepMs }),
    shared: {
      jobs() {
        jobs ??= import('./postgres/boss-jobs.ts').then(({ bossJobs }) => bossJobs(database));
        return jobs;
      },
    },
    async close() {
      // Jobs that could not be opened have told why already.
      await (await jobs?.catch(() => undefined))?.close();
      await database.close();
    },
  };
}

/** The checkout that the working folder belongs to; that folder itself where it is in none. */
function checkoutOf({ files, cwd }: Pick<Host, 'files' | 'cwd'>): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (files.kindOf(join(folder, '.git')) !== undefined) return folder;
    if (folder === dirname(folder)) return cwd;
  }
}

/** Plans as rows of the names that people give them; those that are older than the log is kept go. */
const planRows = (database: Database, keepMs: number): PlanStore => ({
  async read(name) {
    const [row] = await database.query<{ readonly plan: string }>(
      'SELECT plan FROM telctl.plans WHERE name = $1',
      [name],
    );
    return row?.plan;
  },
  async write(name, text) {
    await database.query(
      'INSERT INTO telctl.plans (name, plan) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET plan = excluded.plan',
      [name, text],
    );
    await asOwner(
      database.query,
      `DELETE FROM telctl.plans WHERE written < now() - interval '${Math.round(keepMs / 1000)} s'`,
    );
  },
});
