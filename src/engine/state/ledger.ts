import { hash } from 'node:crypto';
import type { Account } from './state.ts';

/**
 * The objects that telctl manages in one account of one service: no values, only ids, names and salted hashes. It is
 * kept in the state folder, or in a file of the user's (`--ledger`). It may be lost: then nothing is pruned, and
 * fields that the service never shows (passwords) are not sent until it knows them again.
 */
export interface Ledger {
  readonly version: 1;
  readonly origin: string;
  readonly accountId: string;
  /** Random hex text that is prepended to everything that is hashed. */
  readonly salt: string;
  /** Kinds whose lists are known to ignore filters by time: their objects are read one by one. */
  readonly unfiltered?: readonly string[];
  /**
   * Files and folders that named sets without a name of their own, by set: absolute paths, or from the folder of a
   * ledger that the user named. Two of one base name share a set, and each would prune what is the other's.
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
  /** Natural keys as they were last seen, by field: finds the object again where ids have changed. */
  readonly natural: Readonly<Record<string, string>>;
  /** How telctl came to know the object. `--prune` only deletes created and adopted ones. */
  readonly origin: 'created' | 'adopted' | 'found';
  readonly protect: boolean;
  /** Dotted paths whose value came from the environment or a file: their old values are written nowhere. */
  readonly confidential?: readonly string[];
  /**
   * Salted hash of each managed value as the manifest gave it, references resolved, by its path (`username`,
   * `caller_id.internal.name`, `flow`). Only what is known to stand in the service: a password that
   * was not sent, or a field of an adopted object that was never applied, is not among them. `s:` stands before that
   * of a secret which the service shows (a PIN); in a file that the user named, empty text stands in its place.
   */
  readonly fields: Readonly<Record<string, string>>;
  /** Salted hash of the file that was uploaded, and the size that the service gave it then. */
  readonly file?: { readonly hash: string; readonly bytes?: number };
  /** Salted hash of all fields of the manifest, to detect quickly that the manifest is unchanged. */
  readonly whole?: string;
  /**
   * Hashes of values that the service gave back otherwise than they were sent (`Alice` became `alice`), by the same
   * path. Empty text: it gave nothing back, so that nobody can tell whether others change it.
   */
  readonly given: Readonly<Record<string, string>>;
  /** Until when the service held these values, by its own time in Gregorian seconds; 0: read the object. */
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

/** Ids that a key stands for, in whichever manifest set: what tells objects of one name apart. */
export function idsByKey(ledger: Ledger | undefined): ReadonlyMap<string, ReadonlySet<string>> {
  const byKey = Map.groupBy(ledger?.entries ?? [], ({ key }) => key);
  return new Map([...byKey].map(([key, entries]) => [key, new Set(entries.map(({ id }) => id))]));
}

export interface LedgerChange {
  /** New entries, or ones that take the place of those of the same set and key. */
  readonly put: readonly LedgerEntry[];
  /** Set and key of the deleted object. */
  readonly removed?: readonly Pick<LedgerEntry, 'set' | 'key'>[];
  /** Kinds whose lists turned out to ignore filters by time. */
  readonly unfiltered?: ReadonlySet<string>;
  /** Path from which an unnamed set was read. */
  readonly source?: { readonly set: string; readonly path: string } | undefined;
}

export const isChange = ({ unfiltered, sources }: Ledger, change: LedgerChange): boolean =>
  (change.source !== undefined && !sourcesOf(sources, change.source.set).includes(change.source.path)) ||
  change.put.length > 0 ||
  (change.removed ?? []).length > 0 ||
  [...(change.unfiltered ?? [])].some((kind) => !unfiltered?.includes(kind));

/** Returns the paths from which a set was read before. */
export const sourcesOf = (sources: Ledger['sources'], set: string): readonly string[] =>
  sources !== undefined && Object.hasOwn(sources, set) ? (sources[set] ?? []) : [];

/** Most paths that are kept of a set, the last ones. */
const sourcesAtMost = 5;

function withSource(sources: Ledger['sources'], { set, path }: NonNullable<LedgerChange['source']>) {
  const paths = [...sourcesOf(sources, set).filter((each) => each !== path), path];
  return { ...sources, [set]: paths.slice(-sourcesAtMost) };
}

/**
 * A ledger with changes: entries sorted by set and key. An object has one name within a set: an entry under which it
 * was known before (its local name was changed in the manifest) goes.
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

/** Entries that other manifest sets have of objects, in some ledgers of one account, by `objectName`. */
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

/** True for an object that any manifest set protects. */
export const isProtected = (ledger: Ledger | undefined, object: Pick<LedgerEntry, 'kind' | 'id'>): boolean =>
  ledger?.entries.some((entry) => entry.protect && objectName(entry) === objectName(object)) ?? false;

/** Number of hexadecimal characters of a hash that are kept. */
const kept = 20;

/** Salted hash of a text: SHA-256, cut. For values of files and environments as well as for fields. */
export const saltedHash = (salt: string, text: string): string =>
  hash('sha256', `${salt}\0${text}`, 'hex').slice(0, kept);

/**
 * Stands before the hash of a secret that the service shows, such as a PIN: short ones can be guessed from it, so a
 * ledger that leaves this machine does not have it.
 */
export const guessableMark = 's:';

export const bareHash = (hashOrMarked: string): string =>
  hashOrMarked.startsWith(guessableMark) ? hashOrMarked.slice(guessableMark.length) : hashOrMarked;

/** An entry as a ledger that leaves this machine has it: empty text for secrets that could be guessed. */
export function withoutGuessable(entry: LedgerEntry): LedgerEntry {
  const isMarked = (each: string): boolean => each.startsWith(guessableMark);
  if (![...Object.values(entry.fields), ...Object.values(entry.given)].some(isMarked)) return entry;
  const without = (hashes: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(hashes).map(([path, each]) => [path, isMarked(each) ? '' : each]));
  const { whole: _, fields, given, ...rest } = entry;
  return { ...rest, fields: without(fields), given: without(given) };
}

/** Beginning of the names of an account's files: `<host>-<account>-<hash>`. */
export function accountFile({ origin, accountId }: Account): string {
  const host = URL.parse(origin)?.hostname.replaceAll(/[^\w.-]/g, '_') ?? 'service';
  return `${host}-${accountId.slice(0, 8).replaceAll(/\W/g, '_')}-${saltedHash(origin, accountId).slice(0, 6)}`;
}
