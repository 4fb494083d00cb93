import { hash } from 'node:crypto';
import { mapWithConcurrency } from '../../base/concurrency.ts';
import { isEqualJson, isObject, type Json, type JsonObject } from '../../base/json.ts';
import { findChildNode } from '../../contract/schema-node.ts';
import { entriesOf, idsByKey, type Ledger, type LedgerEntry } from '../state/ledger.ts';
import { canonicalField } from './canonical.ts';
import { type DesiredAccount, type DesiredObject, withReferences } from './desired.ts';
import { type Kind, kindByName } from './kinds.ts';
import { isAsApplied } from './ledger/hashing.ts';
import { listDoubles } from './match-objects.ts';
import { isMadeFor } from './own-ids.ts';
import { findMany, findSingle, kindsToSearch, type LiveObjects } from './plan/find-live-objects.ts';
import { doubleKey, type LiveObject, type Observed, type ObservedAccount } from './plan.ts';
import type { Got, Service } from './service.ts';

export interface Observing {
  readonly account: ObservedAccount;
  readonly desired: DesiredAccount;
  readonly ledger: Ledger | undefined;
  readonly set: string;
  readonly elsewhere?: Ledger | undefined;
  /** Chooses one object of each set of duplicates, and reads the others for deletion. */
  readonly deleteDoubles?: boolean;
  readonly concurrency: number;
  /** Called with the number of objects of a kind that are in the ledger but not in the list. */
  readonly unlisted?: (kind: Kind, count: number) => void;
  readonly progress?: (done: number, total: number) => void;
}

export const nothingObserved = (account: ObservedAccount): Observed => ({
  account,
  matches: new Map(),
  abandoned: new Map(),
  doubles: new Map(),
  vanished: new Set(),
  listed: new Map(),
  unreadable: new Set(),
  atSeconds: undefined,
  unfiltered: new Set(),
});

interface ToRead {
  readonly kind: Kind;
  readonly key: string;
  readonly id: string;
}

type ReadRecord = ToRead & { readonly got: Got };

type Doubles = readonly {
  readonly kind: Kind;
  readonly doubles: ReadonlyMap<string, readonly string[]>;
}[];

/**
 * Lists each kind once. Reads the records of the manifest, except records that are unchanged since telctl wrote them.
 */
export async function observe(service: Service, observing: Observing): Promise<Observed> {
  const { account, desired, ledger, set, concurrency } = observing;
  const entries = entriesOf(ledger, set);
  const found = await findObjects(service, observing, entries);
  const doubles = findDoubles(observing, found);
  const asApplied = ledger ? unchangedKeys(desired.objects, found, entries, ledger.salt) : new Set<string>();
  const toDelete = observing.deleteDoubles ? doublesToRead(doubles) : [];
  const wanted = found.flatMap(({ kind, ids, left }): readonly ToRead[] => [
    ...[...ids].flatMap(([key, id]) => (asApplied.has(key) ? [] : [{ kind, key, id }])),
    ...left.map(({ key, id }) => ({ kind, key, id })),
  ]);
  const read = await readAll(service, [...wanted, ...toDelete], observing);
  const live = new Map(
    read.flatMap(({ key, id, got }): [string, LiveObject][] => {
      const object = liveObject(id, got);
      return object ? [[key, object]] : [];
    }),
  );
  await mapWithConcurrency(
    unknownFiles(desired.objects, live, entries),
    concurrency,
    async ({ kind, key, object }) => {
      const content = await service.download(kind, object.id);
      if (content === undefined) return;
      const file = { sha256: hash('sha256', content, 'hex'), bytes: content.length };
      live.set(key, { ...object, file });
    },
  );
  const idOf = new Map(found.flatMap(({ ids }) => [...ids]));
  const liveObjects = (objects: readonly { readonly key: string }[]): ReadonlyMap<string, LiveObject> =>
    new Map(
      objects.flatMap(({ key }) => {
        const object = asApplied.has(key)
          ? ({ id: idOf.get(key) ?? '', record: undefined, known: 'as-applied' } as const)
          : live.get(key);
        return object ? [[key, object] as const] : [];
      }),
    );
  const matches = liveObjects(desired.objects);
  const abandoned = liveObjects([...found.flatMap(({ left }) => left), ...toDelete]);
  return {
    account,
    matches,
    abandoned,
    doubles: new Map(doubles.flatMap((each) => [...each.doubles])),
    vanished: vanishedKeys(entries, found, new Set([...matches.keys(), ...abandoned.keys()])),
    listed: new Map(found.flatMap(({ kind, listed }) => (listed ? [[kind.name, listed] as const] : []))),
    unreadable: unreadableKinds(found, read),
    atSeconds: observationSecond(found, read),
    unfiltered: new Set(found.flatMap(({ kind, unfiltered }) => (unfiltered ? [kind.name] : []))),
  };
}

