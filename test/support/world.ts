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
import type { Likeness } from '../../src/extensions/sandbox/differences.ts';
import type { Seed } from '../../src/extensions/sandbox/running-state.ts';
import { type CalledSandbox, calledSandbox } from './called-sandbox.ts';
import { seededRandom, type TurnedClock } from './clock.ts';
import { fakeHost, makeFolders, type TestFolders, writeFiles } from './fake-host.ts';
import type { FaultRule } from './faults.ts';
import { injectTransport, type SentRequest } from './inject-transport.ts';
import { mode } from './mode.ts';
import type { Answer } from './streams.ts';
import { serviceOf, type Twin, twinAccount, twinService } from './twins.ts';
import { assertWellCounted } from './well-counted.ts';

/** Input of one run of telctl. */
export interface RunOptions {
  readonly stdin?: string;
  /** Standard output is a file. */
  readonly outputIsKept?: boolean;
  /** Everything is a terminal; otherwise nothing is. */
  readonly tty?: boolean;
  /** Answers at the terminal, each after its question. */
  readonly answers?: readonly Answer[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files to write into the working folder first. */
  readonly files?: Readonly<Record<string, string>>;
  readonly width?: number;
  readonly faults?: readonly FaultRule[];
  readonly interrupted?: AbortSignal;
  /** Streams of another program that telctl speaks to. */
  readonly peer?: Pick<Host, 'stdin' | 'stdout'>;
  /** This machine's clock, where it is not that of the service. */
  readonly clock?: Clock;
  /** Folders of another machine than the world's own. */
  readonly folders?: TestFolders;
  /** Functions of the file system that behave in another way. */
  readonly disk?: Partial<Files>;
  /** Functions for other processes that behave in another way. */
  readonly processes?: Partial<Processes>;
  /** Told of each piece that is written, in order. */
  readonly wrote?: (stream: 'stdout' | 'stderr', chunk: string) => void;
  /** This machine's real time, where it goes by faster. */
  readonly timers?: Timers;
  /** Linux where left out. */
  readonly platform?: Host['platform'];
  /** Told of all that stands on stdout, each time that something is written there. */
  readonly shown?: (stdout: string) => void;
}

/** Result of one run of telctl. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Requests that left the program, in order, lost replies and all. */
  readonly requests: readonly SentRequest[];
  /** Length of each of its sleeps, in milliseconds. */
  readonly slept: readonly number[];
}

/** A file or folder that telctl wrote. */
export interface Written {
  readonly path: string;
  readonly mode: number;
  readonly isFolder: boolean;
}

/** A machine with a home folder, and a service that it reaches without a network. */
export interface World {
  readonly url: string;
  readonly seed: Seed;
  /** Name of the profile that was signed in. */
  readonly profile: string;
  readonly clock: TurnedClock;
  readonly folders: TestFolders;
  readonly sandbox: CalledSandbox;
  /** Behaviour of the service that telctl speaks to. */
  readonly behaviour: Behaviour;
  /** Runs telctl with a command line, split at blanks, or with its arguments. */
  telctl(line: string | readonly string[], options?: RunOptions): Promise<Run>;
  /**
   * Calls the service past telctl, as the account's administrator, below the account's path or (empty) at it; gives
   * `data`. Throws unless it succeeds.
   */
  service(method: string, path: string, data?: Json): Promise<JsonObject>;
  /** Adds a user past telctl, with a password where the test needs none of its own. */
  addUser(fields: JsonObject): Promise<JsonObject>;
  /** An account beside the own one, whose administrator has the same name and password, with a profile that is signed in. */
  twinAccount(): Promise<Twin>;
  /** The same account at another service, with the same ids, names and keys, and a profile that is signed in. */
  twinService(): Promise<Twin>;
  /** Ends every token of the service. */
  revokeTokens(): Promise<void>;
  /** Form of the administrator's password before it is sent. */
  digest(algorithm: 'md5' | 'sha1'): string;
  /** Everything below the home folder. */
  filesWritten(): readonly Written[];
}

