import type { Store, StoredRecord } from '../store/store.ts';

const kind = 'list_entries';

export const entryScope = (accountId: string, listId: string): string => `${accountId}/${listId}`;

/** Reads the entries of a list. */
export async function entriesOf(
  store: Store,
  accountId: string,
  listId: string,
): Promise<readonly StoredRecord[]> {
  const scope = entryScope(accountId, listId);
  return store.stretch({ kind, scope, ascending: true, limit: await store.count(kind, scope) });
}
