import { hash } from 'node:crypto';
import { mapWithConcurrency } from '../../base/concurrency.ts';
import { isEqualJson, isObject, type Json, type JsonObject } from '../../base/json.ts';
import { childOf } from '../../contract/schema-node.ts';
import { entriesOf, idsByKey, type Ledger, type LedgerEntry } from '../state/ledger.ts';
import { canonicalField } from './canonical.ts';
import { type DesiredAccount, type DesiredObject, withReferences } from './desired.ts';
import { type Kind, kindByName } from './kinds.ts';
import { isAsApplied } from './ledger/hashing.ts';
import { doublesOf } from './match.ts';
import { isMadeFor } from './own-ids.ts';
import { foundMany, foundOnce, type LiveObjects, soughtOf } from './plan/find-live-objects.ts';
import { doubleKey, type LiveObject, type Observed, type ObservedAccount } from './plan.ts';
import type { Got, Service } from './service.ts';

/** Scope and settings of an observation. */
export interface Observing {
  readonly account: ObservedAccount;
  readonly desired: DesiredAccount;
  readonly ledger: Ledger | undefined;
  readonly set: string;
  /** The ledger that the state has of the account, where another one is used. */
  readonly elsewhere?: Ledger | undefined;
  /** Chooses one of each set of duplicates and reads the others for deletion. */
  readonly deleteDoubles?: boolean;
  /** Maximum number of requests under way at once. */
  readonly concurrency: number;
  /** Called with the number of objects of a kind that the ledger knows and the list does not show. */
  readonly unlisted?: (kind: Kind, count: number) => void;
  /** Called as records are read. */
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

/**
 * Looks at an account: each kind is listed once, and the objects that are meant are read whole, but for those that
 * nobody changed since telctl wrote just what is wanted. Throws `Failure`, `conflict` where it is not clear which
 * object is meant.
 */
export async function observe(service: Service, observing: Observing): Promise<Observed> {
  const { account, desired, ledger, elsewhere, set, concurrency, progress, deleteDoubles } = observing;
  const entries = entriesOf(ledger, set);
  const choose = deleteDoubles ? chosenFor({ accountId: account.id, set }) : undefined;
  const known = { entries, anywhere: idsByKey(ledger), choose };
  const isUnfiltered = ({ name }: Kind): boolean => ledger?.unfiltered?.includes(name) ?? false;
  const found = await mapWithConcurrency(soughtOf(desired.objects, entries), concurrency, async (sought) =>
    sought.kind.shape === 'one'
      ? foundOnce(sought)
      : foundMany(service, sought, known, isUnfiltered(sought.kind), concurrency),
  );
  for (const { kind, unlisted = 0 } of found) if (unlisted > 0) observing.unlisted?.(kind, unlisted);
  const managed = new Set([ledger, elsewhere].flatMap((each) => each?.entries.map(({ id }) => id) ?? []));
  const byKind = Map.groupBy(desired.objects, ({ kind }) => kind);
  const doubles = found.map(({ kind, ids, listed = [] }) => ({
    kind,
    doubles: doublesOf(kind, byKind.get(kind.name) ?? [], listed, { found: ids, managed }),
  }));
  const toDelete = doubles.flatMap(({ kind, doubles: others }): readonly ToRead[] =>
    deleteDoubles && kind.calls.delete
      ? [...others].flatMap(([key, ids]) => ids.map((id) => ({ kind, key: doubleKey(key, id), id })))
      : [],
  );
  const asApplied = ledger ? unchangedKeys(desired.objects, found, entries, ledger.salt) : new Set<string>();
  const meant = found.flatMap(({ kind, ids, left }): readonly ToRead[] => [
    ...[...ids].flatMap(([key, id]) => (asApplied.has(key) ? [] : [{ kind, key, id }])),
    ...left.map(({ key, id }) => ({ kind, key, id })),
  ]);
  const wanted = [...meant, ...toDelete];
  let done = 0;
  const read = await mapWithConcurrency(wanted, concurrency, async ({ kind, key, id }) => {
    const got = await service.get(kind, id);
    done += 1;
    progress?.(done, wanted.length);
    return { kind, key, id, got };
  });
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
  const seen = (objects: readonly { readonly key: string }[]): ReadonlyMap<string, LiveObject> =>
    new Map(
      objects.flatMap(({ key }) => {
        const object = live.get(key);
        return object ? [[key, object] as const] : [];
      }),
    );
  const idOf = new Map(found.flatMap(({ ids }) => [...ids]));
  for (const key of asApplied)
    live.set(key, { id: idOf.get(key) ?? '', record: undefined, known: 'as-applied' });
  const there = new Set(
    found.flatMap(({ kind, ids }) =>
      [...ids].flatMap(([key, id]) => (live.has(key) ? [`${kind.name} ${id}`] : [])),
    ),
  );
  const times = [
    ...found.map(({ atSeconds }) => atSeconds),
    ...read.map(({ got }) => (got.found === 'record' ? got.atSeconds : undefined)),
  ].filter((time) => time !== undefined);
  return {
    account,
    matches: seen(desired.objects),
    abandoned: seen([...found.flatMap(({ left }) => left), ...toDelete]),
    doubles: new Map(doubles.flatMap((each) => [...each.doubles])),
    vanished: new Set(
      [...entries.values()]
        .filter(({ key, kind, id }) => !live.has(key) && !there.has(`${kind} ${id}`))
        .map(({ key }) => key),
    ),
    listed: new Map(found.flatMap(({ kind, listed }) => (listed ? [[kind.name, listed] as const] : []))),
    unreadable: new Set([
      ...found.flatMap(({ kind, listed }) => (kind.shape === 'many' && !listed ? [kind.name] : [])),
      ...read.flatMap(({ kind, got }) =>
        kind.shape === 'one' && got.found === 'not-offered' ? [kind.name] : [],
      ),
    ]),
    atSeconds: times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other)) - 1,
    unfiltered: new Set(found.flatMap(({ kind, unfiltered }) => (unfiltered ? [kind.name] : []))),
  };
}

/** Of several, the one that telctl made for the object; else the first. */
const chosenFor =
  (owner: Parameters<typeof isMadeFor>[0]) =>
  (key: string, ids: readonly string[]): string =>
    ids.find((id) => isMadeFor(owner, key, id)) ?? ids[0] ?? '';

/**
 * Objects whose file must be fetched: the ledger does not know it, and the record does not say that its size differs.
 */
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

/** Keys of objects that need not be read: nobody changed them, and the manifest wants just what was applied. */
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

/** Tells whether the list item of an object agrees with the wanted fields, as far as both are plain values. */
export function isAsListed(kind: Kind, wanted: JsonObject, item: JsonObject): boolean {
  return Object.entries(wanted).every(([field, value]) => {
    if (value === undefined || !Object.hasOwn(item, field)) return true;
    const shown = item[field];
    if (shown === undefined || shown === value || !isPlain(value) || !isPlain(shown)) return true;
    if (childOf(kind.schema, kind.schema, field)?.readOnly === true) return true;
    return isEqualJson(canonicalField(kind, field, value), canonicalField(kind, field, shown));
  });
}

const isPlain = (value: Json): boolean =>
  value !== null &&
  !isObject(value) &&
  (!Array.isArray(value) || value.every((item: Json) => typeof item === 'string'));
