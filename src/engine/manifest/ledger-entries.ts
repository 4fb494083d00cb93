import { relative, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { type JsonObject, omitUndefined, splitPath } from '../../base/json.ts';
import type { LedgerKeeper } from '../state/keep-ledger.ts';
import {
  changedLedger,
  entriesOf,
  findSourcePaths,
  type Ledger,
  type LedgerEntry,
  objectName,
  otherOwners,
  withoutHashes,
} from '../state/ledger.ts';
import { objectKey } from '../state/log.ts';
import type { RunPart } from '../state/runs.ts';
import type { LedgerStore } from '../state/state.ts';
import { withReferences } from './desired.ts';
import { type Kind, type KindName, kindByName } from './kinds.ts';
import { entryOf, fileHash, listLeaves, type ManagedOf } from './ledger/hashing.ts';
import { isMadeFor } from './own-ids.ts';
import type { Observed, Performed, Plan, Step } from './plan.ts';

interface EntryFacts {
  readonly nowMs: number;
  confidential(key: string): readonly string[];
}

/** Returns `undefined` if the object has no entry any more. */
export function entryAfterStep(
  plan: Plan,
  step: Step,
  { id, answer }: Performed,
  ledger: LedgerKeeper,
  { nowMs, confidential }: EntryFacts,
): LedgerEntry | undefined {
  const { set } = plan;
  const { kind, protect, managed, by, releases } = step;
  if (by === 'delete' || by === 'call' || releases !== undefined) return undefined;
  const key = objectKey(step);
  const before = ledger.entry(set, key);
  const known = before?.id === id ? before : undefined;
  const origin = by === 'create' ? 'created' : findOrigin(plan, key, id, known);
  const { record, atSeconds } = answer;
  const file =
    by === 'upload' ? fileEntry(ledger, step, id, record) : before?.id === id ? before.file : undefined;
  const object = { set, key, kind, id, origin, protect, confidential: confidential(key), fields: managed };
  return entryFor(ledger.salt, { ...object, record, atSeconds, nowMs, file });
}

function findOrigin(
  { set, account, doubles = [] }: Plan,
  key: string,
  id: string,
  known: LedgerEntry | undefined,
): LedgerEntry['origin'] {
  const origin = known?.origin ?? (isMadeFor({ accountId: account.id, set }, key, id) ? 'created' : 'found');
  const isAdopted = doubles.some((each) => each.deleted && each.key === key);
  return origin === 'found' && isAdopted ? 'adopted' : origin;
}

function fileEntry(
  { salt }: Pick<LedgerKeeper, 'salt'>,
  { kind, file }: Step,
  id: string,
  record: JsonObject | undefined,
): LedgerEntry['file'] {
  if (file === undefined) return undefined;
  const bytes = record?.content_length;
  const hash = fileHash(salt, { kind, id }, file.sha256);
  return omitUndefined({ hash, bytes: typeof bytes === 'number' ? bytes : undefined });
}

/** If more objects changed in different seconds, they share one second. */
const fewSeconds = 10;

/** Confirms unchanged objects. With `onlyNews`, entries that differ only in time are not written. */
export function confirmUnchanged(
  plan: Plan,
  observed: Observed,
  ledger: Pick<LedgerKeeper, 'salt' | 'entry' | 'put'>,
  { onlyNews, ...facts }: EntryFacts & { readonly onlyNews: boolean },
): void {
  const seconds = new Set(plan.steps.map(({ key }) => ledger.entry(plan.set, key)?.seen));
  // Writing thousands of entries takes longer than reading a few more lists next time.
  const gathers = seconds.size > fewSeconds;
  for (const step of plan.steps) {
    if (step.by !== undefined) continue;
    const before = ledger.entry(plan.set, step.key);
    // The object stays in the set that manages it.
    if (step.takesFrom !== undefined && before === undefined) continue;
    const isKnown =
      before?.protect === step.protect && observed.matches.get(step.key)?.known === 'as-applied';
    if (isKnown && !gathers) continue;
    const entry = confirmedEntry(plan, observed, ledger, step, before, facts);
    if (entry && !(onlyNews && before && equalsIgnoringTimes(entry, before))) ledger.put(entry);
  }
}

function confirmedEntry(
  plan: Plan,
  { matches, atSeconds }: Observed,
  { salt }: Pick<LedgerKeeper, 'salt'>,
  step: Step,
  before: LedgerEntry | undefined,
  { nowMs, confidential }: EntryFacts,
): LedgerEntry | undefined {
  const { key, kind, protect, managed } = step;
  const { set } = plan;
  const live = matches.get(key);
  if (live === undefined) return undefined;
  const { id, record } = live;
  const known = before?.id === id ? before : undefined;
  if (record === undefined)
    return known && live.known === 'as-applied'
      ? { ...known, protect, seen: Math.max(known.seen, atSeconds ?? 0), appliedMs: nowMs }
      : undefined;
  const origin = findOrigin(plan, key, id, known);
  const fields = withReferences(managed, (target) => matches.get(target)?.id);
  const file = fileEntry({ salt }, step, id, record);
  const object = { set, key, kind, id, origin, protect, confidential: confidential(key), fields };
  return entryFor(salt, { ...object, record, atSeconds, nowMs, file });
}

const equalsIgnoringTimes = (one: LedgerEntry, other: LedgerEntry): boolean =>
  JSON.stringify({ ...one, seen: 0, appliedMs: 0 }) === JSON.stringify({ ...other, seen: 0, appliedMs: 0 });

/** Returns `undefined` if the object has no entry any more. */
export function entryAfterUndo(
  { start: { set }, steps }: RunPart,
  step: Step,
  { id, answer }: Performed,
  ledger: LedgerKeeper,
  nowMs: number,
): LedgerEntry | undefined {
  if (step.by === 'delete' || step.releases !== undefined) return undefined;
  const kind = kindByName(step.kind);
  const own = objectKey(step);
  const before = steps.find(({ planned }) => planned.key === own)?.begin?.entry;
  const touched = listLeaves(kind.schema, step.managed).map(({ path }) => path);
  if (step.by === 'create' || step.completes !== undefined) {
    if (!before) return undefined;
    const { record, atSeconds } = answer;
    const { key, origin, protect, confidential } = before;
    const fields = pickFields(kind, step, Object.keys(before.fields));
    const object = { set, key, kind: step.kind, id, origin, protect, confidential, fields };
    return entryFor(ledger.salt, { ...object, record, atSeconds, nowMs });
  }
  const now = ledger.entry(set, own);
  const base = now ?? before;
  if (!base) return undefined;
  const { whole: _, ...rest } = base;
  const { record, atSeconds } = answer;
  const sent = { ...base, kind: step.kind, id, fields: step.managed, record, atSeconds, nowMs };
  const restored = before && hashesWithNewIds(before, entryFor(ledger.salt, sent));
  const fields = replaceHashes(now?.fields, restored?.fields, touched);
  const given = replaceHashes(now?.given, restored?.given, touched);
  if (!before && Object.keys(fields).length === 0) return undefined;
  return { ...rest, origin: before?.origin ?? base.origin, fields, given, seen: 0, appliedMs: nowMs };
}

/** Values that refer to recreated records have the hashes of the sent values. */
function hashesWithNewIds(before: LedgerEntry, sent: LedgerEntry): Pick<LedgerEntry, 'fields' | 'given'> {
  const isChangedHash = (path: string): boolean => {
    const hash = sent.fields[path];
    return hash !== undefined && hash !== before.fields[path] && hash !== before.given[path];
  };
  const paths = Object.keys(before.fields).filter(isChangedHash);
  return {
    fields: replaceHashes(before.fields, sent.fields, paths),
    given: replaceHashes(before.given, sent.given, paths),
  };
}

type Hashes = Readonly<Record<string, string>>;

function replaceHashes(now: Hashes = {}, before: Hashes = {}, paths: readonly string[]): Hashes {
  const set = new Set(paths);
  return Object.fromEntries([
    ...Object.entries(now).filter(([path]) => !set.has(path)),
    ...Object.entries(before).filter(([path]) => set.has(path)),
  ]);
}

function pickFields(kind: Kind, { managed }: Step, paths: readonly string[]): JsonObject {
  const wanted = new Set(paths);
  const names = new Set(
    listLeaves(kind.schema, managed).flatMap(({ path }) =>
      wanted.has(path) ? splitPath(path).slice(0, 1) : [],
    ),
  );
  return Object.fromEntries(Object.entries(managed).filter(([key]) => names.has(key)));
}

type Managed = Omit<ManagedOf, 'kind'> & { readonly kind: KindName };

export const entryFor = (salt: string, managed: Managed): LedgerEntry =>
  entryOf(salt, { ...managed, kind: kindByName(managed.kind) });

/** Returns entries of a set whose objects have new local names. */
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

export function applyRenames(
  ledger: Ledger | undefined,
  set: string,
  matches: ReadonlyMap<string, { readonly id: string }>,
): Ledger | undefined {
  const put = ledger ? renamedEntries(ledger, set, matches) : [];
  return ledger && put.length > 0 ? changedLedger(ledger, { put }) : ledger;
}

interface NamedByFiles {
  readonly set: string;
  /** Absolute paths with links resolved. */
  readonly source: readonly string[];
}

const between = ' + ';

/** Returns the recorded files of a set, or `undefined` if the set has a name. */
export function storedSource(
  { seenFrom }: Pick<LedgerStore, 'seenFrom'>,
  set: string,
  source: readonly string[] | undefined,
): { readonly set: string; readonly path: string } | undefined {
  if (source === undefined) return undefined;
  const storedPath = (each: string): string => (seenFrom === undefined ? each : relative(seenFrom, each));
  return { set, path: source.map(storedPath).join(between) };
}

/** Returns other existing files that were applied as the same set. */
export function otherSources(
  host: Host,
  ledger: Ledger | undefined,
  store: Pick<LedgerStore, 'seenFrom'>,
  { set, source }: NamedByFiles,
): readonly string[] {
  const own = storedSource(store, set, source)?.path;
  return findSourcePaths(ledger?.sources, set)
    .filter((each) => each !== own)
    .map((each) => each.split(between).map((path) => resolve(store.seenFrom ?? '', path)))
    .filter((paths) => paths.every((path) => host.files.kindOf(path) !== undefined))
    .map((paths) => paths.join(between));
}

/** Describes two manifests that share a set, and how to separate them. */
export const describeSharedSet = ({ set, source }: NamedByFiles, [other = '']: readonly string[]): string =>
  `${source.join(between)} and ${other} use the same manifest set, ${JSON.stringify(set)}, because it is named after the file. Give one of them another name with "set: NAME" in the manifest, or --set-name`;

export const sharedSetFailure = (named: NamedByFiles, others: readonly string[]): Failure =>
  new Failure('refused', `${describeSharedSet(named, others)}. No objects were pruned.`, {
    hint: `If both are parts of one set: --set-name ${JSON.stringify(named.set)}`,
  });

/** Moves entries of objects that a plan takes from other sets, so that `--prune` deletes them with the new set. */
export async function takeOverObjects(
  { store, elsewhere }: Readonly<Record<'store' | 'elsewhere', LedgerStore | undefined>>,
  { set, steps }: Plan,
): Promise<void> {
  const taken = steps.filter(({ takesFrom, id }) => takesFrom !== undefined && id !== undefined);
  if (taken.length === 0 || store === undefined) return;
  const findMovedEntries = (ledger: Ledger | undefined) => {
    const owners = otherOwners([ledger], set);
    return taken.flatMap(({ key, kind, id = '' }) => {
      const entries = owners.get(objectName({ kind, id })) ?? [];
      return entries.slice(0, 1).map((entry) => ({ put: { ...entry, set, key }, removed: entries }));
    });
  };
  const others = findMovedEntries(await elsewhere?.read());
  await store.update((ledger) => {
    const moved = findMovedEntries(ledger);
    return {
      // Hashes of another ledger have another salt.
      put: [...others.map(({ put }) => withoutHashes(put)), ...moved.map(({ put }) => put)],
      removed: moved.flatMap(({ removed }) => removed),
    };
  });
  if (others.length > 0)
    await elsewhere?.update(() => ({ put: [], removed: others.flatMap(({ removed }) => removed) }));
}
