import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure } from '../../../base/failure.ts';
import { type JsonObject, omitUndefined } from '../../../base/json.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import type { DesiredObject } from '../desired.ts';
import { type Kind, type KindName, kindByName } from '../kinds.ts';
import { type KnownObjects, matchObjects } from '../match-objects.ts';
import type { Service, ServiceList } from '../service.ts';

export interface LiveObjects {
  readonly kind: Kind;
  /** By key of the object in the manifest. */
  readonly ids: ReadonlyMap<string, string>;
  /** Objects that may exist, but are not in the manifest. */
  readonly left: readonly LedgerEntry[];
  /** Summaries of all objects. `undefined` if there is no list. */
  readonly listed: readonly JsonObject[] | undefined;
  /** Ids of objects that are unchanged since the ledger was written. */
  readonly unchanged: ReadonlySet<string>;
  readonly atSeconds: number | undefined;
  readonly unfiltered: boolean;
  /** Number of objects in the ledger that the list omits, but that can be read by id. */
  readonly unlisted?: number;
}

type KindSearch = ReturnType<typeof kindsToSearch>[number];

export function kindsToSearch(objects: readonly DesiredObject[], entries: ReadonlyMap<string, LedgerEntry>) {
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

/** Objects that an account has once always exist. */
export const findSingle = ({ kind, objects, abandoned }: KindSearch): LiveObjects => ({
  kind,
  ids: new Map(objects.map(({ key }) => [key, kind.name])),
  left: abandoned,
  listed: undefined,
  unchanged: new Set(),
  atSeconds: undefined,
  unfiltered: false,
});

/** `ignores` is true if lists of the kind ignore filters by time. */
export async function findMany(
  service: Service,
  { kind, objects, abandoned }: KindSearch,
  finding: KnownObjects,
  ignores: boolean,
  concurrency: number,
): Promise<LiveObjects> {
  const known = [...finding.entries.values()].filter((entry) => entry.kind === kind.name);
  const filtering = isWorthFiltering(known) && !ignores;
  const changes = filtering ? await listInWindows(service, kind, known, concurrency) : undefined;
  const unfiltered = ignores || (filtering && changes === undefined);
  if (changes !== undefined) {
    const ids = matchObjects(kind, objects, changes.listed, finding);
    const listedIds = new Set(changes.listed.map(({ id }) => id));
    // Filters can omit objects, so only the whole list shows which objects are new or gone.
    if (ids.size === objects.length && abandoned.every(({ id }) => listedIds.has(id)))
      return { ...changes, kind, ids, left: unmatchedEntries(abandoned, ids), unfiltered };
  }
  const listing = await service.list(kind);
  // Without a list, only objects in the ledger can be found.
  const hidden = listing ? await readUnlisted(service, kind, known, listing, concurrency) : [];
  const items = listing ? [...listing.items, ...hidden] : known.map(({ id }) => ({ id }));
  const ids = matchObjects(kind, objects, items, finding);
  const there = new Set(items.map(({ id }) => id));
  return {
    kind,
    ids,
    left: unmatchedEntries(abandoned, ids).filter(({ id }) => there.has(id)),
    listed: listing && items,
    unlisted: hidden.length,
    unchanged: changes?.unchanged ?? new Set(),
    atSeconds: changes?.atSeconds ?? listing?.atSeconds,
    unfiltered,
  };
}

/** Reads objects that an incomplete list omits, to avoid duplicates. A missing object is gone. */
async function readUnlisted(
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

function unmatchedEntries(
  abandoned: readonly LedgerEntry[],
  ids: ReadonlyMap<string, string>,
): readonly LedgerEntry[] {
  const taken = new Set(ids.values());
  return abandoned.filter(({ id }) => !taken.has(id));
}

type WindowedList = Pick<LiveObjects, 'unchanged' | 'atSeconds'> & { readonly listed: readonly JsonObject[] };

/** With this number of objects, lists are always faster than single reads. */
const worthFiltering = 200;
/** With fewer objects, each list must save this number of reads. */
const sparedByList = 4;

const isWorthFiltering = (known: readonly LedgerEntry[]): boolean =>
  // One probe, and one more window than edges.
  known.length >= worthFiltering || known.length >= sparedByList * (2 + windowEdges(known).length);

/** A service may read its whole collection for each list. */
const mostWindows = 64;

/** Changes between the requests can explain this share of objects in two windows. */
const fewTwice = 0.1;

/**
 * Reads the list in windows between the seconds in which the ledger confirmed objects. An object in its own or an
 * earlier window is unchanged. Returns `undefined` if the service ignores filters.
 */
export async function listInWindows(
  service: Service,
  kind: Kind,
  entries: readonly LedgerEntry[],
  concurrency: number,
): Promise<WindowedList | undefined> {
  try {
    return await readWindows(service, kind, entries, concurrency);
  } catch (error) {
    // Some lists refuse long ranges of time (Conventions, time-ranged lists).
    if (error instanceof Failure && error.kind === 'invalid') return undefined;
    throw error;
  }
}

async function readWindows(
  service: Service,
  kind: Kind,
  entries: readonly LedgerEntry[],
  concurrency: number,
): Promise<WindowedList | undefined> {
  // Requests the first second of the calendar. If the list is not empty, the filter was ignored.
  const probe = await service.list(kind, { query: { modified_to: '1' }, atMost: 1 });
  if (probe === undefined || probe.items.length > 0) return undefined;
  const edges = windowEdges(entries);
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

function windowEdges(entries: readonly LedgerEntry[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const { seen } of entries) if (seen > 0) counts.set(seen, (counts.get(seen) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostWindows - 1)
    .map(([second]) => second)
    .sort((one, other) => one - other);
}

/** Returns filters for the times before the first edge, between edges, and after the last. */
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
