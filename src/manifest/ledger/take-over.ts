import type { Host } from '../../host/host.ts';
import type { Plan } from '../plan.ts';
import type { LedgerPlace } from './ledger-file.ts';
import { objectName, otherOwners } from './owners.ts';
import { updateLedger } from './update-ledger.ts';

/**
 * Hands the objects that a plan takes from other manifest sets over to its own: what is known of them stays, so that
 * `--prune` of the new owner may delete what the old one created, and that of the old one leaves them alone.
 */
export async function takeOver(host: Host, place: LedgerPlace, { set, steps }: Plan): Promise<void> {
  const taken = steps.filter(({ takesFrom, id }) => takesFrom !== undefined && id !== undefined);
  if (taken.length === 0) return;
  await updateLedger(host, place, (ledger) => {
    const owners = otherOwners(ledger, set);
    const moved = taken.flatMap(({ key, kind, id = '' }) => {
      const entries = owners.get(objectName({ kind, id })) ?? [];
      return entries.slice(0, 1).map((entry) => ({ put: { ...entry, set, key }, removed: entries }));
    });
    return { put: moved.map(({ put }) => put), removed: moved.flatMap(({ removed }) => removed) };
  });
}
