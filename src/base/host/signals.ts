/** Sent by Ctrl-C, another process or a closed terminal. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** An interrupted run has this time to end itself. */
const graceMs = 800;

/**
 * A second signal within these milliseconds is an echo. Some packages send the signal again, and npm forwards the
 * signal that the terminal already sent.
 */
const echoMs = 150;

export interface Signals {
  readonly interrupted: AbortController;
  /** Gives an interrupted run unlimited time, because it must finish running calls. */
  allowFinish(): void;
  /**
   * Runs synchronous work that cannot be interrupted. Meanwhile a signal ends the process immediately, so there must be
   * nothing to clean up. Work longer than `deadlineMs` fails with code `ERR_SCRIPT_EXECUTION_TIMEOUT`.
   */
  runBlocking<T>(work: () => T, deadlineMs: number): T;
}

/**
 * Handles signals. The first one asks the run to end, and ends it after 0.8 seconds unless it is finishing its work. A
 * second one, unless it is an echo, ends it immediately. `end` ends the process.
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
    // Otherwise the process would have ended, because nothing else keeps it alive.
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
    allowFinish() {
      isFinishing = true;
    },
    runBlocking(work, deadlineMs) {
      for (const signal of endings) process.removeListener(signal, onSignal);
      try {
        return withDeadline(work, deadlineMs);
      } finally {
        listen();
      }
    },
  };
}

/** Stops synchronous work after `ms`. Throws an error with code `ERR_SCRIPT_EXECUTION_TIMEOUT`. */
export function withDeadline<T>(work: () => T, ms: number): T {
  let result: { readonly value: T } | undefined;
  const run = (): void => {
    result = { value: work() };
  };
  // The engine stops any code that a script calls, wherever it is defined.
  process.getBuiltinModule('node:vm').runInNewContext('run()', { run }, { timeout: ms });
  if (!result) throw new Error('the work has no result');
  return result.value;
}

/** Redirects signals to a listener without a gap. Returns a function that undoes it. */
export function redirectSignals(listener: (signal: NodeJS.Signals) => void): () => void {
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

const longestIgnoreMs = 10_000;

/**
 * Ignores signals, so that a second Ctrl-C does not stop the cleanup. Returns a function that undoes it. It is undone
 * automatically after ten seconds.
 */
export function ignoreSignals(): () => void {
  const restoreSignals = redirectSignals(() => undefined);
  const restore = (): void => {
    clearTimeout(timer);
    restoreSignals();
  };
  const timer = setTimeout(restore, longestIgnoreMs);
  timer.unref();
  return restore;
}

export function signalNumber(signal: NodeJS.Signals): number {
  return process.getBuiltinModule('node:os').constants.signals[signal];
}
