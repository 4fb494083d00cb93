import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const bin = join(import.meta.dirname, '..', 'bin', 'telctl.js');
export const yardstick = (name: string): string => join(import.meta.dirname, 'yardsticks', name);

/** The variables that all processes of the run get. */
export interface World {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A home folder for the run, and nothing of the machine's environment but the path. */
export function makeWorld(): World {
  const home = mkdtempSync(join(tmpdir(), 'telctl-bench-'));
  return { home, env: { PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1' } };
}

export function removeWorld(world: World): void {
  rmSync(world.home, { recursive: true, force: true });
}

/** How one process went. */
export interface Timed {
  readonly ms: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Largest resident memory in megabytes; asked for with `memory`. */
  readonly peakMb?: number;
}

/** Runs Node.js with these arguments to its end and takes the time. Throws where it fails. */
export async function timed(
  args: readonly string[],
  world: World,
  options: { readonly env?: Readonly<Record<string, string>>; readonly memory?: boolean } = {},
): Promise<Timed> {
  const report = join(world.home, 'peak');
  const watch = options.memory ? ['--import', yardstick('report-memory.mjs')] : [];
  const start = performance.now();
  const child = spawn(process.execPath, [...watch, ...args], {
    env: { ...world.env, BENCH_REPORT: report, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const [code] = await once(child, 'close');
  const ms = performance.now() - start;
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}:\n${Buffer.concat(stderr)}`);
  const texts = { stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  return options.memory
    ? { ms, ...texts, peakMb: Number(readFileSync(report, 'utf8')) / 1024 }
    : { ms, ...texts };
}
