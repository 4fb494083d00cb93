import type { Timers } from '../../host/host.ts';
import type { Change, Store } from '../store/store.ts';

/** Time for which outcomes wait for others, and the number of them that wait no longer. */
const patienceMs = 20;
const most = 400;
/** Wait, on the machine's clock, after a commit that failed: the disk may be full for a while. */
export const troubleMs = 1000;

interface Pending {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/**
 * Commits what became of deliveries, of many at a time, since each commit writes to the disk. What is lost of it in a
 * crash is delivered once more.
 */
export class Outcomes {
  readonly #store: Store;
  readonly #timers: Timers;
  #changes: Change[] = [];
  #pending: Pending | undefined;
  /** Calls off the next commit. */
  #callOff: (() => void) | undefined;
  #hasEnded = false;

  constructor(store: Store, timers: Timers) {
    this.#store = store;
    this.#timers = timers;
  }

  /** Takes changes to be committed soon. */
  add(changes: readonly Change[]): void {
    if (this.#hasEnded) return;
    this.#changes.push(...changes);
    this.#pending ??= Promise.withResolvers<void>();
    if (this.#changes.length === most) void this.#commit();
    else if (!this.#callOff) this.#commitIn(patienceMs);
  }

  /** Resolves when all that was taken until now is committed. */
  async committed(): Promise<void> {
    await this.#pending?.promise;
  }

  /** Takes no more, and gives up what cannot be committed: what it tells of is done once more. */
  end(): void {
    this.#hasEnded = true;
    this.#callOff?.();
    this.#changes = [];
    this.#pending?.resolve();
    this.#pending = undefined;
  }

  #commitIn(ms: number): void {
    this.#callOff?.();
    this.#callOff = this.#timers.later(ms, () => void this.#commit());
  }

  async #commit(): Promise<void> {
    this.#callOff?.();
    this.#callOff = undefined;
    const changes = this.#changes;
    this.#changes = [];
    try {
      await this.#store.commit(changes);
    } catch {
      if (this.#hasEnded) return;
      this.#changes = [...changes, ...this.#changes];
      this.#commitIn(troubleMs);
      return;
    }
    // What came meanwhile has begun to wait anew.
    if (this.#changes.length > 0) return;
    this.#pending?.resolve();
    this.#pending = undefined;
  }
}
