import type { JsonObject } from '../../base/json.ts';
import type { KindName } from './kinds.ts';

/** Observed state of an account before a plan: only what the manifest and the ledger are about. */
export interface Observed {
  readonly account: ObservedAccount;
  /** The live object that is meant by an object of the manifest, by its key. None: it is to be created. */
  readonly matches: ReadonlyMap<string, LiveObject>;
  /**
   * Objects of this manifest set's ledger that still exist and that the manifest no longer names, by their key; and
   * doubles that are to be deleted, by `doubleKey`.
   */
  readonly abandoned: ReadonlyMap<string, LiveObject>;
  /** Ids of other objects by the name of an object of the manifest, by its key; no manifest set manages them. */
  readonly doubles: ReadonlyMap<string, readonly string[]>;
  /** Objects of this manifest set's ledger that no longer exist, by their keys: others deleted them. */
  readonly vanished: ReadonlySet<string>;
  /** All objects of the kinds that matter, as lists show them (with `id`): for clashes of unique fields. */
  readonly listed: ReadonlyMap<KindName, readonly JsonObject[]>;
  /**
   * Kinds that cannot be searched: what the account has once cannot be read, of many there is no list. Objects that
   * the ledger knows by id are still in `matches`, with their record where the service can show a single one.
   */
  readonly unreadable: ReadonlySet<KindName>;
  /**
   * Everything here was so at the end of this second or later, by the service's clock (Gregorian seconds);
   * `undefined` where it tells no time. Ledger entries of objects that are as the manifest wants are `seen` at least
   * until here.
   */
  readonly atSeconds: number | undefined;
  /** Kinds whose lists turned out to ignore filters by time, for the ledger. */
  readonly unfiltered: ReadonlySet<KindName>;
}

/** Key of an object that stands in the account beside the one of a manifest: `menus.main=4f2a…`. */
export const doubleKey = (key: string, id: string): string => `${key}=${id}`;

export interface ObservedAccount {
  /** `undefined`: a sub-account that this manifest creates first. */
  readonly id: string | undefined;
  readonly name: string;
  readonly origin: string;
  /** The signed-in user, who is never deleted. */
  readonly ownerId: string | undefined;
}

export interface LiveObject {
  /** Its id; the kind's name for what an account has once. */
  readonly id: string;
  /**
   * The whole record as the service gives it. `undefined`: not read, and `known` says why that is no loss.
   */
  readonly record: JsonObject | undefined;
  /**
   * Reason why there is no record. `as-applied`: the service says that it was not changed since telctl wrote it, and
   * the manifest wants just what was written. `unreadable`: the service has no way to read it.
   */
  readonly known?: 'as-applied' | 'unreadable';
  /** Its file, where it had to be fetched to know it. */
  readonly file?: { readonly sha256: string; readonly bytes: number };
}
