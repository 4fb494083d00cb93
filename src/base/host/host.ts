import type { Readable, Writable } from 'node:stream';
import type { Files } from './files.ts';
import type { Processes } from './processes.ts';
import type { Signals } from './signals.ts';

/** An input stream that may be a terminal. */
export type InputStream = Readable & {
  readonly isTTY?: boolean;
  /** Switches a terminal to giving each key as it is typed, without showing it. */
  setRawMode?(mode: boolean): unknown;
};

/** An output stream that may be a terminal; `columns` and `rows` are its width and height in characters. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Time as the program sees it. Tests turn it by hand. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Real time, for what waits on other machines or spares this one; a clock that is turned by hand leaves it as it is. */
export interface Timers {
  /** Milliseconds that grow steadily from some moment on, for measuring how long something takes. */
  elapsedMs(): number;
  /** Runs `act` after `ms`. Returns a function that cancels it. */
  later(ms: number, act: () => void): () => void;
  /** Runs `act` once everything that happened until now has been handled. */
  soon(act: () => void): void;
}

/** Randomness as the program sees it. */
export interface Random {
  bytes(count: number): Uint8Array;
  /** A number in [0, 1), for spreading retries; never for secrets. */
  fraction(): number;
}

/** The machine of one run: everything outside the program comes through here, for tests to give theirs. */
export interface Host extends Pick<Signals, 'finishes' | 'endable'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that no program gets: those that a manifest read. */
  readonly withheld: Pick<Set<string>, 'add' | 'has'>;
  /** Values that this run read from `${env}`, `${file}` and `${secret}`, with the expression of each. */
  readonly outside: Map<string, string>;
  readonly cwd: string;
  /** The absolute home folder of the user; `undefined` if there is none. */
  readonly home: string | undefined;
  /** Folders where telctl keeps things, resolved from the environment. */
  readonly folders: Folders;
  readonly platform: NodeJS.Platform;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** True where stdout goes into a file of its own, or nowhere: what stands there is in no log of a job. */
  outputIsKept(): boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly files: Files;
  readonly processes: Processes;
  /** Aborts on the first Ctrl-C, SIGTERM, or end of the terminal. */
  readonly interrupted: AbortSignal;
  /** A signal that aborts after `ms`. It keeps no run alive. */
  after(ms: number): AbortSignal;
}

/** The three folders of telctl. Reading one throws an error of code `ENOHOME` if it depends on a missing home folder. */
export interface Folders {
  /** Profiles, API keys, tokens. */
  readonly config: string;
  /** Folder of caches, which may be deleted: live names for completion, compiled code. */
  readonly cache: string;
  /** Folder of what a run leaves for the next: sandboxes, ledgers, the log. */
  readonly state: string;
}

/** The clock of any runtime of JavaScript, for programs: it loads no module of Node.js. */
export const runtimeClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
      }, ms);
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end, { once: true });
    }),
};

export const runtimeRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  fraction: () => Math.random(),
};

export const abortedAfter = (ms: number): AbortSignal => AbortSignal.timeout(ms);
