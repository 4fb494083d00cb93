import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
export const bin = join(root, 'bin', 'telctl.js');
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

/** Milliseconds of a tick, by which Linux counts processor time. */
const tickMs = 10;

/** Processor time of all processes that this one started and that ended, in milliseconds; NaN where no file says so. */
function childrensCpuMs(): number {
  const path = '/proc/self/stat';
  if (!existsSync(path)) return Number.NaN;
  const text = readFileSync(path, 'utf8');
  // After the name, which may hold blanks: fields 16 and 17 (cutime, cstime) of proc(5), counted from 3.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * tickMs;
}

/** How one process went. */
export interface Timed {
  readonly ms: number;
  /** Processor time, also of processes that ended while it ran; NaN where the system does not say. */
  readonly cpuMs: number;
  /** From the start to the first bytes on stdout; left out where there were none. */
  readonly firstMs?: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Largest resident memory in megabytes; asked for with `memory`. */
  readonly peakMb?: number;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly memory?: boolean;
  /** A program other than Node.js. */
  readonly program?: string;
}

/** Runs Node.js with these arguments to its end and takes the time. Throws where it fails. */
export async function timed(args: readonly string[], world: World, options: Options = {}): Promise<Timed> {
  const { memory, program = process.execPath } = options;
  const report = join(world.home, 'peak');
  const watch = memory ? ['--import', yardstick('report-memory.mjs')] : [];
  const cpuBefore = childrensCpuMs();
  const start = performance.now();
  const child = spawn(program, [...watch, ...args], {
    env: { ...world.env, BENCH_REPORT: report, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let firstMs: number | undefined;
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    firstMs ??= performance.now() - start;
    stdout.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const [code] = await once(child, 'close');
  const ms = performance.now() - start;
  if (code !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${Buffer.concat(stderr)}`);
  return {
    ms,
    cpuMs: childrensCpuMs() - cpuBefore,
    ...(firstMs === undefined ? {} : { firstMs }),
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
    ...(memory ? { peakMb: reported(report).peakMb } : {}),
  };
}

/** What a process that was started with `report-memory.mjs` wrote down at its end. */
function reported(file: string): { readonly peakMb: number; readonly cpuMs: number } {
  const [kilobytes, microseconds] = readFileSync(file, 'utf8').split(' ').map(Number);
  return { peakMb: (kilobytes ?? Number.NaN) / 1024, cpuMs: (microseconds ?? Number.NaN) / 1000 };
}
