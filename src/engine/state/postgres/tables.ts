import { Failure } from '../../../base/failure.ts';
import type { Database, Query } from './database.ts';
import { migrations } from './migrations.ts';

/** Number by which those who migrate at once wait for each other. */
const migrationLock = 7_302_265;

/**
 * Makes the tables, or brings older ones up to date. Throws `Failure` of kind `refused` where a newer telctl made
 * them.
 */
export async function migrate(
  database: Database,
  migrationsKnown: readonly string[] = migrations,
): Promise<void> {
  const found = await versionOf(database.query, database.shown, migrationsKnown.length);
  if (found === migrationsKnown.length) return;
  await asOwnerOf(database, found, () => upgraded(database, migrationsKnown));
}

const upgraded = (database: Database, migrationsKnown: readonly string[]): Promise<void> =>
  database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    const now = await versionOf(query, database.shown, migrationsKnown.length);
    if (now === migrationsKnown.length) return;
    if (now === 0) {
      await query('CREATE SCHEMA IF NOT EXISTS telctl');
      await query('CREATE TABLE telctl.version (version integer NOT NULL)');
      await query('INSERT INTO telctl.version VALUES (0)');
    }
    for (const step of migrationsKnown.slice(now)) await query(step);
    await query('UPDATE telctl.version SET version = $1', [migrationsKnown.length]);
  });

/** Says what to do where the user may not make or change tables. */
async function asOwnerOf({ shown }: Database, version: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'refused') throw error;
    const what =
      version === 0
        ? 'has no tables yet, and its owner must make them'
        : 'has tables of an older telctl, and their owner must upgrade them';
    throw new Failure('refused', `The state ${shown} ${what}. Nothing was done.`, {
      hint: 'The owner signs in to the database with this version of telctl: telctl state list',
      cause: error,
    });
  }
}

/** Returns the version of the tables; 0 where there are none. */
async function versionOf(query: Query, shown: string, known: number): Promise<number> {
  // The catalogue is asked as a table: a function that looks a name up may answer from what it knew before.
  const [found] = await query<{ readonly there: boolean }>(
    "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'telctl' AND tablename = 'version') AS there",
  );
  if (!found?.there) return 0;
  const [row] = await query<{ readonly version: number }>('SELECT version FROM telctl.version');
  const version = row?.version ?? 0;
  if (version > known)
    throw new Failure(
      'refused',
      `The state ${shown} has tables of a newer telctl (version ${version}; this one knows ${known}). Nothing was done.`,
      { hint: 'Install the telctl that the team uses.' },
    );
  return version;
}
