import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  copyDatabase,
  insertRecord,
  pragmas,
  refuseNewer,
  replaceContent,
  rollBack,
  tables,
} from './sqlite-copy.ts';
import {
  columnNumber,
  columnObject,
  columnText,
  queueTables,
  SqliteQueue,
  type TableRow,
} from './sqlite-queue.ts';
import {
  type Claim,
  type Key,
  type ListedRecord,
  type Put,
  type RecordName,
  type Store,
  type StoreChange,
  StoreConflict,
  type StoredRecord,
  type StoreQuery,
} from './store.ts';

/** Greater than every id. */
const lastId = '\u{10ffff}';

function toListedRecord(row: TableRow): ListedRecord {
  return {
    kind: columnText(row, 'kind'),
    scope: columnText(row, 'scope'),
    id: columnText(row, 'id'),
    order: columnText(row, 'place'),
    body: columnObject(row, 'body'),
    hidden: columnObject(row, 'hidden'),
    createdAt: columnNumber(row, 'created'),
    modifiedAt: columnNumber(row, 'modified'),
    revision: columnNumber(row, 'revision'),
  };
}

const maxCachedRecords = 500;

const cacheKey = ({ kind, scope, id }: RecordName): string => `${kind}/${scope}/${id}`;

/**
 * The store in one SQLite database, in a file or in memory. Only this process writes, so settings and recent records
 * are cached until a commit changes them.
 */
class SqliteStore extends SqliteQueue implements Store {
  readonly #cache = new Map<string, StoredRecord>();
  readonly #settings = new Map<string, string>();
  readonly #watchers = new Set<(changes: readonly StoreChange[]) => void>();

  /** Throws if another process or a newer telctl uses the database. */
  constructor(path: string) {
    const database = new DatabaseSync(path);
    if (path !== ':memory:') database.exec(pragmas);
    refuseNewer(database);
    database.exec(tables);
    database.exec(queueTables);
    super(database);
  }

  async get(name: RecordName): Promise<StoredRecord | undefined> {
    const key = cacheKey(name);
    const hot = this.#cache.get(key);
    if (hot) return hot;
    const { kind, scope, id } = name;
    const row = this.statement(
      'SELECT * FROM records WHERE kind = ? AND scope = ? AND id = ? AND removed = 0',
    ).get(kind, scope, id);
    const record = row && toListedRecord(row);
    if (record) this.#cacheRecord(key, record);
    return record;
  }

  async findHolder({ kind, scope, field, value }: Claim): Promise<RecordName | undefined> {
    const row = this.statement(
      'SELECT holder_scope, id FROM claims WHERE kind = ? AND scope = ? AND field = ? AND value = ?',
    ).get(kind, scope, field, value);
    return row && { kind, scope: columnText(row, 'holder_scope'), id: columnText(row, 'id') };
  }

  async list({
    kind,
    scope,
    key,
    ascending = true,
    from,
    modified = {},
    // For SQLite, a negative number means no limit.
    limit = -1,
  }: StoreQuery): Promise<readonly ListedRecord[]> {
    const source = key
      ? 'FROM keys AS k JOIN records AS r USING (kind, scope, id) WHERE k.kind = ? AND k.scope = ? AND k.field = ? AND k.value = ?'
      : 'FROM records AS r WHERE r.kind = ? AND r.scope = ? AND r.removed = 0';
    const place = key ? 'k.place, k.id' : 'r.place, r.id';
    const direction = ascending ? 'ASC' : 'DESC';
    const start = from ? `AND (${place}) ${ascending ? '>=' : '<='} (?, ?)` : '';
    const changed = `${modified.from === undefined ? '' : 'AND r.modified >= ?'} ${modified.to === undefined ? '' : 'AND r.modified <= ?'}`;
    const order = place.replaceAll(/(\S+?)(,|$)/g, `$1 ${direction}$2`);
    const values: SQLInputValue[] = [kind, scope];
    if (key) values.push(key.field, key.value);
    if (from) values.push(from.order, from.id ?? (ascending ? '' : lastId));
    values.push(...[modified.from, modified.to].filter((bound) => bound !== undefined));
    return this.statement(`SELECT r.* ${source} ${start} ${changed} ORDER BY ${order} LIMIT ?`)
      .all(...values, limit)
      .map(toListedRecord);
  }

  async count(kind: string, scope: string, key?: Key): Promise<number> {
    const row = key
      ? this.statement(
          'SELECT count(*) AS total FROM keys WHERE kind = ? AND scope = ? AND field = ? AND value = ?',
        ).get(kind, scope, key.field, key.value)
      : this.statement(
          'SELECT count(*) AS total FROM records WHERE kind = ? AND scope = ? AND removed = 0',
        ).get(kind, scope);
    return row ? columnNumber(row, 'total') : 0;
  }

  async allOfKind(kind: string): Promise<readonly StoredRecord[]> {
    return this.statement('SELECT * FROM records WHERE kind = ? AND removed = 0')
      .all(kind)
      .map(toListedRecord);
  }

