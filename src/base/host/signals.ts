/** The signals by which somebody ends this process: Ctrl-C, another process, a terminal that is closed. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Time that an interrupted run may take to end by itself, in milliseconds. */
const graceMs = 800;

/**
 * A signal that comes so soon after the first is its echo, in milliseconds: packages that tidy up send it again, and
 * npm passes on what the terminal has sent already.
 */
const echoMs = 150;

/** Effects of signals on a run. */
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
 * finishes what it has begun; the second one ends it at once, unless it is an echo. `end` ends the process.
 */
export function listenToSignals(end: () => void): Signals {
  const interrupted = new AbortController();
  let isFinishing = false;
  let firstMs = 0;
  const onSignal = (): void => {
    if (interrupted.signal.aborted) {
      if (performance.now() - firstMs > echoMs) end();
      return;
    }
    firstMs = performance.now();
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
  process.getBuiltinModule('node:vm').runInNewContext('run()', { run }, { timeout: ms });
  if (!result) throw new Error('the work has no result');
  return result.value;
}

/** Gives signals to a listener instead, with no moment in which nobody has them. Returns what undoes it. */
export function takeSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  const restores = endings.map((signal) => {
    const ours = process.listeners(signal);
    process.on(signal, listener);
    for (const each of ours) process.removeListener(signal, each);
    return () => {
      for (const each of ours) process.on(signal, each);
      process.removeListener(signal, listener);
    };
  });
  return () => {
    for (const restore of restores.splice(0)) restore();
  };
}

/** Longest time for which signals are passed over, in milliseconds. */
const longestPassing = 10_000;

/**
 * Ignores signals from now on: the user has asked for the end of everything, and a second Ctrl-C must not stop
 * the cleanup half way. Returns a function that undoes it, which happens by itself after ten seconds.
 */
export function passSignals(): () => void {
  const restoreSignals = takeSignals(() => undefined);
  const restore = (): void => {
    clearTimeout(timer);
    restoreSignals();
  };
  const timer = setTimeout(restore, longestPassing);
  timer.unref();
  return restore;
}

/** The number of a signal, by which shells tell of it (128 and the number). */
export function signalNumber(signal: NodeJS.Signals): number {
  return process.getBuiltinModule('node:os').constants.signals[signal];
}
