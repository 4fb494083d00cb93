/** How many requests within a window count as a rush, and how long a window is. */
const rush = 13;
const windowMs = 50;
/** How often the waiting get on in a rush, and how many of them do so for each request beside the one who always does. */
const beatMs = 5;
const share = 0.2;

/**
 * Lets requests of the service go before what it does by itself: while very many come, deliveries get on at a small
 * rate, and as fast as they can when the rush is over.
 */
export class Pace {
  readonly #waiting: (() => void)[] = [];
  #windowStart = 0;
  #requests = 0;
  #before = 0;
  #sinceBeat = 0;
  #isBeating = false;

  /** Notes that a request of the service came. */
  noteRequest(): void {
    this.#turnWindow();
    this.#requests += 1;
    this.#sinceBeat += 1;
  }

  /** Resolves when something that is no request may go on; `undefined` where it may at once. */
  turn(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && !this.isRush) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    if (!this.#isBeating) this.#beat();
    return promise;
  }

  #turnWindow(): void {
    const now = performance.now();
    const age = now - this.#windowStart;
    if (age < windowMs) return;
    this.#before = age < 2 * windowMs ? this.#requests : 0;
    this.#requests = 0;
    this.#windowStart = now;
  }

  /** Whether very many requests come. */
  get isRush(): boolean {
    this.#turnWindow();
    return this.#before >= rush || this.#requests >= rush;
  }

  #beat(): void {
    this.#isBeating = true;
    setTimeout(() => {
      this.#isBeating = false;
      const many = this.isRush ? 1 + Math.floor(this.#sinceBeat * share) : this.#waiting.length;
      this.#sinceBeat = 0;
      for (const go of this.#waiting.splice(0, many)) go();
      if (this.#waiting.length > 0) this.#beat();
    }, beatMs);
  }
}
