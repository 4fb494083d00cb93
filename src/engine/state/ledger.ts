import { hash } from 'node:crypto';
import type { Account } from './state.ts';

/**
 * The objects that telctl manages in one account of one service: ids, names and salted hashes, but no values. It is in
 * the state folder, or in a file that the user names (`--ledger`). If it is lost, `--prune` deletes nothing, and fields
 * that the service never shows (passwords) are not sent until the ledger has them again.
 */
export interface Ledger {
  readonly version: 1;
  readonly origin: string;
  readonly accountId: string;
  /** Random hex text that is prepended to everything that is hashed. */
  readonly salt: string;
  /** Kinds whose lists ignore filters by time, so their objects are read one by one. */
  readonly unfiltered?: readonly string[];
  /**
   * Files and folders of sets without an explicit name, by set: absolute paths, or relative to the folder of a ledger
   * that the user named. Two with the same base name share a set, and would prune each other's objects.
   */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
  /** By manifest set and key. */
  readonly entries: readonly LedgerEntry[];
}

export interface LedgerEntry {
  /** Name of the manifest set. */
  readonly set: string;
  /** `users.alice` */
  readonly key: string;
  /** Section of manifests that contains the object: `users`. */
  readonly kind: string;
  readonly id: string;
  /** Natural keys when last seen, by field. They find the object again if its id has changed. */
  readonly natural: Readonly<Record<string, string>>;
  /** How telctl came to know the object. `--prune` only deletes created and adopted ones. */
  readonly origin: 'created' | 'adopted' | 'found';
  readonly protect: boolean;
  /** Dotted paths whose value came from the environment or a file. Their old values are never recorded. */
  readonly confidential?: readonly string[];
  /**
   * Salted hash of each managed value of the manifest, with resolved references, by path (`username`,
   * `caller_id.internal.name`, `flow`). Only contains values that the service is known to have, so a password that was
   * not sent is missing. The hash of a secret that the service shows (a PIN) starts with `s:`. In a file that the user
   * named, it is empty.
   */
  readonly fields: Readonly<Record<string, string>>;
  /** Salted hash of the uploaded file, and its size according to the service. */
  readonly file?: { readonly hash: string; readonly bytes?: number };
  /** Salted hash of all fields of the manifest, to detect quickly that the manifest is unchanged. */
  readonly whole?: string;
  /**
   * Hashes of values that the service returned in another form than they were sent (`Alice` became `alice`), by path.
   * Empty if it returned nothing, so changes by others cannot be detected.
   */
  readonly given: Readonly<Record<string, string>>;
  /** Service time in Gregorian seconds up to which these values are confirmed. 0: read the object. */
  readonly seen: number;
  /** Time at which telctl last wrote or confirmed it, in milliseconds since 1970. */
  readonly appliedMs: number;
}

export const entryName = ({ set, key }: Pick<LedgerEntry, 'set' | 'key'>): string => `${set}\0${key}`;

/** An entry with names and ids only. */
export const withoutHashes = ({ whole: _, file: __, ...entry }: LedgerEntry): LedgerEntry => ({
  ...entry,
  fields: {},
  given: {},
  seen: 0,
});

export function entriesOf(ledger: Ledger | undefined, set: string): ReadonlyMap<string, LedgerEntry> {
  return new Map(ledger?.entries.filter((entry) => entry.set === set).map((entry) => [entry.key, entry]));
}

/** The ids of a key in all manifest sets. They distinguish objects with the same name. */
export function idsByKey(ledger: Ledger | undefined): ReadonlyMap<string, ReadonlySet<string>> {
  const byKey = Map.groupBy(ledger?.entries ?? [], ({ key }) => key);
  return new Map([...byKey].map(([key, entries]) => [key, new Set(entries.map(({ id }) => id))]));
}

export interface LedgerChange {
  /** New entries. They replace those with the same set and key. */
  readonly put: readonly LedgerEntry[];
  /** Set and key of each deleted object. */
  readonly removed?: readonly Pick<LedgerEntry, 'set' | 'key'>[];
  /** Kinds whose lists ignore filters by time. */
  readonly unfiltered?: ReadonlySet<string>;
  /** Path from which an unnamed set was read. */
  readonly source?: { readonly set: string; readonly path: string } | undefined;
}

export const isChange = ({ unfiltered, sources }: Ledger, change: LedgerChange): boolean =>
  (change.source !== undefined && !sourcesOf(sources, change.source.set).includes(change.source.path)) ||
  change.put.length > 0 ||
  (change.removed ?? []).length > 0 ||
  [...(change.unfiltered ?? [])].some((kind) => !unfiltered?.includes(kind));

