import { withoutHashes } from './keep-ledger.ts';
import type { LedgerChange, LedgerEntry } from './ledger.ts';
import { isDone, type RunPart, type Runs, readRun } from './runs.ts';
import type { LedgerStore } from './state.ts';

/**
 * Makes the ledger of an account good after a run that was killed, from the log. To be called while the account is
 * locked, before anything is planned.
 */
export async function recoverLedger(runs: Runs, ledger: LedgerStore): Promise<void> {
  const behind = await ledger.behind();
  if (behind === undefined) return;
  const run = await readRun(runs, behind);
  const parts = run?.parts.filter(
    ({ start: { account } }) => account.id === ledger.accountId && account.origin === ledger.origin,
  );
  for (const part of parts ?? []) {
    const change = changeOf(part);
    await ledger.update((now) =>
      now.salt === part.start.salt ? change : { ...change, put: change.put.map(withoutHashes) },
    );
  }
  await ledger.setBehind(undefined);
}

function changeOf({ start: { set }, steps }: RunPart): LedgerChange {
  const done = steps.filter(isDone);
  return {
    put: done.flatMap(({ end }): readonly LedgerEntry[] => (end?.entry ? [end.entry] : [])),
    removed: done.flatMap(({ planned, end }) =>
      planned.action === 'delete' && !end?.entry ? [{ set, key: planned.key }] : [],
    ),
  };
}
