/** A lock with shared and exclusive use. Exclusive work waits for shared work, and blocks new work. */
export class Turnstile {
  #inside = 0;
  #closed: Promise<void> | undefined;
  #emptied: (() => void) | undefined;

  /** Runs work in shared mode. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed;
    this.#inside += 1;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) this.#emptied?.();
    }
  }

  /** Runs work in exclusive mode. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed) await this.#closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    try {
      if (this.#inside > 0) {
        await new Promise<void>((emptied) => {
          this.#emptied = emptied;
        });
      }
      return await work();
    } finally {
      this.#emptied = undefined;
      this.#closed = undefined;
      resolve();
    }
  }
}
