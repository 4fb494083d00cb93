import type { Store } from '../../src/extensions/sandbox/store/store.ts';

export interface FailingStore {
  readonly store: Store;
  /** Makes matching commits fail from now on, or none with `undefined`. */
  failOn(isFailing: ((...changes: Parameters<Store['commit']>) => boolean) | undefined): void;
}

/** Wraps a store so that its disk can be full. */
export function failingStore(kept: Store): FailingStore {
  let failing: ((...changes: Parameters<Store['commit']>) => boolean) | undefined;
  const commit: Store['commit'] = async (changes) => {
    if (failing?.(changes)) throw new Error('database or disk is full');
    return kept.commit(changes);
  };
  const store = new Proxy(kept, {
    get(target, name) {
      if (name === 'commit') return commit;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    store,
    failOn: (isFailing) => {
      failing = isFailing;
    },
  };
}
