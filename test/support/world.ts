import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Files } from '../../src/base/host/files.ts';
import type { Clock, Host, Timers } from '../../src/base/host/host.ts';
import type { Processes } from '../../src/base/host/processes.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { runCli } from '../../src/cli/shell/run-cli.ts';
import type { Behaviour } from '../../src/extensions/sandbox/behaviour.ts';
import { behaviourOf } from '../../src/extensions/sandbox/behaviour.ts';
import type { SandboxMode } from '../../src/extensions/sandbox/differences.ts';
import type { Seed } from '../../src/extensions/sandbox/running-state.ts';
import { type CalledSandbox, calledSandbox } from './called-sandbox.ts';
import { seededRandom, type TurnedClock } from './clock.ts';
import { fakeHost, makeFolders, type TestFolders, writeFiles } from './fake-host.ts';
import type { FaultRule } from './faults.ts';
import { injectTransport, type SentRequest } from './inject-transport.ts';
import { mode } from './mode.ts';
import type { Answer } from './streams.ts';
import { connectService, createTwinAccount, createTwinService, type Twin } from './twins.ts';
import { assertWellCounted } from './well-counted.ts';

/** Input of a run of telctl. */
export interface RunOptions {
  readonly stdin?: string;
  /** Standard output is a file. */
  readonly outputIsKept?: boolean;
  /** All streams are terminals (default: none is). */
  readonly tty?: boolean;
  /** Answers at the terminal, each after its question. */
  readonly answers?: readonly Answer[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files to write to the working folder before the run. */
  readonly files?: Readonly<Record<string, string>>;
  readonly width?: number;
  readonly faults?: readonly FaultRule[];
  readonly interrupted?: AbortSignal;
  /** Streams of a connected program. */
  readonly peer?: Pick<Host, 'stdin' | 'stdout'>;
  /** The clock of the machine, if it differs from that of the service. */
  readonly clock?: Clock;
  /** Folders of another machine. */
  readonly folders?: TestFolders;
  /** Replaces functions of the file system. */
  readonly disk?: Partial<Files>;
  /** Replaces functions for other processes. */
  readonly processes?: Partial<Processes>;
  /** Receives each written chunk, in order. */
  readonly wrote?: (stream: 'stdout' | 'stderr', chunk: string) => void;
  /** Replaces the timers of the machine, for example by faster ones. */
  readonly timers?: Timers;
  /** Default: Linux. */
  readonly platform?: Host['platform'];
  /** Receives the complete stdout after each write. */
  readonly shown?: (stdout: string) => void;
}

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Sent requests in order, including those with lost responses. */
  readonly requests: readonly SentRequest[];
  readonly slept: readonly number[];
}

/** A file or folder that telctl wrote. */
export interface Written {
  readonly path: string;
  readonly mode: number;
  readonly isFolder: boolean;
}

/** A machine with a home folder and an in-process service. */
export interface World {
  readonly url: string;
  readonly seed: Seed;
  /** Name of the signed-in profile. */
  readonly profile: string;
  readonly clock: TurnedClock;
  readonly folders: TestFolders;
  readonly sandbox: CalledSandbox;
  /** Behavior of the service. */
  readonly behaviour: Behaviour;
  /** Runs telctl with a command line, split at spaces, or with a list of arguments. */
  telctl(line: string | readonly string[], options?: RunOptions): Promise<Run>;
  /**
   * Sends a request as the administrator of the account, at a path below the account, and returns `data`. Throws on
   * failure.
   */
  service(method: string, path: string, data?: Json): Promise<JsonObject>;
  /** Creates a user without telctl. The default password is valid. */
  addUser(fields: JsonObject): Promise<JsonObject>;
  /** Creates another account whose administrator has the same name and password, with a signed-in profile. */
  twinAccount(): Promise<Twin>;
  /** Creates another service with equal ids, names and keys, with a signed-in profile. */
  twinService(): Promise<Twin>;
  /** Revokes every token of the service. */
  revokeTokens(): Promise<void>;
  /** Returns the administrator's password in the form in which it is sent. */
  digest(algorithm: 'md5' | 'sha1'): string;
  /** Returns everything below the home folder. */
  filesWritten(): readonly Written[];
}

