import { isObject, type JsonObject } from '../../base/json.ts';
import type { LedgerKeeper } from '../../state/keep-ledger.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import { objectKey } from '../../state/log.ts';
import { withReferences } from '../desired/references.ts';
import { entryFor } from '../ledger/make-entry.ts';
import type { Observed } from '../observed.ts';
import type { Plan, Step } from '../plan.ts';
import type { Performed } from './perform.ts';

/** Facts that entries hold besides what was sent and given back. */
export interface EntryFacts {
  readonly nowMs: number;
  /** Dotted paths of an object whose values came from outside the manifest. */
  confidential(key: string): readonly string[];
}

/** Returns the ledger's entry of an object after its step was done; `undefined`: no entry any more. */
export function entryDone(
  { set }: Plan,
  step: Step,
  { id, answer }: Performed,
  ledger: LedgerKeeper,
  { nowMs, confidential }: EntryFacts,
): LedgerEntry | undefined {
  const { kind, protect, managed, by, releases } = step;
  if (by === 'delete' || releases !== undefined) return undefined;
  const key = objectKey(step);
  const before = ledger.entry(set, key);
  const origin = by === 'create' ? 'created' : before?.id === id ? before.origin : 'found';
  const { record, atSeconds } = answer;
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
  });
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
  ledger: LedgerKeeper,
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
  { set }: Plan,
  { matches, atSeconds }: Observed,
  { salt }: LedgerKeeper,
  { key, kind, protect, managed }: Step,
  before: LedgerEntry | undefined,
  { nowMs, confidential }: EntryFacts,
): LedgerEntry | undefined {
  const live = matches.get(key);
  if (live === undefined) return undefined;
  const { id, record } = live;
  const known = before?.id === id ? before : undefined;
  if (record === undefined)
    return known && live.known === 'as-applied'
      ? { ...known, protect, seen: Math.max(known.seen, atSeconds ?? 0), appliedMs: nowMs }
      : undefined;
  const origin = known?.origin ?? 'found';
  const fields = resolved(managed, matches);
  return entryFor(salt, {
    ...{ set, key, kind, id, origin, protect, fields, record, atSeconds, nowMs },
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
