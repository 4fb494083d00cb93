import { once } from 'node:events';
import { isAbsolute, join, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import { itemQueue } from '../../../base/item-queue.ts';
import type { JsonObject } from '../../../base/json.ts';
import { systemReason } from '../../../base/system-trouble.ts';
import { messageOf } from '../../../base/wording.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import type { Host } from '../../../host/host.ts';
import type { Opening, OpenSandbox } from '../../../sandbox/open-sandbox.ts';
import {
  forgetState,
  keepState,
  type RunningState,
  runningState,
  statedBy,
} from '../../../sandbox/running.ts';
import type { Tls } from '../../../sandbox/server.ts';
import {
  apiKeyVariable,
  keepingOf,
  keyVariable,
  nameOption,
  type SandboxPaths,
  sandboxPathsOf,
} from '../../../sandbox/target.ts';
import type { serveOptions } from '../options.ts';
import { likeIn, rateLimitOf } from './behaviour.ts';

type Input = InputOf<typeof serveOptions>;

/** Time that requests under way get at the end, in milliseconds: a container is killed after ten seconds. */
const graceMs = 8000;
/** Lines of the log that wait for a slow reader; those beyond are counted and dropped. */
const waitingAtMost = 10_000;
/** Time between two looks at the certificate, in milliseconds. */
const renewalMs = 2000;
/** Keys are no shorter, so that nobody guesses them. */
const shortestKey = 32;

/** The text of a file that an option names. Throws `Failure` (`usage`) where it cannot be read. */
function fileText({ files, cwd }: Host, option: string, path: string): string {
  const where = isAbsolute(path) ? path : join(cwd, path);
  try {
    const text = files.readText(where)?.text;
    if (text !== undefined) return text;
  } catch (error) {
    throw new Failure(
      'usage',
      `${option}: ${path} cannot be read (${systemReason(error) ?? messageOf(error)}).`,
      {
        cause: error,
      },
    );
  }
  throw new Failure('usage', `${option}: there is no file ${path}.`);
}

/** A key, from a file or a variable. What is wrong with it is said without it. Throws `Failure` (`usage`). */
function keyFrom(host: Host, option: string, path: string | undefined, variable: string): string | undefined {
  const from = path === undefined ? variable : `${option} ${path}`;
  const key = path === undefined ? host.env[variable] || undefined : fileText(host, option, path).trim();
  if (key === undefined || new RegExp(`^[!-~]{${shortestKey},}$`).test(key)) return key;
  throw new Failure(
    'usage',
    `The key of ${from} must have at least ${shortestKey} characters, and no blanks.`,
    {
      hint: 'A good one: openssl rand -hex 32',
    },
  );
}

/** Everything by which others than this machine reach it. Throws `Failure` (`usage`) for what does not go together. */
async function reachOf(host: Host, { listen, allowHost, tlsCert, tlsKey }: Input) {
  const { isLoopback } = await import('../../../sandbox/server.ts');
  const { isIP } = await import('node:net');
  const address = listen?.replace(/^\[(.*)\]$/, '$1');
  if (address !== undefined && address !== 'localhost' && isIP(address) === 0)
    throw new Failure('usage', `--listen must be an address of this machine, and not "${listen}".`, {
      hint: 'All addresses: --listen 0.0.0.0. The port is given by --port.',
    });
  if (address !== undefined && !isLoopback(address) && allowHost.length === 0)
    throw new Failure('usage', `At ${address} other machines reach it: name what they call it by.`, {
      hint: 'For example: --allow-host sandbox.acme.example, with all names that its users have for it.',
    });
  for (const name of allowHost)
    if (!/^(?:[a-z\d](?:[\w.-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(name))
      throw new Failure('usage', `--allow-host must be a host name or an address, and not "${name}".`, {
        hint: 'For example: --allow-host sandbox.acme.example, or with a port: sandbox.acme.example:8443.',
      });
  const readTls = (): Tls | undefined =>
    tlsCert === undefined || tlsKey === undefined
      ? undefined
      : { cert: fileText(host, '--tls-cert', tlsCert), key: fileText(host, '--tls-key', tlsKey) };
  const tls = readTls();
  return {
    readTls,
    address,
    allowHosts: allowHost,
    tls,
    isOpen: address !== undefined && !isLoopback(address),
  };
}

/**
 * Looks from time to time whether the certificate was renewed, and takes the new one; a pair that does not fit, or is half
 * written, is looked at again. Returns what ends this.
 */
function renewing(
  { timers }: Host,
  sandbox: OpenSandbox,
  { tls, readTls }: { readonly tls: Tls | undefined; readonly readTls: () => Tls | undefined },
  tell: (event: 'certificate_renewed' | 'certificate_refused', facts: JsonObject, pair: Tls) => void,
): () => void {
  if (tls === undefined) return () => undefined;
  let known: Tls = tls;
  let refused: string | undefined;
  let stop = (): void => undefined;
  const look = (): void => {
    let now = known;
    try {
      now = readTls() ?? known;
      if (now.cert !== known.cert || now.key !== known.key) {
        sandbox.renew(now);
        tell('certificate_renewed', {}, now);
        refused = undefined;
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.message !== refused) tell('certificate_refused', { why: error.message }, known);
      refused = error.message;
    }
    known = now;
    stop = timers.later(renewalMs, look);
  };
  stop = timers.later(renewalMs, look);
  return () => stop();
}

/** Keeps what commands on this machine need to find the sandbox, for as long as it runs. */
function stating(host: Host, paths: SandboxPaths, input: Input, keeping: Opening['keeping']) {
  let state: RunningState | undefined;
  const tell = (known: RunningState): void => {
    state = known;
    keepState(host, paths, known);
  };
  const like = likeIn(input);
  const rateLimit = rateLimitOf(input);
  return {
    renewed: (certificate: string) => state && tell({ ...state, certificate }),
    onSeed: (seed: RunningState['seed']) => state && tell({ ...state, seed }),
    begin(sandbox: OpenSandbox, certificate: string | undefined) {
      tell({
        pid: host.processes.pid,
        baseUrl: sandbox.baseUrl,
        port: sandbox.port,
        ...(keeping.kind === 'folder' ? { folder: keeping.folder } : {}),
        ...(like ? { like } : {}),
        ...(rateLimit ? { rateLimit: rateLimit.text } : {}),
        ...(input.allowDeliveriesTo.length > 0 ? { allowDeliveriesTo: input.allowDeliveriesTo } : {}),
        ...(certificate === undefined ? {} : { certificate }),
        ...(input.tlsCert === undefined || input.tlsKey === undefined
          ? {}
          : { tls: { cert: resolve(host.cwd, input.tlsCert), key: resolve(host.cwd, input.tlsKey) } }),
        ...(input.noLog ? {} : { isServed: true }),
        node: sandbox.node,
        startedAt: new Date(host.clock.now()).toISOString(),
        seed: sandbox.seed,
        controlKey: sandbox.controlKey,
      });
    },
    end() {
      // Another one may have been started in this one's place meanwhile.
      if (statedBy(host, paths)?.pid === host.processes.pid) forgetState(host, paths);
    },
  };
}

async function refuseSecond(host: Host, paths: SandboxPaths): Promise<void> {
  const other = await runningState(host, paths);
  if (!other || other.pid === host.processes.pid) return;
  throw new Failure('conflict', `The sandbox ${paths.name} runs already, at ${other.baseUrl}.`, {
    hint: `telctl sandbox stop${nameOption(paths)}, or give this one a name: --name NAME`,
  });
}

/** Ends a sandbox: what is under way is answered, but not for longer than it may take. */
async function ended(host: Host, sandbox: OpenSandbox): Promise<void> {
  const cutOff = host.timers.later(graceMs, sandbox.breakOff);
  await sandbox.close();
  cutOff();
}

/**
 * Runs a sandbox in this process until it is told to end, with a log of what it is asked and delivers; without the log,
 * `sandbox start` runs this in the background. Throws `Failure` where it cannot be opened.
 */
export async function serveSandbox(input: Input, { host, notices }: Context): Promise<Result> {
  const paths = sandboxPathsOf(host, input.name);
  const keeping = keepingOf(host, paths, input);
  const { isOpen, readTls, ...reach } = await reachOf(host, input);
  const apiKey = keyFrom(host, '--api-key-file', input.apiKeyFile, apiKeyVariable);
  const controlKey = keyFrom(host, '--control-key-file', input.controlKeyFile, keyVariable);
  if (!input.noLog) await refuseSecond(host, paths);
  const state = stating(host, paths, input, keeping);
  const lines = itemQueue<JsonObject>();
  const lineOf = (event: string, facts: JsonObject): JsonObject => ({
    time: new Date(host.clock.now()).toISOString(),
    event,
    ...facts,
  });
  let dropped = 0;
  const log = (event: string, facts: JsonObject = {}): void => {
    if (lines.waiting() >= waitingAtMost) {
      dropped += 1;
      return;
    }
    if (dropped > 0) lines.add(lineOf('dropped', { lines: dropped }));
    dropped = 0;
    lines.add(lineOf(event, facts));
  };
  const { openSandbox } = await import('../../../sandbox/open-sandbox.ts');
  const sandbox = await openSandbox(host, {
    ...{ keeping, apiKey, controlKey, ...reach },
    port: input.port ?? 0,
    like: likeIn(input),
    rateLimit: rateLimitOf(input),
    allowDeliveriesTo: input.allowDeliveriesTo,
    snapshots:
      input.data !== undefined && keeping.kind === 'folder' && !input.noLog
        ? join(keeping.folder, 'snapshots')
        : paths.snapshots,
    onSeed: state.onSeed,
    ...(input.noLog
      ? {}
      : { onEntry: ({ kind, time, ...entry }) => log(kind, { ...entry, sandbox_time: time }) }),
  });
  state.begin(sandbox, reach.tls?.cert);
  const endRenewing = renewing(host, sandbox, { tls: reach.tls, readTls }, (event, facts, { cert }) => {
    if (event === 'certificate_renewed') state.renewed(cert);
    if (!input.noLog) log(event, facts);
  });
  host.finishes();
  const untilTold = async (): Promise<void> => {
    if (!host.interrupted.aborted) await once(host.interrupted, 'abort');
  };
  const done = async (): Promise<void> => {
    endRenewing();
    await ended(host, sandbox);
    state.end();
  };
  if (input.noLog) {
    await untilTold();
    await done();
    return { kind: 'done', message: 'Sandbox stopped.' };
  }
  log('started', {
    base_url: sandbox.baseUrl,
    account_id: sandbox.seed.accountId,
    records: keeping.kind === 'folder' ? keeping.folder : null,
  });
  if (isOpen && !reach.tls)
    notices.warn(
      'It speaks plain HTTP to other machines: keep it behind a proxy with TLS, or in a network of its own.',
    );
  if (apiKey !== undefined && apiKey !== sandbox.seed.apiKey)
    notices.warn(
      'The records are older than the API key that was given: account acme keeps the key that it has.',
    );
  let ending: Promise<void> | undefined;
  const finish = (): Promise<void> => {
    ending ??= done();
    return ending;
  };
  const stop = async (): Promise<void> => {
    await untilTold();
    log('stopping');
    await finish().finally(lines.end);
  };
  async function* items(): AsyncGenerator<JsonObject> {
    try {
      yield* lines.read();
      yield lineOf('stopped', {});
    } finally {
      // Also where nobody reads the log any more.
      await finish();
    }
  }
  // What goes wrong at the end is thrown where the log ends.
  stop().catch(() => undefined);
  return {
    kind: 'list',
    items: items(),
    live: [],
    noun: 'lines',
    columns,
    summary: () => 'Sandbox stopped.',
  };
}

/** Columns of the log for people, with `-o table`. */
const columns = [
  { header: 'TIME', paths: ['time'] },
  { header: 'EVENT', paths: ['event'] },
  { header: 'METHOD', paths: ['method'] },
  { header: 'STATUS', paths: ['status'] },
  { header: 'PATH', paths: ['path'] },
];
