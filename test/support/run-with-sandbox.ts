import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Random } from '../../src/base/host/host.ts';
import { runCli } from '../../src/cli/shell/run-cli.ts';
import { fakeHost } from './fake-host.ts';
import { type ProcessOptions, runProcess } from './process.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => pause(ms, undefined, signal ? { signal } : {}),
};

export const realRandom: Random = {
  bytes: (count) => Uint8Array.from(randomBytes(count)),
  fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
};

/** Verbs of `sandbox` that start a telctl process. */
const startsTelctl: ReadonlySet<string | undefined> = new Set(['start', 'exec', 'reset']);

/** Result of a run, in its own process or in this one. */
export interface End {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs telctl against a sandbox in another process, with the same home folder. Commands that start telctl run as
 * processes. All others run in this process, which is faster.
 */
export async function runWithSandbox(
  argv: readonly string[],
  { home, env = {} }: Pick<ProcessOptions, 'home' | 'env'>,
): Promise<End> {
  if (argv[0] === 'sandbox' && startsTelctl.has(argv[1])) return runProcess(argv, { home, env });
  const folders = { home, cwd: home, remove: () => undefined };
  const { host, stdout, stderr } = fakeHost({ folders, clock: realClock, random: realRandom, env });
  const code = await runCli(argv, host, {});
  return { code, stdout: stdout(), stderr: stderr() };
}
