import { DatabaseSync } from 'node:sqlite';

/** Takes back a transaction that failed; where the disk is full, the database has done so by itself. */
export function rollBack(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}

/** Copies what was committed into a file that is empty or not there, and adds settings to it. */
export function copyDatabase(
  database: DatabaseSync,
  path: string,
  settings: Readonly<Record<string, string>>,
): void {
  database.prepare('VACUUM INTO ?').run(path);
  const copy = new DatabaseSync(path);
  try {
    const keep = copy.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)');
    for (const [name, value] of Object.entries(settings)) keep.run(name, value);
  } finally {
    copy.close();
  }
}

const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const namesIn = (database: DatabaseSync, text: string): readonly string[] =>
  database
    .prepare(text)
    .all()
    .map(({ name }) => String(name));

/**
 * Puts the content of another database file in the place of this one's, in one transaction. Tables and columns that
 * the other one lacks, because it is older, stay empty. Throws SQLite's error where the file cannot be read; then
 * nothing has changed.
 */
export function replaceContent(database: DatabaseSync, path: string): void {
  database.prepare('ATTACH DATABASE ? AS other').run(path);
  try {
    refuseNewer(database, 'other');
    const tablesOf = (schema: string): readonly string[] =>
      namesIn(
        database,
        `SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
      );
    const others = new Set(tablesOf('other'));
    if (!others.has('records') || !others.has('settings')) throw new Error(`${path} holds no records`);
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const table of tablesOf('main')) {
        const name = sqlName(table);
        database.exec(`DELETE FROM main.${name}`);
        if (!others.has(table)) continue;
        const columnsOf = (schema: string) => namesIn(database, `PRAGMA ${schema}.table_info(${name})`);
        const theirs = new Set(columnsOf('other'));
        const columns = columnsOf('main')
          .filter((column) => theirs.has(column))
          .map(sqlName)
          .join(', ');
        database.exec(`INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM other.${name}`);
      }
      database.exec('COMMIT');
    } catch (error) {
      rollBack(database);
      throw error;
    }
  } finally {
    database.exec('DETACH DATABASE other');
  }
}

/** Some settings of a database file, without changing it. Throws SQLite's error where it is none. */
export function settingsIn(path: string, names: readonly string[]): ReadonlyMap<string, string> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const read = database.prepare('SELECT value FROM settings WHERE name = ?');
    return new Map(
      names.flatMap((name) => {
        const row = read.get(name);
        return row ? [[name, String(row.value)] as const] : [];
      }),
    );
  } finally {
    database.close();
  }
}

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

/** Refuses a database of a newer telctl, and marks one without a version. `schema`: SQLite's name of it. */
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
