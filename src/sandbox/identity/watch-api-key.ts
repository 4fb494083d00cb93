import { textAt } from '../fields.ts';
import type { Change, Store } from '../store/store.ts';

/** The API key that a change gives an account. */
function newKeyIn(change: Change, accountId: string): string | undefined {
  if (change.change !== 'put') return undefined;
  const { kind, id, hidden } = change.record;
  return kind === 'accounts' && id === accountId ? textAt(hidden, 'api_key') : undefined;
}

/** Tells of every API key that an account is given from now on. */
export function watchApiKey(store: Store, accountId: string, tell: (apiKey: string) => void): void {
  store.watch((changes) => {
    for (const change of changes) {
      const apiKey = newKeyIn(change, accountId);
      if (apiKey !== undefined) tell(apiKey);
    }
  });
}
