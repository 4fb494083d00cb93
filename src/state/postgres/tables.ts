import { Failure } from '../../base/failure.ts';
import type { Database, Query } from './database.ts';

/**
 * The steps by which the tables came to what they are, each from the version before. All stand in a schema of their
 * own, `telctl`. A step that was published is never changed.
 */
const migrations: readonly string[] = [
  `
CREATE TABLE telctl.ledgers (
  origin text NOT NULL, account text NOT NULL, salt text NOT NULL,
  unfiltered text NOT NULL DEFAULT '[]', sources text NOT NULL DEFAULT '{}', behind bigint,
  PRIMARY KEY (origin, account));
CREATE TABLE telctl.entries (
  origin text NOT NULL, account text NOT NULL, set text NOT NULL, key text NOT NULL, entry text NOT NULL,
  PRIMARY KEY (origin, account, set, key),
  FOREIGN KEY (origin, account) REFERENCES telctl.ledgers ON DELETE CASCADE);
CREATE TABLE telctl.leases (
  origin text NOT NULL, account text NOT NULL, token text NOT NULL, holder text NOT NULL,
  since timestamptz NOT NULL, until timestamptz NOT NULL,
  PRIMARY KEY (origin, account));
CREATE TABLE telctl.runs (
  id bigserial PRIMARY KEY, writer text NOT NULL DEFAULT current_user,
  begun timestamptz NOT NULL DEFAULT now(), alive timestamptz, closed boolean NOT NULL DEFAULT false);
CREATE TABLE telctl.lines (
  run bigint NOT NULL REFERENCES telctl.runs ON DELETE CASCADE, number integer NOT NULL,
  written timestamptz NOT NULL DEFAULT now(), origin text, account text, owner text, line text NOT NULL,
  PRIMARY KEY (run, number));
CREATE INDEX lines_by_account ON telctl.lines (origin, account);
CREATE INDEX lines_by_owner ON telctl.lines (origin, owner);
CREATE TABLE telctl.settled (run bigint PRIMARY KEY REFERENCES telctl.runs ON DELETE CASCADE);
CREATE TABLE telctl.plans (name text PRIMARY KEY, written timestamptz NOT NULL DEFAULT now(), plan text NOT NULL);
ALTER TABLE telctl.runs ENABLE ROW LEVEL SECURITY;
CREATE POLICY everyone_reads ON telctl.runs FOR SELECT USING (true);
CREATE POLICY everyone_begins ON telctl.runs FOR INSERT WITH CHECK (writer = current_user);
CREATE POLICY writers_close ON telctl.runs FOR UPDATE
  USING (writer = current_user AND NOT closed) WITH CHECK (writer = current_user);
ALTER TABLE telctl.lines ENABLE ROW LEVEL SECURITY;
CREATE POLICY everyone_reads ON telctl.lines FOR SELECT USING (true);
CREATE POLICY writers_add ON telctl.lines FOR INSERT WITH CHECK (
  EXISTS (SELECT FROM telctl.runs WHERE id = run AND writer = current_user AND NOT closed));
`,
  `
CREATE TABLE telctl.rollouts (
  id bigserial PRIMARY KEY, changed timestamptz NOT NULL DEFAULT now(), state text NOT NULL, rollout text NOT NULL);
CREATE TABLE telctl.rollout_accounts (
  rollout bigint NOT NULL REFERENCES telctl.rollouts ON DELETE CASCADE, position integer NOT NULL,
  wave integer NOT NULL, state text NOT NULL, account text NOT NULL,
  PRIMARY KEY (rollout, position));
CREATE INDEX rollout_accounts_by_state ON telctl.rollout_accounts (rollout, wave, state, position);
CREATE TABLE telctl.shared (key text PRIMARY KEY, value text);
`,
  // A function, since the server keeps its plan: making one takes longer than writing the lines of a moment. Indexes
  // leave out the lines that name no account, which are nearly all.
  // $1 to $5: columns; $6: lines, of which none holds an end of a line; $7: lines that need the leases $8.
  `
CREATE FUNCTION telctl.add_lines(bigint[], integer[], text[], text[], text[], text, boolean[], text[])
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE added bigint;
BEGIN
  INSERT INTO telctl.lines (run, number, origin, account, owner, line)
  SELECT run, number, origin, account, owner, line
  FROM unnest($1, $2, $3, $4, $5, string_to_array($6, E'\\n'), $7)
    AS new (run, number, origin, account, owner, line, needs_leases)
  WHERE NOT needs_leases OR cardinality($8) =
    (SELECT count(*) FROM telctl.leases WHERE token = ANY ($8) AND until > clock_timestamp())
  ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  RETURN added;
END $$;
DROP INDEX telctl.lines_by_account, telctl.lines_by_owner;
CREATE INDEX lines_by_account ON telctl.lines (origin, account) WHERE origin IS NOT NULL;
CREATE INDEX lines_by_owner ON telctl.lines (origin, owner) WHERE origin IS NOT NULL;
`,
];

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
  if ((await versionOf(database.query, database.shown, migrationsKnown.length)) === migrationsKnown.length)
    return;
  await database.transaction(async (query) => {
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
