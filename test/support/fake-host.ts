import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFolders } from '../../src/base/host/file-access.ts';
import { type Files, files } from '../../src/base/host/files.ts';
import type { Clock, Host, Random, Timers } from '../../src/base/host/host.ts';
import { type Processes, processes } from '../../src/base/host/processes.ts';
import { timers } from '../../src/base/host/real-host.ts';
import { withDeadline } from '../../src/base/host/signals.ts';
import { type Answer, collector, inputStream, typist } from './streams.ts';

/** Home and working folder of a test, on the real file system. */
export interface TestFolders {
  readonly home: string;
  readonly cwd: string;
  remove(): void;
}

/** Creates empty folders in the temporary folder. */
export function makeFolders(): TestFolders {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'telctl-test-')));
  const home = join(root, 'home');
  const cwd = join(root, 'work');
  for (const folder of [home, cwd]) mkdirSync(folder);
  return { home, cwd, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Writes files (path to text) below a folder. */
export function writeFiles(folder: string, texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Properties of the machine in one run. */
export interface Machine {
  /** Standard output is a file. */
  readonly outputIsKept?: boolean;
  readonly folders: TestFolders;
  readonly clock: Clock;
  readonly random: Random;
  readonly env?: Readonly<Record<string, string>>;
  /** All streams are terminals (default: none is). */
  readonly tty?: boolean;
  readonly stdin?: string | undefined;
  /** Text typed at the terminal, in order. Needs `tty`. */
  readonly answers?: readonly Answer[];
  /** Width of the terminal in characters. */
  readonly width?: number;
  readonly interrupted?: AbortSignal;
  /** Streams of a connected program, instead of collected text. */
  readonly peer?: Pick<Host, 'stdin' | 'stdout'> | undefined;
  /** Replaces functions of the file system. */
  readonly disk?: Partial<Files>;
  /** Receives the complete stdout after each write. */
  readonly shown?: ((stdout: string) => void) | undefined;
  /** Receives each written chunk, in order. */
  readonly wrote?: (stream: 'stdout' | 'stderr', chunk: string) => void;
  /** Replaces functions for other processes. */
  readonly processes?: Partial<Processes>;
  /** Replaces the timers of the machine, for example by faster ones. */
  readonly timers?: Timers;
  /** Default: Linux. Folders are always at their Linux locations. */
  readonly platform?: Host['platform'];
}

/** A host that collects its output. */
export interface FakeHost {
  readonly host: Host;
  stdout(): string;
  stderr(): string;
}

/** Returns signals that abort at their time on the clock. */
function createAlarms(clock: Clock): Pick<Host, 'clock' | 'after'> {
  const alarms = new Map<AbortController, number>();
  const fireAlarms = (): void => {
    for (const [alarm, atMs] of alarms) if (atMs <= clock.now() && alarms.delete(alarm)) alarm.abort();
  };
  return {
    after(ms) {
      const alarm = new AbortController();
      alarms.set(alarm, clock.now() + ms);
      return alarm.signal;
    },
    clock: {
      now() {
        fireAlarms();
        return clock.now();
      },
      async sleep(ms, signal) {
        const firstMs = Math.min(...alarms.values()) - clock.now();
        const beforeMs = Math.min(ms, Math.max(0, firstMs));
        await clock.sleep(beforeMs, signal);
        fireAlarms();
        if (ms > beforeMs) await clock.sleep(ms - beforeMs, signal);
      },
    },
  };
}

/** Creates a host with real files and everything else under the control of the test. */
export function fakeHost(machine: Machine): FakeHost {
  const tty = machine.tty ?? false;
  const columns = machine.width ?? 120;
  const stdin = inputStream({ tty, text: machine.stdin });
  const type = typist(machine.answers ?? [], stdin);
  const stdout = collector({
    tty,
    columns,
    onWrite(text, chunk) {
      machine.shown?.(text);
      machine.wrote?.('stdout', chunk);
    },
  });
  const stderr = collector({
    tty,
    columns,
    onWrite(text, chunk) {
      type(text);
      machine.wrote?.('stderr', chunk);
    },
  });
  const { clock, after } = createAlarms(machine.clock);
  const env = { HOME: machine.folders.home, NO_COLOR: '1', TELCTL_PAGER: 'cat', ...machine.env };
  return {
    host: {
      env,
      withheld: new Set(),
      outside: new Map(),
      cwd: machine.folders.cwd,
      home: machine.folders.home,
      folders: findFolders(env, machine.folders.home, 'linux'),
      platform: machine.platform ?? 'linux',
      stdin: machine.peer?.stdin ?? stdin,
      stdout: machine.peer?.stdout ?? stdout.stream,
      stderr: stderr.stream,
      outputIsKept: () => machine.outputIsKept === true,
      clock,
      timers: machine.timers ?? timers,
      random: machine.random,
      files: { ...files, ...machine.disk },
      processes: { ...processes, ...machine.processes },
      interrupted: machine.interrupted ?? new AbortController().signal,
      after,
      allowFinish: () => undefined,
      runBlocking: withDeadline,
    },
    stdout: stdout.text,
    stderr: stderr.text,
  };
}
