import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure } from '../../../base/failure.ts';
import { type JsonObject, omitUndefined } from '../../../base/json.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import type { DesiredObject } from '../desired.ts';
import { type Kind, type KindName, kindByName } from '../kinds.ts';
import { type KnownObjects, matched } from '../match.ts';
import type { Service, ServiceList } from '../service.ts';

/** The live objects that are meant, before they are read. */
export interface LiveObjects {
  readonly kind: Kind;
  /** Id of the live object, by the key of the object of the manifest. */
  readonly ids: ReadonlyMap<string, string>;
  /** Entries whose objects may still exist, and no object of the manifest means. */
  readonly left: readonly LedgerEntry[];
  /** Summaries of all objects; `undefined` where there is no list. */
  readonly listed: readonly JsonObject[] | undefined;
  /** Ids of objects that were not changed since the ledger saw them. */
  readonly unchanged: ReadonlySet<string>;
  readonly atSeconds: number | undefined;
  /** The list turned out to ignore filters by time. */
  readonly unfiltered: boolean;
  /** Number of objects that the ledger knows, the list does not show, and a read by id finds. */
  readonly unlisted?: number;
}

type Sought = ReturnType<typeof soughtOf>[number];

/**
 * The kinds that a manifest or its ledger is about: objects of the manifest, and entries of objects it no longer names.
 */
export function soughtOf(objects: readonly DesiredObject[], entries: ReadonlyMap<string, LedgerEntry>) {
  const keys = new Set(objects.map(({ key }) => key));
  const wanted = Map.groupBy(objects, ({ kind }) => kind);
  const rest = [...entries.values()].filter(({ key }) => !keys.has(key));
  const abandoned = Map.groupBy(rest, ({ kind }) => kindByName(kind).name);
  const names = new Set<KindName>([...wanted.keys(), ...abandoned.keys()]);
  return [...names].map((name) => ({
    kind: kindByName(name),
    objects: wanted.get(name) ?? [],
    abandoned: abandoned.get(name) ?? [],
  }));
}

/** Returns the object of a kind that an account has only once; it is always there. */
export const foundOnce = ({ kind, objects, abandoned }: Sought): LiveObjects => ({
  kind,
  ids: new Map(objects.map(({ key }) => [key, kind.name])),
  left: abandoned,
  listed: undefined,
  unchanged: new Set(),
  atSeconds: undefined,
  unfiltered: false,
});

/**
 * Lists a kind once, or in windows where the ledger knows many of its objects, and finds what is meant. `ignores`: lists of
 * the kind are known to ignore filters by time.
 */
export async function foundMany(
  service: Service,
  { kind, objects, abandoned }: Sought,
  finding: KnownObjects,
  ignores: boolean,
  concurrency: number,
): Promise<LiveObjects> {
  const known = [...finding.entries.values()].filter((entry) => entry.kind === kind.name);
  const filtering = isWorthFiltering(known) && !ignores;
  const changes = filtering ? await changedSince(service, kind, known, concurrency) : undefined;
  const unfiltered = ignores || (filtering && changes === undefined);
  if (changes !== undefined) {
    const ids = matched(kind, objects, changes.listed, finding);
    const listedIds = new Set(changes.listed.map(({ id }) => id));
    // Filters may drop objects: nothing is called new, or gone, before the whole list says so.
    if (ids.size === objects.length && abandoned.every(({ id }) => listedIds.has(id)))
      return { ...changes, kind, ids, left: leftOf(abandoned, ids), unfiltered };
  }
  const listing = await service.list(kind);
  // Without a list, objects that the ledger knows by id are all that can be found.
  const hidden = listing ? await unlistedOf(service, kind, known, listing, concurrency) : [];
  const items = listing ? [...listing.items, ...hidden] : known.map(({ id }) => ({ id }));
  const ids = matched(kind, objects, items, finding);
  const there = new Set(items.map(({ id }) => id));
  return {
    kind,
    ids,
    left: leftOf(abandoned, ids).filter(({ id }) => there.has(id)),
    listed: listing && items,
    unlisted: hidden.length,
    unchanged: changes?.unchanged ?? new Set(),
    atSeconds: changes?.atSeconds ?? listing?.atSeconds,
    unfiltered,
  };
}

/**
 * Objects that the ledger knows and a list does not show, read by id: a list that comes back empty or short would
 * otherwise make duplicates. An object that is not found (404) is gone. Throws `Failure` if a read fails.
 */
