import type { JsonObject } from '../../base/json.ts';
import type { LedgerKeeper } from '../../state/keep-ledger.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import { objectKey } from '../../state/log.ts';
import type { RunPart } from '../../state/runs.ts';
import { type Kind, kindByName } from '../kinds.ts';
import { keysOf, leavesOf } from '../ledger/leaves.ts';
import { entryFor } from '../ledger/make-entry.ts';
import type { Step } from '../plan.ts';
import type { Performed } from './perform.ts';

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

/** Hashes of now, but at some paths those of before. */
function replaced(now: Hashes = {}, before: Hashes = {}, paths: readonly string[]): Hashes {
  const set = new Set(paths);
  return Object.fromEntries([
    ...Object.entries(now).filter(([path]) => !set.has(path)),
    ...Object.entries(before).filter(([path]) => set.has(path)),
  ]);
}

/** The fields of a step that hold some paths. */
function picked(kind: Kind, { managed }: Step, paths: readonly string[]): JsonObject {
  const wanted = new Set(paths);
  const names = new Set(
    leavesOf(kind.schema, managed).flatMap(({ path }) => (wanted.has(path) ? keysOf(path).slice(0, 1) : [])),
  );
  return Object.fromEntries(Object.entries(managed).filter(([key]) => names.has(key)));
}
