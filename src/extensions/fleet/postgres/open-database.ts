import { dirname, join } from 'node:path';
import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { ledgerFile } from '../../../engine/state/files/ledger-file.ts';
import type { DatabaseStateParts } from '../../../engine/state/open-state.ts';
import type { Jobs, PlanStore, State } from '../../../engine/state/state.ts';
import { asOwner, type Database, openDatabase, type Query } from './database.ts';
import { Leases, leaseMs } from './leases.ts';
import { accountsOf, ledgerRows } from './ledger-rows.ts';
import { logRows } from './log-rows.ts';
import { firstVersion, migrations } from './migrations.ts';
import { rolloutRows } from './rollout-rows.ts';

/** Opens state in a PostgreSQL database. Creates or upgrades its tables first. Throws `Failure`. */
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
  const leases = new Leases({ database, host, livesMs });
  return {
    shown: address.shown,
    ledger: (account, file) =>
      file === undefined
        ? ledgerRows({ database, random: host.random, knows, seenFrom: checkoutOf(host) }, account)
        : ledgerFile({ host, folder, knows }, account, file),
    lock: (account, wait) => leases.lock(account, wait),
    holder: (account) => leases.holder(account),
    async user() {
      user ??= database.query<{ readonly name: string }>('SELECT session_user AS name');
      return (await user)[0]?.name;
    },
    accounts: () => accountsOf(database),
    log: logRows({ database, leases, timers: host.timers, keepMs, livesMs }),
    plans: planRows(database, keepMs),
    rollouts: rolloutRows(database, keepMs),
    shared: {
      jobs() {
        jobs ??= import('./boss-jobs.ts').then(({ bossJobs }) => bossJobs(database));
        return jobs;
      },
    },
    async close() {
      // If the jobs could not be opened, the failure has already been reported.
      await (await jobs?.catch(() => undefined))?.close();
      await database.close();
    },
  };
}

/** Returns the Git checkout that contains the working folder, or else the working folder. */
function checkoutOf({ files, cwd }: Pick<Host, 'files' | 'cwd'>): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (files.kindOf(join(folder, '.git')) !== undefined) return folder;
    if (folder === dirname(folder)) return cwd;
  }
}

/** Stores plans by the names that users chose. Plans older than `keepMs` are deleted. */
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

/** Number of the advisory lock that serializes migrations. */
const migrationLock = 7_302_265;

/** Version of the tables that this telctl uses. */
const currentVersion = firstVersion + migrations.length - 1;

/**
 * Creates or upgrades the tables. Throws `Failure` (`refused`) if a newer telctl or an unreleased version created
 * them, or if the user has no permission.
 */
async function migrate(database: Database): Promise<void> {
  const { query, shown } = database;
  const found = await versionOf(query, shown);
  if (found === currentVersion) return;
  try {
    await upgrade(database);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'refused') throw error;
    const what =
      found === 0
        ? 'has no tables yet. Its owner must create them'
        : 'has tables of an older telctl. Their owner must upgrade them';
    throw new Failure('refused', `The state ${shown} ${what}. No changes were made.`, {
      hint: createHint`Ask the owner to run this version of telctl as database user: ${nextStep`state list`}`,
      cause: error,
    });
  }
}

const upgrade = (database: Database): Promise<void> =>
  database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    const now = await versionOf(query, database.shown);
    if (now === currentVersion) return;
    if (now === 0) {
      await query('CREATE SCHEMA IF NOT EXISTS telctl');
      await query('CREATE TABLE telctl.version (version integer NOT NULL)');
      await query('INSERT INTO telctl.version VALUES (0)');
    }
    for (const step of migrations.slice(Math.max(0, now - firstVersion + 1))) await query(step);
    await query('UPDATE telctl.version SET version = $1', [currentVersion]);
  });

/** Returns the version of the tables. Returns 0 if there are no tables. */
async function versionOf(query: Query, shown: string): Promise<number> {
  // Reads the catalogue as a table, because `to_regclass` can use a stale cache.
  const [found] = await query<{ readonly there: boolean }>(
    "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'telctl' AND tablename = 'version') AS there",
  );
  if (!found?.there) return 0;
  const [row] = await query<{ readonly version: number }>('SELECT version FROM telctl.version');
  const version = row?.version ?? 0;
  if (version >= firstVersion && version <= currentVersion) return version;
  const isNewer = version > currentVersion;
  const made = isNewer ? 'a newer telctl' : 'a telctl before the first release';
  throw new Failure(
    'refused',
    `The state ${shown} has tables of ${made} (version ${version}, this telctl supports ${currentVersion}). No changes were made.`,
    { hint: isNewer ? 'Install the version of telctl that your team uses.' : 'Use an empty database.' },
  );
}
