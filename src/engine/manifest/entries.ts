import { isObject, type JsonObject } from '../../base/json.ts';
import type { LedgerKeeper } from '../state/keep-ledger.ts';
import type { LedgerEntry } from '../state/ledger.ts';
import { objectKey } from '../state/log.ts';
import type { RunPart } from '../state/runs.ts';
import { withReferences } from './desired.ts';
import { type Kind, kindByName } from './kinds.ts';
import { fileHash, keysOf, leavesOf } from './ledger/hashing.ts';
import { entryFor } from './ledger.ts';
import { isMadeFor } from './own-ids.ts';
import type { Observed, Plan, Step } from './plan.ts';
import type { Performed } from './report.ts';

/** Facts that entries hold besides what was sent and given back. */
interface EntryFacts {
  readonly nowMs: number;
  /** Dotted paths of an object whose values came from outside the manifest. */
  confidential(key: string): readonly string[];
}

/** Returns the ledger's entry of an object after its step was done; `undefined`: no entry any more. */
export function entryDone(
  plan: Plan,
  step: Step,
  { id, answer }: Performed,
  ledger: LedgerKeeper,
  { nowMs, confidential }: EntryFacts,
): LedgerEntry | undefined {
  const { set } = plan;
  const { kind, protect, managed, by, releases } = step;
  if (by === 'delete' || releases !== undefined) return undefined;
  const key = objectKey(step);
  const before = ledger.entry(set, key);
  const known = before?.id === id ? before : undefined;
  const origin = by === 'create' ? 'created' : originOf(plan, key, id, known);
  const { record, atSeconds } = answer;
  const file =
    by === 'upload' ? fileOf(ledger, step, id, record) : before?.id === id ? before.file : undefined;
  return entryFor(ledger.salt, {
    set,
    key,
    kind,
    id,
    origin,
    protect,
    confidential: confidential(key),
    fields: managed,
    record,
    atSeconds,
    nowMs,
    ...(file === undefined ? {} : { file }),
  });
}

/** The origin of an object that was there: as the ledger knows it, or as its id, or the plan, says. */
function originOf(
  { set, account, doubles = [] }: Plan,
  key: string,
  id: string,
  known: LedgerEntry | undefined,
): LedgerEntry['origin'] {
  const origin = known?.origin ?? (isMadeFor({ accountId: account.id, set }, key, id) ? 'created' : 'found');
  const isAdopted = doubles.some((each) => each.deleted && each.key === key);
  return origin === 'found' && isAdopted ? 'adopted' : origin;
}

/** What the ledger keeps of the file of an object; nothing where the manifest names none. */
function fileOf(
  { salt }: Pick<LedgerKeeper, 'salt'>,
  { kind, file }: Step,
  id: string,
  record: JsonObject | undefined,
): LedgerEntry['file'] {
  if (file === undefined) return undefined;
  const bytes = record?.content_length;
  return { hash: fileHash(salt, { kind, id }, file.sha256), ...(typeof bytes === 'number' ? { bytes } : {}) };
}

/** In how many seconds objects may have been seen last before one second is noted for all that were not changed. */
const fewSeconds = 10;

/**
 * Notes in the ledger what was found to be as the manifest wants it. `onlyNews`: not where all that would change is
 * when that was (a ledger in a repository).
 */
export function confirmUnchanged(
  plan: Plan,
  observed: Observed,
  ledger: Pick<LedgerKeeper, 'salt' | 'entry' | 'put'>,
  { onlyNews, ...facts }: EntryFacts & { readonly onlyNews: boolean },
): void {
  const seconds = new Set(plan.steps.map(({ key }) => ledger.entry(plan.set, key)?.seen));
  // Writing thousands of entries anew costs more than reading a few lists more the next time.
  const gathers = seconds.size > fewSeconds;
  for (const step of plan.steps) {
    if (step.by !== undefined) continue;
    const before = ledger.entry(plan.set, step.key);
    // It stays with the set that manages it.
    if (step.takesFrom !== undefined && before === undefined) continue;
    const isKnown =
      before?.protect === step.protect && observed.matches.get(step.key)?.known === 'as-applied';
    if (isKnown && !gathers) continue;
    const entry = confirmed(plan, observed, ledger, step, before, facts);
    if (entry && !(onlyNews && before && saysTheSame(entry, before))) ledger.put(entry);
  }
}

function confirmed(
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
  const origin = originOf(plan, key, id, known);
  const fields = resolved(managed, matches);
  const file = fileOf({ salt }, step, id, record);
  return entryFor(salt, {
    set,
    key,
    kind,
    id,
    origin,
    protect,
    fields,
    record,
    atSeconds,
    nowMs,
    ...(file === undefined ? {} : { file }),
    confidential: confidential(key),
  });
}

function resolved(fields: JsonObject, matches: Observed['matches']): JsonObject {
  const filled = withReferences(fields, (key) => matches.get(key)?.id);
  return isObject(filled) ? filled : {};
}

/** Tells whether two entries differ only in when they were made. */
const saysTheSame = (one: LedgerEntry, other: LedgerEntry): boolean =>
  JSON.stringify({ ...one, seen: 0, appliedMs: 0 }) === JSON.stringify({ ...other, seen: 0, appliedMs: 0 });

/**
 * Returns the ledger's entry of an object after it was set back: for restored values, what it said before the run;
 * for an object created again, its values under the new id. `undefined`: no entry any more.
 */
export function entryUndone(
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
  const touched = leavesOf(kind.schema, step.managed).map(({ path }) => path);
  if (step.by === 'create' || step.completes !== undefined) {
    if (!before) return undefined;
    const { record, atSeconds } = answer;
    const { key, origin, protect, confidential } = before;
    const fields = picked(kind, step, Object.keys(before.fields));
    return entryFor(ledger.salt, {
      set,
      key,
      kind: step.kind,
      id,
      origin,
      protect,
      confidential,
      fields,
      record,
      atSeconds,
      nowMs,
    });
  }
  const now = ledger.entry(set, own);
  const base = now ?? before;
  if (!base) return undefined;
  const { whole: _, ...rest } = base;
  const fields = replaced(now?.fields, before?.fields, touched);
  const given = replaced(now?.given, before?.given, touched);
  if (!before && Object.keys(fields).length === 0) return undefined;
  return { ...rest, origin: before?.origin ?? base.origin, fields, given, seen: 0, appliedMs: nowMs };
}

type Hashes = Readonly<Record<string, string>>;

function replaced(now: Hashes = {}, before: Hashes = {}, paths: readonly string[]): Hashes {
  const set = new Set(paths);
  return Object.fromEntries([
    ...Object.entries(now).filter(([path]) => !set.has(path)),
    ...Object.entries(before).filter(([path]) => set.has(path)),
  ]);
}

function picked(kind: Kind, { managed }: Step, paths: readonly string[]): JsonObject {
  const wanted = new Set(paths);
  const names = new Set(
    leavesOf(kind.schema, managed).flatMap(({ path }) => (wanted.has(path) ? keysOf(path).slice(0, 1) : [])),
  );
  return Object.fromEntries(Object.entries(managed).filter(([key]) => names.has(key)));
}
