import type { Change, Store } from '../store.ts';

/** Commits what became of deliveries, of many at a time. */
export class Outcomes {
  readonly #store: Store;
  #changes: Change[] = [];
  #committing: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Takes changes to be committed soon. */
  add(changes: readonly Change[]): void {
    this.#changes.push(...changes);
    this.#committing ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        const taken = this.#changes;
        this.#changes = [];
        this.#committing = undefined;
        this.#store.commit(taken).then(resolve, reject);
      });
    });
  }

  /** Resolves when all that was taken is committed. */
  async committed(): Promise<void> {
    await this.#committing;
  }
}