async function unlistedOf(
  service: Service,
  kind: Kind,
  known: readonly LedgerEntry[],
  { items }: ServiceList,
  concurrency: number,
): Promise<readonly JsonObject[]> {
  const listed = new Set(items.map(({ id }) => id));
  const open = known.filter(({ id }) => !listed.has(id));
  const read = await mapWithConcurrency(open, concurrency, async ({ id }) => {
    const got = await service.get(kind, id);
    return got.found === 'record' && got.record ? [{ ...got.record, id }] : [];
  });
  return read.flat();
}

function leftOf(abandoned: readonly LedgerEntry[], ids: ReadonlyMap<string, string>): readonly LedgerEntry[] {
  const taken = new Set(ids.values());
  return abandoned.filter(({ id }) => !taken.has(id));
}

/** Result of lists filtered by the time of the last change. */
type ChangedSince = Pick<LiveObjects, 'unchanged' | 'atSeconds'> & { readonly listed: readonly JsonObject[] };

/** Number of objects from which lists are cheaper than single reads, whatever the number of windows. */
const worthFiltering = 200;
/** Number of reads that each list must save, if there are fewer objects. */
const sparedByList = 4;

/** True where lists by the time of the last change are cheaper than reading each object. */
const isWorthFiltering = (known: readonly LedgerEntry[]): boolean =>
  // The probe, and one window more than there are edges.
  known.length >= worthFiltering || known.length >= sparedByList * (2 + edgesOf(known).length);

/** Maximum number of lists to ask for: a service may read its whole collection for each of them. */
const mostWindows = 64;

/** Share of objects in two windows at once that is put down to changes made in between. */
const fewTwice = 0.1;

/**
 * Finds out which of many objects were not changed since the ledger saw them: the list is read in windows by the time
 * of the last change (Conventions, filters), whose edges are seconds in which the ledger saw objects. One in the window
 * of its own second, or before, was not changed since. `undefined` where the service ignores such filters; what it
 * leaves out or shows twice counts as changed.
 */
export async function changedSince(
  service: Service,
  kind: Kind,
  entries: readonly LedgerEntry[],
  concurrency: number,
): Promise<ChangedSince | undefined> {
  try {
    return await sifted(service, kind, entries, concurrency);
  } catch (error) {
    // Some lists take times for a range that may not be wide (Conventions, time-ranged lists), and refuse others.
    if (error instanceof Failure && error.kind === 'invalid') return undefined;
    throw error;
  }
}

async function sifted(
  service: Service,
  kind: Kind,
  entries: readonly LedgerEntry[],
  concurrency: number,
): Promise<ChangedSince | undefined> {
  // Nothing was changed in the first second of the calendar: a list that is not empty was not filtered.
  const probe = await service.list(kind, { query: { modified_to: '1' }, atMost: 1 });
  if (probe === undefined || probe.items.length > 0) return undefined;
  const edges = edgesOf(entries);
  const windows = await mapWithConcurrency(windowsBetween(edges), concurrency, (query) =>
    service.list(kind, { query }),
  );
  const listings = windows.filter((listing): listing is ServiceList => listing !== undefined);
  const windowOf = new Map<string, number>();
  const items = new Map<string, JsonObject>();
  const twice = new Set<string>();
  for (const [index, listing] of listings.entries())
    for (const item of listing.items) {
      const { id } = item;
      if (typeof id !== 'string') continue;
      if (items.has(id)) twice.add(id);
      items.set(id, item);
      windowOf.set(id, index);
    }
  if (twice.size > fewTwice * items.size) return undefined;
  const unchanged = entries.filter(({ id, seen }) => {
    const window = windowOf.get(id);
    const edge = window === undefined ? undefined : edges[window];
    return edge !== undefined && edge <= seen && !twice.has(id);
  });
  return {
    listed: [...items.values()],
    unchanged: new Set(unchanged.map(({ id }) => id)),
    atSeconds: probe.atSeconds,
  };
}

/** The seconds in which most entries were seen, in order of time. */
function edgesOf(entries: readonly LedgerEntry[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const { seen } of entries) if (seen > 0) counts.set(seen, (counts.get(seen) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostWindows - 1)
    .map(([second]) => second)
    .sort((one, other) => one - other);
}

/** Filters for the times until the first edge, between edges, and after the last. */
function windowsBetween(edges: readonly number[]): readonly Readonly<Record<string, string>>[] {
  const bounds = [
    ...edges.map((edge, index) => [edges[index - 1], edge] as const),
    [edges.at(-1), undefined] as const,
  ];
  return bounds.map(([after, until]) =>
    omitUndefined({
      modified_from: after === undefined ? undefined : String(after + 1),
      modified_to: until === undefined ? undefined : String(until),
    }),
  );
}
