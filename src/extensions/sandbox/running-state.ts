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
  // A number of the account, to sign in by.
  'phoneNumber',
  'apiKey',
  'adminUsername',
  'adminPassword',
  'adminUserId',
] as const;

/** The accounts and users of a fresh sandbox, with the clear secrets that its store does not keep. */
export type Seed = Readonly<Record<(typeof seedParts)[number], string>>;

/** A sandbox that answers, as its process describes it. The file holds secrets and is the owner's alone. */
export interface RunningState {
  readonly pid: number;
  readonly baseUrl: string;
  readonly port: number;
  /** Folder of the records; left out: memory. */
  readonly folder?: string;
  /** Service that it answers like. */
  readonly like?: SandboxMode;
  /** Number of requests that it lets through, as it was asked for. */
  readonly rateLimit?: string;
  /** Hosts besides this machine that webhooks may be delivered to. */
  readonly allowDeliveriesTo?: readonly string[];
  /** Name of the sandbox in its replies. */
  readonly node: string;
  readonly startedAt: string;
  readonly seed: Seed;
  /** Certificate (PEM) of one that speaks TLS: this very one is expected, whatever names it has. */
  readonly certificate?: string;
  /** Files of that and of its key. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** It is run in the foreground, by `sandbox serve`. */
  readonly isServed?: boolean;
  /** Key taken by the requests that change the sandbox itself; sandboxes of older versions have none. */
  readonly controlKey?: string;
}

export const pageAddress = ({ baseUrl }: { readonly baseUrl: string }): string => `${baseUrl}/`;

type Machine = Pick<Host, 'files' | 'processes' | 'clock' | 'env'>;

/** Keeps what a sandbox says of itself, twice: it is the only way to a process that holds records. */
export function writeState({ files }: Pick<Host, 'files'>, paths: SandboxPaths, state: RunningState): void {
  for (const path of [paths.stateCopy, paths.state]) files.writePrivate(path, JSON.stringify(state));
  if (state.certificate !== undefined) files.writePrivate(paths.certificate, state.certificate);
}

/** An address of a sandbox by which telctl on this machine checks who answers, and the file to check it by. */
export interface VerifiedAddress {
  readonly baseUrl: string;
  readonly caFile?: string;
}

/** The address by which this machine calls a sandbox; `undefined` where its certificate is for other names. */
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

/** Returns what a sandbox last said of itself, even if it no longer runs. A damaged file counts as none. */
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

/** Time that a sandbox may take to say who it is, in milliseconds. */
const replyTimeoutMs = 3000;

/** Address of a sandbox, and the certificates that are trusted there beside the usual ones. */
export interface SandboxAddress {
  readonly baseUrl: string;
  /** That of the sandbox itself, which is on this machine. */
  readonly certificate?: string | undefined;
}

/** Opens a connection to a sandbox, without a proxy of this machine. */
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

/** Finds who answers at the address: the name in its replies, nobody, or a program that sends no reply. */
async function findResponder(
  host: Machine,
  line: SandboxAddress,
): Promise<{ readonly node: unknown } | 'nobody' | 'silent'> {
  const transport = await openConnection(host, line);
  // Older versions have no such path, and their error names them.
  const url = new URL('/sandbox/status', line.baseUrl);
  try {
    const reply = await transport.send({ method: 'GET', url, headers: {}, timeoutMs: replyTimeoutMs });
    const body = parseJson(await text(reply.body));
    return { node: isObject(body) ? body.node : undefined };
  } catch (error) {
    const { cause = error } = error as Error;
    return isObject(cause) && /TIMEOUT/.test(String(cause.code)) ? 'silent' : 'nobody';
  } finally {
    await transport.close();
  }
}

/**
 * The sandbox of that name where it runs. What a process that died left behind is removed. Throws `Failure`
 * (`unavailable`) where it can be neither spoken to nor taken for dead: its records may be in use.
 */
export async function runningState(host: Machine, paths: SandboxPaths): Promise<RunningState | undefined> {
  const state = readState(host, paths);
  if (!state) return undefined;
  if (host.processes.isAlive(state.pid)) {
    const answerer = await findResponder(host, state);
    if (answerer === 'silent')
      throw new Failure(
        'unavailable',
        `The sandbox at ${state.baseUrl} takes connections and does not answer.`,
        { hint: `Wait for it, or end its process: kill ${state.pid}` },
      );
    if (answerer !== 'nobody' && answerer.node === state.node) return state;
  }
  removeState(host, paths);
  return undefined;
}

/** Whom a sandbox was seeded with, as its files keep it; `undefined` for anything else. */
export function parseSeed(value: unknown): Seed | undefined {
  const isWhole = isObject(value) && seedParts.every((part) => typeof value[part] === 'string');
  return isWhole ? (value as unknown as Seed) : undefined;
}

/** Time that a process may take to end before it is killed, in milliseconds. */
const endTimeoutMs = 10_000;
const pollMs = 15;

/** The sandbox of that name. Throws `Failure` (`unavailable`) where it does not run. */
export async function requireRunning(host: Host, paths: SandboxPaths): Promise<RunningState> {
  const state = await runningState(host, paths);
  if (state) return state;
  const start = createHint`Start it with: ${nextStep`sandbox start ${sandboxNameOption(paths)}`}`;
  const [other] = otherNames(host, paths);
  throw new Failure('unavailable', 'The sandbox is not running.', {
    hint: other === undefined ? start : createHint`Another one may be meant: --name ${other}. ${start}`,
  });
}

const otherNames = (host: Host, { name }: SandboxPaths): readonly string[] =>
  allSandboxPaths(host)
    .filter((paths) => paths.name !== name && readState(host, paths))
    .map((paths) => paths.name);

/** Ends a sandbox and waits until it has closed its records; one that does not listen is killed. */
export async function stopProcess(host: Host, paths: SandboxPaths, { pid }: RunningState): Promise<void> {
  const { clock, processes, files } = host;
  const isStated = (): boolean =>
    [paths.state, paths.stateCopy].some((path) => files.sizeOf(path) !== undefined);
  const ended = (): boolean => !isStated() || !processes.isAlive(pid);
  processes.terminate(pid);
  const deadline = clock.now() + endTimeoutMs;
  while (!ended() && clock.now() < deadline) await clock.sleep(pollMs);
  if (!ended()) processes.askToEnd(pid, 'SIGKILL');
  removeState(host, paths);
}
