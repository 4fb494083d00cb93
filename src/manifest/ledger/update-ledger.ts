import type { Host } from '../../host/host.ts';
import { changedLedger, type LedgerChange } from './change-ledger.ts';
import type { Ledger } from './ledger.ts';
import { type LedgerPlace, newLedger, readLedger, writeLedger } from './ledger-file.ts';

/**
 * Changes the ledger of an account as it is now, whatever others wrote into it meanwhile; makes it where there is
 * none. Waits for other processes that do the same. Throws as `readLedger`. Entries were hashed with a salt: where
 * the file was made anew meanwhile, `change` gets another one.
 */
export function updateLedger(
  host: Host,
  place: LedgerPlace,
  change: (ledger: Ledger) => LedgerChange,
): Promise<Ledger> {
  return host.files.withLock(place.path, async () => {
    const before = readLedger(host, place) ?? newLedger(host, place);
    const after = changedLedger(before, change(before));
    writeLedger(host, place, after);
    return after;
  });
}
