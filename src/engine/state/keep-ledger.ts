import {
  entryName,
  isChange,
  type Ledger,
  type LedgerChange,
  type LedgerEntry,
  withoutHashes,
} from './ledger.ts';
import { isDone, type RunPart, type Runs, readRun } from './runs.ts';
import type { LedgerStore } from './state.ts';

export interface LedgerKeeper {
  readonly salt: string;
  entry(set: string, key: string): LedgerEntry | undefined;
  put(entry: LedgerEntry): void;
  remove(set: string, key: string): void;
  save(): Promise<void>;
  /** Saves if enough time has passed since the last save. */
  saveIfDue(nowMs: number): Promise<void>;
}

/** Milliseconds that a change may be missing in the ledger. The log contains it. */
const savedEveryMs = 30_000;

/** `unfiltered` contains kinds whose lists ignore filters by time. */
export function keepLedger(
  ledger: Ledger,
  startMs: number,
  { update, unfiltered }: Pick<LedgerStore, 'update'> & { readonly unfiltered: ReadonlySet<string> },
): LedgerKeeper {
  let savedMs = startMs;
  let put = new Map<string, LedgerEntry>();
  let removed = new Map<string, Pick<LedgerEntry, 'set' | 'key'>>();
  const known = new Map(ledger.entries.map((entry) => [entryName(entry), entry]));

  const save = async (): Promise<void> => {
    const change = { put: [...put.values()], removed: [...removed.values()], unfiltered };
    if (!isChange(ledger, change)) return;
    put = new Map();
    removed = new Map();
    await update(saltedChange(change, ledger.salt));
  };
  return {
    salt: ledger.salt,
    entry: (set, key) => known.get(entryName({ set, key })),
    put(entry) {
      const name = entryName(entry);
      known.set(name, entry);
      removed.delete(name);
      put.set(name, entry);
    },
    remove(set, key) {
      const name = entryName({ set, key });
      known.delete(name);
      put.delete(name);
      removed.set(name, { set, key });
    },
    save,
    async saveIfDue(nowMs) {
      if (nowMs - savedMs < savedEveryMs) return;
      savedMs = nowMs;
      await save();
    },
  };
}

/** Adds the changes of killed runs from the log. The account must be locked. */
export async function recoverLedger(runs: Runs, ledger: LedgerStore): Promise<void> {
  const behind = await ledger.behind();
  if (behind === undefined) return;
  const run = await readRun(runs, behind);
  const parts = run?.parts.filter(
    ({ start: { account } }) => account.id === ledger.accountId && account.origin === ledger.origin,
  );
  for (const part of parts ?? []) await ledger.update(saltedChange(runChange(part), part.start.salt));
  await ledger.setBehind(undefined);
}

/** If the ledger was replaced meanwhile, it has another salt, and the hashes are dropped. */
const saltedChange =
  (change: LedgerChange, salt: string) =>
  (now: Ledger): LedgerChange =>
    now.salt === salt ? change : { ...change, put: change.put.map(withoutHashes) };

function runChange({ start: { set }, steps }: RunPart): LedgerChange {
  const done = steps.filter(isDone);
  return {
    put: done.flatMap(({ end }): readonly LedgerEntry[] => (end?.entry ? [end.entry] : [])),
    removed: done.flatMap(({ planned, end }) =>
      planned.action === 'delete' && !end?.entry ? [{ set, key: planned.key }] : [],
    ),
  };
}
