import fs from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { findFolders, findHome, MissingFolder } from './file-access.ts';
import { files } from './files.ts';
import type { Host, OutputStream, Timers } from './host.ts';
import { type Processes, processes } from './processes.ts';
import { listenToSignals, type Signals, withDeadline } from './signals.ts';
import { writeAll } from './write-file.ts';

/** This machine's timers. One that was not called off keeps the process alive. */
export const timers: Timers = {
  elapsedMs: () => performance.now(),
  later(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  soon: (act) => void setImmediate(act),
};

/** Clock, randomness and files as this process really has them. */
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

/** Tells whether stdout is a file of its own. One that stderr goes to as well is a log of a container. */
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
 * Opens stdout. The stream of Node.js for files and devices writes once and drops what the system did not take, so
 * those get a stream that writes to the last byte.
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

/** The folder this process runs in; `undefined` if it was deleted. */
function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** The machine this process really runs on. */
function realHost(cwd: string, { interrupted, finishes, endable }: Signals): Host {
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
    // Opening a stream takes time; most runs need no more than one.
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
    finishes,
    endable,
  };
}

/** Parts of the machine that telctl may use when a program runs it as a library. */
interface QuietRun {
  /** Variables that are read; none where left out. */
  readonly env?: Host['env'] | undefined;
  /** Folder that names of files are relative to; the working folder of the process where left out. */
  readonly cwd?: string | undefined;
  /** Folder of the profiles; the one of the command line where left out. */
  readonly configFolder?: string | undefined;
  /** Folder of ledgers and journals; the one of the command line where left out. */
  readonly stateFolder?: string | undefined;
  /** Ends what is under way. */
  readonly signal?: AbortSignal | undefined;
  /** Text that stands for standard input. */
  readonly input?: string | undefined;
}

/** Loads the database that Node.js brings along without its warning that it is experimental. */
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
 * The machine of a library: nobody sees or types anything, no signal is listened to, and the settings of the engine and
 * of the process stay as they are.
 */
export function quietHost({ env = {}, cwd = process.cwd(), input = '', ...run }: QuietRun): Host {
  const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
  const quietly: Processes['runForText'] = (command, args, variables, limits) =>
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
    stdout: nowhere(),
    stderr: nowhere(),
    outputIsKept: () => true,
    processes: {
      ...processes,
      muteWarnings: loadDatabaseQuietly,
      // The heap belongs to the program that uses the library.
      keepHeapSmall: () => undefined,
      runForText: quietly,
      runForManifest: quietly,
    },
    interrupted: run.signal ?? new AbortController().signal,
    finishes: () => undefined,
    endable: withDeadline,
  };
}

type Argv = readonly string[];

/** The work of this process with its arguments; both give the exit code. */
interface Program {
  run(argv: Argv, host: Host): Promise<number>;
  /** Tells what went wrong. */
  report(error: unknown, argv: Argv, host: Host): Promise<number>;
}

export async function runProgram({ run, report }: Program): Promise<void> {
  const argv = process.argv.slice(2);
  const cwd = workingFolder();
  const host = realHost(
    cwd ?? '/',
    listenToSignals(() => endWith(host.interrupted.reason)),
  );
  /** Tells what went wrong and ends the process, whatever still runs. */
  const endWith = async (error: unknown): Promise<void> => process.exit(await report(error, argv, host));
  // What nobody waited for has failed; what state that left is not known, so nothing goes on.
  process.on('uncaughtException', endWith);
  // Nothing in the middle ends the process: what was written gets out before it ends by itself.
  process.exitCode =
    cwd === undefined
      ? await report(new MissingFolder('ENOCWD', 'The working folder'), argv, host)
      : await run(argv, host);
}
