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
  /** Kinds whose lists are known to ignore filters by time: their objects are read one by one. */
  readonly unfiltered?: readonly KindName[];
  /**
   * Files and folders that named sets without a name of their own, by set: absolute paths, or from the folder of a
   * ledger that the user named. Two of one base name share a set, and each would prune what is the other's.
   */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
  /** By manifest set and key. */
  readonly entries: readonly LedgerEntry[];
}

/** Made by `entryFor` (see `make-entry.ts`); whoever writes objects needs nothing else. */
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
  /** Dotted paths whose value came from the environment or a file: their old values are written nowhere. */
  readonly confidential?: readonly string[];
  /**
   * Salted hash of each managed value as the manifest gave it, references resolved, by its path (`username`,
   * `caller_id.internal.name`, `flow`; see `leaves.ts`). Only what is known to stand in the service: a password that
   * was not sent, or a field of an adopted object that was never applied, is not among them. `s:` stands before that
   * of a secret which the service shows (a PIN); in a file that the user named, empty text stands in its place.
   */
  readonly fields: Readonly<Record<string, string>>;
  /** Salted hash of all fields as they stood in the manifest, to see quickly that it wants nothing else. */
  readonly whole?: string;
  /**
   * Where the service gave another value back than it was sent (`Alice` became `alice`): the hash of that, by the
   * same path. Empty text: it gave nothing back, so that nobody can tell whether others change it.
   */
  readonly given: Readonly<Record<string, string>>;
  /**
   * Until when the service is known to have held these values: its own time, in Gregorian seconds. 0: not known, so
   * the object is read.
   */
  readonly seen: number;
  /** When telctl last wrote or confirmed it, in milliseconds since 1970. */
  readonly appliedMs: number;
}
