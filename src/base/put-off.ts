/** Work that can wait until what is more urgent is under way. */
export interface PutOff {
  /** Does some work soon; pieces are begun in the order in which they came. */
  add(work: () => void | Promise<void>): void;
  /** Resolves when all of it is done. Throws the first error of any. */
  done(): Promise<void>;
}

/**
 * Puts work off until requests that were begun meanwhile have been sent, so that the service works on them while it is
 * done. `soon` does something when what happened until now was dealt with.
 */
export function putOff(soon: (act: () => void) => void): PutOff {
  const waiting: (() => void | Promise<void>)[] = [];
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  const begin = (): void => {
    for (const work of waiting.splice(0)) {
      const end = (async () => work())()
        .catch((error: unknown) => void errors.push(error))
        .finally(() => running.delete(end));
      running.add(end);
    }
  };
  return {
    add(work) {
      waiting.push(work);
      // The HTTP client gives a connection its next request one turn after the reply, and sends it in the turn after that.
      if (waiting.length === 1) soon(() => soon(begin));
    },
    async done() {
      begin();
      await Promise.all(running);
      for (const error of errors) throw error;
    },
  };
}
