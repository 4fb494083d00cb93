import { once } from 'node:events';
import fs from 'node:fs';
import type { Writable } from 'node:stream';
import { takeSignals } from './signals.ts';

// Modules of Node.js are got where they are used: together they cost as much as the rest of a start.

/** This program again: the executable alone where it is one file, else Node.js and the script. */
function itself(args: readonly string[]): readonly [command: string, args: readonly string[]] {
  const isOneFile = process.getBuiltinModule('node:sea').isSea();
  return [process.execPath, isOneFile ? args : [process.argv[1] ?? '', ...args]];
}

/** The variables of a program that is started; `programEnvironment` takes secrets out of `host.env`. */
export interface ProgramEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
}

interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a program on this terminal and waits for its end. Meanwhile signals are the program's: they are handed on,
 * but for a Ctrl-C at a terminal, which reaches it by itself. Ends it, and throws an `AbortError`, when `ended` aborts;
 * throws the system's error where it cannot start.
 */
export async function runAttached(
  command: string,
  args: readonly string[],
  { variables: env }: ProgramEnvironment,
  ended?: AbortSignal,
): Promise<ChildEnd> {
  const child = process.getBuiltinModule('node:child_process').spawn(command, args, {
    stdio: 'inherit',
    env,
    ...(ended ? { signal: ended } : {}),
  });
  const restore = takeSignals((signal) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
  try {
    const [code, signal] = await once(child, 'exit');
    return { code, signal };
  } finally {
    restore();
  }
}

/**
 * Starts a pager, which has the terminal until its end. Meanwhile signals are the pager's: they are handed on, but for a
 * Ctrl-C, which reaches it by itself. Throws the system's error where it cannot start.
 */
export async function startPager(
  command: string,
  args: readonly string[],
  { variables: env }: ProgramEnvironment,
): Promise<{ readonly input: Writable; readonly ended: Promise<ChildEnd> }> {
  const child = process.getBuiltinModule('node:child_process').spawn(command, args, {
    stdio: ['pipe', 'inherit', 'inherit'],
    env,
  });
  const restore = takeSignals((signal) => {
    if (signal !== 'SIGINT') child.kill(signal);
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code, signal]): ChildEnd => ({ code, signal })).finally(restore);
  ended.catch(() => undefined);
  await once(child, 'spawn');
  return { input: child.stdin, ended };
}

/** Limits of such a program: when it is ended, and where its stderr goes. */
interface TextRunLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly stderr?: 'inherit' | 'ignore';
}

/** Nobody prints a secret longer than this, in characters. */
const longestText = 65_536;
/** Time for which the rest of a program's output is read after its end, in milliseconds. */
const drainMs = 500;

/**
 * Runs a program without a shell and without input, and gives what it prints; its stderr is this process's unless it is ignored. It is
 * ended when its time is over or the signal aborts, and what it started itself is not waited for. Throws the system's
 * error where it cannot start.
 */
export async function runForText(
  command: string,
  args: readonly string[],
  { variables: env }: ProgramEnvironment,
  { timeoutMs, signal, stderr = 'inherit' }: TextRunLimits,
): Promise<ChildEnd & { readonly stdout: string; readonly timedOut: boolean }> {
  const child = process.getBuiltinModule('node:child_process').spawn(command, args, {
    stdio: ['ignore', 'pipe', stderr],
    env,
    windowsHide: true,
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout.length < longestText) stdout += text;
  });
  const late = AbortSignal.timeout(timeoutMs);
  const over = AbortSignal.any([signal, late]);
  const stop = (): void => {
    child.kill('SIGKILL');
    child.stdout.destroy();
  };
  // An agent that it leaves running may hold its output open; what it printed itself is there by then.
  let drained: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    drained = setTimeout(() => child.stdout.destroy(), drainMs);
  });
  over.addEventListener('abort', stop, { once: true });
  try {
    if (over.aborted) stop();
    const [code, ended] = await once(child, 'close');
    return { code, signal: ended, stdout, timedOut: late.aborted && !signal.aborted };
  } finally {
    clearTimeout(drained);
    over.removeEventListener('abort', stop);
  }
}

/** Starts a program that goes its own way, unseen. False where it cannot start. */
export function startDetached(
  command: string,
  args: readonly string[],
  { variables: env }: ProgramEnvironment,
): Promise<boolean> {
  const child = process
    .getBuiltinModule('node:child_process')
    .spawn(command, args, { detached: true, stdio: 'ignore', env });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/**
 * Starts this program again in the background, free of this terminal, its output going to `logFile` (0600), which
 * is emptied first. Returns the new process's id, or `undefined` where it cannot start.
 */
export function startTelctl(
  args: readonly string[],
  { variables: env }: ProgramEnvironment,
  logFile: string,
): number | undefined {
  const log = fs.openSync(logFile, 'w', 0o600);
  try {
    const child = process.getBuiltinModule('node:child_process').spawn(...itself(args), {
      detached: true,
      stdio: ['ignore', log, log],
      env,
    });
    child.on('error', () => undefined);
    child.unref();
    return child.pid;
  } finally {
    fs.closeSync(log);
  }
}

/** Runs this program again and waits for its end; its output is kept, and it cannot ask anybody. */
export async function runTelctl(
  args: readonly string[],
  { variables: env }: ProgramEnvironment,
  signal: AbortSignal,
): Promise<ChildEnd & { readonly stdout: string; readonly stderr: string }> {
  const child = process.getBuiltinModule('node:child_process').spawn(...itself(args), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [code, ended] = await once(child, 'close');
    return { code, signal: ended, ...texts };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Starts this program again in the background, for something that nobody waits for and nobody reads. */
export function startQuietly(args: readonly string[], environment: ProgramEnvironment): void {
  void startDetached(...itself(args), environment);
}
