import { DatabaseSync } from 'node:sqlite';
import { refuseNewer } from './sqlite-schema.ts';

/** Takes back a transaction that failed; where the disk is full, the database has done so by itself. */
export function undo(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}

/**
 * Copies what a database has committed into a file that is empty or not there, then adds settings to the copy.
 */
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

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

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
        const name = quoted(table);
        database.exec(`DELETE FROM main.${name}`);
        if (!others.has(table)) continue;
        const columnsOf = (schema: string) => namesIn(database, `PRAGMA ${schema}.table_info(${name})`);
        const theirs = new Set(columnsOf('other'));
        const columns = columnsOf('main')
          .filter((column) => theirs.has(column))
          .map(quoted)
          .join(', ');
        database.exec(`INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM other.${name}`);
      }
      database.exec('COMMIT');
    } catch (error) {
      undo(database);
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
