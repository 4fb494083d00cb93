import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
export const bin = join(root, 'bin', 'telctl.js');
export const yardstickPath = (name: string): string => join(import.meta.dirname, 'yardsticks', name);

/** Environment of all processes of the run. */
export interface World {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Creates a home folder for the run. Only `PATH` of the environment is kept. */
export function makeWorld(): World {
  const home = mkdtempSync(join(tmpdir(), 'telctl-bench-'));
  return { home, env: { PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1' } };
}

export function removeWorld(world: World): void {
  rmSync(world.home, { recursive: true, force: true });
}

/** The unit of processor time on Linux, in milliseconds. */
const tickMs = 10;

/** Returns the processor time of all ended child processes in milliseconds, or NaN if the system does not report it. */
function readChildrenCpuMs(): number {
  const path = '/proc/self/stat';
  if (!existsSync(path)) return Number.NaN;
  const text = readFileSync(path, 'utf8');
  // The fields after the name, which may contain spaces: 16 and 17 (cutime, cstime) of proc(5), counted from 3.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * tickMs;
}

export interface TimedRun {
  readonly ms: number;
  /** Includes processes that ended during the run. NaN if the system does not report it. */
  readonly cpuMs: number;
  /** Time to the first bytes on stdout, unless it is empty. */
  readonly firstMs?: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Maximum resident memory in megabytes. Requires the option `memory`. */
  readonly peakMb?: number;
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly memory?: boolean;
  /** A program other than Node.js. */
  readonly program?: string;
}

/** Runs Node.js with these arguments and measures time. Throws if it fails. */
export async function runTimed(
  args: readonly string[],
  world: World,
  options: Options = {},
): Promise<TimedRun> {
  const { memory, program = process.execPath } = options;
  const report = join(world.home, 'peak');
  const watch = memory ? ['--import', yardstickPath('report-memory.mjs')] : [];
  const cpuBefore = readChildrenCpuMs();
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
    throw new Error(`${program} ${args.join(' ')} exited with code ${code}:\n${Buffer.concat(stderr)}`);
  return {
    ms,
    cpuMs: readChildrenCpuMs() - cpuBefore,
    ...(firstMs === undefined ? {} : { firstMs }),
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
    ...(memory ? { peakMb: readMemoryReport(report).peakMb } : {}),
  };
}

/** Reads the file that `report-memory.mjs` wrote when the process ended. */
function readMemoryReport(file: string): { readonly peakMb: number; readonly cpuMs: number } {
  const [kilobytes, microseconds] = readFileSync(file, 'utf8').split(' ').map(Number);
  return { peakMb: (kilobytes ?? Number.NaN) / 1024, cpuMs: (microseconds ?? Number.NaN) / 1000 };
}
