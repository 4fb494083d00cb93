import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { files } from './files.ts';
import { findFolders } from './folders.ts';
import type { Host } from './host.ts';
import { processes } from './processes.ts';

/** The machine this process really runs on. `interrupted` is the caller's, who owns the signals. */
export function realHost(interrupted: AbortSignal): Host {
  return {
    env: process.env,
    cwd: process.cwd(),
    folders: findFolders(process.env, homedir(), process.platform),
    platform: process.platform,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    clock: {
      now: () => Date.now(),
      sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
    },
    random: { bytes: (count) => randomBytes(count), fraction: () => Math.random() },
    files,
    processes,
    interrupted,
  };
}
