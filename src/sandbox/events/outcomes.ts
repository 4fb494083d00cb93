import type { Change, Store } from '../store.ts';

/** How long an outcome may wait for others to be committed with it: a commit costs more than what is in it. */
const patienceMs = 5;

/** Commits what became of deliveries, of many at a time. */
export class Outcomes {
  readonly #store: Store;
  #changes: Change[] = [];
  #timer: NodeJS.Timeout | undefined;
  #committing: Promise<void> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Takes changes to be committed soon. */
  add(changes: readonly Change[]): void {
    this.#changes.push(...changes);
    this.#timer ??= setTimeout(() => this.#commit(), patienceMs);
  }

  /** Commits all that was taken, now. */
  async committed(): Promise<void> {
    this.#commit();
    await this.#committing;
  }

  #commit(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changes.length === 0) return;
    const taken = this.#changes;
    this.#changes = [];
    this.#committing = this.#store.commit(taken);
  }
}
