import type { LedgerStore } from './state.ts';

/** The ledger of a run that does not manage its objects: the run uses its salt but adds no entries. */
export const unmanagedLedger = (store: LedgerStore): LedgerStore => ({
  ...store,
  update: (change) =>
    store.update((ledger) => ({ ...change(ledger), put: [], removed: [], source: undefined })),
  setBehind: async () => undefined,
});
