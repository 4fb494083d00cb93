import type { JsonObject } from '../../base/json.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import type { DesiredObject } from '../desired/desired.ts';
import { type Kind, type KindName, kindByName } from '../kinds.ts';
import type { Service } from '../service.ts';
import { changedSince, worthFiltering } from './changed-since.ts';
import { type KnownObjects, matched } from './match.ts';

/** The objects of one kind that are looked for. */
export interface Sought {
  readonly kind: Kind;
  readonly objects: readonly DesiredObject[];
  /** Entries of the set whose objects the manifest no longer names. */
  readonly abandoned: readonly LedgerEntry[];
}

/** The live objects that are meant, before they are read. */
export interface Found {
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
}

/** The kinds that a manifest or its ledger is about, with what is looked for in each. */
export function soughtOf(
  objects: readonly DesiredObject[],
  entries: ReadonlyMap<string, LedgerEntry>,
): readonly Sought[] {
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
export const foundOnce = ({ kind, objects, abandoned }: Sought): Found => ({
  kind,
  ids: new Map(objects.map(({ key }) => [key, kind.name])),
  left: abandoned,
  listed: undefined,
  unchanged: new Set(),
  atSeconds: undefined,
  unfiltered: false,
});

/** Settings of `foundMany`. */
export interface Finding extends KnownObjects {
  /** Lists of the kind are known to ignore filters by time. */
  readonly unfiltered: boolean;
  readonly concurrency: number;
}

/** Lists a kind once, or in windows where the ledger knows many of its objects, and finds what is meant. */
export async function foundMany(service: Service, sought: Sought, finding: Finding): Promise<Found> {
  const { kind, objects, abandoned } = sought;
  const { entries, concurrency } = finding;
  const known = [...entries.values()].filter((entry) => entry.kind === kind.name);
  const filtering = known.length >= worthFiltering && !finding.unfiltered;
  const changes = filtering ? await changedSince(service, kind, known, concurrency) : undefined;
  const unfiltered = finding.unfiltered || (filtering && changes === undefined);
  if (changes !== undefined) {
    const ids = matched(kind, objects, changes.items, finding);
    const listedIds = new Set(changes.items.map(({ id }) => id));
    // Filters may drop objects: nothing is called new, or gone, before the whole list says so.
    if (ids.size === objects.length && abandoned.every(({ id }) => listedIds.has(id)))
      return { kind, ids, left: leftOf(abandoned, ids), listed: changes.items, ...pick(changes), unfiltered };
  }
  const listing = await service.list(kind);
  // Without a list, objects that the ledger knows by id are all that can be found.
  const items = listing?.items ?? known.map(({ id }) => ({ id }));
  const ids = matched(kind, objects, items, finding);
  const there = new Set(items.map(({ id }) => id));
  return {
    kind,
    ids,
    left: leftOf(abandoned, ids).filter(({ id }) => there.has(id)),
    listed: listing?.items,
    unchanged: changes?.unchanged ?? new Set(),
    atSeconds: changes?.atSeconds ?? listing?.atSeconds,
    unfiltered,
  };
}

const pick = ({ unchanged, atSeconds }: Pick<Found, 'unchanged' | 'atSeconds'>) => ({ unchanged, atSeconds });

function leftOf(abandoned: readonly LedgerEntry[], ids: ReadonlyMap<string, string>): readonly LedgerEntry[] {
  const taken = new Set(ids.values());
  return abandoned.filter(({ id }) => !taken.has(id));
}
