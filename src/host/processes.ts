import { once } from 'node:events';
import { builtin } from './builtin.ts';

/** How a child process ended: its exit code, or the signal that ended it. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs a program on this terminal and waits for its end. Throws the system's error where it cannot start. */
async function runAttached(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ChildEnd> {
  const child = builtin('node:child_process').spawn(command, args, { stdio: 'inherit', env });
  const [code, signal] = await once(child, 'exit');
  return { code, signal };
}

/**
 * Starts this program again in the background, free of this terminal, its output going to `logFile`'s handle.
 * Returns the new process's id.
 */
function startTelctl(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  logHandle: number,
): number | undefined {
  const child = builtin('node:child_process').spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', process.argv[1] ?? '', ...args],
    {
      detached: true,
      stdio: ['ignore', logHandle, logHandle],
      env,
    },
  );
  child.unref();
  return child.pid;
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
export const processes = { pid: process.pid, runAttached, startTelctl, startQuietly, isAlive, askToEnd };

export type Processes = typeof processes;
