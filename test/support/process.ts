import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The checkout. */
export const root = join(import.meta.dirname, '..', '..');
/** The program as it is run from the checkout. */
export const bin = join(root, 'bin', 'telctl.js');

export interface ProcessOptions {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  /** Leaves the input open, for a test that writes to it later. */
  readonly keepStdin?: boolean;
  /** Node.js to run it with; the one that runs the tests where left out. */
  readonly node?: string;
  /** The script to run; the checkout's where left out. */
  readonly script?: string;
  /** A command of the shell that its output goes to, instead of to the test. */
  readonly pipedInto?: string;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A telctl that runs, and its end. */
export interface RunningProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly end: Promise<ProcessEnd>;
}

/** The variables that a real telctl of a test gets: nothing of the machine's but the path, and where compiled code is. */
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

/** Starts telctl as a process of its own. Without `stdin` its input is at its end, unless it is kept open. */
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

/** Facts of Linux about a process, after its name: its state first, what it computed at 11, in hundredths of a second. */
const statOf = (pid: number | undefined): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];

/** Computing time of a process until now, in hundredths of a second. */
export const computed = (pid: number | undefined): number => Number(statOf(pid)[11]);

/** Tells, asked again and again, whether a process has begun and now waits: it slept at ten looks in a row. */
export function waiting(pid: number | undefined): () => boolean {
  let looks = 0;
  let before = 0;
  return () => {
    const now = computed(pid);
    const sleeps = statOf(pid)[0] === 'S' && now === before && now > 1;
    looks = sleeps ? looks + 1 : 0;
    before = now;
    return looks >= 10;
  };
}

/** Runs telctl as a process of its own to its end. */
export function runProcess(argv: readonly string[], options: ProcessOptions): Promise<ProcessEnd> {
  return startProcess(argv, options).end;
}
