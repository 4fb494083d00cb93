import type { LedgerStore } from './state.ts';

/**
 * The ledger of an account for a run whose objects are not managed: the run reads it and uses its salt, and adds no
 * entries. A run that is killed leaves nothing to recover.
 */
export const unmanagedLedger = (store: LedgerStore): LedgerStore => ({
  ...store,
  update: (change) =>
    store.update((ledger) => ({ ...change(ledger), put: [], removed: [], source: undefined })),
  setBehind: async () => undefined,
});
