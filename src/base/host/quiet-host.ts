import { homedir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { findFolders } from './folders.ts';
import type { Host } from './host.ts';
import { type Processes, processes } from './processes.ts';
import { machine } from './real-host.ts';
import { withDeadline } from './signals.ts';

/** Parts of the machine that telctl may use when a program runs it as a library. */
export interface QuietRun {
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
  const found = findFolders(env, homedir(), machine.platform);
  return {
    ...machine,
    env,
    withheld: new Set(),
    cwd,
    folders: {
      ...found,
      config: run.configFolder ?? found.config,
      state: run.stateFolder ?? found.state,
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