/** Returns the paths that a set was read from. */
export const sourcesOf = (sources: Ledger['sources'], set: string): readonly string[] =>
  sources !== undefined && Object.hasOwn(sources, set) ? (sources[set] ?? []) : [];

/** Maximum number of paths kept for a set. Older paths are dropped. */
const sourcesAtMost = 5;

function withSource(sources: Ledger['sources'], { set, path }: NonNullable<LedgerChange['source']>) {
  const paths = [...sourcesOf(sources, set).filter((each) => each !== path), path];
  return { ...sources, [set]: paths.slice(-sourcesAtMost) };
}

/**
 * Applies changes to a ledger, sorted by set and key. An object has one key within a set, so an entry under its former
 * key is removed.
 */
export function changedLedger(
  ledger: Ledger,
  { put, removed = [], unfiltered = new Set(), source }: LedgerChange,
): Ledger {
  const objects = new Map(put.map(({ set, kind, id, key }) => [`${set}\0${kind}\0${id}`, key]));
  const gone = new Set(removed.map(entryName));
  const entries = new Map(
    ledger.entries
      .filter((entry) => {
        const key = objects.get(`${entry.set}\0${entry.kind}\0${entry.id}`);
        return !gone.has(entryName(entry)) && (key === undefined || key === entry.key);
      })
      .map((entry) => [entryName(entry), entry]),
  );
  for (const entry of put) entries.set(entryName(entry), entry);
  const ignoring = new Set([...(ledger.unfiltered ?? []), ...unfiltered]);
  return {
    ...ledger,
    ...(ignoring.size === 0 ? {} : { unfiltered: [...ignoring].sort() }),
    ...(source ? { sources: withSource(ledger.sources, source) } : {}),
    entries: [...entries.values()].sort(byName),
  };
}

const byName = (one: LedgerEntry, other: LedgerEntry): number =>
  compareTexts(one.set, other.set) || compareTexts(one.key, other.key);

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export const objectName = ({ kind, id }: Pick<LedgerEntry, 'kind' | 'id'>): string => `${kind} ${id}`;

/** Entries of other manifest sets, in some ledgers of one account, by `objectName`. */
export function otherOwners(
  ledgers: readonly (Ledger | undefined)[],
  set: string,
): ReadonlyMap<string, readonly LedgerEntry[]> {
  const entries = ledgers.flatMap((ledger) => ledger?.entries ?? []);
  return Map.groupBy(
    entries.filter((entry) => entry.set !== set),
    objectName,
  );
}

/** Returns true if any manifest set protects an object. */
export const isProtected = (ledger: Ledger | undefined, object: Pick<LedgerEntry, 'kind' | 'id'>): boolean =>
  ledger?.entries.some((entry) => entry.protect && objectName(entry) === objectName(object)) ?? false;

/** Number of hexadecimal characters of a hash. */
const kept = 20;

/** Truncated salted SHA-256 of a text. */
export const saltedHash = (salt: string, text: string): string =>
  hash('sha256', `${salt}\0${text}`, 'hex').slice(0, kept);

/**
 * Prefix of the hash of a secret that the service shows, such as a PIN. Short secrets can be guessed from their hash,
 * so a ledger that leaves this machine does not contain it.
 */
export const guessableMark = 's:';

export const bareHash = (hashOrMarked: string): string =>
  hashOrMarked.startsWith(guessableMark) ? hashOrMarked.slice(guessableMark.length) : hashOrMarked;

/** An entry for a ledger that leaves this machine: hashes of secrets that can be guessed are empty. */
export function withoutGuessable(entry: LedgerEntry): LedgerEntry {
  const isMarked = (each: string): boolean => each.startsWith(guessableMark);
  if (![...Object.values(entry.fields), ...Object.values(entry.given)].some(isMarked)) return entry;
  const without = (hashes: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(hashes).map(([path, each]) => [path, isMarked(each) ? '' : each]));
  const { whole: _, fields, given, ...rest } = entry;
  return { ...rest, fields: without(fields), given: without(given) };
}

/** Base name of an account's files: `<host>-<account>-<hash>`. */
export function accountFile({ origin, accountId }: Account): string {
  const host = URL.parse(origin)?.hostname.replaceAll(/[^\w.-]/g, '_') ?? 'service';
  return `${host}-${accountId.slice(0, 8).replaceAll(/\W/g, '_')}-${saltedHash(origin, accountId).slice(0, 6)}`;
}
