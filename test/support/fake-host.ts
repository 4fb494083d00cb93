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

/** A home folder and a working folder of a test's own, on the real file system. */
export interface TestFolders {
  readonly home: string;
  readonly cwd: string;
  remove(): void;
}

/** Makes empty folders below the system's temporary one. */
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

/** Properties of the machine of one run. */
export interface Machine {
  /** Standard output is a file. */
  readonly outputIsKept?: boolean;
  readonly folders: TestFolders;
  readonly clock: Clock;
  readonly random: Random;
  readonly env?: Readonly<Record<string, string>>;
  /** Everything is a terminal; otherwise nothing is. */
  readonly tty?: boolean;
  readonly stdin?: string | undefined;
  /** Text that is typed at the terminal, in order; needs `tty`. */
  readonly answers?: readonly Answer[];
  /** Width of the terminal in characters. */
  readonly width?: number;
  readonly interrupted?: AbortSignal;
  /** Streams of another program that this one speaks to, instead of those that hold text. */
  readonly peer?: Pick<Host, 'stdin' | 'stdout'> | undefined;
  /** Functions of the file system that behave in another way. */
  readonly disk?: Partial<Files>;
  /** Told of all that stands on stdout, each time that something is written there. */
  readonly shown?: ((stdout: string) => void) | undefined;
  /** Told of each piece that is written, in order. */
  readonly wrote?: (stream: 'stdout' | 'stderr', chunk: string) => void;
  /** Functions for other processes that behave in another way. */
  readonly processes?: Partial<Processes>;
  /** This machine's real time, where it goes by faster. */
  readonly timers?: Timers;
  /** Linux where left out; its folders lie where Linux has them all the same. */
  readonly platform?: Host['platform'];
}

/** A host that keeps what was written to its streams. */
export interface FakeHost {
  readonly host: Host;
  stdout(): string;
  stderr(): string;
}

/** A clock with signals that abort at their time: as soon as the clock was looked at, or slept on, until then. */
function alarmed(clock: Clock): Pick<Host, 'clock' | 'after'> {
  const alarms = new Map<AbortController, number>();
  const ring = (): void => {
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
        ring();
        return clock.now();
      },
      async sleep(ms, signal) {
        const firstMs = Math.min(...alarms.values()) - clock.now();
        const beforeMs = Math.min(ms, Math.max(0, firstMs));
        await clock.sleep(beforeMs, signal);
        ring();
        if (ms > beforeMs) await clock.sleep(ms - beforeMs, signal);
      },
    },
  };
}

/** Makes a host with real files in the test's folders, and everything else under the test's control. */
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
  const { clock, after } = alarmed(machine.clock);
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