  async namesInAccount(accountId: string): Promise<readonly RecordName[]> {
    return this.statement(
      "SELECT kind, scope, id FROM records WHERE scope = ? OR substr(scope, 1, length(?) + 1) = ? || '/'",
    )
      .all(accountId, accountId, accountId)
      .map((row) => ({
        kind: columnText(row, 'kind'),
        scope: columnText(row, 'scope'),
        id: columnText(row, 'id'),
      }));
  }

  watch(tell: (changes: readonly StoreChange[]) => void): () => void {
    this.#watchers.add(tell);
    return () => this.#watchers.delete(tell);
  }

  async setting(name: string): Promise<string | undefined> {
    const known = this.#settings.get(name);
    if (known !== undefined) return known;
    const row = this.statement('SELECT value FROM settings WHERE name = ?').get(name);
    const value = row && columnText(row, 'value');
    if (value !== undefined) this.#settings.set(name, value);
    return value;
  }

  async commit(changes: readonly StoreChange[]): Promise<void> {
    if (changes.length === 0) return;
    this.database.exec('BEGIN IMMEDIATE');
    try {
      for (const change of changes) this.#apply(change);
      this.database.exec('COMMIT');
    } catch (error) {
      rollBack(this.database);
      throw error;
    }
    for (const change of changes) this.#updateCache(change);
    for (const tell of this.#watchers) tell(changes);
  }

  async copyTo(path: string, settings: Readonly<Record<string, string>>): Promise<void> {
    copyDatabase(this.database, path, settings);
  }

  async replaceWith(path: string): Promise<void> {
    replaceContent(this.database, path);
    this.#cache.clear();
    this.#settings.clear();
    for (const tell of this.#watchers) tell([]);
  }

  async close(): Promise<void> {
    this.database.close();
  }

  #cacheRecord(key: string, record: StoredRecord): void {
    const [oldest] = this.#cache.keys();
    if (this.#cache.size >= maxCachedRecords && oldest !== undefined) this.#cache.delete(oldest);
    this.#cache.set(key, record);
  }

  #updateCache(change: StoreChange): void {
    if (change.change === 'setting') this.#settings.set(change.name, change.value);
    else if ('record' in change) this.#cache.delete(cacheKey(change.record));
  }

  #apply(change: StoreChange): void {
    switch (change.change) {
      case 'put':
        this.#put(change);
        break;
      case 'remove':
        this.#remove(change.record, change.erase);
        break;
      case 'setting':
        this.statement('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)').run(
          change.name,
          change.value,
        );
        break;
      default:
        this.applyToQueue(change);
    }
  }

  #put({ record, order, keys, claims }: Put): void {
    const { kind, scope, id, createdAt, modifiedAt, revision } = record;
    const texts = [order, JSON.stringify(record.body), JSON.stringify(record.hidden)];
    const { changes } =
      revision === 0
        ? this.statement(insertRecord).run(kind, scope, id, ...texts, createdAt, modifiedAt)
        : this.statement(
            'UPDATE records SET place = ?, body = ?, hidden = ?, modified = ?, revision = revision + 1 WHERE kind = ? AND scope = ? AND id = ? AND revision = ? AND removed = 0',
          ).run(...texts, modifiedAt, kind, scope, id, revision);
    if (changes !== 1) throw new StoreConflict('revision', `${kind} ${id} was changed by another request`);
    if (revision > 0) this.#removeKeys(record);
    for (const { field, value } of keys) {
      this.statement(
        'INSERT OR IGNORE INTO keys (kind, scope, field, value, place, id) VALUES (?, ?, ?, ?, ?, ?)',
      ).run(kind, scope, field, value, order, id);
    }
    for (const claim of claims) {
      const made = this.statement(
        'INSERT OR IGNORE INTO claims (kind, scope, field, value, holder_scope, id) VALUES (?, ?, ?, ?, ?, ?)',
      ).run(claim.kind, claim.scope, claim.field, claim.value, scope, id);
      if (made.changes !== 1) throw new StoreConflict('claim', `${claim.field} is held by another record`);
    }
  }

  #remove(record: RecordName, erase: boolean): void {
    const { kind, scope, id } = record;
    const text = erase
      ? 'DELETE FROM records WHERE kind = ? AND scope = ? AND id = ?'
      : 'UPDATE records SET removed = 1 WHERE kind = ? AND scope = ? AND id = ?';
    this.statement(text).run(kind, scope, id);
    this.#removeKeys(record);
  }

  #removeKeys({ kind, scope, id }: RecordName): void {
    this.statement('DELETE FROM keys WHERE kind = ? AND scope = ? AND id = ?').run(kind, scope, id);
    this.statement('DELETE FROM claims WHERE kind = ? AND holder_scope = ? AND id = ?').run(kind, scope, id);
  }
}

/**
 * Opens a database file or `:memory:`. Throws if the file is not a database, is in use, or is from a newer telctl.
 */
export function openStore(path: string): Store {
  return new SqliteStore(path);
}
