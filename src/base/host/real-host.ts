import fs from 'node:fs';
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

/**
 * Tells whether stdout is a file of its own. A file that stderr goes to as well is a log: some runners of containers
 * collect one like that.
 */
function outputIsKept(): boolean {
  try {
    const [out, err] = [fs.fstatSync(1), fs.fstatSync(2)];
    if (out.isCharacterDevice()) return process.stdout.isTTY !== true;
    return out.isFile() && !(out.dev === err.dev && out.ino === err.ino);
  } catch {
    return false;
  }
}

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
    outputIsKept,
    processes,
    interrupted: interrupted.signal,
    finishes,
    endable,
  };
}
