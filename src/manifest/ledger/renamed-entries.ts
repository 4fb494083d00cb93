import type { Ledger, LedgerEntry } from '../../state/ledger.ts';
import { changedLedger, entriesOf } from '../../state/ledger.ts';

/**
 * Entries of a manifest set under the new local names of their objects, so that what is known of an object outlives
 * its renaming. `matches`: the live object that is meant by an object of the manifest, by its key.
 */
export function renamedEntries(
  ledger: Ledger,
  set: string,
  matches: ReadonlyMap<string, { readonly id: string }>,
): readonly LedgerEntry[] {
  const entries = entriesOf(ledger, set);
  const byObject = new Map([...entries.values()].map((entry) => [`${entry.kind} ${entry.id}`, entry]));
  return [...matches].flatMap(([key, { id }]) => {
    const [kind = ''] = key.split('.', 1);
    const entry = byObject.get(`${kind} ${id}`);
    return entry === undefined || entry.key === key ? [] : [{ ...entry, key }];
  });
}

/** The ledger with entries under the new names of their objects; the same one where none has another. */
export function withRenames(
  ledger: Ledger | undefined,
  set: string,
  matches: ReadonlyMap<string, { readonly id: string }>,
): Ledger | undefined {
  const put = ledger ? renamedEntries(ledger, set, matches) : [];
  return ledger && put.length > 0 ? changedLedger(ledger, { put }) : ledger;
}