export interface WorldOptions {
  /** How the profile signs in before the test (default: `api-key`). */
  readonly signIn?: 'api-key' | 'password' | 'none';
  /** The service that the sandbox imitates (default: that of the mode). */
  readonly like?: SandboxMode | undefined;
  /** The service that telctl sees. `sandbox` and `service` still create records without an operation. */
  readonly answersLike?: SandboxMode | undefined;
}

const url = 'http://127.0.0.1:8000';
const twinUrl = 'http://127.0.0.1:8001';
const profile = 'test';

/** Creates folders for a test. They are removed after it. */
export function testFolders(): TestFolders {
  const folders = makeFolders();
  onTestFinished(() => folders.remove());
  return folders;
}

/** Returns true for a request that signs in. */
export const isSignIn = ({ path }: SentRequest): boolean => /\/(?:user_auth|api_auth)$/.test(path);

/** Creates a world with a signed-in profile. It closes with the test. */
export async function openWorld({
  signIn = 'api-key',
  like = mode === 'kazoo' ? mode : undefined,
  answersLike = mode === 'specification' ? mode : undefined,
}: WorldOptions = {}): Promise<World> {
  const folders = testFolders();
  const sandbox = await calledSandbox({ like });
  onTestFinished(() => sandbox.app.close());
  const { clock, seed } = sandbox;
  const app = answersLike === undefined ? sandbox.app : sandbox.answeringLike(answersLike);
  const random = seededRandom(11);
  /** Services at other addresses. */
  const apps = new Map<string, CalledSandbox['app']>();
  const appAt = (origin: string): CalledSandbox['app'] => apps.get(origin) ?? app;

  const telctl: World['telctl'] = async (line, options = {}) => {
    const argv = typeof line === 'string' ? line.split(' ').filter(Boolean) : line;
    writeFiles((options.folders ?? folders).cwd, options.files ?? {});
    const machine = fakeHost({ folders, clock, random, ...options });
    const transport = injectTransport(appAt, options.faults);
    const sleptBefore = clock.sleeps.length;
    const code = await runCli(argv, machine.host, { transport });
    assertWellCounted(machine.stderr());
    return {
      code,
      stdout: machine.stdout(),
      stderr: machine.stderr(),
      requests: transport.requests,
      slept: clock.sleeps.slice(sleptBefore),
    };
  };

  const asAdmin = connectService(sandbox, seed.accountId, sandbox.adminToken);
  // On KAZOO, only the parent account can read service plans.
  const asSuper = connectService(sandbox, seed.accountId, sandbox.superToken);
  const service: World['service'] = (method, path, data) =>
    (path.startsWith('services') ? asSuper : asAdmin)(method, path, data);

  /** Signs in the profile of a twin, and restores the default profile. */
  async function addProfile(twin: Twin): Promise<Twin> {
    await signInto(world, 'password', twin);
    const back = await telctl(['profiles', 'use', profile]);
    if (signIn !== 'none' && back.code !== 0) throw new Error(back.stderr);
    return twin;
  }

  const world: World = {
    url,
    seed,
    profile,
    clock,
    folders,
    sandbox,
    behaviour: behaviourOf(answersLike ?? like),
    telctl,
    service,
    addUser: (fields) => service('PUT', 'users', { password: 'first-sign-in', ...fields }),
    twinAccount: async () => addProfile(await createTwinAccount(sandbox, url)),
    async twinService() {
      // Tokens issued in the same second would be equal.
      clock.turn(1_000);
      const twin = await createTwinService(clock, twinUrl, like);
      onTestFinished(() => twin.sandbox.app.close());
      apps.set(twinUrl, answersLike ? twin.sandbox.answeringLike(answersLike) : twin.sandbox.app);
      return addProfile(twin);
    },
    async revokeTokens() {
      const body = { action: 'reset_signature_secret', data: {} };
      const reply = await sandbox.call('PUT', '/v2/auth', { token: await sandbox.superToken(), body });
      if (reply.status >= 300) throw new Error(reply.text);
    },
    digest: (algorithm) => createHash(algorithm).update(`admin:${seed.adminPassword}`).digest('hex'),
    filesWritten() {
      const entries = readdirSync(folders.home, { recursive: true, encoding: 'utf8' });
      return entries.map((name) => {
        const path = join(folders.home, name);
        const stat = statSync(path);
        return { path, mode: stat.mode & 0o777, isFolder: stat.isDirectory() };
      });
    },
  };
  if (signIn !== 'none') await signInOnce(world, signIn, `${signIn} ${like} ${answersLike}`);
  return world;
}

