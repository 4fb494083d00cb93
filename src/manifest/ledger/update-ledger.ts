import type { Host } from '../../host/host.ts';
import { changedLedger, isChange, type LedgerChange } from './change-ledger.ts';
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
    const known = readLedger(host, place);
    const before = known ?? newLedger(host, place);
    const wanted = change(before);
    if (known && !isChange(known, wanted)) return known;
    const after = changedLedger(before, wanted);
    writeLedger(host, place, after);
    return after;
  });
}
