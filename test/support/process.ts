import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The checkout. */
export const root = join(import.meta.dirname, '..', '..');
/** The program in the checkout. */
export const bin = join(root, 'bin', 'telctl.js');

export interface ProcessOptions {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  /** Keeps standard input open for later writes. */
  readonly keepStdin?: boolean;
  /** Node.js binary (default: the one that runs the tests). */
  readonly node?: string;
  /** Script (default: that of the checkout). */
  readonly script?: string;
  /** Shell command that receives the output instead of the test. */
  readonly pipedInto?: string;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running telctl, and its end. */
export interface RunningProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly end: Promise<ProcessEnd>;
}

/** Returns the environment of a telctl process: only the path and the compile cache of the machine. */
export function processEnv(options: Pick<ProcessOptions, 'home' | 'env'>): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    HOME: options.home,
    NO_COLOR: '1',
    TELCTL_PAGER: 'cat',
    ...options.env,
  };
}

/** Starts telctl as a process. Standard input is empty unless `stdin` or `keepStdin` is given. */
export function startProcess(argv: readonly string[], options: ProcessOptions): RunningProcess {
  const line = [options.node ?? process.execPath, options.script ?? bin, ...argv];
  const [command = '', ...args] =
    options.pipedInto === undefined ? line : ['sh', '-c', `"$@" | ${options.pipedInto}`, 'sh', ...line];
  const child = spawn(command, args, {
    cwd: options.cwd ?? options.home,
    env: processEnv(options),
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  if (options.keepStdin !== true) child.stdin.end(options.stdin ?? '');
  const end = once(child, 'close').then(([code, signal]) => ({
    code,
    signal,
    stdout: Buffer.concat(stdout).toString('utf8'),
    stderr: Buffer.concat(stderr).toString('utf8'),
  }));
  return { child, end };
}

/** Returns the fields of /proc/PID/stat after the name: the state first, user time in hundredths of a second at 11. */
const readProcessStat = (pid: number | undefined): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];

/** Returns the user time of a process in hundredths of a second. */
export const userTime = (pid: number | undefined): number => Number(readProcessStat(pid)[11]);

/** Returns a function that reports whether a process is idle: it slept at ten samples in a row. */
export function createIdleCheck(pid: number | undefined): () => boolean {
  let looks = 0;
  let before = 0;
  return () => {
    const now = userTime(pid);
    const sleeps = readProcessStat(pid)[0] === 'S' && now === before && now > 1;
    looks = sleeps ? looks + 1 : 0;
    before = now;
    return looks >= 10;
  };
}

/** Runs telctl as a process until it exits. */
export function runProcess(argv: readonly string[], options: ProcessOptions): Promise<ProcessEnd> {
  return startProcess(argv, options).end;
}
