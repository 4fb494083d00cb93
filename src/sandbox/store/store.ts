import type { JsonObject } from '../../base/json.ts';
import type { QueueChange, QueueReads } from './delivery.ts';
import { SqliteStore } from './sqlite-store.ts';

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

export type Change =
  | Put
  /**
   * Hides a record until another one takes its name; `erase` takes it out of the database as well. No webhook hears of
   * one that is `isUntold`.
   */
  | {
      readonly change: 'remove';
      readonly record: RecordName;
      readonly erase: boolean;
      readonly isUntold?: true;
    }
  | { readonly change: 'setting'; readonly name: string; readonly value: string }
  | QueueChange;

/** The position at which a list goes on: at this order, and there at this id. */
export interface Position {
  readonly order: string;
  readonly id?: string;
}

export interface Stretch {
  readonly kind: string;
  readonly scope: string;
  readonly key?: Key | undefined;
  /** In list order where left out. */
  readonly ascending?: boolean;
  /** First item wanted; the beginning where left out. */
  readonly from?: Position | undefined;
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
  holder(claim: Claim): Promise<RecordName | undefined>;
  /** Records in list order, at most `limit`. Cost does not grow with the collection, but where `modified` sifts it. */
  stretch(stretch: Stretch): Promise<readonly ListedRecord[]>;
  count(kind: string, scope: string, key?: Key): Promise<number>;
  everyOf(kind: string): Promise<readonly StoredRecord[]>;
  /** All records of an account, whatever their kind, and those below them. */
  everyIn(accountId: string): Promise<readonly RecordName[]>;
  setting(name: string): Promise<string | undefined>;
  /** Calls `tell` after every commit; returns a function that ends that. */
  watch(tell: (changes: readonly Change[]) => void): () => void;
  commit(changes: readonly Change[]): Promise<void>;
  /** Copies all that was committed into a file that is empty or not there, with settings of its own. */
  copyTo(path: string, settings: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Puts a copy in the place of everything, as one. Throws where the file is no such copy; then nothing has changed.
   * Those who watch are told of no changes.
   */
  replaceBy(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Number of records that are read at a time where a list is walked through. */
const stretchSize = 200;

/** The records of a list one by one, for as long as somebody asks for more. */
export async function* walked(
  store: Pick<Store, 'stretch'>,
  where: Omit<Stretch, 'limit'>,
): AsyncGenerator<ListedRecord> {
  let from: Position | undefined = where.from;
  do {
    const records = await store.stretch({ ...where, from, limit: stretchSize + 1 });
    yield* records.slice(0, stretchSize);
    from = records[stretchSize];
  } while (from);
}

/** A record that was made at that moment. */
export const newRecord = (
  { kind, scope, id }: RecordName,
  body: JsonObject,
  at: number,
  hidden: JsonObject = {},
): StoredRecord => ({ kind, scope, id, body, hidden, createdAt: at, modifiedAt: at, revision: 0 });

/**
 * Opens the embedded store: `:memory:`, or a database file that is made where there is none. Throws where the
 * file is no database, is of a newer telctl, or another process holds it.
 */
export function openStore(path: string): Store {
  return new SqliteStore(path);
}