export interface WorldOptions {
  /** Way in which the profile is signed in before the test begins; `api-key` where left out. */
  readonly signIn?: 'api-key' | 'password' | 'none';
  /** The service that the sandbox answers like; that of this run's mode where left out. */
  readonly like?: Likeness | undefined;
  /** The service that telctl speaks to answers like, while `sandbox` and `service` still make what it has no way to. */
  readonly answersLike?: Likeness | undefined;
}

const url = 'http://127.0.0.1:8000';
const twinUrl = 'http://127.0.0.1:8001';
const profile = 'test';

/** Folders of a test's own, removed after it. */
export function testFolders(): TestFolders {
  const folders = makeFolders();
  onTestFinished(() => folders.remove());
  return folders;
}

/** True for a request that signs in. */
export const isSignIn = ({ path }: SentRequest): boolean => /\/(?:user_auth|api_auth)$/.test(path);

/** Makes a world and signs its profile in. It ends with the test that made it. */
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
  /** Services at other addresses than the world's own. */
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

  const asAdmin = serviceOf(sandbox, seed.accountId, sandbox.adminToken);
  // Service plans are for the account above alone where a sandbox answers like services in the field.
  const asSuper = serviceOf(sandbox, seed.accountId, sandbox.superToken);
  const service: World['service'] = (method, path, data) =>
    (path.startsWith('services') ? asSuper : asAdmin)(method, path, data);

  /** Signs a twin's profile in, and goes back to the world's own one. */
  async function withProfile(twin: Twin): Promise<Twin> {
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
    twinAccount: async () => withProfile(await twinAccount(sandbox, url)),
    async twinService() {
      // Tokens of one second would be equal.
      clock.turn(1_000);
      const twin = await twinService(clock, twinUrl, like);
      onTestFinished(() => twin.sandbox.app.close());
      apps.set(twinUrl, answersLike ? twin.sandbox.answeringLike(answersLike) : twin.sandbox.app);
      return withProfile(twin);
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
  if (signIn !== 'none') await signedIn(world, signIn, `${signIn} ${like} ${answersLike}`);
  return world;
}

/** Files of homes after a sign-in, by what it was: worlds that begin alike, get the same tokens. */
const homes = new Map<string, readonly KeptEntry[]>();

/** A file or (without bytes) folder of a home. */
interface KeptEntry {
  readonly path: string;
  readonly mode: number;
  readonly bytes?: Buffer;
}

/** What a home holds. */
function entriesOf(home: string): readonly KeptEntry[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((path) => {
      const stat = statSync(join(home, path));
      const kept = { path, mode: stat.mode & 0o777 };
      return stat.isDirectory() ? kept : { ...kept, bytes: readFileSync(join(home, path)) };
    });
}

function putInto(home: string, entries: readonly KeptEntry[]): void {
  for (const { path, mode, bytes } of entries)
    if (bytes) writeFileSync(join(home, path), bytes, { mode });
    else mkdirSync(join(home, path), { mode, recursive: true });
}

/** Keys of what the homes of worlds were begun with. */
const begunWith = new WeakMap<TestFolders, string>();

/**
 * Signs in once more, under a word, in a world in which nothing has been run yet: once for all worlds that are alike.
 * Where something has, `signIn` runs.
 */
export async function signedInOnce(
  { folders, clock }: Pick<World, 'folders' | 'clock'>,
  word: string,
  signIn: () => Promise<unknown>,
): Promise<void> {
  const { home } = folders;
  const begun = begunWith.get(folders);
  const here = entriesOf(home);
  if (begun === undefined || !isDeepStrictEqual(homes.get(begun), here)) {
    await signIn();
    return;
  }
  const key = `${begun} ${word} ${clock.now()}`;
  const known = homes.get(key);
  if (known) return putInto(home, known);
  await signIn();
  homes.set(key, entriesOf(home));
}

/** Signs in once for all worlds that are alike, since a sign-in takes longer than all the rest of a world. */
async function signedIn(world: World, way: 'api-key' | 'password', key: string): Promise<void> {
  const { home } = world.folders;
  const known = homes.get(key);
  begunWith.set(world.folders, key);
  if (known) return putInto(home, known);
  await signInto(world, way);
  homes.set(key, entriesOf(home));
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
  if (run.code !== 0) throw new Error(`the sign-in ended with ${run.code}: ${run.stderr}`);
}
