import { homedir } from 'node:os';
import { builtin } from './builtin.ts';
import { files } from './files.ts';
import { findFolders } from './folders.ts';
import type { Host } from './host.ts';
import { processes } from './processes.ts';
import type { Signals } from './signals.ts';

/** The machine this process really runs on. */
export function realHost({ interrupted, finishes, endable }: Signals): Host {
  return {
    env: process.env,
    cwd: process.cwd(),
    folders: findFolders(process.env, homedir(), process.platform),
    platform: process.platform,
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
    clock: {
      now: () => Date.now(),
      sleep: (ms, signal) =>
        builtin('node:timers/promises').setTimeout(ms, undefined, signal ? { signal } : {}),
    },
    random: { bytes: (count) => builtin('node:crypto').randomBytes(count), fraction: () => Math.random() },
    files,
    processes,
    interrupted: interrupted.signal,
    after: (ms) => AbortSignal.timeout(ms),
    finishes,
    endable,
    endWithTerminal() {
      if (process.stdout.isTTY) process.once('SIGHUP', () => interrupted.abort());
    },
  };
}
