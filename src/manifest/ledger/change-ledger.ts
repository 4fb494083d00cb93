import type { KindName } from '../kinds.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

const nameOf = ({ set, key }: Pick<LedgerEntry, 'set' | 'key'>): string => `${set}\0${key}`;

/** The entries of one manifest set, by key. */
export function entriesOf(ledger: Ledger | undefined, set: string): ReadonlyMap<string, LedgerEntry> {
  return new Map(ledger?.entries.filter((entry) => entry.set === set).map((entry) => [entry.key, entry]));
}

/** Ids that a key stands for, in whichever manifest set: what tells objects of one name apart. */
export function idsByKey(ledger: Ledger | undefined): ReadonlyMap<string, ReadonlySet<string>> {
  const byKey = Map.groupBy(ledger?.entries ?? [], ({ key }) => key);
  return new Map([...byKey].map(([key, entries]) => [key, new Set(entries.map(({ id }) => id))]));
}

/** What an apply does to a ledger. */
export interface LedgerChange {
  /** New entries, or ones that take the place of those of the same set and key. */
  readonly put: readonly LedgerEntry[];
  /** Set and key of what was deleted. */
  readonly removed?: readonly Pick<LedgerEntry, 'set' | 'key'>[];
  /** Kinds whose lists turned out to ignore filters by time. */
  readonly unfiltered?: ReadonlySet<KindName>;
  /** What a set without a name of its own was read from. */
  readonly source?: { readonly set: string; readonly path: string } | undefined;
}

/** Whether a change changes anything. */
export const isChange = ({ unfiltered, sources }: Ledger, change: LedgerChange): boolean =>
  (change.source !== undefined && !sourcesOf(sources, change.source.set).includes(change.source.path)) ||
  change.put.length > 0 ||
  (change.removed ?? []).length > 0 ||
  [...(change.unfiltered ?? [])].some((kind) => !unfiltered?.includes(kind));

/** What a set was read from before. */
export const sourcesOf = (sources: Ledger['sources'], set: string): readonly string[] =>
  sources !== undefined && Object.hasOwn(sources, set) ? (sources[set] ?? []) : [];

/** So many are kept of a set, the last ones. */
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
  const gone = new Set(removed.map(nameOf));
  const entries = new Map(
    ledger.entries
      .filter((entry) => {
        const key = objects.get(`${entry.set}\0${entry.kind}\0${entry.id}`);
        return !gone.has(nameOf(entry)) && (key === undefined || key === entry.key);
      })
      .map((entry) => [nameOf(entry), entry]),
  );
  for (const entry of put) entries.set(nameOf(entry), entry);
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
