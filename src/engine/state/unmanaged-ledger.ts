import type { LedgerStore } from './state.ts';

/** For a run that uses the salt of a ledger but adds no entries. */
export const unmanagedLedger = (store: LedgerStore): LedgerStore => ({
  ...store,
  update: (change) =>
    store.update((ledger) => ({ ...change(ledger), put: [], removed: [], source: undefined })),
  setBehind: async () => undefined,
});