async function findObjects(
  service: Service,
  { account, desired, ledger, set, concurrency, deleteDoubles, unlisted }: Observing,
  entries: ReadonlyMap<string, LedgerEntry>,
): Promise<readonly LiveObjects[]> {
  const choose = deleteDoubles ? chooseDouble({ accountId: account.id, set }) : undefined;
  const known = { entries, anywhere: idsByKey(ledger), choose };
  const found = await mapWithConcurrency(
    kindsToSearch(desired.objects, entries),
    concurrency,
    async (sought) => {
      const { kind } = sought;
      if (kind.shape === 'one') return findSingle(sought);
      const isUnfiltered = ledger?.unfiltered?.includes(kind.name) ?? false;
      return findMany(service, sought, known, isUnfiltered, concurrency);
    },
  );
  for (const { kind, unlisted: count = 0 } of found) if (count > 0) unlisted?.(kind, count);
  return found;
}

function findDoubles({ desired, ledger, elsewhere }: Observing, found: readonly LiveObjects[]): Doubles {
  const managed = new Set([ledger, elsewhere].flatMap((each) => each?.entries.map(({ id }) => id) ?? []));
  const byKind = Map.groupBy(desired.objects, ({ kind }) => kind);
  return found.map(({ kind, ids, listed = [] }) => ({
    kind,
    doubles: listDoubles(kind, byKind.get(kind.name) ?? [], listed, { found: ids, managed }),
  }));
}

const doublesToRead = (doubles: Doubles): readonly ToRead[] =>
  doubles.flatMap(({ kind, doubles: others }) =>
    kind.calls.delete
      ? [...others].flatMap(([key, ids]) => ids.map((id) => ({ kind, key: doubleKey(key, id), id })))
      : [],
  );

function readAll(
  service: Service,
  wanted: readonly ToRead[],
  { concurrency, progress }: Observing,
): Promise<readonly ReadRecord[]> {
  let done = 0;
  return mapWithConcurrency(wanted, concurrency, async ({ kind, key, id }) => {
    const got = await service.get(kind, id);
    done += 1;
    progress?.(done, wanted.length);
    return { kind, key, id, got };
  });
}

/** Returns keys of entries whose objects no longer exist under any key. */
function vanishedKeys(
  entries: ReadonlyMap<string, LedgerEntry>,
  found: readonly LiveObjects[],
  liveKeys: ReadonlySet<string>,
): ReadonlySet<string> {
  const present = new Set(
    found.flatMap(({ kind, ids }) =>
      [...ids].flatMap(([key, id]) => (liveKeys.has(key) ? [`${kind.name} ${id}`] : [])),
    ),
  );
  const vanished = [...entries.values()].filter(
    ({ key, kind, id }) => !liveKeys.has(key) && !present.has(`${kind} ${id}`),
  );
  return new Set(vanished.map(({ key }) => key));
}

