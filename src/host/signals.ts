import { builtin } from './builtin.ts';

/** The signals by which somebody ends this process. */
const endings = ['SIGINT', 'SIGTERM'] as const;

/** How long a run that was interrupted may take to end by itself, in milliseconds. */
const graceMs = 800;

/** What signals do to a run. */
export interface Signals {
  /** Aborts on the first signal. */
  readonly interrupted: AbortController;
  /** From now on, an interrupted run takes the time it needs: it has calls under way that are to be finished. */
  finishes(): void;
  /**
   * Does work that cannot be interrupted from inside, since it never waits. Meanwhile a signal ends the process at
   * once, as if telctl did not listen: there must be nothing to tidy up. Work that takes longer than `deadlineMs` is
   * cut off with an error of code `ERR_SCRIPT_EXECUTION_TIMEOUT`.
   */
  endable<T>(work: () => T, deadlineMs: number): T;
}

/**
 * Listens to signals. The first one asks the run to end, and ends it when it has not after 0.8 seconds, unless it
 * finishes what it has begun; the second one ends it at once. `end` ends the process.
 */
export function listenToSignals(end: () => void): Signals {
  const interrupted = new AbortController();
  let isFinishing = false;
  const onSignal = (): void => {
    if (interrupted.signal.aborted) {
      end();
      return;
    }
    interrupted.abort();
    // Kept alive by nothing else, the process would have ended.
    setTimeout(() => {
      if (!isFinishing) end();
    }, graceMs).unref();
  };
  const listen = (): void => {
    for (const signal of endings) process.on(signal, onSignal);
  };
  listen();
  return {
    interrupted,
    finishes() {
      isFinishing = true;
    },
    endable(work, deadlineMs) {
      for (const signal of endings) process.removeListener(signal, onSignal);
      try {
        return withDeadline(work, deadlineMs);
      } finally {
        listen();
      }
    },
  };
}

/** Does work that never waits, and cuts it off after `ms` with an error of code `ERR_SCRIPT_EXECUTION_TIMEOUT`. */
export function withDeadline<T>(work: () => T, ms: number): T {
  let result: { readonly value: T } | undefined;
  const run = (): void => {
    result = { value: work() };
  };
  // The engine stops whatever a script calls, wherever that was written.
  builtin('node:vm').runInNewContext('run()', { run }, { timeout: ms });
  if (!result) throw new Error('the work has no result');
  return result.value;
}
