import { once } from 'node:events';
import fs from 'node:fs';
import { builtin } from './builtin.ts';

/** How a child process ended: its exit code, or the signal that ended it. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Signals that a program run in telctl's place gets in telctl's place. */
const handedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Gives signals to a listener instead of those that have them, without a moment in which nobody has: the system would
 * end the process. Gives what undoes it.
 */
function takeSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  const restores = handedOn.map((signal) => {
    const ours = process.listeners(signal);
    process.on(signal, listener);
    for (const each of ours) process.removeListener(signal, each);
    return () => {
      for (const each of ours) process.on(signal, each);
      process.removeListener(signal, listener);
    };
  });
  return () => {
    for (const restore of restores.splice(0)) restore();
  };
}

/**
 * Runs a program on this terminal and waits for its end. Meanwhile signals are the program's: they are handed on,
 * but for a Ctrl-C at a terminal, which reaches it by itself. Ends it, and throws an `AbortError`, when `ended` aborts;
 * throws the system's error where it cannot start.
 */
async function runAttached(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  ended?: AbortSignal,
): Promise<ChildEnd> {
  const child = builtin('node:child_process').spawn(command, args, {
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

/** Longer than this, nobody is kept from ending the program, in milliseconds. */
const longestPassing = 10_000;

/**
 * From now on, signals are passed over: the user has asked for the end of everything, and what is made away with must
 * not be ended half way by a second Ctrl-C. Gives what undoes it, which happens by itself after ten seconds.
 */
function passSignals(): () => void {
  const restoreSignals = takeSignals(() => undefined);
  const restore = (): void => {
    clearTimeout(timer);
    restoreSignals();
  };
  const timer = setTimeout(restore, longestPassing);
  timer.unref();
  return restore;
}

/** The number of a signal, by which shells tell of it (128 and the number). */
function signalNumber(signal: NodeJS.Signals): number {
  return builtin('node:os').constants.signals[signal];
}

/** Keeps warnings of Node.js itself, such as that a module is experimental, away from stderr. */
function muteWarnings(): void {
  process.removeAllListeners('warning');
}

/**
 * Puts off the second, slower compilation of WebAssembly (the HTTP client's parser is some): it starts within two
 * replies, and the end of the process waits for it, for longer than both replies took. To be called once the HTTP
 * client is loaded: compiled code that is kept on disk is only taken while the engine's settings are the usual ones.
 */
function deferTuning(): void {
  // Ten times the usual 13 MB of executed code.
  builtin('node:v8').setFlagsFromString('--wasm-tiering-budget=130000000');
}

/**
 * Starts this program again in the background, free of this terminal, its output going to `logFile` (0600), which
 * is emptied first. Returns the new process's id, or `undefined` where it cannot start.
 */
function startTelctl(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  logFile: string,
): number | undefined {
  const log = fs.openSync(logFile, 'w', 0o600);
  try {
    const child = builtin('node:child_process').spawn(process.execPath, [process.argv[1] ?? '', ...args], {
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

/** How this program ended when it was run again, and what it said. */
export interface OwnRun extends ChildEnd {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs this program again and waits for its end; its output is kept, and it cannot ask anybody. */
async function runTelctl(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<OwnRun> {
  const child = builtin('node:child_process').spawn(process.execPath, [process.argv[1] ?? '', ...args], {
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

/** How a program ended that was run for what it prints. */
export interface TextRun extends ChildEnd {
  readonly stdout: string;
  readonly timedOut: boolean;
}

/** When such a program is ended, and where its stderr goes. */
interface TextRunLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly stderr?: 'inherit' | 'ignore';
}

/** Nobody prints a secret longer than this, in characters. */
const longestText = 65_536;
/** How long the rest of a program's output is read after its end, in milliseconds. */
const drainMs = 500;

/**
 * Runs a program without a shell and without input, and gives what it prints; its stderr is this process's unless it is ignored. It is
 * ended when its time is over or the signal aborts, and what it started itself is not waited for. Throws the system's
 * error where it cannot start.
 */
async function runForText(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { timeoutMs, signal, stderr = 'inherit' }: TextRunLimits,
): Promise<TextRun> {
  const child = builtin('node:child_process').spawn(command, args, {
    stdio: ['ignore', 'pipe', stderr],
    env,
    windowsHide: true,
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout.length < longestText) stdout += text;
  });
  let timedOut = false;
  const stop = (): void => {
    child.kill('SIGKILL');
    child.stdout.destroy();
  };
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeoutMs);
  // An agent that it leaves running may hold its output open; what it printed itself is there by then.
  let drained: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    drained = setTimeout(() => child.stdout.destroy(), drainMs);
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) stop();
    const [code, ended] = await once(child, 'close');
    return { code, signal: ended, stdout, timedOut };
  } finally {
    clearTimeout(timer);
    clearTimeout(drained);
    signal.removeEventListener('abort', stop);
  }
}

/** Starts this program again in the background, for something that nobody waits for and nobody reads. */
function startQuietly(args: readonly string[], env: Readonly<Record<string, string | undefined>>): void {
  const child = builtin('node:child_process').spawn(process.execPath, [process.argv[1] ?? '', ...args], {
    detached: true,
    stdio: 'ignore',
    env,
  });
  child.on('error', () => undefined);
  child.unref();
}

/** Starts a program that goes its own way, unseen. False where it cannot start. */
function startDetached(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const child = builtin('node:child_process').spawn(command, args, { detached: true, stdio: 'ignore', env });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/**
 * Gives back the memory of what is no longer needed, at the end of a stretch of work that left much of it. Nothing
 * happens where the engine was not told at its start that it will be asked (bin/telctl.js tells it on large input).
 */
function tidyMemory(): void {
  globalThis.gc?.();
}

/** Whether a process with this id lives. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Asks a process to end. False where there was none. */
function askToEnd(pid: number, signal: NodeJS.Signals = 'SIGTERM'): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** Other processes as the rest of telctl uses them. */
export const processes = {
  pid: process.pid,
  nodeVersion: process.versions.node,
  runAttached,
  passSignals,
  startTelctl,
  runTelctl,
  runForText,
  startQuietly,
  startDetached,
  isAlive,
  askToEnd,
  signalNumber,
  muteWarnings,
  deferTuning,
  tidyMemory,
};

export type Processes = typeof processes;
