import { relative, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import {
  changedLedger,
  entriesOf,
  type Ledger,
  type LedgerEntry,
  objectName,
  otherOwners,
  sourcesOf,
  withoutHashes,
} from '../state/ledger.ts';
import type { LedgerStore } from '../state/state.ts';
import { type KindName, kindByName } from './kinds.ts';
import { entryOf, type ManagedOf } from './ledger/entry.ts';
import type { Plan } from './plan.ts';

type Managed = Omit<ManagedOf, 'kind'> & { readonly kind: KindName };

export const entryFor = (salt: string, managed: Managed): LedgerEntry =>
  entryOf(salt, { ...managed, kind: kindByName(managed.kind) });

/**
 * Entries of a manifest set under the new local names of their objects, so that what is known of an object outlives
 * its renaming. `matches`: the live object that is meant by an object of the manifest, by its key.
 */
export function renamedEntries(
  ledger: Ledger,
  set: string,
  matches: ReadonlyMap<string, { readonly id: string }>,
): readonly LedgerEntry[] {
  const entries = entriesOf(ledger, set);
  const byObject = new Map([...entries.values()].map((entry) => [`${entry.kind} ${entry.id}`, entry]));
  return [...matches].flatMap(([key, { id }]) => {
    const [kind = ''] = key.split('.', 1);
    const entry = byObject.get(`${kind} ${id}`);
    return entry === undefined || entry.key === key ? [] : [{ ...entry, key }];
  });
}

/** The ledger with entries under the new names of their objects; the same one where none has another. */
export function withRenames(
  ledger: Ledger | undefined,
  set: string,
  matches: ReadonlyMap<string, { readonly id: string }>,
): Ledger | undefined {
  const put = ledger ? renamedEntries(ledger, set, matches) : [];
  return ledger && put.length > 0 ? changedLedger(ledger, { put }) : ledger;
}

/** A set that has its name from the files or folders that it was read from. */
interface NamedByFiles {
  readonly set: string;
  /** Absolute paths, links followed. */
  readonly source: readonly string[];
}

const between = ' + ';

/** Returns what the ledger keeps of where a set was read from; `undefined` where the set has a name of its own. */
export function keptSource(
  { seenFrom }: Pick<LedgerStore, 'seenFrom'>,
  set: string,
  source: readonly string[] | undefined,
): { readonly set: string; readonly path: string } | undefined {
  if (source === undefined) return undefined;
  const seen = (each: string): string => (seenFrom === undefined ? each : relative(seenFrom, each));
  return { set, path: source.map(seen).join(between) };
}

/** Other files of the same base name that were applied as the same set; one that is gone was moved. */
export function otherSources(
  host: Host,
  ledger: Ledger | undefined,
  store: Pick<LedgerStore, 'seenFrom'>,
  { set, source }: NamedByFiles,
): readonly string[] {
  const own = keptSource(store, set, source)?.path;
  return sourcesOf(ledger?.sources, set)
    .filter((each) => each !== own)
    .map((each) => each.split(between).map((path) => resolve(store.seenFrom ?? '', path)))
    .filter((paths) => paths.every((path) => host.files.kindOf(path) !== undefined))
    .map((paths) => paths.join(between));
}

/** Says that two manifests share a set, and what to do about it. */
export const sharedSet = ({ set, source }: NamedByFiles, [other = '']: readonly string[]): string =>
  `${source.join(between)} and ${other} are one manifest set, ${JSON.stringify(set)}, by the name of the file: each takes what the other describes for its own. Name them apart with "set: NAME" in the manifest, or --set-name`;

/** Returns the failure that says why nothing is pruned by a set that two manifests share. */
export const sharedSetFailure = (named: NamedByFiles, others: readonly string[]): Failure =>
  new Failure('refused', `${sharedSet(named, others)}. Nothing is pruned.`, {
    hint: `Where the two are meant to be one: --set-name ${JSON.stringify(named.set)}`,
  });

/** Ledgers in which an object may stand. */
interface LedgersOf {
  readonly store: Pick<LedgerStore, 'update'> | undefined;
  /** The one that the state has, where the user named another one. */
  readonly elsewhere: LedgerStore | undefined;
}

/**
 * Hands the objects that a plan takes from other manifest sets over to its own: what is known of them stays, so that
 * `--prune` of the new owner may delete what the old one created, and that of the old one leaves them alone.
 */
export async function takeOver({ store, elsewhere }: LedgersOf, { set, steps }: Plan): Promise<void> {
  const taken = steps.filter(({ takesFrom, id }) => takesFrom !== undefined && id !== undefined);
  if (taken.length === 0 || store === undefined) return;
  const movedFrom = (ledger: Ledger | undefined) => {
    const owners = otherOwners([ledger], set);
    return taken.flatMap(({ key, kind, id = '' }) => {
      const entries = owners.get(objectName({ kind, id })) ?? [];
      return entries.slice(0, 1).map((entry) => ({ put: { ...entry, set, key }, removed: entries }));
    });
  };
  const others = movedFrom(await elsewhere?.read());
  await store.update((ledger) => {
    const moved = movedFrom(ledger);
    return {
      // Another ledger has another salt, by which its hashes say nothing.
      put: [...others.map(({ put }) => withoutHashes(put)), ...moved.map(({ put }) => put)],
      removed: moved.flatMap(({ removed }) => removed),
    };
  });
  if (others.length > 0)
    await elsewhere?.update(() => ({ put: [], removed: others.flatMap(({ removed }) => removed) }));
}
