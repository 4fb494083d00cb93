/** How many quick requests there are at once, and how many in all. */
const quickSlots = 32;
const allSlots = 500;
/** A request that takes longer gives its place to others and goes on without one. */
const patienceMs = 100;

/**
 * Bounds how much is done at once. What waits long for somebody else stops counting, so that slow receivers do not
 * hold up quick ones; only where very many are slow does everybody wait.
 */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #quick = 0;
  #all = 0;

  /** Does something when it is its turn. */
  async use<T>(act: () => Promise<T>): Promise<T> {
    if (this.#isFull()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#enter();
    let counts = true;
    const stepAside = (): void => {
      counts = false;
      this.#quick -= 1;
      this.#next();
    };
    const timer = setTimeout(stepAside, patienceMs);
    try {
      return await act();
    } finally {
      clearTimeout(timer);
      if (counts) this.#quick -= 1;
      this.#all -= 1;
      this.#next();
    }
  }

  #isFull(): boolean {
    return this.#quick >= quickSlots || this.#all >= allSlots;
  }

  #enter(): void {
    this.#quick += 1;
    this.#all += 1;
  }

  #next(): void {
    const next = this.#isFull() ? undefined : this.#waiting.shift();
    if (!next) return;
    this.#enter();
    next();
  }
}
