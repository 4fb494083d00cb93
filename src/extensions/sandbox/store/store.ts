import type { JsonObject } from '../../../base/json.ts';
import type { QueueChange, QueueReads } from './queue.ts';

/** Identifies a record. `scope` is its account, or empty for records of the service. */
export interface RecordName {
  readonly kind: string;
  readonly scope: string;
  readonly id: string;
}

export interface StoredRecord extends RecordName {
  readonly body: JsonObject;
  /** Fields that callers never see, such as secrets and the place in the account tree. */
  readonly hidden: JsonObject;
  /** Gregorian seconds. */
  readonly createdAt: number;
  /** Gregorian seconds. */
  readonly modifiedAt: number;
  /** Number of writes, 0 for a new record. */
  readonly revision: number;
}

/** A value that finds records within their kind and scope. */
export interface Key {
  readonly field: string;
  readonly value: string;
}

/** A unique value within an account, or within the service if the scope is empty. */
export interface Claim extends Key {
  readonly kind: string;
  readonly scope: string;
}

/** Writes a record with its list position, keys and claims. They replace the old ones. */
export interface Put {
  readonly change: 'put';
  /** Its `revision` is the revision that was read, or 0 for a new record. */
  readonly record: StoredRecord;
  /** Position in lists, before the id. */
  readonly order: string;
  readonly keys: readonly Key[];
  readonly claims: readonly Claim[];
}

export type StoreChange =
  | Put
  /** Hides a record until another record takes its name. `erase` deletes it. `isSilent` publishes no events. */
  | {
      readonly change: 'remove';
      readonly record: RecordName;
      readonly erase: boolean;
      readonly isSilent?: true;
    }
  | { readonly change: 'setting'; readonly name: string; readonly value: string }
  | QueueChange;

export interface ListPosition {
  readonly order: string;
  readonly id?: string;
}

export interface StoreQuery {
  readonly kind: string;
  readonly scope: string;
  readonly key?: Key | undefined;
  /** Default: true. */
  readonly ascending?: boolean;
  /** The first item (default: the start of the list). */
  readonly from?: ListPosition | undefined;
  /** Range of modification times in Gregorian seconds. */
  readonly modified?: Between | undefined;
  /** Default: no limit. */
  readonly limit?: number;
}

/** Inclusive bounds. */
export interface Between {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface ListedRecord extends StoredRecord {
  readonly order: string;
}

/**
 * The records of the service. `commit` writes all changes or none, and is durable when it resolves. It throws
 * `StoreConflict` if a record has changed since it was read, or if another record has a claimed value. Removed
 * records cannot be read.
 */
export interface Store extends QueueReads {
  get(name: RecordName): Promise<StoredRecord | undefined>;
  findHolder(claim: Claim): Promise<RecordName | undefined>;
  /** Lists records in order. The cost depends on `limit`, not on the size of the collection. */
  list(stretch: StoreQuery): Promise<readonly ListedRecord[]>;
  count(kind: string, scope: string, key?: Key): Promise<number>;
  allOfKind(kind: string): Promise<readonly StoredRecord[]>;
  /** Returns the names of all records in an account, including removed ones. */
  namesInAccount(accountId: string): Promise<readonly RecordName[]>;
  setting(name: string): Promise<string | undefined>;
  /** Calls `tell` after every commit. Returns a function that unsubscribes. */
  watch(tell: (changes: readonly StoreChange[]) => void): () => void;
  commit(changes: readonly StoreChange[]): Promise<void>;
  /** Copies committed records into a missing or empty file, with additional settings. */
  copyTo(path: string, settings: Readonly<Record<string, string>>): Promise<void>;
  /** Replaces all content with a copy. Throws without changes if the file is not a copy of a store. */
  replaceWith(path: string): Promise<void>;
  close(): Promise<void>;
}

const pageRecords = 200;

/** Yields the records of a list. `wanted` is the expected number, which determines the size of the first read. */
export async function* iterateRecords(
  store: Pick<Store, 'list'>,
  where: Omit<StoreQuery, 'limit'>,
  wanted = pageRecords,
): AsyncGenerator<ListedRecord> {
  let from: ListPosition | undefined = where.from;
  let size = Math.min(wanted + 1, pageRecords);
  do {
    const records = await store.list({ ...where, from, limit: size + 1 });
    yield* records.slice(0, size);
    from = records[size];
    size = pageRecords;
  } while (from);
}

/** Returns the scope of records below another record, such as messages of a voicemail box. */
export const scopeBelow = (accountId: string, id: string): string => `${accountId}/${id}`;

export const newRecord = (
  { kind, scope, id }: RecordName,
  body: JsonObject,
  at: number,
  hidden: JsonObject = {},
): StoredRecord => ({ kind, scope, id, body, hidden, createdAt: at, modifiedAt: at, revision: 0 });

/** Copies the creation time and revision of the replaced record, if any. */
export const replacementFor = (before: StoredRecord | undefined, record: StoredRecord): StoredRecord =>
  before ? { ...record, createdAt: before.createdAt, revision: before.revision } : record;

/** Returns the write of a record without keys and claims. */
export const plainPut = (record: StoredRecord, order = ''): Put => ({
  change: 'put',
  record,
  order,
  keys: [],
  claims: [],
});

/** The error of a refused commit: data had changed, so no changes were written. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
  /** `revision` if a record was written since it was read, `claim` if another record has the value. */
  readonly over: 'revision' | 'claim';

  constructor(over: StoreConflict['over'], message: string) {
    super(message);
    this.over = over;
  }
}

/**
 * Tracks records that were written during each running request. Services in the field refuse to overwrite them (as
 * recorded).
 */
export class Overlaps {
  readonly #underWay = new Set<Set<string>>();

  constructor(store: Store) {
    store.watch((changes) => {
      const written = changes.flatMap((change) => writtenRecord(change) ?? []);
      for (const since of this.#underWay) for (const name of written) since.add(name);
    });
  }

  /** Runs a request. `refuse` throws `StoreConflict` for changes of records that other requests wrote meanwhile. */
  async track<T>(work: (refuse: (changes: readonly StoreChange[]) => void) => Promise<T>): Promise<T> {
    const since = new Set<string>();
    this.#underWay.add(since);
    try {
      return await work((changes) => {
        const stale = changes.map(writtenRecord).find((name) => name !== undefined && since.has(name));
        if (stale !== undefined)
          throw new StoreConflict('revision', `${stale} was changed by another request`);
      });
    } finally {
      this.#underWay.delete(since);
    }
  }
}

const writtenRecord = (change: StoreChange): string | undefined =>
  change.change === 'put' && change.record.revision > 0
    ? `${change.record.kind} ${change.record.scope} ${change.record.id}`
    : undefined;
