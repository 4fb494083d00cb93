import type { Readable, Writable } from 'node:stream';
import type { Files } from './files.ts';
import type { Processes } from './processes.ts';
import type { Signals } from './signals.ts';

export type InputStream = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(mode: boolean): unknown;
};

/** An output stream that may be a terminal; `columns` and `rows` are its width and height in characters. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Real time for waits and pauses. A test clock does not affect it. */
export interface Timers {
  /** Monotonic milliseconds for measuring durations. */
  elapsedMs(): number;
  /** Runs `act` after `ms`. Returns a function that cancels it. */
  later(ms: number, act: () => void): () => void;
  /** Runs `act` after all current events are handled. */
  soon(act: () => void): void;
}

export interface Random {
  bytes(count: number): Uint8Array;
  /** A number in [0, 1) to spread retries. Never for secrets. */
  fraction(): number;
}

/** The only access to everything outside the program. Tests replace it. */
export interface Host extends Pick<Signals, 'allowFinish' | 'runBlocking'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that no child process gets, because a manifest read them. */
  readonly withheld: Pick<Set<string>, 'add' | 'has'>;
  /** Values of `${env}`, `${file}` and `${secret}` in this run, with their expressions. */
  readonly outside: Map<string, string>;
  readonly cwd: string;
  /** Absolute path, or `undefined` if there is none. */
  readonly home: string | undefined;
  readonly folders: Folders;
  readonly platform: NodeJS.Platform;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** True if stdout is a file or discarded. Its content is then in no job log. */
  outputIsKept(): boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly files: Files;
  readonly processes: Processes;
  /** Aborts on the first Ctrl-C, SIGTERM, or when the terminal closes. */
  readonly interrupted: AbortSignal;
  /** A signal that aborts after `ms`. Does not keep the process alive. */
  after(ms: number): AbortSignal;
}

/** Reading a folder throws an error with code `ENOHOME` if it requires a missing home folder. */
export interface Folders {
  /** Profiles, API keys and tokens. */
  readonly config: string;
  /** Caches, safe to delete: names for completion, compiled code. */
  readonly cache: string;
  /** State that later runs need: sandboxes, ledgers, the log. */
  readonly state: string;
}

/** A clock for any JavaScript runtime. Does not load Node.js modules. */
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

export const createTimeoutSignal = (ms: number): AbortSignal => AbortSignal.timeout(ms);
