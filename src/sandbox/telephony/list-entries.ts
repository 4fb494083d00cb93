import { compiled } from '../../contract/call-patterns.ts';
import { textAt } from '../fields.ts';
import type { Store, StoredRecord } from '../store/store.ts';

const kind = 'list_entries';

/** Scope of the entries of a list. */
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

/**
 * Finds the entry that a caller's number fits: the longest number or prefix that its digits begin with, else the first
 * expression that the whole number fits. A number that is kept with a plus sign fits nobody (Conventions, Lists).
 */
export function entryFor(entries: readonly StoredRecord[], number: string): StoredRecord | undefined {
  const digits = number.replace(/^\+/, '');
  const startOf = ({ body }: StoredRecord): string => textAt(body, 'number') ?? textAt(body, 'prefix') ?? '';
  const begun = entries
    .filter((entry) => startOf(entry) !== '' && digits.startsWith(startOf(entry)))
    .toSorted((one, other) => startOf(other).length - startOf(one).length);
  return (
    begun[0] ??
    entries.find(({ body }) => {
      const pattern = textAt(body, 'regexp') ?? textAt(body, 'pattern');
      return pattern !== undefined && compiled(pattern)?.test(number) === true;
    })
  );
}
