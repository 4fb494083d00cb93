import { once } from 'node:events';
import fs from 'node:fs';
import type { Writable } from 'node:stream';
import { redirectSignals } from './signals.ts';

// Functions load Node.js modules when they need them, because together they take as long as the rest of a start.

/** Returns the single-file executable, or Node.js with the script. */
function ownCommand(args: readonly string[]): readonly [command: string, args: readonly string[]] {
  const isOneFile = process.getBuiltinModule('node:sea').isSea();
  return [process.execPath, isOneFile ? args : [process.argv[1] ?? '', ...args]];
}

export interface ProgramEnvironment {
  readonly variables: Readonly<Record<string, string | undefined>>;
}

interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a program on this terminal and waits for its end. Forwards signals to it, except Ctrl-C at a terminal, which
 * reaches it directly. When `ended` aborts, kills it and throws an `AbortError`. Throws the system's error if the
 * program cannot start.
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
  const restore = redirectSignals((signal) => {
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
 * Starts a pager, which has the terminal until it ends. Forwards signals to it, except Ctrl-C, which reaches it
 * directly. Throws the system's error if the pager cannot start.
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
  const restore = redirectSignals((signal) => {
    if (signal !== 'SIGINT') child.kill(signal);
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code, signal]): ChildEnd => ({ code, signal })).finally(restore);
  ended.catch(() => undefined);
  await once(child, 'spawn');
  return { input: child.stdin, ended };
}

interface TextRunLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly stderr?: 'inherit' | 'ignore';
}

/** Longest output that is kept, in characters. No secret is longer. */
const longestText = 65_536;
/** Longest time to read the rest of the output after a program's end, in milliseconds. */
const drainMs = 500;

/**
 * Runs a program without a shell and without input, and returns what it prints. Kills it after `timeoutMs` or when
 * `signal` aborts. Does not wait for processes that it started. Throws the system's error if it cannot start.
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
  // A background process of the program may keep its output open. The program's own output is complete by then.
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

/** Starts a program that outlives this one, without output. Returns false if it cannot start. */
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
 * Starts telctl in the background, detached from this terminal. Its output replaces the content of `logFile` (0600).
 * Returns the process id, or `undefined` if it cannot start.
 */
export function startTelctl(
  args: readonly string[],
  { variables: env }: ProgramEnvironment,
  logFile: string,
): number | undefined {
  const log = fs.openSync(logFile, 'w', 0o600);
  try {
    const child = process.getBuiltinModule('node:child_process').spawn(...ownCommand(args), {
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

/** Runs telctl without input, so it cannot ask questions, and returns its output. */
export async function runTelctl(
  args: readonly string[],
  { variables: env }: ProgramEnvironment,
  signal: AbortSignal,
): Promise<ChildEnd & { readonly stdout: string; readonly stderr: string }> {
  const child = process.getBuiltinModule('node:child_process').spawn(...ownCommand(args), {
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

export function startQuietly(args: readonly string[], environment: ProgramEnvironment): void {
  void startDetached(...ownCommand(args), environment);
}
