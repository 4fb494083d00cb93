import { bounded } from '../../base/bounded.ts';
import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import type { Kind } from '../kinds.ts';
import type { Listing, Service } from '../service.ts';

/** Result of lists filtered by the time of the last change. */
export interface ChangedSince {
  /** All objects that they show. */
  readonly items: readonly JsonObject[];
  /** Ids of objects that were not changed since the ledger's entry was `seen`. */
  readonly unchanged: ReadonlySet<string>;
  readonly atSeconds: number | undefined;
}

/** From how many objects on lists are cheaper than reading one by one. */
export const worthFiltering = 200;

/** Maximum number of lists to ask for: a service may read its whole collection for each of them. */
const mostWindows = 64;

/** Share of objects in two windows at once that is put down to changes made in between. */
const fewTwice = 0.1;

/**
 * Finds out which of many objects were not changed since the ledger saw them, without reading them one by one: the
 * list is read in windows by the time of the last change (Conventions, filters), whose edges are the seconds in which
 * the ledger last saw objects. One that shows up in the window of its own second, or before, was not changed since.
 * `undefined` where the service ignores such filters. A service that leaves objects out, or shows them twice, is not
 * believed about these.
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
  const windows = await bounded(windowsBetween(edges), concurrency, (query) => service.list(kind, { query }));
  const listings = windows.filter((listing): listing is Listing => listing !== undefined);
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
    items: [...items.values()],
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
  return bounds.map(([after, until]) => ({
    ...(after === undefined ? {} : { modified_from: String(after + 1) }),
    ...(until === undefined ? {} : { modified_to: String(until) }),
  }));
}
