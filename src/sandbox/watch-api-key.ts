import { textAt } from './fields.ts';
import type { Change, Store } from './store.ts';

/** The API key that a change gives an account. */
function newKeyIn(change: Change, accountId: string): string | undefined {
  if (change.change !== 'put') return undefined;
  const { kind, id, hidden } = change.record;
  return kind === 'accounts' && id === accountId ? textAt(hidden, 'api_key') : undefined;
}

/** The same store, telling of every API key that an account has been given. */
export function watchApiKey(store: Store, accountId: string, tell: (apiKey: string) => void): Store {
  return {
    get: (name) => store.get(name),
    holder: (claim) => store.holder(claim),
    stretch: (stretch) => store.stretch(stretch),
    count: (kind, scope, key) => store.count(kind, scope, key),
    setting: (name) => store.setting(name),
    close: () => store.close(),
    async commit(changes) {
      await store.commit(changes);
      for (const change of changes) {
        const apiKey = newKeyIn(change, accountId);
        if (apiKey !== undefined) tell(apiKey);
      }
    },
  };
}
