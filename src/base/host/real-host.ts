import fs from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { findFolders, findHome, MissingFolder } from './file-access.ts';
import { files } from './files.ts';
import type { Host, OutputStream, Timers } from './host.ts';
import { type Processes, processes } from './processes.ts';
import { listenToSignals, type Signals, withDeadline } from './signals.ts';
import { writeAll } from './write-file.ts';

/** A timer that is not cancelled keeps the process alive. */
export const timers: Timers = {
  elapsedMs: () => performance.now(),
  later(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  soon: (act) => void setImmediate(act),
};

export const machine: Pick<Host, 'clock' | 'timers' | 'random' | 'files' | 'after' | 'platform'> = {
  platform: process.platform,
  clock: {
    now: () => Date.now(),
    sleep: (ms, signal) =>
      process.getBuiltinModule('node:timers/promises').setTimeout(ms, undefined, signal ? { signal } : {}),
  },
  timers,
  random: {
    bytes: (count) => process.getBuiltinModule('node:crypto').randomBytes(count),
    fraction: () => Math.random(),
  },
  files,
  after: (ms) => AbortSignal.timeout(ms),
};

/** Returns true if stdout is a file that stderr does not share. A shared file is the log of a container. */
function outputIsKept(): boolean {
  try {
    const [out, err] = [fs.fstatSync(1), fs.fstatSync(2)];
    if (out.isCharacterDevice()) return process.stdout.isTTY !== true;
    return out.isFile() && !(out.dev === err.dev && out.ino === err.ino);
  } catch {
    return false;
  }
}

/**
 * Opens a stream that writes all bytes. For files and devices, the stream of Node.js drops bytes that the system does
 * not accept immediately.
 */
function openOutput(): OutputStream {
  const found = fs.fstatSync(1);
  const isDirect = found.isFile() || (found.isCharacterDevice() && process.stdout.isTTY !== true);
  if (!isDirect) return process.stdout;
  return new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      try {
        writeAll(1, chunk);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}

/** Returns `undefined` if the working folder was deleted. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

function realHost(cwd: string, { interrupted, allowFinish: finishes, runBlocking }: Signals): Host {
  let output: OutputStream | undefined;
  const home = findHome(process.env, process.platform);
  return {
    ...machine,
    env: process.env,
    withheld: new Set(),
    outside: new Map(),
    cwd,
    home,
    folders: findFolders(process.env, home, process.platform),
    // Opened on first use, because opening a stream takes time and most runs need only one.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      output ??= openOutput();
      return output;
    },
    get stderr() {
      return process.stderr;
    },
    outputIsKept,
    processes,
    interrupted: interrupted.signal,
    allowFinish: finishes,
    runBlocking,
  };
}

/** Settings of a run inside another program. */
interface QuietRun {
  readonly env?: Host['env'] | undefined;
  /** Default: the working folder of the process. */
  readonly cwd?: string | undefined;
  /** Default: as on the command line. */
  readonly configFolder?: string | undefined;
  /** Folder of ledgers and logs (default: as on the command line). */
  readonly stateFolder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly input?: string | undefined;
}

function loadDatabaseQuietly(): void {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Creates the host of a library. It has no terminal or signal handlers, and does not change the settings of the
 * process.
 */
export function quietHost({ env = {}, cwd = process.cwd(), input = '', ...run }: QuietRun): Host {
  const createNullStream = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
  const runWithoutStderr: Processes['runForText'] = (command, args, variables, limits) =>
    processes.runForText(command, args, variables, { ...limits, stderr: 'ignore' });
  const home = findHome(process.env, machine.platform);
  const found = findFolders(env, home, machine.platform);
  return {
    ...machine,
    env,
    withheld: new Set(),
    outside: new Map(),
    cwd,
    home,
    folders: {
      get config() {
        return run.configFolder ?? found.config;
      },
      get cache() {
        return found.cache;
      },
      get state() {
        return run.stateFolder ?? found.state;
      },
    },
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: createNullStream(),
    stderr: createNullStream(),
    outputIsKept: () => true,
    processes: {
      ...processes,
      muteWarnings: loadDatabaseQuietly,
      // The heap belongs to the program that uses the library.
      keepHeapSmall: () => undefined,
      runForText: runWithoutStderr,
      runForManifest: runWithoutStderr,
    },
    interrupted: run.signal ?? new AbortController().signal,
    allowFinish: () => undefined,
    runBlocking: withDeadline,
  };
}

type Argv = readonly string[];

/** Both functions return the exit code. */
interface Program {
  run(argv: Argv, host: Host): Promise<number>;
  report(error: unknown, argv: Argv, host: Host): Promise<number>;
}

export async function runProgram({ run, report }: Program): Promise<void> {
  const argv = process.argv.slice(2);
  const cwd = workingFolder();
  const host = realHost(
    cwd ?? '/',
    listenToSignals(() => endWith(host.interrupted.reason)),
  );
  const endWith = async (error: unknown): Promise<void> => process.exit(await report(error, argv, host));
  // Work that nothing awaits has failed in an unknown state, so the process does not continue.
  process.on('uncaughtException', endWith);
  // Sets only the exit code, so that pending output is written before the process ends.
  process.exitCode =
    cwd === undefined
      ? await report(new MissingFolder('ENOCWD', 'The working folder'), argv, host)
      : await run(argv, host);
}
