import { homedir } from 'node:os';
import { builtin } from './builtin.ts';
import { files } from './files.ts';
import { findFolders } from './folders.ts';
import type { Host, Timers } from './host.ts';
import { processes } from './processes.ts';
import type { Signals } from './signals.ts';

/** This machine's timers. One that was not called off keeps the process alive. */
export const timers: Timers = {
  elapsedMs: () => performance.now(),
  later(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  soon: (act) => void setImmediate(act),
};

/** Clock, randomness and files as this process really has them. */
export const machine: Pick<Host, 'clock' | 'timers' | 'random' | 'files' | 'after' | 'platform'> = {
  platform: process.platform,
  clock: {
    now: () => Date.now(),
    sleep: (ms, signal) =>
      builtin('node:timers/promises').setTimeout(ms, undefined, signal ? { signal } : {}),
  },
  timers,
  random: { bytes: (count) => builtin('node:crypto').randomBytes(count), fraction: () => Math.random() },
  files,
  after: (ms) => AbortSignal.timeout(ms),
};

/** The machine this process really runs on. */
export function realHost({ interrupted, finishes, endable }: Signals): Host {
  return {
    ...machine,
    env: process.env,
    withheld: new Set(),
    cwd: process.cwd(),
    folders: findFolders(process.env, homedir(), process.platform),
    // Opening a stream takes time; most runs need no more than one.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    processes,
    interrupted: interrupted.signal,
    finishes,
    endable,
  };
}