const unreadableKinds = (
  found: readonly LiveObjects[],
  read: readonly ReadRecord[],
): Observed['unreadable'] =>
  new Set([
    ...found.flatMap(({ kind, listed }) => (kind.shape === 'many' && !listed ? [kind.name] : [])),
    ...read.flatMap(({ kind, got }) =>
      kind.shape === 'one' && got.found === 'not-offered' ? [kind.name] : [],
    ),
  ]);

/** Returns the second before the first response, because changes after a response can have the same time. */
function observationSecond(found: readonly LiveObjects[], read: readonly ReadRecord[]): number | undefined {
  const times = [
    ...found.map(({ atSeconds }) => atSeconds),
    ...read.map(({ got }) => (got.found === 'record' ? got.atSeconds : undefined)),
  ].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other)) - 1;
}

/** Chooses the object that telctl created for the key, or the first one. */
const chooseDouble =
  (owner: Parameters<typeof isMadeFor>[0]) =>
  (key: string, ids: readonly string[]): string =>
    ids.find((id) => isMadeFor(owner, key, id)) ?? ids[0] ?? '';

/** Returns objects whose file must be downloaded, because neither the ledger nor its size shows whether it differs. */
function unknownFiles(
  objects: readonly DesiredObject[],
  live: ReadonlyMap<string, LiveObject>,
  entries: ReadonlyMap<string, LedgerEntry>,
): readonly { readonly kind: Kind; readonly key: string; readonly object: LiveObject }[] {
  return objects.flatMap(({ key, kind, file }) => {
    const object = live.get(key);
    const known = entries.get(key);
    if (file === undefined || object?.record === undefined) return [];
    if (known?.id === object.id && known.file !== undefined) return [];
    const { content_length: size } = object.record;
    return typeof size === 'number' && size !== file.bytes ? [] : [{ kind: kindByName(kind), key, object }];
  });
}

function liveObject(id: string, got: Got): LiveObject | undefined {
  if (got.found === 'none') return undefined;
  const record = got.found === 'record' ? got.record : undefined;
  return record ? { id, record } : { id, record, known: 'unreadable' };
}

/** Returns keys of unchanged objects that the manifest describes as last applied. They need not be read. */
function unchangedKeys(
  objects: readonly DesiredObject[],
  found: readonly LiveObjects[],
  entries: ReadonlyMap<string, LedgerEntry>,
  salt: string,
): ReadonlySet<string> {
  const ids = new Map(found.flatMap((each) => [...each.ids]));
  const unchanged = new Map(found.map((each) => [each.kind.name, each.unchanged]));
  const items = new Map(
    found
      .filter((each) => each.unchanged.size > 0)
      .flatMap(({ listed = [] }) => listed.map((item) => [item.id, item] as const)),
  );
  const keys = objects.filter(({ key, kind: name, fields, refersTo }) => {
    const known = entries.get(key);
    if (!known || known.id !== ids.get(key) || !unchanged.get(name)?.has(known.id)) return false;
    const kind = kindByName(name);
    const item = items.get(known.id);
    const wanted = refersTo.length === 0 ? fields : withReferences(fields, (target) => ids.get(target));
    return item !== undefined && isAsListed(kind, wanted, item) && isAsApplied(known, kind, wanted, salt);
  });
  return new Set(keys.map(({ key }) => key));
}

export function isAsListed(kind: Kind, wanted: JsonObject, item: JsonObject): boolean {
  return Object.entries(wanted).every(([field, value]) => {
    if (value === undefined || !Object.hasOwn(item, field)) return true;
    const shown = item[field];
    if (shown === undefined || shown === value || !isPlain(value) || !isPlain(shown)) return true;
    if (findChildNode(kind.schema, kind.schema, field)?.readOnly === true) return true;
    return isEqualJson(canonicalField(kind, field, value), canonicalField(kind, field, shown));
  });
}

const isPlain = (value: Json): boolean =>
  value !== null &&
  !isObject(value) &&
  (!Array.isArray(value) || value.every((item: Json) => typeof item === 'string'));
