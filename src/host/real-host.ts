import { homedir } from 'node:os';
import { join } from 'node:path';
import { builtin } from './builtin.ts';
import { files } from './files.ts';
import type { Folders, Host, Timers } from './host.ts';
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

/**
 * Finds telctl's folders: `TELCTL_CONFIG_DIR`, `TELCTL_CACHE_DIR` and `TELCTL_STATE_DIR` first, then the
 * XDG variables, then the platform's habit below the home folder.
 */
export function findFolders(env: Host['env'], home: string, platform: NodeJS.Platform): Folders {
  const local = platform === 'win32' ? env.LOCALAPPDATA : undefined;
  const below = (variable: string, xdg: string, fallback: string, windows: string): string =>
    env[variable] ||
    (local ? join(local, 'telctl', windows) : join(env[xdg] || join(home, fallback), 'telctl'));
  return {
    config: below('TELCTL_CONFIG_DIR', 'XDG_CONFIG_HOME', '.config', 'config'),
    cache: below('TELCTL_CACHE_DIR', 'XDG_CACHE_HOME', '.cache', 'cache'),
    state: below('TELCTL_STATE_DIR', 'XDG_STATE_HOME', join('.local', 'state'), 'state'),
  };
}
