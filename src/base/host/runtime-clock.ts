import type { Clock, Random } from './host.ts';

/** The clock of any runtime of JavaScript, for programs: it loads no module of Node.js. */
export const runtimeClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, ms);
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end, { once: true });
    }),
};

export const runtimeRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  fraction: () => Math.random(),
};

export const abortedAfter = (ms: number): AbortSignal => AbortSignal.timeout(ms);
