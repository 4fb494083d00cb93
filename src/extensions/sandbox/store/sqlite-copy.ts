import { DatabaseSync } from 'node:sqlite';

/** Rolls back a failed transaction. If the disk is full, SQLite has already done so. */
export function rollBack(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}

/** Copies committed records into a missing or empty file, and adds settings. */
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
 * Replaces all content with that of another database file, in one transaction. Tables and columns that an older file
 * does not have stay empty. Throws the error of SQLite if the file cannot be read.
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
    if (!others.has('records') || !others.has('settings')) throw new Error(`${path} contains no records`);
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const table of tablesOf('main')) {
        const name = sqlName(table);
        database.exec(`DELETE FROM main.${name}`);
        if (!others.has(table)) continue;
        const columnNames = (schema: string) => namesIn(database, `PRAGMA ${schema}.table_info(${name})`);
        const theirs = new Set(columnNames('other'));
        const columns = columnNames('main')
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

/** Reads settings of a database file. Throws the error of SQLite if it is not a database. */
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

/** Tables of the store. `keys` finds records by a value in list order, and `claims` keeps values unique. */
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

/** Version of the tables. Increase it if older versions of telctl cannot use the new tables. */
const version = 1;

/** Refuses a database of a newer telctl, and writes the version into a new one. */
export function refuseNewer(database: DatabaseSync, schema: 'main' | 'other' = 'main'): void {
  const found = Number(database.prepare(`PRAGMA ${schema}.user_version`).get()?.user_version);
  if (found > version) throw new Error('it was written by a newer telctl');
  if (schema === 'main' && found < version) database.exec(`PRAGMA user_version = ${version}`);
}

/** Only one process opens the file. A crash loses no committed changes. */
export const pragmas = `
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
`;

/** Inserts a record, or replaces a removed record with the same name. */
export const insertRecord = `
INSERT INTO records (kind, scope, id, place, body, hidden, created, modified, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
ON CONFLICT (kind, scope, id) DO UPDATE SET
  place = excluded.place, body = excluded.body, hidden = excluded.hidden,
  created = excluded.created, modified = excluded.modified, revision = 1, removed = 0
WHERE removed = 1
`;
