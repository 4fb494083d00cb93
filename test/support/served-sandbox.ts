import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { runCli } from '../../src/cli/shell/run-cli.ts';
import { fakeHost, type TestFolders } from './fake-host.ts';
import { realClock, realRandom } from './run-with-sandbox.ts';
import { type RunOptions, testFolders } from './world.ts';

/** Result of a run of telctl over the network. */
export interface ServedRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A sandbox of `sandbox serve` in this process, with its state file and telctl. */
export interface ServedSandbox {
  readonly folders: TestFolders;
  telctl(line: string | readonly string[], options?: RunOptions): Promise<ServedRun>;
  /** Returns stdout as JSON. Throws on failure. */
  json(line: string | readonly string[]): Promise<JsonObject>;
  state(): {
    readonly baseUrl: string;
    readonly controlKey: string;
    readonly seed: JsonObject;
    readonly certificate?: string;
  };
  /** Returns its complete log. */
  log(): string;
  end(): Promise<void>;
  /** Adds a user without a command line. */
  addUser(username: string, line?: string): Promise<ServedRun>;
  /** Restarts it at the same address with the same arguments, and runs `between` meanwhile. */
  restart(between?: () => Promise<void>): Promise<void>;
}

/** Serves a sandbox until the test ends, and signs in its profile. */
export async function serveSandbox(...args: readonly string[]): Promise<ServedSandbox> {
  const folders = testFolders();
  const machine = (options: RunOptions = {}) =>
    fakeHost({ folders, clock: realClock, random: realRandom, ...options });
  const statePath = `${machine().host.folders.state}/sandboxes/default/state.json`;
  let end = async (): Promise<void> => undefined;
  let log = (): string => '';

  const telctl: ServedSandbox['telctl'] = async (line, options = {}) => {
    const argv = typeof line === 'string' ? line.split(' ').filter(Boolean) : line;
    const run = machine(options);
    const code = await runCli(argv, run.host, {});
    return { code, stdout: run.stdout(), stderr: run.stderr() };
  };
  let port: readonly string[] = [];
  const start = async (): Promise<void> => {
    const over = new AbortController();
    const run = machine({ interrupted: over.signal });
    log = run.stdout;
    const serving = runCli(['sandbox', 'serve', ...port, ...args], run.host, {});
    let ended = false;
    void serving.then(() => {
      ended = true;
    });
    while (run.host.files.sizeOf(statePath) === undefined) {
      if (ended) throw new Error(`The sandbox did not start: ${run.stderr()}`);
      await pause(2);
    }
    port = ['--port', String(JSON.parse(run.host.files.readText(statePath)?.text ?? '{}').port)];
    end = async () => {
      over.abort();
      await serving;
    };
  };
  onTestFinished(() => end());
  await start();
  const signedIn = await telctl('sandbox start');
  if (signedIn.code !== 0) throw new Error(signedIn.stderr);
  return {
    folders,
    telctl,
    async json(line) {
      const words = typeof line === 'string' ? line.split(' ') : line;
      const run = await telctl([...words, '-o', 'json']);
      if (run.code !== 0) throw new Error(`${words.join(' ')}: ${run.code} ${run.stderr}`);
      return JSON.parse(run.stdout);
    },
    log: () => log(),
    end: () => end(),
    addUser: (username, line = 'users create -f -') =>
      telctl(line, {
        stdin: JSON.stringify({
          username,
          first_name: 'A',
          last_name: 'B',
          password: 'first-sign-in',
        }),
      }),
    state: () => JSON.parse(machine().host.files.readText(statePath)?.text ?? 'null'),
    async restart(between = async () => undefined) {
      await end();
      await between();
      await start();
    },
  };
}
