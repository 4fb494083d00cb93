/** A queue of incoming items, which are read in order when the reader is ready. */
export interface ItemQueue<T> {
  add(one: T): void;
  /** Number of items that were added and not read yet. */
  waiting(): number;
  /** Ends the reading, after what is still queued was read. */
  end(): void;
  read(): AsyncGenerator<T>;
}

/** Makes an empty queue. */
export function itemQueue<T>(): ItemQueue<T> {
  const waiting: T[] = [];
  let ended = false;
  let wake = (): void => undefined;
  return {
    add(one) {
      waiting.push(one);
      wake();
    },
    waiting: () => waiting.length,
    end() {
      ended = true;
      wake();
    },
    async *read() {
      for (;;) {
        for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) yield one;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
