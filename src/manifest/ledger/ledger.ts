import type { KindName } from '../kinds.ts';

/**
 * What telctl manages in one account of one service: no values, only ids, names and salted hashes. It is kept in the
 * state folder, or in a file of the user's (`--ledger`). It may be lost: then nothing is pruned, and fields that the
 * service never shows (passwords) are sent no more before it knows them again.
 */
export interface Ledger {
  readonly version: 1;
  readonly origin: string;
  readonly accountId: string;
  /** Random, in hex; stands before everything that is hashed. */
  readonly salt: string;
  /** By manifest set and key. */
  readonly entries: readonly LedgerEntry[];
}

export interface LedgerEntry {
  /** Name of the manifest set. */
  readonly set: string;
  /** `users.alice` */
  readonly key: string;
  readonly kind: KindName;
  readonly id: string;
  /** Natural keys as they were last seen, by field: finds the object again where ids have changed. */
  readonly natural: Readonly<Record<string, string>>;
  /** telctl created it, or was told to adopt it: the two that `--prune` may delete. */
  readonly origin: 'created' | 'adopted' | 'found';
  readonly protect: boolean;
  /** Salted hash of each managed field as the manifest gave it, references resolved, by top-level field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Until when the service is known to have held these values: its own time, in Gregorian seconds. */
  readonly seen: number;
  /** When telctl last wrote or confirmed it, in milliseconds since 1970. */
  readonly appliedMs: number;
}
