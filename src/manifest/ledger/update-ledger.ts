import type { Host } from '../../host/host.ts';
import { changedLedger, isChange, type LedgerChange } from './change-ledger.ts';
import type { Ledger } from './ledger.ts';
import { type LedgerPlace, newLedger, readLedger, writeLedger } from './ledger-file.ts';
import { ledgerTrouble } from './ledger-trouble.ts';

/**
 * Changes the ledger of an account as it is now, whatever others wrote into it meanwhile; makes it where there is
 * none. Waits for other processes that do the same. Throws as `readLedger`, and `failed` where it cannot be written. Entries were hashed with a salt: where
 * the file was made anew meanwhile, `change` gets another one.
 */
export async function updateLedger(
  host: Host,
  place: LedgerPlace,
  change: (ledger: Ledger) => LedgerChange,
): Promise<Ledger> {
  try {
    return await host.files.withLock(place.path, async () => changedAt(host, place, change));
  } catch (error) {
    throw ledgerTrouble(place.shown, 'written', error);
  }
}

function changedAt(host: Host, place: LedgerPlace, change: (ledger: Ledger) => LedgerChange): Ledger {
  const known = readLedger(host, place);
  const before = known ?? newLedger(host, place);
  const wanted = change(before);
  if (known && !isChange(known, wanted)) return known;
  const after = changedLedger(before, wanted);
  writeLedger(host, place, after);
  return after;
}
