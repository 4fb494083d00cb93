import type { Ledger, LedgerEntry } from './ledger.ts';

/** Names an object of an account, whatever set manages it. */
export const objectName = ({ kind, id }: Pick<LedgerEntry, 'kind' | 'id'>): string => `${kind} ${id}`;

/** Entries that other manifest sets have of objects, by `objectName`. */
export function otherOwners(
  ledger: Ledger | undefined,
  set: string,
): ReadonlyMap<string, readonly LedgerEntry[]> {
  return Map.groupBy(ledger?.entries.filter((entry) => entry.set !== set) ?? [], objectName);
}

/** True for an object that any manifest set protects. */
export const isProtected = (ledger: Ledger | undefined, object: Pick<LedgerEntry, 'kind' | 'id'>): boolean =>
  ledger?.entries.some((entry) => entry.protect && objectName(entry) === objectName(object)) ?? false;
