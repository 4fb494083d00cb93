import type { DatabaseSync } from 'node:sqlite';

/**
 * Tables of the embedded store. `records_by_order` serves whole lists, `keys` serves lists and look-ups by a
 * value (its order is repeated there, so that such a list needs no sorting), `claims` holds uniqueness.
 */
export const tables = `
CREATE TABLE IF NOT EXISTS records (
  kind TEXT NOT NULL, scope TEXT NOT NULL, id TEXT NOT NULL, place TEXT NOT NULL,
  body TEXT NOT NULL, hidden TEXT NOT NULL,
  created INTEGER NOT NULL, modified INTEGER NOT NULL, revision INTEGER NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0,
  UNIQUE (kind, scope, id)
) STRICT;
CREATE INDEX IF NOT EXISTS records_by_order ON records (kind, scope, place, id) WHERE removed = 0;
CREATE TABLE IF NOT EXISTS keys (
  kind TEXT NOT NULL, scope TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL,
  place TEXT NOT NULL, id TEXT NOT NULL,
  PRIMARY KEY (kind, scope, field, value, place, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS keys_by_record ON keys (kind, scope, id);
CREATE TABLE IF NOT EXISTS claims (
  kind TEXT NOT NULL, scope TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL,
  holder_scope TEXT NOT NULL, id TEXT NOT NULL,
  PRIMARY KEY (kind, scope, field, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS claims_by_record ON claims (kind, holder_scope, id);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Of the tables, kept in the database. Raised when an older telctl could not use what is in them. */
const version = 1;

/**
 * Refuses a database of tables that are not known yet, and marks one that has no version. `schema` is SQLite's name of
 * the database within the connection.
 */
export function refuseNewer(database: DatabaseSync, schema: 'main' | 'other' = 'main'): void {
  const found = Number(database.prepare(`PRAGMA ${schema}.user_version`).get()?.user_version);
  if (found > version) throw new Error('it is of a newer telctl');
  if (schema === 'main' && found < version) database.exec(`PRAGMA user_version = ${version}`);
}

/** Settings for opening the database file: one process owns it, and a process that dies loses nothing committed. */
export const pragmas = `
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
`;

/** A new record; it may bear the name of one that was removed, whose place it takes. */
export const insertRecord = `
INSERT INTO records (kind, scope, id, place, body, hidden, created, modified, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
ON CONFLICT (kind, scope, id) DO UPDATE SET
  place = excluded.place, body = excluded.body, hidden = excluded.hidden,
  created = excluded.created, modified = excluded.modified, revision = 1, removed = 0
WHERE removed = 1
`;
