import { objectName, otherOwners } from '../../state/ledger.ts';
import type { LedgerStore } from '../../state/state.ts';
import type { Plan } from '../plan.ts';

/**
 * Hands the objects that a plan takes from other manifest sets over to its own: what is known of them stays, so that
 * `--prune` of the new owner may delete what the old one created, and that of the old one leaves them alone.
 */
export async function takeOver(store: Pick<LedgerStore, 'update'>, { set, steps }: Plan): Promise<void> {
  const taken = steps.filter(({ takesFrom, id }) => takesFrom !== undefined && id !== undefined);
  if (taken.length === 0) return;
  await store.update((ledger) => {
    const owners = otherOwners(ledger, set);
    const moved = taken.flatMap(({ key, kind, id = '' }) => {
      const entries = owners.get(objectName({ kind, id })) ?? [];
      return entries.slice(0, 1).map((entry) => ({ put: { ...entry, set, key }, removed: entries }));
    });
    return { put: moved.map(({ put }) => put), removed: moved.flatMap(({ removed }) => removed) };
  });
}
