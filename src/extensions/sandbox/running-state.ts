import { text } from 'node:stream/consumers';
import { createHint, Failure, nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, parseJson } from '../../base/json.ts';
import type { Transport } from '../../client/api/transport.ts';
import type { SandboxMode } from './differences.ts';
import { allSandboxPaths, type SandboxPaths, sandboxNameOption } from './sandbox-paths.ts';

const seedParts = [
  'masterAccountId',
  'superUsername',
  'superPassword',
  'accountId',
  'accountName',
  'accountRealm',
  // Can also identify the account at sign-in.
  'phoneNumber',
  'apiKey',
  'adminUsername',
  'adminPassword',
  'adminUserId',
] as const;

/** The accounts and users of a new sandbox, with passwords. The store does not contain the passwords. */
export type Seed = Readonly<Record<(typeof seedParts)[number], string>>;

/** The state file of a running sandbox. It contains secrets, so only its owner can read it. */
export interface RunningState {
  readonly pid: number;
  readonly baseUrl: string;
  readonly port: number;
  /** Folder of the records. Missing for a sandbox in memory. */
  readonly folder?: string;
  readonly like?: SandboxMode;
  readonly rateLimit?: string;
  /** Hosts other than this machine that receive webhooks. */
  readonly allowDeliveriesTo?: readonly string[];
  readonly node: string;
  readonly startedAt: string;
  readonly seed: Seed;
  /** TLS certificate (PEM). telctl trusts only this certificate, for any host name. */
  readonly certificate?: string;
  /** Paths of the TLS certificate and private key. */
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly isServed?: boolean;
  /** Key for requests that control the sandbox. Older versions do not write it. */
  readonly controlKey?: string;
}

export const pageAddress = ({ baseUrl }: { readonly baseUrl: string }): string => `${baseUrl}/`;

type Machine = Pick<Host, 'files' | 'processes' | 'clock' | 'env'>;

/** Writes the state twice, because a damaged file would make the running sandbox unreachable. */
export function writeState({ files }: Pick<Host, 'files'>, paths: SandboxPaths, state: RunningState): void {
  for (const path of [paths.stateCopy, paths.state]) files.writePrivate(path, JSON.stringify(state));
  if (state.certificate !== undefined) files.writePrivate(paths.certificate, state.certificate);
}

/** An address that TLS clients on this machine can verify, with the CA file. */
export interface VerifiedAddress {
  readonly baseUrl: string;
  readonly caFile?: string;
}

/** Returns an address that matches the certificate. Returns `undefined` if the certificate is for other host names. */
export async function verifiedAddress(
  { baseUrl, certificate }: Pick<RunningState, 'baseUrl' | 'certificate'>,
  paths: SandboxPaths,
): Promise<VerifiedAddress | undefined> {
  if (certificate === undefined) return { baseUrl };
  const [{ X509Certificate }, { isIP }] = await Promise.all([import('node:crypto'), import('node:net')]);
  const own = new X509Certificate(certificate);
  const address = new URL(baseUrl);
  const isNamed = (name: string): boolean =>
    (isIP(name) === 0 ? own.checkHost(name) : own.checkIP(name)) !== undefined;
  const name = [address.hostname.replace(/^\[(.*)\]$/, '$1'), 'localhost'].find(isNamed);
  if (name === undefined) return undefined;
  if (name === 'localhost') address.hostname = name;
  return { baseUrl: address.origin, caFile: paths.certificate };
}

export function removeState({ files }: Pick<Host, 'files'>, paths: SandboxPaths): void {
  for (const path of [paths.stateCopy, paths.state]) files.remove(path);
}

/** Reads the last state of a sandbox. The sandbox may no longer run. Returns `undefined` for damaged files. */
export const readState = (host: Pick<Host, 'files'>, paths: SandboxPaths): RunningState | undefined =>
  parseStateFile(host, paths.state) ?? parseStateFile(host, paths.stateCopy);

function parseStateFile({ files }: Pick<Host, 'files'>, path: string): RunningState | undefined {
  const file = files.readText(path);
  if (file === undefined) return undefined;
  const value = parseJson(file.text);
  const isWhole =
    isObject(value) &&
    typeof value.pid === 'number' &&
    typeof value.port === 'number' &&
    typeof value.node === 'string' &&
    URL.canParse(String(value.baseUrl)) &&
    parseSeed(value.seed) !== undefined;
  return isWhole ? (value as unknown as RunningState) : undefined;
}

