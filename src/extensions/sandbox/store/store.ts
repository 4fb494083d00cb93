import type { JsonObject } from '../../../base/json.ts';
import type { QueueChange, QueueReads } from './queue.ts';

/** Names one record: its kind, the account it belongs to (empty: the whole service), and its id. */
export interface RecordName {
  readonly kind: string;
  readonly scope: string;
  readonly id: string;
}

export interface StoredRecord extends RecordName {
  /** Fields that callers may see. */
  readonly body: JsonObject;
  /** Fields that callers never see: secrets, hashes, place in the account tree. */
  readonly hidden: JsonObject;
  /** Gregorian seconds. */
  readonly createdAt: number;
  /** Gregorian seconds. */
  readonly modifiedAt: number;
  /** Number of times it was written; 0 before the first time. */
  readonly revision: number;
}

/** A value by which records of one kind and scope are found. Many records may share it. */
export interface Key {
  readonly field: string;
  readonly value: string;
}

/** A value that one record alone may hold, within an account or (empty scope) in the whole service. */
export interface Claim extends Key {
  readonly kind: string;
  readonly scope: string;
}

/** A record to write, with what it is listed, found and claimed by. Replaces the record's former ones. */
export interface Put {
  readonly change: 'put';
  /** `revision` is the one that was read: 0 for a new record. */
  readonly record: StoredRecord;
  /** Place in lists, before the id. */
  readonly order: string;
  readonly keys: readonly Key[];
  readonly claims: readonly Claim[];
}

export type StoreChange =
  | Put
  /** Hides a record until another takes its name; `erase` deletes it; `isUntold` keeps it from webhooks. */
  | {
      readonly change: 'remove';
      readonly record: RecordName;
      readonly erase: boolean;
      readonly isSilent?: true;
    }
  | { readonly change: 'setting'; readonly name: string; readonly value: string }
  | QueueChange;

/** The position at which a list goes on: at this order, and there at this id. */
export interface ListPosition {
  readonly order: string;
  readonly id?: string;
}

export interface StoreQuery {
  readonly kind: string;
  readonly scope: string;
  readonly key?: Key | undefined;
  /** In list order where left out. */
  readonly ascending?: boolean;
  /** First item wanted; the beginning where left out. */
  readonly from?: ListPosition | undefined;
  /** Only records last changed between these Gregorian seconds, both included. */
  readonly modified?: Between | undefined;
  /** All that there are where left out. */
  readonly limit?: number;
}

/** Bounds, both included; a bound that is left out does not limit. */
export interface Between {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface ListedRecord extends StoredRecord {
  readonly order: string;
}

/**
 * Keeps the service's records. Reads see what was committed; `commit` writes all of its changes or none, and
 * when it resolves they outlive the process. It throws `StoreConflict` when a record has another revision than was
 * read, or when another record holds a claimed value. Removed records are never read again; a new one may
 * take their name.
 */
export interface Store extends QueueReads {
  get(name: RecordName): Promise<StoredRecord | undefined>;
  findHolder(claim: Claim): Promise<RecordName | undefined>;
  /** Records in list order, at most `limit`. Cost does not grow with the collection, but where `modified` sifts it. */
  list(stretch: StoreQuery): Promise<readonly ListedRecord[]>;
  count(kind: string, scope: string, key?: Key): Promise<number>;
  allOfKind(kind: string): Promise<readonly StoredRecord[]>;
  /** All records of an account, whatever their kind, and those below them. */
  namesInAccount(accountId: string): Promise<readonly RecordName[]>;
  setting(name: string): Promise<string | undefined>;
  /** Calls `tell` after every commit; returns a function that ends that. */
  watch(tell: (changes: readonly StoreChange[]) => void): () => void;
  commit(changes: readonly StoreChange[]): Promise<void>;
  /** Copies all that was committed into a file that is empty or not there, with settings of its own. */
  copyTo(path: string, settings: Readonly<Record<string, string>>): Promise<void>;
  /** Puts a copy in the place of everything. Throws where the file is none; nothing has changed then. */
  replaceWith(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Number of records that are read at a time where a list is walked through. */
const pageRecords = 200;

/** The records of a list one by one, for as long as somebody asks for more; so many are most likely `wanted`. */
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

/** Scope of what hangs under a record of an account: messages of a box, entries of a list. */
export const scopeBelow = (accountId: string, id: string): string => `${accountId}/${id}`;

/** A record that was made at that moment. */
export const newRecord = (
  { kind, scope, id }: RecordName,
  body: JsonObject,
  at: number,
  hidden: JsonObject = {},
): StoredRecord => ({ kind, scope, id, body, hidden, createdAt: at, modifiedAt: at, revision: 0 });

/** The record in place of the one that has its name, if there is one. */
export const replacementFor = (before: StoredRecord | undefined, record: StoredRecord): StoredRecord =>
  before ? { ...record, createdAt: before.createdAt, revision: before.revision } : record;

/** The write of a record that is found by its name alone, or in a list of its kind. */
export const plainPut = (record: StoredRecord, order = ''): Put => ({
  change: 'put',
  record,
  order,
  keys: [],
  claims: [],
});

/** The world moved between reading and committing; nothing was written. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
  /** `revision`: a record was written since it was read; `claim`: another record took a value first. */
  readonly over: 'revision' | 'claim';

  constructor(over: StoreConflict['over'], message: string) {
    super(message);
    this.over = over;
  }
}

/** Records written since each request under way came: services in the field refuse to overwrite those (as recorded). */
export class Overlaps {
  readonly #underWay = new Set<Set<string>>();

  constructor(store: Store) {
    store.watch((changes) => {
      const written = changes.flatMap((change) => writtenRecord(change) ?? []);
      for (const since of this.#underWay) for (const name of written) since.add(name);
    });
  }

  /** Does the work of a request. It is given what throws `StoreConflict` for a write over one that came meanwhile. */
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

/** The record that a change writes anew, by kind, account and id. */
const writtenRecord = (change: StoreChange): string | undefined =>
  change.change === 'put' && change.record.revision > 0
    ? `${change.record.kind} ${change.record.scope} ${change.record.id}`
    : undefined;
