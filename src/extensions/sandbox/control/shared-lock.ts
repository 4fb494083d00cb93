/** A lock with shared and exclusive use. Exclusive work waits for shared work and blocks new work. */
export class SharedLock {
  #running = 0;
  #exclusive: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  async runShared<T>(work: () => Promise<T>): Promise<T> {
    while (this.#exclusive) await this.#exclusive;
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#onIdle?.();
    }
  }

  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#exclusive) await this.#exclusive;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#exclusive = promise;
    try {
      if (this.#running > 0) {
        await new Promise<void>((emptied) => {
          this.#onIdle = emptied;
        });
      }
      return await work();
    } finally {
      this.#onIdle = undefined;
      this.#exclusive = undefined;
      resolve();
    }
  }
}