/** Home folders after a sign-in, by its kind. Equal worlds get equal tokens. */
const homes = new Map<string, readonly KeptEntry[]>();

/** A file of a home folder, or a folder (without bytes). */
interface KeptEntry {
  readonly path: string;
  readonly mode: number;
  readonly bytes?: Buffer;
}

/** Returns the content of a home folder. */
function readEntries(home: string): readonly KeptEntry[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((path) => {
      const stat = statSync(join(home, path));
      const kept = { path, mode: stat.mode & 0o777 };
      return stat.isDirectory() ? kept : { ...kept, bytes: readFileSync(join(home, path)) };
    });
}

function writeEntries(home: string, entries: readonly KeptEntry[]): void {
  for (const { path, mode, bytes } of entries)
    if (bytes) writeFileSync(join(home, path), bytes, { mode });
    else mkdirSync(join(home, path), { mode, recursive: true });
}

/** The sign-in that home folders started with. */
const firstSignIns = new WeakMap<TestFolders, string>();

/** Signs in once for all equal worlds, if no command has run yet. Otherwise runs `signIn`. */
export async function signedInOnce(
  { folders, clock }: Pick<World, 'folders' | 'clock'>,
  word: string,
  signIn: () => Promise<unknown>,
): Promise<void> {
  const { home } = folders;
  const begun = firstSignIns.get(folders);
  const here = readEntries(home);
  if (begun === undefined || !isDeepStrictEqual(homes.get(begun), here)) {
    await signIn();
    return;
  }
  const key = `${begun} ${word} ${clock.now()}`;
  const known = homes.get(key);
  if (known) return writeEntries(home, known);
  await signIn();
  homes.set(key, readEntries(home));
}

/** Signs in once for all equal worlds. A sign-in takes longer than the rest of the setup. */
async function signInOnce(world: World, way: 'api-key' | 'password', key: string): Promise<void> {
  const { home } = world.folders;
  const known = homes.get(key);
  firstSignIns.set(world.folders, key);
  if (known) return writeEntries(home, known);
  await signInto(world, way);
  homes.set(key, readEntries(home));
}

async function signInto(
  { telctl, seed }: World,
  way: 'api-key' | 'password',
  as: Pick<Twin, 'profile' | 'url' | 'accountName'> = { profile, url, accountName: seed.accountName },
): Promise<void> {
  const common = ['login', '--profile', as.profile, '--base-url', as.url];
  const password = ['--account-name', as.accountName, '--username', seed.adminUsername, '--password-stdin'];
  const run =
    way === 'api-key'
      ? await telctl([...common, '--api-key-stdin'], { stdin: seed.apiKey })
      : await telctl([...common, ...password], { stdin: seed.adminPassword });
  if (run.code !== 0) throw new Error(`the sign-in exited with code ${run.code}: ${run.stderr}`);
}
