import { hash } from 'node:crypto';
import type { Account } from './state.ts';

/**
 * The objects that telctl manages in one account of one service: ids, names and salted hashes, but no values. The
 * ledger is in the state folder, or in a file that the user names (`--ledger`). Without it, `--prune` deletes
 * nothing, and fields that the service never shows (passwords) are not sent.
 */
export interface Ledger {
  readonly version: 1;
  readonly origin: string;
  readonly accountId: string;
  /** Random hex text before everything that is hashed. */
  readonly salt: string;
  /** Kinds whose lists ignore filters by time. Their objects are read one by one. */
  readonly unfiltered?: readonly string[];
  /**
   * Files and folders of sets without an explicit name, by set. Paths are absolute, or relative to the folder of a
   * ledger that the user named. Two sources with the same base name share a set, and would prune each other's
   * objects.
   */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
  /** Sorted by set and key. */
  readonly entries: readonly LedgerEntry[];
}

export interface LedgerEntry {
  readonly set: string;
  /** For example, `users.alice`. */
  readonly key: string;
  /** Section of manifests: `users`. */
  readonly kind: string;
  readonly id: string;
  /** Last seen natural keys by field. They identify the object if its id has changed. */
  readonly natural: Readonly<Record<string, string>>;
  /** `--prune` only deletes created and adopted objects. */
  readonly origin: 'created' | 'adopted' | 'found';
  readonly protect: boolean;
  /** Dotted paths whose value came from the environment or a file. Their old values are never recorded. */
  readonly confidential?: readonly string[];
  /**
   * Salted hash of each managed value of the manifest, with resolved references, by path (`username`,
   * `caller_id.internal.name`, `flow`). Only contains values that the service has, so a password that was not sent is
   * missing. The hash of a secret that the service shows (a PIN) starts with `s:`. In a file that the user named, it
   * is empty.
   */
  readonly fields: Readonly<Record<string, string>>;
  /** `bytes` is the size according to the service. */
  readonly file?: { readonly hash: string; readonly bytes?: number };
  /** Salted hash of all fields, to detect that the manifest is unchanged. */
  readonly whole?: string;
  /**
   * Hashes by path of values that the service returned in another form than they were sent (`Alice` became `alice`).
   * Empty if it returned no value, so changes by others cannot be detected.
   */
  readonly given: Readonly<Record<string, string>>;
  /** Service time in Gregorian seconds at which the values were confirmed. With 0, the object must be read. */
  readonly seen: number;
  /** Milliseconds since 1970 of the last write or confirmation. */
  readonly appliedMs: number;
}

export const entryName = ({ set, key }: Pick<LedgerEntry, 'set' | 'key'>): string => `${set}\0${key}`;

export const withoutHashes = ({ whole: _, file: __, ...entry }: LedgerEntry): LedgerEntry => ({
  ...entry,
  fields: {},
  given: {},
  seen: 0,
});

export function entriesOf(ledger: Ledger | undefined, set: string): ReadonlyMap<string, LedgerEntry> {
  return new Map(ledger?.entries.filter((entry) => entry.set === set).map((entry) => [entry.key, entry]));
}

/** Returns the ids by key in all manifest sets. They distinguish objects with the same name. */
export function idsByKey(ledger: Ledger | undefined): ReadonlyMap<string, ReadonlySet<string>> {
  const byKey = Map.groupBy(ledger?.entries ?? [], ({ key }) => key);
  return new Map([...byKey].map(([key, entries]) => [key, new Set(entries.map(({ id }) => id))]));
}

export interface LedgerChange {
  /** Entries that replace those with the same set and key. */
  readonly put: readonly LedgerEntry[];
  readonly removed?: readonly Pick<LedgerEntry, 'set' | 'key'>[];
  /** Kinds whose lists ignore filters by time. */
  readonly unfiltered?: ReadonlySet<string>;
  readonly source?: { readonly set: string; readonly path: string } | undefined;
}

export const isChange = ({ unfiltered, sources }: Ledger, change: LedgerChange): boolean =>
  (change.source !== undefined &&
    !findSourcePaths(sources, change.source.set).includes(change.source.path)) ||
  change.put.length > 0 ||
  (change.removed ?? []).length > 0 ||
  [...(change.unfiltered ?? [])].some((kind) => !unfiltered?.includes(kind));

export const findSourcePaths = (sources: Ledger['sources'], set: string): readonly string[] =>
  sources !== undefined && Object.hasOwn(sources, set) ? (sources[set] ?? []) : [];

/** Paths kept for a set. The oldest are dropped. */
const sourcesAtMost = 5;

function withSource(sources: Ledger['sources'], { set, path }: NonNullable<LedgerChange['source']>) {
  const paths = [...findSourcePaths(sources, set).filter((each) => each !== path), path];
  return { ...sources, [set]: paths.slice(-sourcesAtMost) };
}

/**
 * Returns the changed ledger, sorted by set and key. An object has one key within a set, so its entry under a former
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
    entries: [...entries.values()].sort(compareEntries),
  };
}

const compareEntries = (one: LedgerEntry, other: LedgerEntry): number =>
  compareTexts(one.set, other.set) || compareTexts(one.key, other.key);

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

export const objectName = ({ kind, id }: Pick<LedgerEntry, 'kind' | 'id'>): string => `${kind} ${id}`;

/** Returns entries of other manifest sets by `objectName`. */
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

export const isProtected = (ledger: Ledger | undefined, object: Pick<LedgerEntry, 'kind' | 'id'>): boolean =>
  ledger?.entries.some((entry) => entry.protect && objectName(entry) === objectName(object)) ?? false;

/** Number of hexadecimal characters. */
const kept = 20;

export const saltedHash = (salt: string, text: string): string =>
  hash('sha256', `${salt}\0${text}`, 'hex').slice(0, kept);

/**
 * Prefix of the hash of a visible secret, such as a PIN. Short secrets can be guessed from their hash, so a ledger
 * that leaves this machine does not contain it.
 */
export const guessableMark = 's:';

export const bareHash = (hashOrMarked: string): string =>
  hashOrMarked.startsWith(guessableMark) ? hashOrMarked.slice(guessableMark.length) : hashOrMarked;

/** For a ledger that leaves this machine. */
export function withoutGuessable(entry: LedgerEntry): LedgerEntry {
  const isMarked = (each: string): boolean => each.startsWith(guessableMark);
  if (![...Object.values(entry.fields), ...Object.values(entry.given)].some(isMarked)) return entry;
  const omitGuessable = (hashes: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(hashes).map(([path, each]) => [path, isMarked(each) ? '' : each]));
  const { whole: _, fields, given, ...rest } = entry;
  return { ...rest, fields: omitGuessable(fields), given: omitGuessable(given) };
}

/** Returns `<host>-<account>-<hash>`. */
export function accountFile({ origin, accountId }: Account): string {
  const host = URL.parse(origin)?.hostname.replaceAll(/[^\w.-]/g, '_') ?? 'service';
  return `${host}-${accountId.slice(0, 8).replaceAll(/\W/g, '_')}-${saltedHash(origin, accountId).slice(0, 6)}`;
}