const replyTimeoutMs = 3000;

export interface SandboxAddress {
  readonly baseUrl: string;
  /** Certificate to trust, in addition to those of the system. */
  readonly certificate?: string | undefined;
}

/** Opens a connection that ignores proxy settings. */
export async function openConnection(
  { files, clock, env }: Machine,
  { baseUrl, certificate }: SandboxAddress,
): Promise<Transport> {
  const { openTransport } = await import('../../client/api/undici-transport.ts');
  return openTransport({
    baseUrl,
    env: {},
    files,
    clock,
    certificate,
    caFile: env.TELCTL_CA_FILE || undefined,
    insecure: false,
    allowHttp: true,
    connections: 1,
  });
}

/** Identifies the program at an address by the name in its response. */
async function findResponder(
  host: Machine,
  line: SandboxAddress,
): Promise<{ readonly node: unknown } | 'none' | 'silent'> {
  const transport = await openConnection(host, line);
  // Older versions do not have this path, but their error contains the name.
  const url = new URL('/sandbox/status', line.baseUrl);
  try {
    const reply = await transport.send({ method: 'GET', url, headers: {}, timeoutMs: replyTimeoutMs });
    const body = parseJson(await text(reply.body));
    return { node: isObject(body) ? body.node : undefined };
  } catch (error) {
    const { cause = error } = error as Error;
    return isObject(cause) && /TIMEOUT/.test(String(cause.code)) ? 'silent' : 'none';
  } finally {
    await transport.close();
  }
}

/**
 * Returns the state of a running sandbox. Removes the state of a crashed one. Throws `Failure` (`unavailable`) if the
 * process runs but does not respond, because it may still use its records.
 */
export async function runningState(host: Machine, paths: SandboxPaths): Promise<RunningState | undefined> {
  const state = readState(host, paths);
  if (!state) return undefined;
  if (host.processes.isAlive(state.pid)) {
    const responder = await findResponder(host, state);
    if (responder === 'silent')
      throw new Failure(
        'unavailable',
        `The sandbox at ${state.baseUrl} accepts connections but does not respond.`,
        { hint: `Wait, or stop its process: kill ${state.pid}` },
      );
    if (responder !== 'none' && responder.node === state.node) return state;
  }
  removeState(host, paths);
  return undefined;
}

/** Returns the seed in a parsed file. Returns `undefined` if it is incomplete. */
export function parseSeed(value: unknown): Seed | undefined {
  const isWhole = isObject(value) && seedParts.every((part) => typeof value[part] === 'string');
  return isWhole ? (value as unknown as Seed) : undefined;
}

/** Milliseconds until a process is killed. */
const endTimeoutMs = 10_000;
const pollMs = 15;

/** Returns the state of a running sandbox. Throws `Failure` (`unavailable`) if it does not run. */
export async function requireRunning(host: Host, paths: SandboxPaths): Promise<RunningState> {
  const state = await runningState(host, paths);
  if (state) return state;
  const start = createHint`Start it with: ${nextStep`sandbox start ${sandboxNameOption(paths)}`}`;
  const [other] = otherNames(host, paths);
  throw new Failure('unavailable', 'The sandbox is not running.', {
    hint: other === undefined ? start : createHint`Did you mean --name ${other}? ${start}`,
  });
}

const otherNames = (host: Host, { name }: SandboxPaths): readonly string[] =>
  allSandboxPaths(host)
    .filter((paths) => paths.name !== name && readState(host, paths))
    .map((paths) => paths.name);

/** Stops a sandbox and waits until it has closed its records. Kills it after a timeout. */
export async function stopProcess(host: Host, paths: SandboxPaths, { pid }: RunningState): Promise<void> {
  const { clock, processes, files } = host;
  const isStated = (): boolean =>
    [paths.state, paths.stateCopy].some((path) => files.sizeOf(path) !== undefined);
  const hasEnded = (): boolean => !isStated() || !processes.isAlive(pid);
  processes.terminate(pid);
  const deadline = clock.now() + endTimeoutMs;
  while (!hasEnded() && clock.now() < deadline) await clock.sleep(pollMs);
  if (!hasEnded()) processes.terminate(pid, 'SIGKILL');
  removeState(host, paths);
}
