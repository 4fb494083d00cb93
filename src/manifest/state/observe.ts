import type { JsonObject } from '../../contract/json.ts';
import type { DesiredAccount, DesiredObject } from '../desired/desired.ts';
import { type Kind, type KindName, kindByName } from '../kinds.ts';
import { entriesOf } from '../ledger/change-ledger.ts';
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { bounded } from './bounded.ts';
import { matched } from './match.ts';
import type { LiveObject, Observed, ObservedAccount } from './observed.ts';
import type { Service } from './service.ts';

/** What is looked at, and how. */
export interface Observing {
  readonly account: ObservedAccount;
  readonly desired: DesiredAccount;
  readonly ledger: Ledger | undefined;
  /** Name of the manifest set. */
  readonly set: string;
  /** How many requests may be under way at once. */
  readonly concurrency: number;
  /** Told as records are read. */
  readonly progress?: (done: number, total: number) => void;
}

/** What is seen of an account that does not exist yet: nothing. */
export const nothingObserved = (account: ObservedAccount): Observed => ({
  account,
  matches: new Map(),
  abandoned: new Map(),
  vanished: new Set(),
  listed: new Map(),
  unreadable: new Set(),
  atSeconds: undefined,
  unfiltered: new Set(),
});

/** The objects of one kind that are looked for. */
interface Sought {
  readonly kind: Kind;
  readonly objects: readonly DesiredObject[];
  /** Entries of the set whose objects the manifest no longer names. */
  readonly abandoned: readonly LedgerEntry[];
}

interface Seen {
  readonly kind: KindName;
  readonly matches: ReadonlyMap<string, LiveObject>;
  readonly abandoned: ReadonlyMap<string, LiveObject>;
  readonly vanished: readonly string[];
  readonly listed: readonly JsonObject[] | undefined;
  readonly unreadable: boolean;
  readonly atSeconds: number | undefined;
}

/**
 * Looks at an account: each kind that the manifest or the ledger is about is listed once, and the objects that are
 * meant are read whole. Throws `Failure`, `conflict` where it is not clear which object is meant.
 */
export async function observe(service: Service, observing: Observing): Promise<Observed> {
  const { account, desired, ledger, set, concurrency } = observing;
  const entries = entriesOf(ledger, set);
  const seen = await bounded(soughtOf(desired, entries), concurrency, (sought) =>
    sought.kind.shape === 'one' ? seenOnce(service, sought) : seenMany(service, sought, entries, observing),
  );
  return {
    account,
    matches: new Map(seen.flatMap(({ matches }) => [...matches])),
    abandoned: new Map(seen.flatMap(({ abandoned }) => [...abandoned])),
    vanished: new Set(seen.flatMap(({ vanished }) => vanished)),
    listed: new Map(seen.flatMap(({ kind, listed }) => (listed ? [[kind, listed] as const] : []))),
    unreadable: new Set(seen.flatMap(({ kind, unreadable }) => (unreadable ? [kind] : []))),
    atSeconds: earliest(seen.map(({ atSeconds }) => atSeconds)),
    unfiltered: new Set(ledger?.unfiltered),
  };
}

const earliest = (times: readonly (number | undefined)[]): number | undefined =>
  times.reduce(
    (one, other) => (one === undefined || (other !== undefined && other < one) ? other : one),
    undefined,
  );

function soughtOf({ objects }: DesiredAccount, entries: ReadonlyMap<string, LedgerEntry>): readonly Sought[] {
  const keys = new Set(objects.map(({ key }) => key));
  const wanted = Map.groupBy(objects, ({ kind }) => kind);
  const left = Map.groupBy(
    [...entries.values()].filter(({ key }) => !keys.has(key)),
    ({ kind }) => kind,
  );
  return [...new Set([...wanted.keys(), ...left.keys()])].map((name) => ({
    kind: kindByName(name),
    objects: wanted.get(name) ?? [],
    abandoned: left.get(name) ?? [],
  }));
}

async function seenOnce(service: Service, { kind, objects, abandoned }: Sought): Promise<Seen> {
  const got = await service.get(kind, kind.name);
  const record = got.found === 'record' ? got.record : undefined;
  const live: LiveObject =
    record === undefined ? { id: kind.name, record, known: 'unreadable' } : { id: kind.name, record };
  return {
    kind: kind.name,
    matches: new Map(objects.map(({ key }) => [key, live])),
    abandoned: new Map(abandoned.map(({ key }) => [key, live])),
    vanished: [],
    listed: undefined,
    unreadable: record === undefined,
    atSeconds: got.found === 'record' ? got.atSeconds : undefined,
  };
}

async function seenMany(
  service: Service,
  { kind, objects, abandoned }: Sought,
  entries: ReadonlyMap<string, LedgerEntry>,
  { concurrency, progress }: Observing,
): Promise<Seen> {
  const listed = await service.list(kind);
  // Without a list, objects that the ledger knows by id are all that can be found.
  const known =
    listed ?? [...entries.values()].filter((entry) => entry.kind === kind.name).map(({ id }) => ({ id }));
  const ids = matched(kind, objects, known, entries);
  const taken = new Set(ids.values());
  const left = abandoned.filter(({ id }) => !taken.has(id));
  const wanted = [...ids, ...left.map(({ key, id }) => [key, id] as const)];
  let done = 0;
  const read = await bounded(wanted, concurrency, async ([key, id]) => {
    const got = await service.get(kind, id);
    progress?.(++done, wanted.length);
    return { key, id, got };
  });
  const live = new Map(
    read.flatMap(({ key, id, got }): [string, LiveObject][] => {
      if (got.found === 'none') return [];
      const record = got.found === 'record' ? got.record : undefined;
      return [[key, record ? { id, record } : { id, record, known: 'unreadable' }]];
    }),
  );
  const gone = left.map(({ key }) => key).filter((key) => !live.has(key));
  return {
    kind: kind.name,
    matches: new Map([...live].filter(([key]) => ids.has(key))),
    abandoned: new Map(
      left.flatMap(({ key }) => (live.has(key) ? [[key, live.get(key)] as [string, LiveObject]] : [])),
    ),
    vanished: gone,
    listed,
    unreadable: listed === undefined,
    atSeconds: earliest(read.map(({ got }) => (got.found === 'record' ? got.atSeconds : undefined))),
  };
}
